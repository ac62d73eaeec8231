//! Leftist trees, the shapes of leftist heaps, with an invariant of recursive helpers as they are usually written.

use smallscope::{Bounded, Bounds, rep_ok};

/// A leftist tree: the shortest way down from a left child is at least as long as that of its sibling.
#[derive(Bounded, Debug, Clone)]
pub struct LeftistTree {
    root: Option<Box<Node>>,
    size: usize,
}

#[derive(Bounded, Debug, Clone)]
struct Node {
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

#[rep_ok]
impl LeftistTree {
    /// The size is right, and every node is leftist.
    pub fn rep_ok(&self) -> bool {
        Self::count(&self.root) == self.size && Self::is_leftist(&self.root)
    }

    fn count(tree: &Option<Box<Node>>) -> usize {
        tree.as_ref().map_or(0, |node| 1 + Self::count(&node.left) + Self::count(&node.right))
    }

    fn rank(tree: &Option<Box<Node>>) -> usize {
        tree.as_ref().map_or(0, |node| 1 + Self::rank(&node.left).min(Self::rank(&node.right)))
    }

    fn is_leftist(tree: &Option<Box<Node>>) -> bool {
        tree.as_ref().is_none_or(|node| {
            Self::rank(&node.left) >= Self::rank(&node.right)
                && Self::is_leftist(&node.left)
                && Self::is_leftist(&node.right)
        })
    }
}

/// At most `nodes` nodes, and a size in a range.
pub fn bounds(nodes: i64, min_size: i64, max_size: i64) -> Bounds {
    Bounds::exact().objects("Node", nodes as u32).ints("LeftistTree.size", min_size..=max_size)
}
