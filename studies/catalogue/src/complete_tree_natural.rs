//! Complete trees, the shapes of binary heaps, with an invariant of recursive helpers as they are usually written.

use smallscope::{Bounded, Bounds, rep_ok};

/// A complete tree: every level is full, but the last one, which is filled from the left. There is one of each size.
#[derive(Bounded, Debug, Clone)]
pub struct CompleteTree {
    root: Option<Box<Node>>,
    size: usize,
}

#[derive(Bounded, Debug, Clone)]
struct Node {
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

#[rep_ok]
impl CompleteTree {
    /// The size is right, and every node is at a place that a complete tree of this size has, numbered by levels.
    pub fn rep_ok(&self) -> bool {
        Self::count(&self.root) == self.size && Self::is_complete(&self.root, 0, self.size)
    }

    fn count(tree: &Option<Box<Node>>) -> usize {
        tree.as_ref().map_or(0, |node| 1 + Self::count(&node.left) + Self::count(&node.right))
    }

    fn is_complete(tree: &Option<Box<Node>>, place: usize, size: usize) -> bool {
        let Some(node) = tree else { return true };
        place < size
            && Self::is_complete(&node.left, 2 * place + 1, size)
            && Self::is_complete(&node.right, 2 * place + 2, size)
    }
}

/// At most `nodes` nodes, and a size in a range.
pub fn bounds(nodes: i64, min_size: i64, max_size: i64) -> Bounds {
    Bounds::exact().objects("Node", nodes as u32).ints("CompleteTree.size", min_size..=max_size)
}
