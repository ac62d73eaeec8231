//! A binomial heap and a value: the input of an insertion. The invariant does not read the value.
//!
//! # Exact counts
//!
//! | structure | arguments | explored | valid | source |
//! |---|---|---|---|---|
//! | binomial-heap-value | 2 | 64 | 12 | STVR table VIII (valid); original tool |
//! | binomial-heap-value | 3 | 391 | 84 | STVR table VIII (valid); original tool |
//! | binomial-heap-value | 4 | 2,026 | 480 | STVR table VIII (valid); original tool |
//! | binomial-heap-value | 5 | 11,866 | 4,680 | STVR table VIII (valid); original tool |
//! | binomial-heap-value | 6 | 80,825 | 45,612 | STVR table VIII (valid); original tool |
//! | binomial-heap-value | 7 | 906,284 | 751,912 | STVR table VIII (valid); original tool |
//! | binomial-heap-value | 8 | 5,549,402 | 4,829,952 | STVR table VIII (valid); original tool |

use crate::binomial_heap::BinomialHeap;
use smallscope::{Bounded, Bounds, rep_ok};

/// A heap and a value to insert, find or delete.
#[derive(Bounded, Debug)]
pub struct BinomialHeapValue {
    heap: BinomialHeap,
    value: u32,
}

#[rep_ok]
impl BinomialHeapValue {
    /// The heap is valid.
    pub fn rep_ok(&self) -> bool {
        self.heap.rep_ok()
    }
}

impl BinomialHeapValue {
    /// The heap.
    pub fn heap(&self) -> &BinomialHeap {
        &self.heap
    }

    /// The value.
    pub fn value(&self) -> u32 {
        self.value
    }

    /// Whether the heap has the value.
    pub fn find(&self) -> bool {
        self.heap.contains(self.value)
    }

    /// Inserts the value into the heap.
    pub fn insert(mut self) -> BinomialHeap {
        self.heap.insert(self.value);
        self.heap
    }

    /// Deletes one occurrence of the value from the heap.
    pub fn delete(mut self) -> BinomialHeap {
        self.heap.delete(self.value);
        self.heap
    }
}

/// The heap as in [`crate::binomial_heap::bounds`], values from 1 to `n`.
pub fn bounds(n: i64) -> Bounds {
    crate::binomial_heap::bounds(n).ints("BinomialHeapValue.value", 1..=n)
}
