//! Two binomial heaps: the input of a meld.
//!
//! # Exact counts
//!
//! | structure | arguments | explored | valid | source |
//! |---|---|---|---|---|
//! | binomial-heap-pair | 2 | 348 | 36 | TAP table of heap pairs; STVR table III |
//! | binomial-heap-pair | 3 | 5,389 | 784 | TAP table of heap pairs; STVR table III |
//! | binomial-heap-pair | 4 | 150,448 | 14,400 | TAP table of heap pairs; STVR table III |
//! | binomial-heap-pair | 5 | 3,125,314 | 876,096 | TAP table of heap pairs; STVR table III |
//! | binomial-heap-pair | 6 | 274,808,123 | 57,790,404 | TAP table of heap pairs; STVR table III |

use crate::binomial_heap::BinomialHeap;
use smallscope::{Bounded, Bounds, rep_ok};

/// Two heaps that share no nodes.
#[derive(Bounded, Debug)]
pub struct BinomialHeapPair {
    #[bounded(pool = "first")]
    first: BinomialHeap,
    #[bounded(pool = "second")]
    second: BinomialHeap,
}

#[rep_ok]
impl BinomialHeapPair {
    /// Both are heaps.
    pub fn rep_ok(&self) -> bool {
        self.first.rep_ok() && self.second.rep_ok()
    }
}

impl BinomialHeapPair {
    /// The first heap.
    pub fn first(&self) -> &BinomialHeap {
        &self.first
    }

    /// The second heap.
    pub fn second(&self) -> &BinomialHeap {
        &self.second
    }

    /// Makes one heap of both.
    pub fn merge(mut self) -> BinomialHeap {
        self.first.merge(self.second);
        self.first
    }
}

/// Each heap as in [`crate::binomial_heap::bounds`].
pub fn bounds(n: i64) -> Bounds {
    crate::binomial_heap::bounds(n)
}
