//! Vectors of structures with declared indices.

use crate::checked;
use smallscope::{Bounded, Bounds, rep_ok};
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

#[derive(Bounded)]
struct FreeList {
    slots: Vec<Slot>,
    #[bounded(index = "FreeList.slots")]
    head: Option<usize>,
    #[bounded(index = "FreeList.slots")]
    free: Option<usize>,
}

#[derive(Bounded)]
enum State {
    Free,
    Taken(u8),
}

#[derive(Bounded)]
struct Slot {
    state: State,
    #[bounded(index = "FreeList.slots")]
    next: Option<usize>,
}

#[rep_ok]
impl FreeList {
    /// Every slot is on one of two lists.
    fn rep_ok(&self) -> bool {
        let mut seen = vec![false; self.slots.len()];
        self.walk(self.head, true, &mut seen)
            && self.walk(self.free, false, &mut seen)
            && seen.iter().all(|seen| *seen)
    }

    fn walk(&self, from: Option<usize>, taken: bool, seen: &mut [bool]) -> bool {
        let mut next = from;
        while let Some(i) = next {
            if std::mem::replace(&mut seen[i], true)
                || matches!(self.slots[i].state, State::Taken(_)) != taken
            {
                return false;
            }
            next = self.slots[i].next;
        }
        true
    }
}

#[test]
fn a_list_and_a_free_list_in_an_arena() {
    for (n, values) in [(0, 2), (1, 2), (2, 2), (3, 1)] {
        let bounds = Bounds::scope(n).ints("State::Taken.0", 0..values);
        let c = checked::<FreeList>(&bounds, &Settings::default());
        assert_eq!(c.uneven, 0);
        // For k slots: a list of i values, the others free.
        let values = values as usize;
        let arrangements: usize = (0..=n).map(|k| (0..=k).map(|i| values.pow(i)).sum::<usize>()).sum();
        assert_eq!(c.arrangements, arrangements);
        if n > 1 {
            assert!(c.engines[0].delivered < c.valid as u64, "no symmetry is broken");
        }
    }
}

#[derive(Bounded)]
struct Positional {
    slots: Vec<Item>,
    #[bounded(index = "Positional.slots")]
    root: Option<usize>,
}

#[rep_ok]
impl Positional {
    /// An invariant that depends on places: not what an arena is for, but it must not break the search.
    fn rep_ok(&self) -> bool {
        self.slots.first().is_some_and(|item| item.flag) && self.root != Some(0)
    }
}

#[test]
fn an_invariant_that_knows_places() {
    let c = checked::<Positional>(&Bounds::scope(2), &Settings::default());
    assert!(c.uneven > 0);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Adjacency {
    vertices: Vec<Vertex>,
    #[bounded(index = "vertices", non_null)]
    start: Option<usize>,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Vertex {
    #[bounded(index = "vertices", len = 0..=1)]
    out: Vec<u8>,
    #[bounded(index = "vertices")]
    pair: [Option<usize>; 1],
}

#[test]
fn vectors_and_arrays_of_indices() {
    for n in 0..=2 {
        let c = checked::<Adjacency>(&Bounds::scope(n), &Settings::default());
        assert_eq!(c.uneven, 0);
        // k vertices with k + 1 choices for each of two fields, and k for the start.
        assert_eq!(c.valid, (1..=n as usize).map(|k| (k + 1).pow(2 * k as u32) * k).sum());
    }
}
