//! The key type that stands for "some ordered values".

use crate::answers::About;
use crate::cell::Tracker;
use crate::heap::Heap;
use crate::ids::SlotId;
use crate::promise::{self, Op, Promise};
use std::cell::Cell;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::panic::resume_unwind;

/// An ordered value with no other meaning, for type parameters: `SearchTree<Key>`.
///
/// Code that only compares keys works for every type of keys, so a small number per key is enough. While the lazy engine
/// runs an invariant, even that number stays open: comparisons are answered, and the number is decided only if the
/// invariant hashes or prints the key, or asks for its [`rank`](Key::rank).
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
        match self.open_slot() {
            Some(slot) => owner().map_or(self.number, |heap| rank_of_slot(heap, slot)),
            None => self.number,
        }
    }

    /// The key in a slot that is not decided.
    pub(crate) fn of_slot(slot: u32) -> Key {
        Key { number: slot, is_open: true }
    }

    /// The slot of a key that is left open.
    pub(crate) fn open_slot(self) -> Option<SlotId> {
        self.is_open.then(|| SlotId::new(self.number))
    }

    /// Asks how two keys compare of which at least one is left open.
    #[cold]
    fn ask(self, other: Key, op: Op) -> bool {
        let Some(heap) = owner() else { return op.holds(self.number.cmp(&other.number)) };
        let promise = promise::take_promise(op);
        compare(heap, self, other, op, promise)
    }

    /// The same, for all three answers.
    #[cold]
    fn order(self, other: Key) -> Ordering {
        owner().map_or_else(|| self.number.cmp(&other.number), |heap| order(heap, self, other))
    }
}

thread_local! {
    /// What the open keys on this thread belong to.
    static CURRENT: Cell<Owner> = const { Cell::new(Owner::Nothing) };
}

/// What the open keys on this thread belong to.
#[derive(Clone, Copy)]
pub(crate) enum Owner {
    /// Nothing: no invariant runs.
    Nothing,
    /// The heap whose invariant runs.
    Heap(&'static Heap),
    /// Values with open keys are being made, and no heap can be asked yet. Keys compare like the numbers of their slots.
    Pattern,
    /// A part of the value, where open keys cannot be compared.
    #[cfg_attr(not(feature = "summaries"), expect(dead_code, reason = "only summaries run on parts"))]
    Part,
}

/// Thrown, without the panic hook, where code that runs on a part of the value compares open keys.
pub(crate) struct OpenKey;

/// Makes values with open keys.
pub(crate) fn make_patterns<R>(make: impl FnOnce() -> R) -> R {
    let outer = enter(Owner::Pattern);
    let made = make();
    enter(outer);
    made
}

/// Sets what open keys belong to. Returns what they belonged to before.
#[inline]
pub(crate) fn enter(owner: Owner) -> Owner {
    CURRENT.replace(owner)
}

/// Whether the engine that runs decides values, so that reads keep the order of the code. Called by the copy.
#[inline]
pub fn reads_in_order() -> bool {
    current().is_none()
}

/// The heap whose invariant runs on this thread, if it is one that leaves keys open.
#[inline]
pub(crate) fn current() -> Option<&'static Heap> {
    match CURRENT.get() {
        Owner::Heap(heap) => Some(heap),
        Owner::Nothing | Owner::Pattern | Owner::Part => None,
    }
}

/// The heap that open keys belong to; none while patterns are made.
fn owner() -> Option<&'static Heap> {
    match CURRENT.get() {
        Owner::Heap(heap) => Some(heap),
        Owner::Pattern => None,
        Owner::Part => {
            promise::forget();
            resume_unwind(Box::new(OpenKey))
        }
        Owner::Nothing => panic!("smallscope: a key that is not decided was used outside of its invariant"),
    }
}

/// The rank of a key that is left open. Decides it if it is not decided.
fn rank_of_slot(heap: &Heap, slot: SlotId) -> u32 {
    let choice = heap.force_key(slot);
    (heap.layout.base(slot) + i64::from(choice)) as u32
}

/// The rank of a key that is not left open, or no longer.
fn known_rank(heap: &Heap, key: Key) -> Option<u32> {
    let Some(slot) = key.open_slot() else { return Some(key.number) };
    let is_known = {
        let s = heap.state.borrow();
        s.path.is_known(slot, s.answers.cursor)
    };
    is_known.then(|| rank_of_slot(heap, slot))
}

fn compare(heap: &Heap, a: Key, b: Key, op: Op, promise: Promise) -> bool {
    if let (Some(a), Some(b)) = (known_rank(heap, a), known_rank(heap, b)) {
        return op.holds(a.cmp(&b));
    }
    match (a.open_slot(), b.open_slot()) {
        (Some(a), Some(b)) => heap.ask_pair((a, 0), b, op, promise),
        (Some(a), None) => compare_rank(heap, a, b.number, op, promise),
        (None, Some(b)) => compare_rank(heap, b, a.number, op.flipped(), promise),
        (None, None) => op.holds(a.number.cmp(&b.number)),
    }
}

/// Compares a key that is left open with one that is not.
fn compare_rank(heap: &Heap, slot: SlotId, rank: u32, op: Op, promise: Promise) -> bool {
    let base = heap.layout.base(slot);
    heap.ask_choice(slot, promise, &|choice| op.holds((base + i64::from(choice)).cmp(&i64::from(rank))))
}

fn order(heap: &Heap, a: Key, b: Key) -> Ordering {
    if let (Some(a), Some(b)) = (known_rank(heap, a), known_rank(heap, b)) {
        return a.cmp(&b);
    }
    let base = |slot| heap.layout.base(slot);
    let at = |slot, rank: u32| About::Around { slot, at: i64::from(rank) - base(slot) };
    let about = match (a.open_slot(), b.open_slot()) {
        (Some(a), Some(b)) => About::Order { a, by: base(a) - base(b), b },
        (Some(a), None) => at(a, b.number),
        (None, Some(b)) => at(b, a.number),
        (None, None) => return a.number.cmp(&b.number),
    };
    let order = heap.ask(about, 0).alternative.cmp(&1);
    if a.is_open { order } else { order.reverse() }
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    #[test]
    fn a_comparison_on_a_part_leaves_no_promise_behind() {
        let outer = enter(Owner::Part);
        let compare = || promise::about_keys(Op::Lt, promise::FALSE_REFUTES, || owner().is_some());
        let thrown = catch_unwind(compare);
        enter(outer);
        assert!(thrown.is_err_and(|thrown| thrown.is::<OpenKey>()));
        assert_eq!(promise::take_promise(Op::Lt), promise::NOTHING);
    }
}
