//! A list and a set (a strictly increasing list): the inputs of a conversion from one to the other.

use crate::int_list::IntList;
use smallscope::{Bounded, Bounds, rep_ok};

/// A list and a set that share no nodes.
#[derive(Bounded, Debug, Clone)]
pub struct ListAsSet {
    #[bounded(pool = "list")]
    list: IntList,
    #[bounded(pool = "set")]
    set: IntList,
}

#[rep_ok]
impl ListAsSet {
    /// Two lists, of which the second increases strictly.
    pub fn rep_ok(&self) -> bool {
        self.list.is_list() && self.set.is_list() && self.set.is_increasing()
    }
}

/// Sizes up to `max_size`, `nodes` nodes for each list (the header is one), elements from 1 to `elements`.
pub fn bounds(max_size: i64, nodes: i64, elements: i64) -> Bounds {
    Bounds::exact()
        .objects("Node", nodes as u32)
        .ints("IntList.size", 0..=max_size)
        .ints("Node.element", 1..=elements)
}
