//! Tells a tool which slots an invariant reads by value, and during which conjunct.
//!
//! The cells of a heap that is watched refer to a tracker of their own, so that the others do not pay for it.

use super::{Heap, State};
use crate::cell::Tracker;
use crate::cell::members::{Found, Members};
use crate::ids::{Choice, SlotId};
use crate::path::Step;
use crate::promise::{Op, Promise};
use crate::site::ConjunctSite;
use std::rc::Rc;

/// A slot of plain data that the invariant has read by value.
#[derive(Debug, Clone, Copy)]
pub struct ValueRead {
    /// The number of the slot.
    pub slot: usize,
    /// The conjunct that has read it, if the engine knows it.
    pub conjunct: Option<&'static ConjunctSite>,
}

/// Learns of reads, while the code that reads is on the stack.
pub(crate) type Watcher = dyn Fn(ValueRead);

/// Whether a step holds one value of plain data, and others are tried later.
pub(crate) fn is_data_by_value(s: &State, step: &Step) -> bool {
    s.layout.slot(step.slot).is_plain && step.is_value() && s.layout.choices(step.slot) > 1
}

/// Tells of reads from now on.
pub(crate) fn watch_reads(heap: &'static Heap, watcher: &'static Watcher) {
    heap.watcher.set(Some(watcher));
    let tracker: &'static Watched = Box::leak(Box::new(Watched(heap)));
    heap.layout.slots.iter().for_each(|slot| slot.head.heap.set(Some(tracker)));
}

/// Tells of what was read since the path had this length.
pub(super) fn tell_reads_since(heap: &Heap, before: usize) {
    let Some(watcher) = heap.watcher.get() else { return };
    let (mut slots, s) = (vec![], heap.state.borrow());
    for step in s.path.iter().skip(before) {
        if is_data_by_value(&s, step) {
            slots.push(step.slot.index());
        }
    }
    let conjunct = s.conjunctions.running;
    drop(s);
    for slot in slots {
        watcher(ValueRead { slot, conjunct });
    }
}

/// A heap that tells of reads.
#[derive(Debug)]
struct Watched(&'static Heap);

impl Watched {
    fn telling<R>(&self, f: impl FnOnce(&Heap) -> R) -> R {
        let before = self.0.state.borrow().path.len();
        let result = f(self.0);
        tell_reads_since(self.0, before);
        result
    }
}

impl Tracker for Watched {
    fn first_read(&self, slot: SlotId) {
        self.telling(|heap| heap.first_read(slot));
    }

    fn read_some(&self, slot: SlotId, promise: Promise) {
        self.telling(|heap| heap.read_some(slot, promise));
    }

    fn ask_none(&self, slot: SlotId, promise: Promise) -> bool {
        self.telling(|heap| heap.ask_none(slot, promise))
    }

    fn ask_choice(&self, slot: SlotId, promise: Promise, test: &dyn Fn(Choice) -> bool) -> bool {
        self.telling(|heap| heap.ask_choice(slot, promise, test))
    }

    fn ask_pair(&self, a: (SlotId, i64), b: SlotId, op: Op, promise: Promise) -> bool {
        self.telling(|heap| heap.ask_pair(a, b, op, promise))
    }

    fn ask_pointer(&self, slot: SlotId, promise: Promise, test: &dyn Fn(Choice) -> bool) -> bool {
        self.telling(|heap| heap.ask_pointer(slot, promise, test))
    }

    fn rule_out(&self, slot: SlotId, promise: Promise, test: &dyn Fn(Choice) -> bool) {
        self.0.rule_out(slot, promise, test);
    }

    fn numbers(&self, slot: SlotId) -> Option<(i64, i64)> {
        self.0.numbers(slot)
    }

    fn are_comparable(&self, a: SlotId, b: SlotId) -> bool {
        self.0.are_comparable(a, b)
    }

    fn members(&self, slot: SlotId, table: usize, find: &dyn Fn() -> Option<Found>) -> Option<Rc<Members>> {
        self.0.members(slot, table, find)
    }

    fn ask_part(&self, part: (SlotId, u32), promise: Promise) -> bool {
        self.0.ask_part(part, promise)
    }

    fn is_second_known(&self, first: (SlotId, u32), second: (SlotId, u32)) -> bool {
        self.0.is_second_known(first, second)
    }

    fn table_len(&self, slot: SlotId) -> usize {
        self.0.table_len(slot)
    }
}
