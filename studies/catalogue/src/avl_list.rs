//! An AVL tree and a list: the input of adding all elements of the list to the tree.
//!
//! # Exact counts
//!
//! | structure | arguments | explored | valid | source |
//! |---|---|---|---|---|
//! | avl-list | 2,0,2,3,0,2,6 | 2,925 | 1,591 | STVR table IV |
//! | avl-list | 3,0,3,4,0,3,6 | 22,878 | 14,763 | STVR table IV |
//! | avl-list | 4,0,4,5,0,4,6 | 243,217 | 181,935 | STVR table IV |
//! | avl-list | 5,0,5,6,0,5,6 | 1,790,743 | 1,427,643 | STVR table IV |
//! | avl-list | 6,0,6,7,0,6,6 | 10,724,428 | 8,789,959 | STVR table IV |
//! | avl-list | 6,0,6,7,0,6,2 | 6,884 | 635 | STVR table V |
//! | avl-list | 6,0,6,7,0,6,3 | 27,594 | 12,023 | STVR table V |
//! | avl-list | 6,0,6,7,0,6,4 | 202,784 | 136,525 | STVR table V |
//! | avl-list | 6,0,6,7,0,6,5 | 1,569,144 | 1,210,922 | STVR table V |
//! | avl-list | 7,0,7,8,0,7,6 | 63,672,425 | 52,739,911 | STVR table IV |
//! | avl-list | 6,0,6,7,0,6,7 | 61,244,650 | 52,020,403 | STVR table V |
//! | avl-list | 8,0,8,9,0,8,6 | 380,739,460 | 316,439,623 | STVR table IV |
//! | avl-list | 6,0,6,7,0,6,8 | 292,245,608 | 254,354,457 | STVR table V |
//! | avl-list | 6,0,6,7,0,6,9 | 1,188,984,604 | 1,053,448,702 | STVR table V |

use crate::avl_tree::AvlTree;
use crate::int_list::IntList;
use smallscope::{Bounded, Bounds, rep_ok};

/// A tree and a list.
#[derive(Bounded, Debug, Clone)]
pub struct AvlList {
    #[bounded(pool = "tree")]
    tree: AvlTree<u32>,
    #[bounded(pool = "list")]
    list: IntList,
}

#[rep_ok]
impl AvlList {
    /// First the tree, then the list.
    pub fn rep_ok(&self) -> bool {
        self.tree.rep_ok() && self.list.is_list_shape_first()
    }
}

impl AvlList {
    /// The tree.
    pub fn tree(&self) -> &AvlTree<u32> {
        &self.tree
    }

    /// The list.
    pub fn list(&self) -> &IntList {
        &self.list
    }

    /// Adds all elements of the list to the tree.
    pub fn add_all(mut self) -> AvlTree<u32> {
        for element in self.list.iter() {
            self.tree.insert(element);
        }
        self.tree
    }
}

/// The tree as in [`crate::avl_tree::bounds`]; a list of `list_nodes` nodes (the header is one) and sizes in a
/// range; elements from 1 to `elements` in both.
pub fn bounds(
    nodes: i64,
    min_size: i64,
    max_size: i64,
    list_nodes: i64,
    min_list: i64,
    max_list: i64,
    elements: i64,
) -> Bounds {
    Bounds::exact()
        .objects("avl_tree::Node", nodes as u32)
        .ints("AvlTree.size", min_size..=max_size)
        .ints("avl_tree::Node.element", 1..=elements)
        .ints("avl_tree::Node.height", 0..=nodes)
        .objects("int_list::Node", list_nodes as u32)
        .ints("IntList.size", min_list..=max_list)
        .ints("int_list::Node.element", 1..=elements)
}
