//! A set of keys as a binary search tree, with an error in one of its two ways to remove a key.

use std::cmp::Ordering;

/// A binary search tree.
#[derive(Debug)]
#[cfg_attr(test, derive(smallscope::Bounded))]
pub struct SearchTree<K> {
    root: Option<Box<Node<K>>>,
    size: usize,
}

#[derive(Debug)]
#[cfg_attr(test, derive(smallscope::Bounded))]
struct Node<K> {
    key: K,
    left: Option<Box<Node<K>>>,
    right: Option<Box<Node<K>>>,
}

#[cfg_attr(test, smallscope::rep_ok)]
impl<K: Ord> SearchTree<K> {
    /// The invariant: the keys are in order, and `size` is the number of nodes.
    pub fn rep_ok(&self) -> bool {
        Self::is_ordered(&self.root, None, None) && Self::count(&self.root) == self.size
    }

    fn count(tree: &Option<Box<Node<K>>>) -> usize {
        tree.as_ref().map_or(0, |node| 1 + Self::count(&node.left) + Self::count(&node.right))
    }

    /// Whether all keys lie between two bounds, and in order. Checks each node as it reaches it, so it rejects early.
    fn is_ordered(tree: &Option<Box<Node<K>>>, low: Option<&K>, high: Option<&K>) -> bool {
        let Some(node) = tree else { return true };
        low.is_none_or(|low| *low < node.key)
            && high.is_none_or(|high| node.key < *high)
            && Self::is_ordered(&node.left, low, Some(&node.key))
            && Self::is_ordered(&node.right, Some(&node.key), high)
    }
}

impl<K: Ord> SearchTree<K> {
    /// Whether the key is in the tree.
    pub fn contains(&self, key: &K) -> bool {
        let mut at = &self.root;
        while let Some(node) = at {
            at = match key.cmp(&node.key) {
                Ordering::Less => &node.left,
                Ordering::Greater => &node.right,
                Ordering::Equal => return true,
            };
        }
        false
    }

    /// Removes a key. The least key of the right subtree replaces the key of a node with two children.
    pub fn remove(&mut self, key: &K) {
        let Some(place) = Self::place(&mut self.root, key) else { return };
        self.size -= 1;
        let Some(mut node) = place.take() else { return };
        *place = match (node.left.take(), node.right.take()) {
            (None, child) | (child, None) => child,
            (left, mut right) => {
                let mut least = Self::take_least(&mut right);
                if let Some(least) = &mut least {
                    (least.left, least.right) = (left, right);
                }
                least
            }
        };
    }

    /// Removes a key, with an error: a node with two children loses its right subtree.
    pub fn remove_wrongly(&mut self, key: &K) {
        let Some(place) = Self::place(&mut self.root, key) else { return };
        self.size -= 1;
        let Some(mut node) = place.take() else { return };
        *place = node.left.take().or(node.right.take());
    }

    /// Where the node with this key hangs.
    fn place<'a>(at: &'a mut Option<Box<Node<K>>>, key: &K) -> Option<&'a mut Option<Box<Node<K>>>> {
        match key.cmp(&at.as_ref()?.key) {
            Ordering::Less => Self::place(&mut at.as_mut()?.left, key),
            Ordering::Greater => Self::place(&mut at.as_mut()?.right, key),
            Ordering::Equal => Some(at),
        }
    }

    /// Takes the node with the least key out of a subtree.
    fn take_least(at: &mut Option<Box<Node<K>>>) -> Option<Box<Node<K>>> {
        if at.as_ref()?.left.is_some() {
            return Self::take_least(&mut at.as_mut()?.left);
        }
        let mut least = at.take()?;
        *at = least.right.take();
        Some(least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallscope::{Key, count};

    #[smallscope::test(scope = 5)]
    fn remove_removes_one_key(mut tree: SearchTree<Key>, key: Key) {
        tree.remove(&key);
        assert!(tree.rep_ok(), "the tree is broken: {tree:?}");
        assert!(!tree.contains(&key));
    }

    /// The smallest tree that shows the error has three nodes. Delete `should_panic` to see the whole report.
    #[smallscope::test(scope = 5)]
    #[should_panic(expected = "found:    value 28 in scope 3 of 5")]
    fn remove_wrongly_loses_a_subtree(mut tree: SearchTree<Key>, key: Key) {
        tree.remove_wrongly(&key);
        assert!(tree.rep_ok(), "the tree is broken: {tree:?}");
    }

    /// Catalan(k) shapes with k nodes, and one way to place k of the n keys in each.
    #[test]
    fn every_search_tree_is_generated() {
        for (scope, trees) in [(0, 1), (1, 2), (2, 5), (3, 15), (4, 51), (5, 188), (6, 731)] {
            let outcome = count::<SearchTree<Key>>(scope);
            assert!(outcome.is_exhaustive());
            assert_eq!(outcome.valid, trees);
        }
    }
}
