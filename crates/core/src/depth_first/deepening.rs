//! Deepening: a pass of a series delivers what no pass before it has delivered.

use crate::bounds::{MAX_DEEPENING, WHOLE};
use crate::heap::Heap;

/// The scopes whose values were delivered before, as bits; none if the search is no pass of a series.
#[derive(Default, Clone, Copy)]
pub(crate) struct Deepening(pub Option<u64>);

impl Deepening {
    /// Leaves out the values of a smaller scope.
    pub fn leave_out(&mut self, scope: u32) {
        assert!(scope <= MAX_DEEPENING, "scope {scope} cannot be told apart from larger ones");
        *self.0.get_or_insert(0) |= 1 << scope;
    }

    /// Leaves nothing out, but delivers only what the whole bounds have.
    pub fn deliver_whole_only(&mut self) {
        self.0.get_or_insert(0);
    }

    /// Whether the search is a pass of a series.
    pub fn is_pass(self) -> bool {
        self.0.is_some()
    }

    /// Whether the current candidate, which is complete, was not delivered before.
    #[inline]
    pub fn is_new(self, heap: &Heap) -> bool {
        self.0.is_none_or(|left_out| heap.state.borrow().scopes() & (left_out | 1 << WHOLE) == 1 << WHOLE)
    }
}
