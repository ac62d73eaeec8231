//! A search tree and a value: the input of a deletion. The invariant reads the value first.
//!
//! # Classes
//!
//! The classes are the places that a value to be deleted can have: nowhere, or in a node that is the root or not, and has
//! a left and a right child or not. `eq_class` reads the nodes on the path to it, and no others. Pruned by class, the published algorithm explores:
//!
//! | arguments | explored | valid | classes |
//! |---|---|---|---|
//! | 3,0,3,3 | 500 | 43 | 8 |
//! | 3,0,3,4 | 1,011 | 125 | 8 |
//! | 3,0,3,6 | 3,331 | 586 | 8 |
//! | 3,0,3,8 | 8,675 | 1,793 | 8 |
//! | 5,0,5,8 | 338,292 | 16,137 | 9 |
//! | 6,0,6,9 | 3,213,270 | 83,511 | 9 |
//!
//! These are the figures of Aguirre et al., TAP 2011 (`class_counts.tsv`).
//!
//! # Exact counts
//!
//! | structure | arguments | explored | valid | source |
//! |---|---|---|---|---|
//! | search-tree-value | 3,0,3,3 | 534 | 45 | TAP table of trees and values; STVR table XII |
//! | search-tree-value | 3,0,3,4 | 1,152 | 148 | TAP table of trees and values; STVR table XII |
//! | search-tree-value | 3,0,3,6 | 4,290 | 822 | TAP table of trees and values; STVR table XII |
//! | search-tree-value | 3,0,3,8 | 12,144 | 2,760 | TAP table of trees and values; STVR table XII |
//! | search-tree-value | 5,0,5,8 | 477,888 | 29,416 | TAP table of trees and values; STVR table XII |
//! | search-tree-value | 6,0,6,9 | 4,597,299 | 167,814 | TAP table of trees and values; STVR table XII |

use crate::search_tree::{KeyPlace, SearchTree};
use smallscope::{Bounded, Bounds, eq_class, rep_ok};

/// A tree and a value to look up, insert or delete.
#[derive(Bounded, Debug, Clone)]
pub struct SearchTreeValue {
    tree: SearchTree<u32>,
    value: u32,
}

#[rep_ok]
impl SearchTreeValue {
    /// The value is positive and the tree is valid.
    pub fn rep_ok(&self) -> bool {
        self.value > 0 && self.tree.rep_ok()
    }
}

#[eq_class]
impl SearchTreeValue {
    /// The place of the value in the tree, which decides what a deletion has to do.
    pub fn eq_class(&self) -> KeyPlace {
        self.tree.place_of(&self.value)
    }
}

impl SearchTreeValue {
    /// The tree.
    pub fn tree(&self) -> &SearchTree<u32> {
        &self.tree
    }

    /// The value.
    pub fn value(&self) -> u32 {
        self.value
    }

    /// Whether the tree has the value.
    pub fn search(&self) -> bool {
        self.tree.contains(&self.value)
    }

    /// Inserts the value into the tree.
    pub fn insert(mut self) -> SearchTree<u32> {
        self.tree.insert(self.value);
        self.tree
    }

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
