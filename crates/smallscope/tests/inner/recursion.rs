//! A type that contains itself is responsible for the values inside it.

use crate::{Interval, all, count, options, values};
use smallscope::search::Options;
use smallscope::{Bounded, Bounds, Engine, rep_ok};
use std::rc::Rc;

/// The invariant means the first node only: inner nodes may have any number.
#[derive(Bounded, Debug)]
struct Chain {
    is_first: bool,
    next: Option<Box<Chain>>,
}

#[rep_ok]
impl Chain {
    fn rep_ok(&self) -> bool {
        self.is_first && self.rest().all(|chain| !chain.is_first)
    }

    fn rest(&self) -> impl Iterator<Item = &Chain> {
        std::iter::successors(self.next.as_deref(), |chain| chain.next.as_deref())
    }
}

#[test]
fn an_invariant_of_the_outermost_value_stays_that() {
    assert_eq!(count_owned::<Chain>(&Bounds::scope(2).objects("Chain", 3)), 4);
}

/// Where boxes may alias, an invariant that follows them does not end, so not all engines are compared.
fn count_owned<T: Bounded + std::fmt::Debug>(bounds: &Bounds) -> usize {
    let all = values::<T>(bounds, Options::default());
    for other in [options(Engine::Owned), Options::audited()] {
        assert!(values::<T>(bounds, other).keys().eq(all.keys()), "{other:?}");
    }
    all.len()
}

/// From outside, the first one is asked, and it alone.
#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Owner {
    chain: Option<Box<Chain>>,
}

#[test]
fn from_outside_the_outermost_value_is_asked() {
    assert_eq!(count_owned::<Owner>(&Bounds::scope(2).objects("Chain", 3)), 4);
}

/// Two types that contain each other.
#[derive(Bounded, Debug)]
struct Even {
    is_first: bool,
    next: Option<Box<Odd>>,
}

#[derive(Bounded, Debug)]
struct Odd {
    is_first: bool,
    next: Option<Box<Even>>,
}

#[rep_ok]
impl Even {
    fn rep_ok(&self) -> bool {
        self.is_first && self.next.as_ref().is_none_or(|odd| !odd.is_first && odd.next.is_none())
    }
}

#[rep_ok]
impl Odd {
    fn rep_ok(&self) -> bool {
        self.is_first && self.next.is_none()
    }
}

#[test]
fn types_that_contain_each_other_are_one() {
    let bounds = Bounds::scope(2).objects("Even", 1).objects("Odd", 1);
    assert_eq!(count_owned::<Even>(&bounds), 2);
    // The rule depends on the types, not on the number of objects.
    assert_eq!(count_owned::<Even>(&Bounds::scope(2).objects("Even", 0).objects("Odd", 1)), 2);
}

/// Nodes with a part that has an invariant.
#[derive(Bounded, Debug)]
struct List {
    head: Option<Box<Node>>,
    size: usize,
}

#[derive(Bounded, Debug)]
struct Node {
    interval: Interval,
    next: Option<Box<Node>>,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        let mut visited = smallscope::Visited::new();
        let mut node = &self.head;
        let mut count = 0;
        while let Some(this) = node {
            if !visited.insert(&**this) {
                return false;
            }
            count += 1;
            node = &this.next;
        }
        count == self.size
    }
}

#[test]
fn every_node_of_a_list() {
    assert_eq!(count::<List>(&Bounds::scope(2).objects("Node", 2)), 1 + 3 + 9);
    let values = all::<List>(&Bounds::scope(2).objects("Node", 2));
    assert!(values.iter().all(|text| !text.contains("lo: 1, hi: 0")), "{values:?}");
}

/// A graph of shared nodes with cycles, without an invariant of its own.
#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Ring {
    first: Option<Rc<Link>>,
    second: Option<Rc<Link>>,
}

#[derive(Bounded, Debug)]
struct Link {
    interval: Interval,
    next: std::cell::RefCell<Option<std::rc::Weak<Link>>>,
}

#[test]
fn cycles() {
    let values = all::<Ring>(&Bounds::scope(2));
    assert!(values.iter().all(|text| !text.contains("lo: 1, hi: 0")), "{values:?}");
    // One link: in either field or in both, and it leads nowhere in two ways, or to itself. Two links: each of them leads
    // nowhere in two ways, or to one of the two.
    assert_eq!(values.len(), 1 + 3 * (3 * 3) + 9 * (4 * 4));
}
