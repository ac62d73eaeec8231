//! A red-black tree and a key: the input of a look-up. The invariant reads the key first.
//!
//! # Exact counts
//!
//! | structure | arguments | explored | valid | source |
//! |---|---|---|---|---|
//! | red-black-tree-key | 4,0,4,4 | 5,080 | 164 | STVR table XIV (valid); original tool |
//! | red-black-tree-key | 4,0,4,8 | 60,880 | 6,408 | STVR table XIV (valid); original tool |
//! | red-black-tree-key | 5,0,5,5 | 30,365 | 575 | STVR table XIV (valid); original tool |
//! | red-black-tree-key | 5,0,5,10 | 725,930 | 56,790 | STVR table XIV (valid); original tool |
//! | red-black-tree-key | 6,0,6,6 | 155,628 | 1,962 | STVR table XIV (valid); original tool |
//! | red-black-tree-key | 6,0,6,12 | 6,683,976 | 412,140 | STVR table XIV (valid); original tool |
//! | red-black-tree-key | 7,0,7,7 | 784,084 | 6,377 | STVR table XIV (valid); original tool |
//! | red-black-tree-key | 7,0,7,14 | 63,582,568 | 3,045,266 | STVR table XIV (valid); original tool |

use crate::red_black_tree::RedBlackTree;
use smallscope::{Bounded, Bounds, rep_ok};

/// A tree and a key to look up, insert or remove.
#[derive(Bounded, Debug)]
pub struct RedBlackTreeKey {
    tree: RedBlackTree<u32>,
    key: u32,
}

#[rep_ok]
impl RedBlackTreeKey {
    /// The key is positive and the tree is valid.
    pub fn rep_ok(&self) -> bool {
        self.key > 0 && self.tree.rep_ok()
    }
}

impl RedBlackTreeKey {
    /// The tree.
    pub fn tree(&self) -> &RedBlackTree<u32> {
        &self.tree
    }

    /// The key.
    pub fn key(&self) -> u32 {
        self.key
    }

    /// Whether the tree has the key.
    pub fn search(&self) -> bool {
        self.tree.contains(&self.key)
    }

    /// Inserts the key into the tree.
    pub fn insert(mut self) -> RedBlackTree<u32> {
        self.tree.insert(self.key);
        self.tree
    }

    /// Removes the key from the tree.
    pub fn remove(mut self) -> RedBlackTree<u32> {
        self.tree.remove(&self.key);
        self.tree
    }
}

/// At most `nodes` nodes, a size in a range, `keys` keys.
pub fn bounds(nodes: i64, min_size: i64, max_size: i64, keys: i64) -> Bounds {
    crate::red_black_tree::bounds(nodes, min_size, max_size, keys).ints("RedBlackTreeKey.key", 1..=keys)
}
