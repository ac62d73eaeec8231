//! AVL trees as they are usually written: boxes only, and an invariant of recursive helpers, without thought of the search.
//! Summaries make it fast (`--summaries on`).
//!
//! [`AvlShape`] is the same tree without keys.

use smallscope::{Bounded, Bounds, rep_ok};

/// An AVL tree.
#[derive(Bounded, Debug, Clone)]
pub struct NaturalAvlTree<K> {
    root: Option<Box<Node<K>>>,
    size: usize,
}

#[derive(Bounded, Debug, Clone)]
struct Node<K> {
    key: K,
    left: Option<Box<Node<K>>>,
    right: Option<Box<Node<K>>>,
}

#[rep_ok]
impl<K: Ord> NaturalAvlTree<K> {
    /// The size is right, heights of siblings differ by at most one, and keys ascend.
    pub fn rep_ok(&self) -> bool {
        Self::count(&self.root) == self.size
            && Self::is_balanced(&self.root)
            && Self::is_ordered(&self.root, None, None)
    }

    fn count(tree: &Option<Box<Node<K>>>) -> usize {
        tree.as_ref().map_or(0, |node| 1 + Self::count(&node.left) + Self::count(&node.right))
    }

    fn height(tree: &Option<Box<Node<K>>>) -> usize {
        tree.as_ref().map_or(0, |node| 1 + Self::height(&node.left).max(Self::height(&node.right)))
    }

    fn is_balanced(tree: &Option<Box<Node<K>>>) -> bool {
        let Some(node) = tree else { return true };
        Self::height(&node.left).abs_diff(Self::height(&node.right)) <= 1
            && Self::is_balanced(&node.left)
            && Self::is_balanced(&node.right)
    }

    fn is_ordered(tree: &Option<Box<Node<K>>>, low: Option<&K>, high: Option<&K>) -> bool {
        let Some(node) = tree else { return true };
        low.is_none_or(|low| *low < node.key)
            && high.is_none_or(|high| node.key < *high)
            && Self::is_ordered(&node.left, low, Some(&node.key))
            && Self::is_ordered(&node.right, Some(&node.key), high)
    }
}

/// At most `nodes` nodes, a size in a range, and so many keys.
pub fn bounds(nodes: i64, min_size: i64, max_size: i64, keys: i64) -> Bounds {
    Bounds::exact()
        .objects("Node", nodes as u32)
        .ints("NaturalAvlTree.size", min_size..=max_size)
        .ints("Node.key", 0..=keys - 1)
}

/// The shape of an AVL tree.
#[derive(Bounded, Debug, Clone)]
pub struct AvlShape {
    root: Option<Box<Shape>>,
    size: usize,
}

#[derive(Bounded, Debug, Clone)]
struct Shape {
    left: Option<Box<Shape>>,
    right: Option<Box<Shape>>,
}

#[rep_ok]
impl AvlShape {
    /// The size is right, and heights of siblings differ by at most one.
    pub fn rep_ok(&self) -> bool {
        Self::count(&self.root) == self.size && Self::is_balanced(&self.root)
    }

    fn count(tree: &Option<Box<Shape>>) -> usize {
        tree.as_ref().map_or(0, |node| 1 + Self::count(&node.left) + Self::count(&node.right))
    }

    fn height(tree: &Option<Box<Shape>>) -> usize {
        tree.as_ref().map_or(0, |node| 1 + Self::height(&node.left).max(Self::height(&node.right)))
    }

    fn is_balanced(tree: &Option<Box<Shape>>) -> bool {
        let Some(node) = tree else { return true };
        Self::height(&node.left).abs_diff(Self::height(&node.right)) <= 1
            && Self::is_balanced(&node.left)
            && Self::is_balanced(&node.right)
    }
}

/// At most `nodes` nodes, and a size in a range.
pub fn shape_bounds(nodes: i64, min_size: i64, max_size: i64) -> Bounds {
    Bounds::exact().objects("Shape", nodes as u32).ints("AvlShape.size", min_size..=max_size)
}
