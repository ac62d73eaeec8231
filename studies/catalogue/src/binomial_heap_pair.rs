//! Two binomial heaps: the input of a meld.
//!
//! # Classes
//!
//! A meld may treat pairs differently by which heap is empty, larger or higher, and whether both have a tree of the same
//! degree. All of that follows from the two sizes, and `eq_class` reads nothing else. Reading the degrees of the
//! trees would make the same classes, but more than twice as many candidates. Pruned by class, the published algorithm explores:
//!
//! | arguments | explored | valid | classes |
//! |---|---|---|---|
//! | 2 | 147 | 15 | 6 |
//! | 3 | 1,315 | 56 | 10 |
//! | 4 | 46,786 | 435 | 10 |
//! | 5 | 647,410 | 1,872 | 10 |
//! | 6 | 55,745,855 | 43,134 | 10 |
//!
//! These are the figures of Aguirre et al., TAP 2011 (`class_counts.tsv`).
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
use smallscope::classes::ClassSet;
use smallscope::{Bounded, Bounds, classes, eq_class, rep_ok};

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

#[eq_class]
impl BinomialHeapPair {
    /// The cases that a meld may treat differently. The sizes determine the degrees of all trees, so nothing else is
    /// read.
    pub fn eq_class(&self) -> ClassSet {
        let (first, second) = (self.first.degrees(), self.second.degrees());
        let (largest, other) = (first.checked_ilog2(), second.checked_ilog2());
        classes![
            first_empty => first == 0,
            second_empty => second == 0,
            first_larger => first > second,
            same_size => first == second,
            first_higher => largest > other,
            same_height => largest == other,
            common_degree => first & second != 0,
        ]
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

    /// Melds both into one heap.
    pub fn merge(mut self) -> BinomialHeap {
        self.first.merge(self.second);
        self.first
    }
}

/// Each heap as in [`crate::binomial_heap::bounds`].
pub fn bounds(n: i64) -> Bounds {
    crate::binomial_heap::bounds(n)
}
