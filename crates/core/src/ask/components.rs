//! Comparisons of two tuples, component by component.

use super::{FALSE_REFUTES, Promise, TRUE_REFUTES, not};
use crate::cell::{Asks, Head, Tracker};
use crate::promise::Op;

/// Asks how two tuples compare, given the cells of their components. None if there are none, or if some of these cannot
/// be asked about.
pub(super) fn compare(op: Op, promise: Promise, left: &[&Head], right: &[&Head]) -> Option<bool> {
    let heap = left.first()?.heap.get()?;
    if left.len() != right.len() {
        return None;
    }
    for (i, a) in left.iter().enumerate() {
        let b = right[i];
        let are_data = a.asks.get() == Asks::Data && b.asks.get() == Asks::Data;
        if !are_data || !heap.are_comparable(a.slot.get(), b.slot.get()) {
            return None;
        }
    }
    Some(match op {
        Op::Eq => equal(heap, promise, left, right),
        Op::Ne => !equal(heap, not(promise), left, right),
        Op::Lt => less(heap, Op::Lt, promise, left, right),
        Op::Le => less(heap, Op::Le, promise, left, right),
        Op::Gt => less(heap, Op::Lt, promise, right, left),
        Op::Ge => less(heap, Op::Le, promise, right, left),
    })
}

fn ask(heap: &dyn Tracker, a: &Head, op: Op, b: &Head, promise: Promise) -> bool {
    heap.ask_pair((a.slot.get(), 0), b.slot.get(), op, promise)
}

/// A component that differs makes the answer false, the last one decides it.
fn equal(heap: &dyn Tracker, promise: Promise, left: &[&Head], right: &[&Head]) -> bool {
    let last = left.len() - 1;
    for i in 0..last {
        if !ask(heap, left[i], Op::Eq, right[i], promise & FALSE_REFUTES) {
            return false;
        }
    }
    ask(heap, left[last], Op::Eq, right[last], promise)
}

/// The first component that differs decides.
fn less(heap: &dyn Tracker, op: Op, promise: Promise, left: &[&Head], right: &[&Head]) -> bool {
    let last = left.len() - 1;
    for i in 0..last {
        if !ask(heap, left[i], Op::Le, right[i], promise & FALSE_REFUTES) {
            return false;
        }
        if ask(heap, left[i], Op::Lt, right[i], promise & TRUE_REFUTES) {
            return true;
        }
    }
    ask(heap, left[last], op, right[last], promise)
}
