//! `#[bounded(unchecked)]` turns the invariants in a field off.

use crate::{Interval, count, refusal};
use smallscope::search::Options;
use smallscope::{Bounded, Bounds, rep_ok};
use std::rc::Rc;

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Half {
    valid: Interval,
    #[bounded(unchecked)]
    any: Interval,
}

#[test]
fn one_field_is_checked_and_the_other_is_not() {
    assert_eq!(count::<Half>(&Bounds::scope(2)), 3 * 4);
}

/// What is inside of the values is not checked either, with and without a pointer between.
#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Nested {
    #[bounded(unchecked)]
    by_value: Half,
    #[bounded(unchecked)]
    by_box: Option<Box<Half>>,
    checked: Half,
}

#[test]
fn parts_of_what_is_not_checked_are_not_checked() {
    assert_eq!(count::<Nested>(&Bounds::scope(2).objects("Half", 1)), 16 * (1 + 16) * 12);
}

/// The same objects are reached by a field that is checked.
#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Shared {
    checked: Rc<Interval>,
    #[bounded(unchecked)]
    any: Rc<Interval>,
}

#[test]
fn a_shared_object_is_checked_if_a_checked_field_leads_to_it() {
    // The two fields have the same object or not.
    assert_eq!(count::<Shared>(&Bounds::scope(2)), 3 + 3 * 4);
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Plain {
    #[bounded(unchecked)]
    nothing: Nothing,
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Nothing {
    number: u8,
}

#[derive(Bounded, Debug)]
struct Own {
    #[bounded(unchecked)]
    next: Option<Box<Own>>,
}

#[rep_ok]
impl Own {
    fn rep_ok(&self) -> bool {
        self.next.as_ref().is_none_or(|own| own.next.is_none())
    }
}

#[test]
fn the_attribute_must_be_of_use() {
    let expected = "its attribute says `unchecked`, but no invariant would be checked in the field";
    for (at, message) in [
        ("Plain.nothing", refusal::<Plain>(&Bounds::scope(2), Options::default())),
        ("Own.next", refusal::<Own>(&Bounds::scope(2), Options::default())),
    ] {
        assert!(message.contains(expected) && message.contains(at), "{message}");
    }
}
