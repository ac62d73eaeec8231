//! An AVL tree and a list: the input of adding all elements of the list to the tree.

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
