//! Two binomial heaps: the input of a meld.

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

/// Each heap as in [`crate::binomial_heap::bounds`].
pub fn bounds(n: i64) -> Bounds {
    crate::binomial_heap::bounds(n)
}
