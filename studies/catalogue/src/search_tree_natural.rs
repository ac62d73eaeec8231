//! Search trees as they are usually written: boxes only, and an invariant of recursive helpers.

use smallscope::{Bounded, Bounds, rep_ok};

/// A search tree.
#[derive(Bounded, Debug, Clone)]
pub struct NaturalSearchTree<K> {
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
impl<K: Ord> NaturalSearchTree<K> {
    /// The size is right, and keys ascend.
    pub fn rep_ok(&self) -> bool {
        Self::count(&self.root) == self.size && Self::is_ordered(&self.root, None, None)
    }

    fn count(tree: &Option<Box<Node<K>>>) -> usize {
        tree.as_ref().map_or(0, |node| 1 + Self::count(&node.left) + Self::count(&node.right))
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
        .ints("NaturalSearchTree.size", min_size..=max_size)
        .ints("Node.key", 0..=keys - 1)
}
