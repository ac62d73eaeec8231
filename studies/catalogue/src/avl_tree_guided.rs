//! The same AVL trees as in [`avl_tree`](crate::avl_tree), with an invariant that checks heights from the leaves up, so that
//! each height is compared with a known one.

use crate::avl_tree::{AvlTree, Node};
use smallscope::{Bounded, rep_ok};

pub use crate::avl_tree::bounds;

/// A height-balanced search tree.
#[derive(Bounded, Debug)]
pub struct GuidedAvlTree<K> {
    tree: AvlTree<K>,
}

#[rep_ok(crate::avl_tree::AvlTree, crate::avl_tree::Node)]
impl<K: Ord> GuidedAvlTree<K> {
    /// The same values as for [`avl_tree`](crate::avl_tree).
    pub fn rep_ok(&self) -> bool {
        let mut size = 0;
        Self::checked_height(&self.tree.root, None, None, &mut size).is_some() && size == self.tree.size
    }

    /// The height of a subtree with balanced nodes, correct heights and keys between the bounds.
    fn checked_height(
        at: &Option<Box<Node<K>>>,
        low: Option<&K>,
        high: Option<&K>,
        size: &mut usize,
    ) -> Option<u32> {
        let Some(node) = at else { return Some(0) };
        *size += 1;
        let element = node.element.as_ref()?;
        if low.is_some_and(|low| low >= element) || high.is_some_and(|high| element >= high) {
            return None;
        }
        let left = Self::checked_height(&node.left, low, Some(element), size)?;
        let right = Self::checked_height(&node.right, Some(element), high, size)?;
        let height = 1 + left.max(right);
        if left.abs_diff(right) > 1 || node.height != height {
            return None;
        }
        Some(height)
    }
}
