//! Invariants that answer differently on the mirror and on the value.

use crate::failure;
use smallscope::search::{FailureKind, Options};
use smallscope::{Bounded, Bounds, Engine, rep_ok};

#[derive(Bounded)]
struct Sized(u8);

#[rep_ok]
impl Sized {
    fn rep_ok(&self) -> bool {
        self.0 == 0 || size_of_val(self) > 1
    }
}

#[test]
fn an_invariant_that_depends_on_sizes_is_found_out() {
    let FailureKind::Disagreement { difference } = failure::<Sized>(&Bounds::scope(2), Options::default())
    else {
        panic!("a disagreement");
    };
    assert!(
        difference.starts_with("the invariant accepts the candidate but rejects the value"),
        "{difference}"
    );
    assert!(difference.contains("`size_of`"), "{difference}");
}

#[derive(Bounded)]
struct Small(u8);

#[rep_ok]
impl Small {
    fn rep_ok(&self) -> bool {
        self.0 == 0 || size_of_val(self) == 1
    }
}

#[test]
fn values_that_are_lost_are_found_by_the_audit() {
    assert_eq!(crate::run::<Small>(&Bounds::scope(2), Options::default()), Ok(1));
    let FailureKind::Disagreement { difference } = failure::<Small>(&Bounds::scope(2), Options::audited())
    else {
        panic!("a disagreement");
    };
    assert_eq!(difference, "the invariant rejects the candidate but accepts the value built from it");
}

/// Its destructor relies on the invariant.
#[derive(Bounded)]
struct Strict(u8);

#[rep_ok]
impl Strict {
    fn rep_ok(&self) -> bool {
        self.0 == 0 || size_of_val(self) > 1
    }
}

impl Drop for Strict {
    fn drop(&mut self) {
        assert_eq!(self.0, 0, "a value that the invariant rejects was dropped");
    }
}

#[test]
fn a_value_that_the_invariant_rejects_is_not_dropped() {
    let kind = failure::<Strict>(&Bounds::scope(2), Options::audited());
    assert!(matches!(kind, FailureKind::Disagreement { .. }), "{kind}");
}

/// In the published algorithm boxes may alias; this invariant does not mind.
#[derive(Bounded)]
struct Careless {
    a: Option<Box<Node>>,
    b: Option<Box<Node>>,
}

#[derive(Bounded)]
struct Node {
    key: u8,
}

#[rep_ok]
impl Careless {
    fn rep_ok(&self) -> bool {
        true
    }
}

#[test]
fn a_box_with_two_owners_is_not_built() {
    let options = Options { engine: Engine::Korat, ..Options::default() };
    let kind = failure::<Careless>(&Bounds::scope(1), options);
    assert!(matches!(&kind, FailureKind::Unbuildable { why } if why.contains("two boxes")), "{kind}");
    assert_eq!(crate::run::<Careless>(&Bounds::scope(1), Options::audited()), Ok(3));
}
