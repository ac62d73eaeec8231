//! Keys in structures, with invariants, pointers and bounds.

use super::brute_force::{Text, Written};
use super::{ORDERS, compare_engines, delivered};
use smallscope::search::{Found, Options, Position, Search};
use smallscope::structures::Product;
use smallscope::{Bounded, Bounds, Error, Key, rep_ok};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::ControlFlow;
use std::rc::Rc;

/// Writes structures down field by field.
macro_rules! written {
    ($($t:ty { $($field:ident),* })*) => { $(
        impl Written for $t {
            fn write(&self, text: &mut Text) {
                $( text.text(concat!(stringify!($field), ": ")); self.$field.write(text); text.text(", "); )*
            }
        }
    )* };
}
written! {
    Fields { a, pair, set, cell, flag }
    Node { pair, next }
    Probed { set, probe }
    Limited { map, limit }
    Hashed { set, key }
    HashedFields { set, map, option, key }
    Ranked { set, key }
    Arena { nodes, root }
    Place { pair, next }
    Inside { map, key }
    Boxes { map, key }
    Asked { map, key }
    Entry { key, flag }
    Owners { map, more }
    Looked { map, key }
    Ranges { a, b, c }
    Gaps { a, set, key }
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Fields {
    a: Key,
    pair: (Key, bool),
    set: BTreeSet<Key>,
    cell: Cell<Key>,
    flag: bool,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
enum Payload {
    Empty,
    One(Key),
    Two((Key, u8), BTreeSet<Key>),
    Named { key: Option<Key>, next: Option<Box<Payload>> },
}

impl Written for Payload {
    fn write(&self, text: &mut Text) {
        match self {
            Payload::Empty => text.text("Empty"),
            Payload::One(key) => {
                text.text("One ");
                key.write(text);
            }
            Payload::Two(pair, set) => {
                text.text("Two ");
                pair.write(text);
                set.write(text);
            }
            Payload::Named { key, next } => {
                text.text("Named ");
                key.write(text);
                next.write(text);
            }
        }
    }
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Node {
    pair: (Key, u8),
    next: Option<Box<Node>>,
}

/// Compares, and finds each order once.
fn compare_once<T: Bounded + Written>(bounds: impl Into<Bounds>) -> usize {
    let (delivered, orders) = compare_engines::<T>(&bounds.into());
    assert_eq!(delivered, orders, "{}", std::any::type_name::<T>());
    orders
}

#[test]
fn fields_and_payloads() {
    compare_once::<Fields>(2);
    compare_once::<Fields>(3);
    compare_once::<Payload>(2);
    compare_once::<Product<(Payload, Key)>>(2);
    compare_once::<Vec<Payload>>(1);
    compare_once::<Node>(2);
    compare_once::<Product<(Node, Key)>>(3);
    compare_once::<Vec<Node>>(2);
}

#[derive(Bounded)]
struct Probed {
    set: BTreeSet<Key>,
    probe: Key,
}

#[rep_ok]
impl Probed {
    fn rep_ok(&self) -> bool {
        // The greatest element is not the probe, but another one may be.
        self.set.len() != 1
            && self.set.iter().next_back() != Some(&self.probe)
            && (self.set.is_empty()
                || self.set.contains(&self.probe)
                || self.set.iter().any(|key| *key < self.probe))
    }
}

#[derive(Bounded)]
struct Limited {
    map: BTreeMap<Key, u8>,
    limit: Option<(Key, bool)>,
}

#[rep_ok]
impl Limited {
    fn rep_ok(&self) -> bool {
        match &self.limit {
            None => self.map.is_empty(),
            Some((limit, is_strict)) => {
                self.map.keys().all(|key| if *is_strict { key < limit } else { key <= limit })
                    && self.map.get(limit).is_none_or(|&value| value > 0)
            }
        }
    }
}

#[test]
fn invariants_that_compare_keys_inside() {
    for scope in 1..=4 {
        compare_once::<Probed>(scope);
        compare_once::<Limited>(scope.min(3));
    }
    compare_once::<Product<(Probed, Limited)>>(2);
}

#[derive(Bounded)]
struct Hashed {
    set: HashSet<Key>,
    key: Key,
}

#[rep_ok]
impl Hashed {
    fn rep_ok(&self) -> bool {
        self.set.len() != 1 && !self.set.contains(&self.key)
    }
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct HashedFields {
    set: HashSet<Key>,
    map: HashMap<Key, bool>,
    option: Option<HashSet<(Key, bool)>>,
    key: Key,
}

#[derive(Bounded)]
struct Ranked {
    set: BTreeSet<Key>,
    key: Key,
}

#[rep_ok]
impl Ranked {
    fn rep_ok(&self) -> bool {
        self.set.iter().all(|key| key.rank() != 1)
    }
}

#[test]
fn keys_that_only_the_test_hashes() {
    compare_once::<HashedFields>(2);
    compare_once::<Product<(HashSet<Key>, Key)>>(3);
}

#[test]
fn keys_that_the_invariant_hashes_or_ranks_keep_their_values() {
    let (delivered, orders) = compare_engines::<Hashed>(&Bounds::scope(4));
    assert!(delivered > orders, "{delivered} of {orders}");
    compare_engines::<Ranked>(&Bounds::scope(4));
    let sets: BTreeSet<BTreeSet<Key>> = {
        let mut search = Search::<Ranked>::new(&Bounds::scope(4), ORDERS).unwrap();
        std::iter::from_fn(|| search.next_value()).map(|value| value.unwrap().set).collect()
    };
    assert_eq!(sets.len(), 1 << 3, "all subsets of 0, 2 and 3");
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Shared {
    a: Rc<Key>,
    b: Option<Rc<(Key, bool)>>,
    c: Rc<Key>,
    d: Key,
}

impl Written for Shared {
    fn write(&self, text: &mut Text) {
        text.text(Rc::ptr_eq(&self.a, &self.c).to_string());
        self.a.write(text);
        self.b.as_ref().map(|b| **b).write(text);
        self.c.write(text);
        self.d.write(text);
    }
}

#[test]
fn shared_keys() {
    compare_once::<Shared>(2);
    compare_once::<Shared>(4);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Arena {
    nodes: Vec<Place>,
    #[bounded(index = "nodes")]
    root: Option<u8>,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Place {
    pair: (Key, bool),
    #[bounded(index = "nodes")]
    next: Option<u8>,
}

#[test]
fn keys_in_arenas_are_compared() {
    compare_engines::<Product<(Arena, Key)>>(&Bounds::scope(2));
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Entry {
    key: Key,
    flag: bool,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Inside {
    map: BTreeMap<Key, Entry>,
    key: Key,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Boxes {
    map: HashMap<Key, Option<Box<Entry>>>,
    key: Key,
}

/// Order types list the keys of the map, because its cells are in the order of the hashes.
#[derive(Bounded)]
struct Asked {
    map: HashMap<Key, Option<Box<Entry>>>,
    key: Key,
}

#[rep_ok]
impl Asked {
    fn rep_ok(&self) -> bool {
        !self.map.contains_key(&self.key)
    }
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Owners {
    map: BTreeMap<Key, Box<Entry>>,
    more: Option<Box<Entry>>,
}

#[derive(Bounded)]
struct Looked {
    map: BTreeMap<Key, Option<Box<Entry>>>,
    key: Key,
}

#[rep_ok]
impl Looked {
    fn rep_ok(&self) -> bool {
        match self.map.get(&self.key) {
            Some(entry) => entry.as_ref().map_or(self.map.len() > 1, |entry| entry.key < self.key),
            None => self.map.values().all(|entry| entry.as_ref().is_none_or(|entry| entry.flag)),
        }
    }
}

#[test]
fn maps_to_structures() {
    compare_once::<Inside>(1);
    compare_once::<Inside>(2);
    compare_once::<Inside>(3);
    compare_once::<Looked>(2);
    compare_once::<Looked>(3);
    compare_once::<Vec<Owners>>(2);
    compare_once::<Product<(Owners, Key)>>(3);
    compare_engines::<Boxes>(&Bounds::scope(2));
    compare_engines::<Asked>(&Bounds::scope(2));
    // If contents were asked about that are listed, two more values would come with the same order as others.
    assert_eq!(compare_engines::<Asked>(&Bounds::scope(3)), (190, 170));
    compare_once::<Product<(BTreeMap<Key, Vec<Key>>, Key)>>(2);
    compare_once::<BTreeMap<(Key, bool), BTreeMap<Key, Option<Key>>>>(2);
    compare_once::<Option<BTreeMap<Key, Option<Key>>>>(3);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Ranges {
    #[bounded(range = 0..=1)]
    a: Key,
    #[bounded(range = 1..=3, len = 0..=2)]
    b: BTreeSet<Key>,
    #[bounded(range = 2..=5)]
    c: (Key, Option<Key>),
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Gaps {
    #[bounded(set = [5, 1, 3])]
    a: Key,
    #[bounded(set = [2, 0])]
    set: BTreeSet<Key>,
    key: Key,
}

#[test]
fn keys_with_bounds() {
    compare_once::<Ranges>(2);
    compare_engines::<Gaps>(&Bounds::scope(7));
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Values {
    #[bounded(values = [(Key::new(1), 2.5)])]
    pair: (Key, f64),
    key: Key,
}

#[test]
fn listed_keys_are_refused() {
    let Err(error) = Search::<Values>::new(&Bounds::scope(2), ORDERS).map(drop) else {
        panic!("not refused")
    };
    assert!(matches!(error, Error::Contradiction { .. }));
    assert_eq!(
        error.to_string(),
        "the bounds of `Values.pair` contradict each other: its `values` contain keys, which order types cannot compare with \
         others; give it a `range`, or leave `order_types` out"
    );
    assert!(Search::<Values>::new(&Bounds::scope(2), Options::DEFAULT).is_ok());
}

/// Paths of all values from where a search stands.
fn rest<T: Bounded>(mut search: Search<T>) -> Vec<Vec<u32>> {
    let mut paths = vec![];
    while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {
        paths.push(search.path());
    }
    paths
}

/// Stopping, resuming, splitting, running twice and checking rejected candidates change nothing.
fn in_pieces<T: Bounded + Written>(scope: u32) {
    let bounds = Bounds::scope(scope);
    let open = || Search::<T>::new(&bounds, ORDERS).unwrap();
    let all = rest(open());
    for options in [
        Options { recheck_every: 1, ..ORDERS },
        Options { audit: true, ..ORDERS },
        Options { recheck_every: 0, ..ORDERS },
    ] {
        let found = rest(Search::<T>::new(&bounds, options).unwrap());
        assert_eq!(found.len(), all.len(), "{options:?}");
    }
    for stop in (0..all.len()).step_by(all.len() / 30 + 1) {
        let mut first = open();
        (0..=stop).for_each(|_| drop(first.find_next(&mut |_| ControlFlow::Continue(()))));
        let mut after = open();
        after.start_after(&all[stop]).unwrap();
        assert_eq!(rest(after), all[stop + 1..]);
        if let Some(position) = first.position() {
            let mut second = open();
            second.start_at(&position).unwrap();
            assert_eq!(rest(second), all[stop + 1..], "at {position}");
        }
        let later = first.split().map(|cut| {
            let mut second = open();
            second.start_at(&cut).unwrap();
            rest(second)
        });
        let mut both = rest(first);
        both.extend(later.into_iter().flatten());
        assert_eq!(both, all[stop + 1..]);
    }
    let mut again = open();
    again.start_at(&Position::START).unwrap();
    assert_eq!(rest(again), all);
}

#[test]
fn positions() {
    in_pieces::<Fields>(2);
    in_pieces::<Payload>(2);
    in_pieces::<Probed>(4);
    in_pieces::<Limited>(3);
    in_pieces::<Ranked>(4);
    in_pieces::<Hashed>(3);
    in_pieces::<Inside>(2);
    in_pieces::<Looked>(2);
    in_pieces::<Product<(Owners, Key)>>(2);
    in_pieces::<Product<(Node, Key)>>(2);
}

/// A record of each value leads back to the value, with order types and without.
fn records<T: Bounded + Written>(scope: u32) {
    let bounds = Bounds::scope(scope);
    let mut search = Search::<T>::new(&bounds, ORDERS).unwrap();
    let mut count = 0;
    while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {
        let (value, candidate) = (Text::of(&search.value().unwrap()), search.candidate());
        for options in [ORDERS, Options::DEFAULT] {
            let mut other = Search::<T>::new(&bounds, options).unwrap();
            let read = other.candidate_of(&search.value().unwrap()).unwrap();
            assert_eq!(read, candidate, "{value:?}");
            other.go_to(&candidate).unwrap();
            assert_eq!(Text::of(&other.value().unwrap()), value);
        }
        count += 1;
    }
    assert_eq!(count, delivered::<T>(&bounds, ORDERS, Text::ranked).len());
}

#[test]
fn values_are_recorded() {
    records::<Fields>(2);
    records::<Payload>(2);
    records::<Probed>(3);
    records::<Limited>(2);
    records::<Inside>(2);
    records::<Looked>(2);
    records::<Product<(Owners, Key)>>(2);
}

#[derive(Bounded)]
struct Interval {
    low: Key,
    high: Key,
}

#[rep_ok]
impl Interval {
    fn rep_ok(&self) -> bool {
        self.low <= self.high
    }
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Intervals {
    map: BTreeMap<Key, Interval>,
    set: BTreeSet<Key>,
}

written! {
    Interval { low, high }
    Intervals { map, set }
}

#[test]
fn invariants_of_parts_inside_patterns() {
    compare_once::<Intervals>(2);
    compare_once::<BTreeMap<Key, Interval>>(3);
    in_pieces::<Intervals>(2);
    records::<Intervals>(2);
}
