//! A user's crate with every macro of smallscope. `cargo xtask expansions` compiles it in each edition, with the oldest
//! compiler and the newest one, under strict lints and with `panic = "abort"`, and runs its tests.
//!
//! Only what all editions have in common is used here.

#![deny(warnings, missing_docs, rust_2018_idioms, unreachable_pub, unused_qualifications, unused_results)]
#![deny(single_use_lifetimes, trivial_casts, trivial_numeric_casts, unused_lifetimes, unused_macro_rules)]
#![forbid(unsafe_code)]

pub mod patterns;
pub mod shapes;

use smallscope::classes::ClassSet;
use smallscope::{Bounded, classes, eq_class, mirror, rep_ok};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::{Rc, Weak};

/// A search tree with a type parameter, helpers, and classes.
#[derive(Bounded, Debug, Clone)]
pub struct Tree<K> {
    root: Option<Box<Node<K>>>,
    #[bounded(range = 0..=4)]
    size: usize,
}

#[derive(Bounded, Debug, Clone)]
struct Node<K> {
    key: K,
    color: Color,
    left: Option<Box<Node<K>>>,
    right: Option<Box<Node<K>>>,
}

/// A plain enum.
#[derive(Bounded, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Color {
    /// Not black.
    Red,
    /// Not red.
    Black,
}

#[rep_ok(fn height)]
impl<K: Ord> Tree<K> {
    /// Whether keys are in order, the size is right, and all nodes are black.
    #[must_use]
    pub fn rep_ok(&self) -> bool {
        let mut count = 0;
        if !Self::is_ordered(self.root.as_deref(), None, None, &mut count) {
            return false;
        }
        let is_low = matches!(height(self.root.as_deref()), 0..=2);
        count == self.size && is_low && self.root.iter().all(|root| root.color == Color::Black)
    }

    fn is_ordered(node: Option<&Node<K>>, low: Option<&K>, high: Option<&K>, count: &mut usize) -> bool {
        let Some(Node { key, left, right, color }) = node else { return true };
        *count += 1;
        low.map_or(true, |low| low < key)
            && high.map_or(true, |high| key < high)
            && matches!(color, Color::Black)
            && Self::is_ordered(left.as_deref(), low, Some(key), count)
            && Self::is_ordered(right.as_deref(), Some(key), high, count)
    }
}

#[mirror]
fn height<K>(node: Option<&Node<K>>) -> usize {
    match node {
        Some(node) => 1 + height(node.left.as_deref()).max(height(node.right.as_deref())),
        None => 0,
    }
}

#[eq_class]
impl<K: Ord> Tree<K> {
    fn eq_class(&self) -> ClassSet {
        classes![empty => self.root.is_none(), full => self.size == 2]
    }
}

/// An enum with payloads.
#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
pub enum Term {
    /// A number.
    Number(i8),
    /// Two terms.
    Sum(Box<Term>, Box<Term>),
    /// Named fields.
    Pair {
        /// A flag.
        flag: bool,
        /// Letters.
        letters: [Option<char>; 2],
    },
}

/// Fields of many kinds.
#[derive(Bounded, Debug)]
pub struct Fields {
    shared: Rc<Item>,
    weak: Weak<Item>,
    cells: (Cell<bool>, RefCell<u8>),
    map: BTreeMap<u8, bool>,
    set: BTreeSet<u8>,
    text: String,
    items: Vec<Item>,
    #[bounded(index = "items")]
    first: Option<usize>,
    #[bounded(values = [1u64, 5])]
    listed: u64,
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Item {
    value: u8,
}

#[rep_ok]
impl Fields {
    fn rep_ok(&self) -> bool {
        let is_alive = self.weak.upgrade().is_some();
        let sum: u32 = self.items.iter().map(|item| u32::from(item.value)).sum();
        is_alive
            && self.shared.value == 0
            && self.cells.0.get()
            && *self.cells.1.borrow() == 0
            && self.map.len() < 2
            && self.set.is_empty()
            && self.text.is_empty()
            && sum < 2
            && self.first.is_some()
            && self.listed != 5
    }
}

/// A type with methods to call.
#[derive(Clone, Debug, Default, Hash, smallscope::sequences::Linearize)]
pub struct Counter {
    count: u8,
}

#[smallscope::api]
#[smallscope::cover]
impl Counter {
    /// Zero.
    #[must_use]
    pub fn new() -> Counter {
        Counter::default()
    }

    /// Adds a number.
    ///
    /// # Errors
    ///
    /// If the sum is too large.
    pub fn add(&mut self, number: u8) -> Result<u8, String> {
        if self.count + number > 5 {
            return Err("too large".to_owned());
        }
        self.count += number;
        Ok(self.count)
    }

    /// The sum.
    #[must_use]
    pub fn count(&self) -> u8 {
        self.count
    }
}

/// A function with probes.
#[smallscope::cover(static SIGN)]
#[must_use]
pub fn sign(number: i32) -> i32 {
    match number {
        0 => 0,
        n if n < 0 => -1,
        _ => 1,
    }
}

/// A number with mutants of its methods.
#[derive(Debug, Clone, Default)]
pub struct Meter {
    read: u32,
}

#[smallscope::mutate(calls(within))]
impl Meter {
    /// Adds to the number. Returns whether it is still small.
    #[must_use]
    pub fn add(&mut self, number: u32) -> bool {
        let mut left = number;
        while left > 0 {
            self.read += 1;
            left -= 1;
        }
        self.within(10) && !self.is_empty()
    }

    /// Whether it is zero.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.read == 0
    }
}

#[smallscope::mutate]
impl Meter {
    fn within(&self, most: u32) -> bool {
        self.read <= most
    }

    /// The number.
    #[smallscope::mutate(skip)]
    #[must_use]
    pub fn read(&self) -> u32 {
        self.read
    }
}

/// A function with mutants.
#[smallscope::mutate(equivalent("lib::at_most::ror::6dff76", "the other side holds if they are equal"))]
#[must_use]
#[allow(clippy::double_comparisons)]
pub fn at_most(len: usize, most: usize) -> bool {
    len < most || len == most
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallscope::sequences::{Builder, Context, Pool};
    use smallscope::{Bounds, Key};

    smallscope::structure!(trees: Tree<Key>, scope = 2);

    #[smallscope::test(scope = 2)]
    fn trees_are_small(tree: &Tree<Key>, key: Key) {
        assert!(tree.size <= 2 && key >= key);
    }

    #[smallscope::test(bounds = Bounds::scope(2).objects("Node", 1), engine = "owned")]
    fn trees_with_bounds(tree: &Tree<u8>) -> Result<(), String> {
        if tree.size > 1 { Err("too many nodes".to_owned()) } else { Ok(()) }
    }

    #[smallscope::test(scope = 1, max = 100)]
    fn terms(_term: Term) {}

    #[smallscope::test(scope = 2)]
    fn fields(mut value: Fields) {
        value.items.clear();
        assert!(value.rep_ok() || value.first.is_some());
    }

    #[smallscope::test(scope = 2)]
    #[should_panic(expected = "fails for a valid value")]
    fn no_tree_is_full(tree: &Tree<u8>) {
        assert!(tree.size < 2);
    }

    #[smallscope::test(scope = 2)]
    fn meters(number: u8) {
        let mut meter = Meter::default();
        assert_eq!(meter.add(number.into()), (1..=10).contains(&number));
        assert!(at_most(usize::from(number), 255) && meter.read() == u32::from(number));
    }

    #[smallscope::sequences(length = 3)]
    fn counters() -> Builder {
        Context::builder()
            .pool(Pool::<Counter>::empty(1).cloned().hashed().shown())
            .pool(Pool::of([1u8, 3]))
            .api::<Counter>()
            .covers::<Counter>()
    }
}
