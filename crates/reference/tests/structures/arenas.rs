//! Vectors of structures with declared indices.

use crate::checked;
use smallscope::{Bounded, Bounds};
use smallscope_reference::Settings;

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Arena {
    slots: Vec<Entry>,
    #[bounded(index = "slots")]
    root: Option<usize>,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Entry {
    #[bounded(index = "slots")]
    next: Option<u32>,
}

#[test]
fn functional_graphs_up_to_renaming() {
    let counts = |n| {
        let c = checked::<Arena>(&Bounds::scope(n), &Settings::default());
        assert_eq!(c.uneven, 0);
        (c.valid, c.arrangements)
    };
    // Arrangements: partial functions on k unlabelled points, with a marked point or none.
    assert_eq!((0..=2).map(counts).collect::<Vec<_>>(), [(1, 1), (1 + 4, 1 + 4), (1 + 4 + 27, 1 + 4 + 15)]);
    counts(3);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Late {
    #[bounded(index = "Late.slots")]
    first: u8,
    #[bounded(index = "Late.slots")]
    second: Option<u64>,
    slots: Vec<Item>,
    others: Vec<Item>,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Item {
    flag: bool,
}

#[test]
fn indices_declared_before_their_vector() {
    for n in 0..=3 {
        checked::<Late>(&Bounds::scope(n), &Settings::default());
    }
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Perhaps {
    #[bounded(index = "Perhaps.slots")]
    index: Option<u16>,
    slots: Option<Vec<Item>>,
}

#[test]
fn an_arena_that_may_be_absent() {
    for n in 0..=2 {
        checked::<Perhaps>(&Bounds::scope(n), &Settings::default());
    }
}
