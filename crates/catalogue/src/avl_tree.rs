//! AVL trees: search trees whose subtrees differ in height by at most one.

use smallscope::{Bounded, Bounds, Visited, rep_ok};

/// A height-balanced search tree.
#[derive(Bounded, Debug, Clone, PartialEq, Eq)]
pub struct AvlTree<K> {
    root: Option<Box<Node<K>>>,
    size: usize,
}

#[derive(Bounded, Debug, Clone, PartialEq, Eq)]
struct Node<K> {
    /// `None` in a node that was vacated; no valid tree has one.
    element: Option<K>,
    /// A leaf has height 1.
    height: u32,
    left: Option<Box<Node<K>>>,
    right: Option<Box<Node<K>>>,
}

#[rep_ok]
impl<K: Ord> AvlTree<K> {
    /// A search tree of `size` nodes with correct heights that differ by at most one.
    pub fn rep_ok(&self) -> bool {
        let Some(root) = &self.root else { return self.size == 0 };
        let Some(nodes) = Self::nodes(root) else { return false };
        Self::is_ordered(root, None, None)
            && nodes.len() == self.size
            && nodes.iter().all(|node| Self::is_balanced(node))
    }

    /// The nodes breadth first, if they form a tree.
    fn nodes(root: &Node<K>) -> Option<Visited<&Node<K>>> {
        let mut seen = Visited::new();
        seen.insert(root);
        let mut next = 0;
        while let Some(node) = seen.get(next) {
            next += 1;
            if let Some(left) = &node.left
                && !seen.insert(&**left)
            {
                return None;
            }
            if let Some(right) = &node.right
                && !seen.insert(&**right)
            {
                return None;
            }
        }
        Some(seen)
    }

    fn is_ordered(node: &Node<K>, low: Option<&K>, high: Option<&K>) -> bool {
        let Some(element) = &node.element else { return false };
        low.is_none_or(|low| low < element)
            && high.is_none_or(|high| element < high)
            && node.left.as_ref().is_none_or(|left| Self::is_ordered(left, low, Some(element)))
            && node.right.as_ref().is_none_or(|right| Self::is_ordered(right, Some(element), high))
    }

    fn is_balanced(node: &Node<K>) -> bool {
        let left = node.left.as_ref().map_or(0, |left| left.height);
        let right = node.right.as_ref().map_or(0, |right| right.height);
        left.abs_diff(right) <= 1 && node.height == 1 + left.max(right)
    }
}

/// At most `nodes` nodes, a size in a range, elements from 1 to `elements`, heights up to `nodes`.
pub fn bounds(nodes: i64, min_size: i64, max_size: i64, elements: i64) -> Bounds {
    Bounds::exact()
        .objects("Node", nodes as u32)
        .ints("AvlTree.size", min_size..=max_size)
        .ints("Node.element", 1..=elements)
        .ints("Node.height", 0..=nodes)
}
