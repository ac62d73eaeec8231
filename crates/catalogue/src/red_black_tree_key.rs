//! A red-black tree and a key: the input of a look-up. The key is looked at first.

use crate::red_black_tree::RedBlackTree;
use smallscope::{Bounded, Bounds, rep_ok};

/// A tree and a key to look up.
#[derive(Bounded, Debug)]
pub struct RedBlackTreeKey {
    tree: RedBlackTree<u32>,
    key: u32,
}

#[rep_ok]
impl RedBlackTreeKey {
    /// The key is positive and the tree is one.
    pub fn rep_ok(&self) -> bool {
        self.key > 0 && self.tree.rep_ok()
    }
}

/// At most `nodes` nodes, a size in a range, `keys` keys.
pub fn bounds(nodes: i64, min_size: i64, max_size: i64, keys: i64) -> Bounds {
    crate::red_black_tree::bounds(nodes, min_size, max_size, keys).ints("RedBlackTreeKey.key", 1..=keys)
}
