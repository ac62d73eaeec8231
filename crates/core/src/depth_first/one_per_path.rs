//! One value per path: a sample with one value for each run of the invariant that accepts.

use super::set::PathSet;

/// Whether one value of each path is enough, and whether it was delivered.
#[derive(Default)]
pub(crate) struct OnePerPath {
    pub is_on: bool,
    /// The current value was delivered.
    pub is_delivered: bool,
}

impl OnePerPath {
    /// Whether nothing more is wanted of the current path.
    #[inline]
    pub fn is_done(&self) -> bool {
        self.is_on && self.is_delivered
    }

    /// How long the current path is, if its values belong together.
    pub fn whole_path(&self, set: &PathSet) -> Option<usize> {
        (self.is_on && set.is_accepted()).then_some(set.accepted)
    }
}
