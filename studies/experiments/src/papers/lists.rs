//! The example of section 2 of paper 000: sets as strictly sorted lists.

use smallscope::{Bounded, Bounds, rep_ok};
use smallscope_catalogue::int_list::{self, IntList};

/// A strictly sorted list.
#[derive(Bounded, Debug, Clone)]
pub(super) struct SortedList {
    list: IntList,
}

#[rep_ok]
impl SortedList {
    /// A list whose elements increase.
    pub(super) fn rep_ok(&self) -> bool {
        self.list.is_list() && self.list.is_increasing()
    }
}

/// Sizes in a range, `nodes` nodes with the header, elements from 1 on.
pub(super) fn bounds(min_size: i64, max_size: i64, nodes: i64, elements: i64) -> Bounds {
    int_list::bounds(nodes, min_size, max_size, elements)
}
