//! Binary trees with a size: shapes only.

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
    /// A tree of `size` nodes: no node is met twice.
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

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }
}

/// At most `nodes` nodes, and a size in a range.
pub fn bounds(nodes: i64, min_size: i64, max_size: i64) -> Bounds {
    Bounds::exact().objects("Node", nodes as u32).ints("BinaryTree.size", min_size..=max_size)
}
