//! A search tree and a value: the input of a deletion. The value is looked at first.

use crate::search_tree::SearchTree;
use smallscope::{Bounded, Bounds, rep_ok};

/// A tree and a value to delete from it.
#[derive(Bounded, Debug, Clone)]
pub struct SearchTreeValue {
    tree: SearchTree<u32>,
    value: u32,
}

#[rep_ok]
impl SearchTreeValue {
    /// The value is positive and the tree is one.
    pub fn rep_ok(&self) -> bool {
        self.value > 0 && self.tree.rep_ok()
    }
}

impl SearchTreeValue {
    /// Deletes the value from the tree.
    pub fn delete(mut self) -> SearchTree<u32> {
        self.tree.remove(&self.value);
        self.tree
    }
}

/// At most `nodes` nodes, a size in a range, keys and values from 1 to `values`.
pub fn bounds(nodes: i64, min_size: i64, max_size: i64, values: i64) -> Bounds {
    crate::search_tree::bounds(nodes, min_size, max_size, 1, values).ints("SearchTreeValue.value", 1..=values)
}
