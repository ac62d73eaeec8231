//! Binary trees with a size: shapes only.
//!
//! # Exact counts
//!
//! | structure | arguments | explored | valid | source |
//! |---|---|---|---|---|
//! | binary-tree | 1,1,1 | 4 | 1 | original tool |
//! | binary-tree | 2,2,2 | 16 | 2 | original tool |
//! | binary-tree | 3,3,3 | 63 | 5 | original tool |
//! | binary-tree | 4,4,4 | 245 | 14 | original tool |
//! | binary-tree | 5,5,5 | 947 | 42 | original tool |
//! | binary-tree | 6,6,6 | 3,653 | 132 | original tool; its own tests assert it |
//! | binary-tree | 7,7,7 | 14,092 | 429 | original tool |
//! | binary-tree | 8,8,8 | 54,418 | 1,430 | original tool; its own tests assert it |
//! | binary-tree | 9,9,9 | 210,444 | 4,862 | original tool |
//! | binary-tree | 10,10,10 | 815,100 | 16,796 | original tool |
//! | binary-tree | 11,11,11 | 3,162,018 | 58,786 | original tool |
//! | binary-tree | 12,12,12 | 12,284,830 | 208,012 | original tool |

use smallscope::{Bounded, Bounds, Visited, rep_ok};

/// A binary tree.
#[derive(Bounded, Debug, Clone, PartialEq, Eq, Default)]
pub struct BinaryTree {
    root: Option<Box<Node>>,
    size: usize,
}

#[derive(Bounded, Debug, Clone, PartialEq, Eq)]
struct Node {
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

#[rep_ok]
impl BinaryTree {
    /// A tree of `size` nodes: no node is reached twice.
    pub fn rep_ok(&self) -> bool {
        let Some(root) = &self.root else { return self.size == 0 };
        let mut seen = Visited::new();
        seen.insert(&**root);
        let mut next = 0;
        while let Some(node) = seen.get(next) {
            next += 1;
            if let Some(left) = &node.left
                && !seen.insert(&**left)
            {
                return false;
            }
            if let Some(right) = &node.right
                && !seen.insert(&**right)
            {
                return false;
            }
        }
        seen.len() == self.size
    }
}

impl BinaryTree {
    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether the tree is empty.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// The number of nodes on the longest path down.
    pub fn height(&self) -> usize {
        fn height(at: &Option<Box<Node>>) -> usize {
            at.as_ref().map_or(0, |node| 1 + height(&node.left).max(height(&node.right)))
        }
        height(&self.root)
    }

    /// The depths of the nodes in order, the root's being 1. Different trees have different depths.
    pub fn depths(&self) -> Vec<usize> {
        fn collect(at: &Option<Box<Node>>, depth: usize, depths: &mut Vec<usize>) {
            if let Some(node) = at {
                collect(&node.left, depth + 1, depths);
                depths.push(depth);
                collect(&node.right, depth + 1, depths);
            }
        }
        let mut depths = Vec::with_capacity(self.size);
        collect(&self.root, 1, &mut depths);
        depths
    }

    /// Mirrors the tree: swaps the children of every node.
    pub fn mirror(&mut self) {
        fn mirror(at: &mut Option<Box<Node>>) {
            if let Some(node) = at {
                std::mem::swap(&mut node.left, &mut node.right);
                mirror(&mut node.left);
                mirror(&mut node.right);
            }
        }
        mirror(&mut self.root);
    }
}

/// At most `nodes` nodes, and a size in a range.
pub fn bounds(nodes: i64, min_size: i64, max_size: i64) -> Bounds {
    Bounds::exact().objects("Node", nodes as u32).ints("BinaryTree.size", min_size..=max_size)
}
