//! Disjoint generation slices the invariants of parts.

use crate::{Interval, all, disjoint};
use smallscope::structures::Product;
use smallscope::{Bounded, Bounds, rep_ok};

#[derive(Bounded, Debug)]
struct Window {
    #[bounded(part = "x")]
    x: Interval,
    #[bounded(part = "y")]
    y: Vec<Interval>,
}

#[rep_ok]
impl Window {
    fn rep_ok(&self) -> bool {
        self.x.lo == 0 && self.y.len() < 2
    }
}

#[test]
fn each_part_has_the_invariants_of_its_own_values() {
    let bounds = Bounds::scope(2).objects("Interval", 1);
    let (values, slicing) = disjoint::<Window>(&bounds);
    assert_eq!(values, all::<Window>(&bounds));
    assert_eq!(values.len(), 2 * (1 + 3));
    let texts: Vec<_> = slicing.parts.iter().map(|part| part.conjuncts.clone().unwrap()).collect();
    assert_eq!(
        texts,
        [
            ["self.x.lo == 0", "Interval::rep_ok of Window.x"],
            ["self.y.len() < 2", "Interval::rep_ok of Window.y"]
        ]
    );
    assert!(slicing.global.is_empty(), "{slicing}");
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Pair {
    a: Interval,
    b: Interval,
}

/// Both parts have values of the same type by value, without a slot on the way to them.
#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Pairs {
    #[bounded(part = "left")]
    left: Pair,
    #[bounded(part = "right")]
    right: Pair,
}

#[test]
fn parts_of_parts_belong_to_the_part_that_they_are_in() {
    let (values, slicing) = disjoint::<Pairs>(&Bounds::scope(2));
    assert_eq!(values.len(), 81);
    assert_eq!(values, all::<Pairs>(&Bounds::scope(2)));
    let valid: Vec<u64> = slicing.parts.iter().map(|part| part.valid).collect();
    assert_eq!(valid, [9, 9]);
    assert!(
        slicing.parts.iter().all(|part| part.explored.is_some_and(|explored| explored <= 16)),
        "{slicing}"
    );
}

#[test]
fn arguments_are_parts() {
    let (values, slicing) = disjoint::<Product<(Pair, Window)>>(&Bounds::scope(2).objects("Interval", 1));
    assert_eq!(values.len(), 9 * 8);
    let valid: Vec<u64> = slicing.parts.iter().map(|part| part.valid).collect();
    assert_eq!(valid, [9, 2, 4]);
}

/// Relies on the invariants of its parts, which are searched apart.
#[derive(Bounded, Debug)]
struct Relying {
    #[bounded(part = "x")]
    x: Interval,
    #[bounded(part = "y")]
    y: Interval,
}

#[rep_ok]
impl Relying {
    fn rep_ok(&self) -> bool {
        self.x.hi - self.x.lo < 2
            && self.y.hi - self.y.lo < 2
            && self.x.hi - self.x.lo == self.y.hi - self.y.lo
    }
}

#[test]
fn conjuncts_about_a_part_may_rely_on_the_invariants_in_it() {
    let (values, slicing) = disjoint::<Relying>(&Bounds::scope(3));
    assert_eq!(values.len(), 9 + 4);
    assert_eq!(values, all::<Relying>(&Bounds::scope(3)));
    assert_eq!(slicing.parts.iter().map(|part| part.valid).collect::<Vec<_>>(), [5, 5], "{slicing}");
    assert_eq!(slicing.global.len(), 1, "{slicing}");
}

#[test]
fn arguments_are_split_by_the_parts_of_their_fields() {
    let (values, slicing) = disjoint::<Product<(Relying, Relying)>>(&Bounds::scope(2));
    assert_eq!(values.len(), 5 * 5);
    assert_eq!(slicing.parts.len(), 4, "{slicing}");
    assert!(slicing.parts.iter().all(|part| part.valid == 3), "{slicing}");
}
