//! Pointers inside cells, containers, arrays and tuples, as intrusive and observer structures have them.

use crate::{agreed, by_scope};
use smallscope::structures::Product;
use smallscope::{Bounded, Bounds};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::ptr::NonNull;
use std::rc::{Rc, Weak};

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Leaf {
    v: u8,
}

#[derive(Bounded)]
#[bounded(no_invariant, unsafe(raw_pointers))]
struct Intrusive {
    head: Cell<*mut Link>,
    tail: Cell<Option<NonNull<Link>>>,
    others: Vec<*const Link>,
}

#[derive(Bounded)]
#[bounded(no_invariant, unsafe(raw_pointers))]
struct Link {
    next: Cell<Option<NonNull<Link>>>,
    previous: Cell<*const Link>,
}

#[test]
fn raw_pointers_in_cells() {
    assert_eq!(agreed::<Intrusive>(&Bounds::scope(0).len("Intrusive.others", 0..=1)), 2);
    for n in 1..=2 {
        agreed::<Intrusive>(&Bounds::scope(n).len("Intrusive.others", 0..=1));
    }
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Subject {
    observers: RefCell<Vec<Weak<RefCell<Observer>>>>,
    owner: RefCell<Option<Rc<RefCell<Observer>>>>,
    more: VecDeque<Rc<RefCell<Observer>>>,
    last: Option<Weak<RefCell<Observer>>>,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Observer {
    seen: Cell<bool>,
}

#[test]
fn observers() {
    assert_eq!(agreed::<Subject>(&Bounds::scope(0)), 2);
    by_scope::<Subject>(1..=2);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Fixed {
    pair: [Box<Leaf>; 2],
    shared: [Rc<Leaf>; 2],
    tuple: (Box<Leaf>, Option<Rc<Leaf>>),
    both: Option<[Option<Box<Leaf>>; 2]>,
}

#[test]
fn mandatory_pointers_in_arrays_and_tuples() {
    assert_eq!(by_scope::<Fixed>(0..=2), [0, 0, 0]);
    // Three boxes are needed, and an object of the `Rc`s, with or without a third pointer to it.
    let bounds = |n| Bounds::scope(n).ints("Leaf.v", [0]);
    assert_eq!(agreed::<Fixed>(&bounds(3)), 0);
    assert_eq!(agreed::<Fixed>(&bounds(4)), 2 * 2);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Records {
    pairs: Vec<(u8, bool)>,
    map: BTreeMap<bool, (u8, Option<bool>)>,
    words: Vec<String>,
    arrays: Vec<[bool; 2]>,
    inner: Vec<Option<Leaf>>,
}

#[test]
fn plain_records_in_containers() {
    let bounds = Bounds::scope(1).alphabet("Records.words", "xy");
    assert_eq!(agreed::<Records>(&bounds), 2_usize.pow(0) * 3 * (1 + 3 + 3) * (1 + 3) * (1 + 4) * (1 + 2));
}

#[derive(Bounded)]
#[bounded(no_invariant)]
enum Choice {
    Nothing,
    One(Box<Leaf>),
    Two([Box<Leaf>; 2]),
    Many {
        #[allow(clippy::vec_box)]
        items: Vec<Box<Choice>>,
        extra: Option<Box<Leaf>>,
    },
}

#[test]
fn enums_that_need_different_numbers_of_objects() {
    for n in 0..=2 {
        agreed::<Choice>(&Bounds::scope(n).ints("Leaf.v", [0]).len("Choice::Many.items", 0..=1));
    }
    agreed::<Choice>(&Bounds::scope(3).ints("Leaf.v", [0]).objects("Choice", 1));
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Pooled {
    #[bounded(pool = "hot")]
    hot: Option<Rc<Leaf>>,
    #[bounded(pool = "hot")]
    chain: Option<Box<Chain>>,
    cold: Option<Box<Chain>>,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Chain {
    next: Option<Box<Chain>>,
    leaf: Option<Rc<Leaf>>,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Arena {
    slots: Vec<Entry>,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Entry {
    #[bounded(index = "slots")]
    next: Option<u8>,
}

#[test]
fn objects_stay_in_their_pool() {
    let bounds = Bounds::scope(2).ints("Leaf.v", [0]).pool("hot", 1);
    // Hot: an object or not, a chain of up to one whose leaf is that object or another one, or none. Cold: chains of up to two.
    let hot = 1 + 2 + 1 + 2;
    let cold = 1 + 2 + (1 + 1 + 1 + 2);
    assert_eq!(agreed::<Pooled>(&bounds), hot * cold);
}

#[test]
fn independent_inputs_share_nothing() {
    let bounds = Bounds::scope(1).ints("Leaf.v", [0]);
    let one = agreed::<Pooled>(&bounds);
    assert_eq!(agreed::<Product<(Pooled, Pooled)>>(&bounds), one * one);
    assert_eq!(agreed::<Product<(Arena, Arena)>>(&Bounds::scope(1)), 3 * 3);
}
