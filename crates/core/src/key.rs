//! The key type that stands for "some ordered values".

use crate::ask::{self, Op, Promise};
use crate::heap::{About, Heap};
use std::cell::Cell;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// An ordered value with no other meaning, for type parameters: `SearchTree<Key>`.
///
/// Code that only compares keys cannot tell which type it has, so a small number per key is enough. While the lazy engine
/// runs an invariant, a key is not even that: its comparisons are answered, and which key it is stays open as long as
/// the invariant does not ask by hashing or printing it, or for its [`rank`](Key::rank).
#[derive(Clone, Copy)]
pub struct Key {
    /// Its place in the order; for a key that is left open, the slot that it belongs to.
    number: u32,
    is_open: bool,
}

impl Key {
    /// The key with this rank.
    pub const fn new(rank: u32) -> Key {
        Key { number: rank, is_open: false }
    }

    /// Its place in the order, from 0.
    pub fn rank(self) -> u32 {
        if self.is_open { owner().rank(self.number) } else { self.number }
    }

    /// The key in a slot that is not decided.
    pub(crate) fn of_slot(slot: u32) -> Key {
        Key { number: slot, is_open: true }
    }

    /// Asks how two keys compare of which at least one is left open.
    #[cold]
    fn ask(self, other: Key, op: Op) -> bool {
        let promise = ask::take_promise(op);
        owner().compare_keys(self, other, op, promise)
    }

    /// The same, for all three answers.
    #[cold]
    fn order(self, other: Key) -> Ordering {
        owner().order_keys(self, other)
    }
}

thread_local! {
    /// The heap whose invariant runs on this thread.
    static CURRENT: Cell<Option<&'static Heap>> = const { Cell::new(None) };
}

/// Makes a heap the one that keys belong to, and says which it was before.
#[inline]
pub(crate) fn enter(heap: Option<&'static Heap>) -> Option<&'static Heap> {
    CURRENT.replace(heap)
}

/// The heap whose invariant runs on this thread, if it is one that leaves keys open.
#[inline]
pub(crate) fn current() -> Option<&'static Heap> {
    CURRENT.get()
}

fn owner() -> &'static Heap {
    match current() {
        Some(heap) => heap,
        None => panic!("smallscope: a key that is not decided was used outside of its invariant"),
    }
}

impl Heap {
    fn rank(&self, slot: u32) -> u32 {
        let choice = self.force_key(slot);
        (self.state.borrow().base(slot) + i64::from(choice)) as u32
    }

    /// The rank of a key that is not left open, or not any more.
    fn known_rank(&self, key: Key) -> Option<u32> {
        (!key.is_open || self.is_out(key.number))
            .then(|| if key.is_open { self.rank(key.number) } else { key.number })
    }

    fn compare_keys(&self, a: Key, b: Key, op: Op, promise: Promise) -> bool {
        if let (Some(a), Some(b)) = (self.known_rank(a), self.known_rank(b)) {
            return op.holds(a.cmp(&b));
        }
        match (a.is_open, b.is_open) {
            (true, true) => self.ask_pair((a.number, 0), b.number, op, promise),
            (true, false) => self.compare_rank(a.number, b.number, op, promise),
            _ => self.compare_rank(b.number, a.number, op.flipped(), promise),
        }
    }

    /// A key that is left open against one that is not.
    fn compare_rank(&self, slot: u32, rank: u32, op: Op, promise: Promise) -> bool {
        let base = self.state.borrow().base(slot);
        self.ask_choice(slot, promise, &|choice| op.holds((base + i64::from(choice)).cmp(&i64::from(rank))))
    }

    fn order_keys(&self, a: Key, b: Key) -> Ordering {
        if let (Some(a), Some(b)) = (self.known_rank(a), self.known_rank(b)) {
            return a.cmp(&b);
        }
        let about = {
            let s = self.state.borrow();
            let at = |slot, rank| About::Around { slot, at: i64::from(rank) - s.base(slot) };
            match (a.is_open, b.is_open) {
                (true, true) => {
                    About::Order { a: a.number, by: s.base(a.number) - s.base(b.number), b: b.number }
                }
                (true, false) => at(a.number, b.number),
                _ => at(b.number, a.number),
            }
        };
        let order = self.ask(about, 0).alternative.cmp(&1);
        if a.is_open { order } else { order.reverse() }
    }
}

impl PartialEq for Key {
    #[inline]
    fn eq(&self, other: &Key) -> bool {
        if self.is_open | other.is_open { self.ask(*other, Op::Eq) } else { self.number == other.number }
    }
    #[inline]
    #[expect(clippy::partialeq_ne_impl, reason = "a promise is about the operator that the source has")]
    fn ne(&self, other: &Key) -> bool {
        if self.is_open | other.is_open { self.ask(*other, Op::Ne) } else { self.number != other.number }
    }
}

impl Eq for Key {}

impl Ord for Key {
    #[inline]
    fn cmp(&self, other: &Key) -> Ordering {
        if self.is_open | other.is_open { self.order(*other) } else { self.number.cmp(&other.number) }
    }
}

impl PartialOrd for Key {
    #[inline]
    fn partial_cmp(&self, other: &Key) -> Option<Ordering> {
        Some(self.cmp(other))
    }
    #[inline]
    fn lt(&self, other: &Key) -> bool {
        if self.is_open | other.is_open { self.ask(*other, Op::Lt) } else { self.number < other.number }
    }
    #[inline]
    fn le(&self, other: &Key) -> bool {
        if self.is_open | other.is_open { self.ask(*other, Op::Le) } else { self.number <= other.number }
    }
    #[inline]
    fn gt(&self, other: &Key) -> bool {
        if self.is_open | other.is_open { self.ask(*other, Op::Gt) } else { self.number > other.number }
    }
    #[inline]
    fn ge(&self, other: &Key) -> bool {
        if self.is_open | other.is_open { self.ask(*other, Op::Ge) } else { self.number >= other.number }
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rank().hash(state);
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.rank())
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.rank())
    }
}
