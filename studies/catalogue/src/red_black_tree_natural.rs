//! Red-black trees as they are usually written: boxes only, and an invariant of recursive helpers, without thought of the
//! search. Summaries make it fast (`--summaries on`).
//!
//! [`RedBlackShape`] is the same tree without keys.

use smallscope::{Bounded, Bounds, rep_ok};

/// A red-black tree.
#[derive(Bounded, Debug, Clone)]
pub struct NaturalRedBlackTree<K> {
    root: Option<Box<Node<K>>>,
    size: usize,
}

#[derive(Bounded, Debug, Clone)]
struct Node<K> {
    key: K,
    color: Color,
    left: Option<Box<Node<K>>>,
    right: Option<Box<Node<K>>>,
}

#[derive(Bounded, Debug, Clone, Copy, PartialEq, Eq)]
enum Color {
    Red,
    Black,
}

#[rep_ok]
impl<K: Ord> NaturalRedBlackTree<K> {
    /// The size is right, no red node has a red child, every way down has as many black nodes, and keys ascend.
    pub fn rep_ok(&self) -> bool {
        Self::count(&self.root) == self.size
            && Self::no_red_red(&self.root)
            && Self::black_height(&self.root).is_some()
            && Self::is_ordered(&self.root, None, None)
    }

    fn count(tree: &Option<Box<Node<K>>>) -> usize {
        match tree {
            None => 0,
            Some(node) => 1 + Self::count(&node.left) + Self::count(&node.right),
        }
    }

    fn is_red(tree: &Option<Box<Node<K>>>) -> bool {
        tree.as_ref().is_some_and(|node| node.color == Color::Red)
    }

    fn no_red_red(tree: &Option<Box<Node<K>>>) -> bool {
        let Some(node) = tree else { return true };
        if node.color == Color::Red && (Self::is_red(&node.left) || Self::is_red(&node.right)) {
            return false;
        }
        Self::no_red_red(&node.left) && Self::no_red_red(&node.right)
    }

    fn black_height(tree: &Option<Box<Node<K>>>) -> Option<usize> {
        let Some(node) = tree else { return Some(0) };
        let (left, right) = (Self::black_height(&node.left)?, Self::black_height(&node.right)?);
        (left == right).then(|| left + usize::from(node.color == Color::Black))
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
        .ints("NaturalRedBlackTree.size", min_size..=max_size)
        .ints("Node.key", 0..=keys - 1)
}

/// The shape and the colours of a red-black tree.
#[derive(Bounded, Debug, Clone)]
pub struct RedBlackShape {
    root: Option<Box<Coloured>>,
    size: usize,
}

#[derive(Bounded, Debug, Clone)]
struct Coloured {
    color: Color,
    left: Option<Box<Coloured>>,
    right: Option<Box<Coloured>>,
}

#[rep_ok]
impl RedBlackShape {
    /// The size is right, no red node has a red child, and every way down has as many black nodes.
    pub fn rep_ok(&self) -> bool {
        Self::count(&self.root) == self.size
            && Self::no_red_red(&self.root)
            && Self::black_height(&self.root).is_some()
    }

    fn count(tree: &Option<Box<Coloured>>) -> usize {
        match tree {
            None => 0,
            Some(node) => 1 + Self::count(&node.left) + Self::count(&node.right),
        }
    }

    fn is_red(tree: &Option<Box<Coloured>>) -> bool {
        tree.as_ref().is_some_and(|node| node.color == Color::Red)
    }

    fn no_red_red(tree: &Option<Box<Coloured>>) -> bool {
        let Some(node) = tree else { return true };
        if node.color == Color::Red && (Self::is_red(&node.left) || Self::is_red(&node.right)) {
            return false;
        }
        Self::no_red_red(&node.left) && Self::no_red_red(&node.right)
    }

    fn black_height(tree: &Option<Box<Coloured>>) -> Option<usize> {
        let Some(node) = tree else { return Some(0) };
        let (left, right) = (Self::black_height(&node.left)?, Self::black_height(&node.right)?);
        (left == right).then(|| left + usize::from(node.color == Color::Black))
    }
}

/// At most `nodes` nodes, and a size in a range.
pub fn shape_bounds(nodes: i64, min_size: i64, max_size: i64) -> Bounds {
    Bounds::exact().objects("Coloured", nodes as u32).ints("RedBlackShape.size", min_size..=max_size)
}
