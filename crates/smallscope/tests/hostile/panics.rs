//! Invariants that panic.

use crate::{failure, quietly};
use smallscope::search::{FailureKind, Options, Search};
use smallscope::{Bounded, Bounds, Check, rep_ok};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[derive(Bounded, Debug)]
struct Pair {
    a: u8,
    b: u8,
}

#[rep_ok]
impl Pair {
    fn rep_ok(&self) -> bool {
        assert!(self.a != 1 || self.b != 2, "one and two");
        self.a <= self.b
    }
}

#[test]
fn a_panic_is_a_verdict_with_its_candidate() {
    let kind = quietly(|| failure::<Pair>(&Bounds::scope(3), Options::default()));
    assert_eq!(kind, FailureKind::PredicatePanicked { message: "one and two".into() });
}

#[test]
fn the_candidate_of_a_panic_shows_the_values() {
    let mut search = Search::<Pair>::new(&Bounds::scope(3), Options::default()).unwrap();
    let failure = quietly(|| std::iter::from_fn(|| search.next_value()).find_map(Result::err)).unwrap();
    assert_eq!(failure.candidate.to_string(), "1.2");
    assert_eq!(search.graph(), "value: a = 1, b = 2");
    assert_eq!(failure.to_string(), "the invariant panicked: one and two (candidate 1.2)");
}

#[test]
fn a_check_reports_the_panic_of_an_invariant() {
    let report = Check::new("pairs", 3).run(|_: Pair| {});
    let case = report.failure().expect("it fails");
    assert!(case.message.contains("the invariant panicked: one and two"), "{}", case.message);
    assert!(!report.is_exhaustive());
}

/// Panics before it has read anything.
#[derive(Bounded)]
struct Always(bool);

#[rep_ok]
impl Always {
    fn rep_ok(&self) -> bool {
        std::panic::panic_any(7)
    }
}

#[test]
fn a_panic_without_a_message_is_a_verdict_too() {
    let kind = quietly(|| failure::<Always>(&Bounds::scope(1), Options::default()));
    assert_eq!(kind, FailureKind::PredicatePanicked { message: "(no message)".into() });
}

/// What it throws panics again when it is dropped.
#[derive(Bounded)]
struct Twice(bool);

struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

#[rep_ok(opaque(Bomb))]
impl Twice {
    fn rep_ok(&self) -> bool {
        if self.0 {
            std::panic::panic_any(Bomb);
        }
        true
    }
}

#[test]
fn what_is_thrown_is_not_dropped_by_us() {
    let kind = quietly(|| failure::<Twice>(&Bounds::scope(1), Options::default()));
    assert_eq!(kind, FailureKind::PredicatePanicked { message: "(no message)".into() });
}

/// Panics on what it is built into only.
#[derive(Bounded)]
struct Real(bool);

#[rep_ok]
impl Real {
    fn rep_ok(&self) -> bool {
        assert!(!std::any::type_name_of_val(self).ends_with("Real"), "a real one");
        self.0
    }
}

#[test]
fn a_panic_on_the_real_value_is_a_disagreement() {
    let expected = "the invariant accepts the candidate but panics on the value built from it: a real one";
    let kind = quietly(|| failure::<Real>(&Bounds::scope(1), Options::default()));
    assert_eq!(kind, FailureKind::Disagreement { difference: expected.into() });
    let expected = "the invariant rejects the candidate but panics on the value built from it: a real one";
    let kind = quietly(|| failure::<Real>(&Bounds::scope(1), Options::audited()));
    assert_eq!(kind, FailureKind::Disagreement { difference: expected.into() });
}

/// Catches panics itself, ours included.
#[derive(Bounded)]
struct Catching {
    first: Option<Box<Leaf>>,
    second: Option<Box<Leaf>>,
}

#[derive(Bounded)]
struct Leaf {
    must: Box<End>,
}

#[derive(Bounded)]
struct End;

#[rep_ok(opaque(AssertUnwindSafe))]
impl Catching {
    fn rep_ok(&self) -> bool {
        let read =
            || self.first.is_some() && self.second.as_ref().is_some_and(|s| std::ptr::eq(&*s.must, &*s.must));
        catch_unwind(AssertUnwindSafe(read)).unwrap_or(true)
    }
}

#[test]
fn an_invariant_that_catches_panics_loses_no_values() {
    let bounds = Bounds::scope(2);
    assert_eq!(crate::run::<Catching>(&bounds, Options::audited()), Ok(1));
    // With one end for two leaves, the only valid value is out of reach.
    assert_eq!(crate::run::<Catching>(&bounds.objects("End", 1), Options::audited()), Ok(0));
}
