//! Fields of one structure as parts, and which conjuncts are about which.

use crate::{ENGINES, agrees, is_fit, options};
use smallscope::search::Search;
use smallscope::structures::Product;
use smallscope::{Bounded, Bounds, Disjoint, Visited, rep_ok};
use std::rc::{Rc, Weak};

/// A list with spare nodes.
#[derive(Bounded)]
struct Store {
    #[bounded(part = "items")]
    items: Option<Box<Node>>,
    #[bounded(part = "items")]
    size: usize,
    #[bounded(part = "spares")]
    spares: Option<Box<Node>>,
    #[bounded(part = "spares", range = 0..=scope + 1)]
    most_spares: usize,
}

#[derive(Bounded)]
struct Node {
    value: u8,
    next: Option<Box<Node>>,
}

#[rep_ok]
impl Store {
    fn rep_ok(&self) -> bool {
        Self::is_sorted(&self.items)
            && Self::count(&self.spares) <= self.most_spares
            && Self::count(&self.items) == self.size
    }
    fn count(mut node: &Option<Box<Node>>) -> usize {
        let mut count = 0;
        while let Some(this) = node {
            count += 1;
            node = &this.next;
        }
        count
    }
    fn is_sorted(mut node: &Option<Box<Node>>) -> bool {
        let mut last = None;
        while let Some(this) = node {
            if last.is_some_and(|last| last > this.value) {
                return false;
            }
            last = Some(this.value);
            node = &this.next;
        }
        true
    }
}

fn slicing<T: Bounded>(bounds: &Bounds) -> smallscope::disjoint::Slicing {
    let mut search = Search::<T>::new(bounds, options(Default::default(), Disjoint::On)).unwrap();
    search.slicing().unwrap().expect("it has parts")
}

/// The conjuncts of each part, and those about several.
fn sliced<T: Bounded>(bounds: &Bounds) -> (Vec<(String, usize)>, Vec<&'static str>) {
    let slicing = slicing::<T>(bounds);
    let parts =
        slicing.parts.iter().map(|part| (part.name.clone(), part.conjuncts.as_ref().map_or(0, Vec::len)));
    (parts.collect(), slicing.global.iter().map(|global| global.text).collect())
}

#[test]
fn every_conjunct_is_about_one_part() {
    for scope in 0..4 {
        let bounds = Bounds::scope(scope);
        agrees::<Store>(&bounds);
        let (parts, global) = sliced::<Store>(&bounds);
        assert_eq!(parts, [("items".to_owned(), 2), ("spares".to_owned(), 1)]);
        assert!(global.is_empty());
        let slicing = slicing::<Store>(&bounds);
        let product = slicing.parts.iter().map(|part| part.valid).product::<u64>();
        assert_eq!(product, smallscope::count::<Store>(&bounds).valid);
    }
}

/// One conjunct is about both parts.
#[derive(Bounded)]
struct Balanced {
    #[bounded(part = "left")]
    left: Option<Box<Node>>,
    #[bounded(part = "right")]
    right: Option<Box<Node>>,
}

#[rep_ok]
impl Balanced {
    fn rep_ok(&self) -> bool {
        Self::is_zero(&self.left)
            && Self::count(&self.left) == Self::count(&self.right)
            && Self::is_zero(&self.right)
    }
    fn count(mut node: &Option<Box<Node>>) -> usize {
        let mut count = 0;
        while let Some(this) = node {
            count += 1;
            node = &this.next;
        }
        count
    }
    fn is_zero(node: &Option<Box<Node>>) -> bool {
        match node {
            None => true,
            Some(node) => node.value == 0 && Self::is_zero(&node.next),
        }
    }
}

#[test]
fn a_conjunct_about_two_parts_filters_combinations() {
    for scope in 0..4 {
        assert_eq!(agrees::<Balanced>(&Bounds::scope(scope)), scope as usize + 1);
    }
    let slicing = slicing::<Balanced>(&Bounds::scope(2));
    assert_eq!(slicing.parts.iter().map(|part| part.valid).collect::<Vec<_>>(), [3, 3]);
    let [global] = &slicing.global[..] else { panic!("{slicing}") };
    assert_eq!(global.text, "Self::count(&self.left) == Self::count(&self.right)");
    assert!(slicing.to_string().contains("checked on each combination"), "{slicing}");
}

/// A conjunct that asks for the other part now and then only, and never where it is observed first.
#[derive(Bounded)]
struct Sly {
    #[bounded(part = "a", range = 0..=200)]
    a: u32,
    #[bounded(part = "b", range = 0..=3)]
    b: u32,
}

#[rep_ok]
impl Sly {
    fn rep_ok(&self) -> bool {
        self.is_fine() && self.b != 1
    }
    fn is_fine(&self) -> bool {
        // By value, so that one value at a time is decided.
        let a = self.a * 2;
        a != 300 || self.b == 2
    }
}

#[test]
fn what_turns_out_to_be_global_is_so_from_then_on() {
    assert_eq!(agrees::<Sly>(&Bounds::scope(1)), 200 * 3 + 1);
    for engine in ENGINES {
        let mut search = Search::<Sly>::new(&Bounds::scope(1), options(engine, Disjoint::On)).unwrap();
        let slicing = search.slicing().unwrap().unwrap();
        assert_eq!(slicing.global[0].text, "self.is_fine()");
        assert_eq!(slicing.global[0].why, "it asks for `Sly.b` of the part `b`, too");
        assert_eq!(slicing.parts[0].valid, 201, "its part was searched again without it");
    }
}

/// A conjunct that relies on one that is about two parts.
#[derive(Bounded)]
struct Relying {
    #[bounded(part = "ring")]
    ring: Option<Rc<Link>>,
    #[bounded(part = "limit", range = 0..=3)]
    limit: usize,
}

#[derive(Bounded)]
struct Link {
    next: std::cell::RefCell<Option<Weak<Link>>>,
    other: Option<Rc<Link>>,
}

#[rep_ok]
impl Relying {
    fn rep_ok(&self) -> bool {
        self.steps() <= self.limit && self.length() > 0
    }
    fn steps(&self) -> usize {
        let mut seen = Visited::new();
        let mut link = &self.ring;
        while let Some(this) = link {
            if !seen.insert(&**this) {
                return usize::MAX;
            }
            link = &this.other;
        }
        seen.len()
    }
    fn length(&self) -> usize {
        let mut length = 0;
        let mut link = &self.ring;
        while let Some(this) = link {
            length += 1;
            assert!(length < 10, "the ring has no end");
            link = &this.other;
        }
        length
    }
}

#[test]
fn a_conjunct_that_panics_without_the_others_is_checked_behind_them() {
    let bounds = Bounds::scope(2);
    assert!(agrees::<Relying>(&bounds) > 0);
    let slicing = slicing::<Relying>(&bounds);
    let texts: Vec<&str> = slicing.global.iter().map(|global| global.text).collect();
    assert_eq!(texts[0], "self.steps() <= self.limit");
}

/// Parts without conjuncts.
#[derive(Bounded)]
#[bounded(no_invariant)]
struct Free {
    #[bounded(part = "a")]
    a: Option<Box<Node>>,
    #[bounded(part = "b")]
    b: bool,
}

#[test]
fn everything_of_a_part_without_conjuncts_is_valid() {
    for scope in 0..4 {
        agrees::<Free>(&Bounds::scope(scope));
    }
    assert_eq!(sliced::<Free>(&Bounds::scope(2)).0, [("a".to_owned(), 0), ("b".to_owned(), 0)]);
}

/// Pools imply parts.
#[derive(Bounded)]
struct Pair {
    #[bounded(pool = "first")]
    first: Chain,
    #[bounded(pool = "second")]
    second: Chain,
}

#[derive(Bounded)]
struct Chain {
    head: Option<Box<Node>>,
    size: usize,
}

#[rep_ok]
impl Chain {
    fn rep_ok(&self) -> bool {
        self.count() == self.size && self.rises()
    }
    fn count(&self) -> usize {
        let (mut count, mut node) = (0, &self.head);
        while let Some(this) = node {
            count += 1;
            node = &this.next;
        }
        count
    }
    fn rises(&self) -> bool {
        let (mut last, mut node) = (None, &self.head);
        while let Some(this) = node {
            if last.is_some_and(|last| last >= this.value) {
                return false;
            }
            (last, node) = (Some(this.value), &this.next);
        }
        true
    }
}

#[rep_ok]
impl Pair {
    fn rep_ok(&self) -> bool {
        self.first.rep_ok() && self.second.rep_ok()
    }
}

#[test]
fn fields_with_pools_of_their_own_are_parts() {
    for scope in 0..4 {
        let bounds = Bounds::scope(scope);
        agrees::<Pair>(&bounds);
        for engine in ENGINES.into_iter().filter(|engine| is_fit::<Pair>(&bounds, *engine)) {
            let explored = |disjoint| {
                Search::<Pair>::new(&bounds, options(engine, disjoint)).unwrap().count().unwrap().explored
            };
            let one = Search::<Chain>::new(&bounds, {
                let mut one = options(engine, Disjoint::Off);
                one.lazy.order = false;
                one
            });
            // Not a run more than for each of the two alone.
            assert_eq!(
                explored(Disjoint::On),
                2 * one.unwrap().count().unwrap().explored,
                "{engine} {scope}"
            );
        }
    }
}

#[test]
fn a_structure_with_parts_is_one_input_among_others() {
    agrees::<Product<(Pair, bool)>>(&Bounds::scope(2));
}
