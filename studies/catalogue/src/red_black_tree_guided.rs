//! The same red-black trees as in [`red_black_tree`](crate::red_black_tree), with an invariant that checks while it reads.
//!
//! The leftmost path determines how many black nodes every path has; from then on each node has a number of black nodes that
//! must follow below it. The original reads the whole shape first, then all colours, then the heights, so it builds a
//! whole tree before it can reject it.

use crate::red_black_tree::{Color, Node, RedBlackTree};
use smallscope::{Bounded, rep_ok};

pub use crate::red_black_tree::bounds;

/// A red-black tree.
#[derive(Bounded, Debug)]
pub struct GuidedRedBlackTree<K> {
    tree: RedBlackTree<K>,
}

#[rep_ok(crate::red_black_tree::RedBlackTree, crate::red_black_tree::Node, opaque(Color))]
impl<K: Ord> GuidedRedBlackTree<K> {
    /// The same values as for [`red_black_tree`](crate::red_black_tree).
    pub fn rep_ok(&self) -> bool {
        let Some(root) = &self.tree.root else { return self.tree.size == 0 };
        let blacks = Self::blacks_on_the_left(root);
        let mut size = 0;
        Self::is_right(root, std::ptr::null(), false, blacks, None, None, &mut size) && size == self.tree.size
    }

    fn blacks_on_the_left(root: &Node<K>) -> usize {
        let mut blacks = 0;
        let mut at = Some(root);
        while let Some(node) = at {
            if node.color == Color::Black {
                blacks += 1;
            }
            at = node.left.as_deref();
        }
        blacks
    }

    /// Whether the tree from `node` down is one below `parent`, with this many black nodes on each path down and keys between
    /// the bounds.
    fn is_right(
        node: &Node<K>,
        parent: *const Node<K>,
        is_below_red: bool,
        blacks: usize,
        low: Option<&K>,
        high: Option<&K>,
        size: &mut usize,
    ) -> bool {
        *size += 1;
        if node.parent != parent || is_below_red && node.color == Color::Red {
            return false;
        }
        if blacks == 0 && node.color == Color::Black {
            return false;
        }
        let is_red = node.color == Color::Red;
        let blacks = if is_red { blacks } else { blacks - 1 };
        if blacks > 0 && (node.left.is_none() || node.right.is_none()) {
            return false;
        }
        let Some(key) = &node.key else { return false };
        if low.is_some_and(|low| low >= key) || high.is_some_and(|high| key >= high) {
            return false;
        }
        if let Some(left) = &node.left
            && !Self::is_right(left, node, is_red, blacks, low, Some(key), size)
        {
            return false;
        }
        if let Some(right) = &node.right
            && !Self::is_right(right, node, is_red, blacks, Some(key), high, size)
        {
            return false;
        }
        true
    }
}
