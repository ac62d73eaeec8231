//! One value for each way in which the keys compare.
//!
//! Behind the steps of the invariant, the path gets those of the rest of the structure except for keys, then decisions
//! about the order of the keys, and at last the keys, each with the lowest value that is possible. The last ones are never
//! advanced: whatever else they could be, they would compare in the same way.

use super::{Incomplete, SearchCore};
use crate::walk::{TooDeep, Walk};

impl SearchCore {
    /// Opens every reachable slot, and decides how the keys compare that the invariant has left open.
    pub(super) fn complete_in_order(&mut self) -> Result<(), Incomplete> {
        let keys = self.catching_dead_ends(|| Walk::all_but_keys(self.heap, self.root));
        let keys = keys.ok_or(Incomplete::DeadEnd)?.map_err(|TooDeep| Incomplete::TooDeep)?;
        let mut s = self.heap.state.borrow_mut();
        s.decide_order(&keys);
        // Some of the keys may be there already.
        self.keys.get_or_insert(s.path.len());
        drop(s);
        self.complete()
    }

    /// Closes the keys at the end of the path, which stand for all others in the same order.
    #[inline]
    pub(super) fn close_keys(&mut self) {
        if let Some(keys) = self.keys.take() {
            self.heap.state.borrow_mut().close_down_to_step(keys);
        }
    }
}
