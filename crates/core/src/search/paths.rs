//! Values that one run of the invariant stands for: passed over, or one of them for all.

use super::{NO_LEAF, SearchCore};
use crate::outcome::{Limit, Stop};

impl SearchCore {
    /// Delivers one value of each path from now on: the first of those that one run of the invariant stands for. As not
    /// everything is delivered, the search does not end with [`Stop::Exhausted`] but with [`Limit::OnePerPath`].
    ///
    /// Positions of such a search lie between paths. A range that begins in the middle of one delivers the first
    /// value from there on.
    pub fn one_per_path(&mut self) {
        self.one_per_path = true;
    }

    /// Passes over the values behind the current one that the same run of the invariant stands for, and says how many
    /// they are. None are passed over if they are not easily counted.
    pub fn skip_rest(&mut self) -> u64 {
        if self.is_combined() && self.end.is_empty() {
            return self.skip_combinations();
        }
        if self.left_out.is_some() || !self.end.is_empty() || self.one_per_path {
            return 0;
        }
        self.delivery.lost();
        self.rest.skip(&mut self.heap().state.borrow_mut())
    }

    /// Passes over the values behind the current one that the same run of the invariant stands for.
    pub fn drop_rest(&mut self) {
        if self.is_combined() {
            return;
        }
        self.delivery.lost();
        self.close_keys();
        if self.leaf != NO_LEAF {
            self.rest.clear();
            self.heap().state.borrow_mut().close_down_to_step(self.leaf);
            self.low = self.low.min(self.leaf);
        }
    }

    /// Leaves the current path if its value was delivered, and one is enough.
    #[inline]
    pub(super) fn leave_path(&mut self) {
        if self.one_per_path && self.is_delivered {
            self.drop_rest();
        }
    }

    /// How long the current path is, if what lies behind belongs to it as a whole.
    pub(super) fn whole_path(&self) -> Option<usize> {
        (self.one_per_path && self.leaf != NO_LEAF).then_some(self.leaf)
    }

    /// What it means that there is no other candidate.
    pub(super) fn end_of_space(&self) -> Stop {
        if self.one_per_path {
            Stop::LimitReached(Limit::OnePerPath)
        } else if self.sorting.prunes() {
            Stop::ClassesCovered
        } else if self.options.order_types {
            Stop::OrdersCovered
        } else {
            Stop::Exhausted
        }
    }
}
