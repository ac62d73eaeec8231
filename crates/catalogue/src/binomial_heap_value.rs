//! A binomial heap and a value: the input of an insertion. The invariant does not look at the value.

use crate::binomial_heap::BinomialHeap;
use smallscope::{Bounded, Bounds, rep_ok};

/// A heap and a value to insert.
#[derive(Bounded, Debug)]
pub struct BinomialHeapValue {
    heap: BinomialHeap,
    value: u32,
}

#[rep_ok]
impl BinomialHeapValue {
    /// The heap is one.
    pub fn rep_ok(&self) -> bool {
        self.heap.rep_ok()
    }
}

impl BinomialHeapValue {
    /// The value to insert.
    pub fn value(&self) -> u32 {
        self.value
    }
}

/// The heap as in [`crate::binomial_heap::bounds`], values from 1 to `n`.
pub fn bounds(n: i64) -> Bounds {
    crate::binomial_heap::bounds(n).ints("BinomialHeapValue.value", 1..=n)
}
