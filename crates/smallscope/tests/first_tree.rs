//! A binary search tree, tested on every valid tree with up to four nodes.

use smallscope::{Bounded, Key, rep_ok};

#[derive(Bounded, Debug)]
struct SearchTree<K> {
    root: Option<Box<Node<K>>>,
    size: usize,
}

#[derive(Bounded, Debug)]
struct Node<K> {
    key: K,
    left: Option<Box<Node<K>>>,
    right: Option<Box<Node<K>>>,
}

#[rep_ok]
impl<K: Ord> SearchTree<K> {
    fn rep_ok(&self) -> bool {
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

    fn contains(&self, key: &K) -> bool {
        let mut at = &self.root;
        while let Some(node) = at {
            if *key == node.key {
                return true;
            }
            at = if *key < node.key { &node.left } else { &node.right };
        }
        false
    }

    fn insert(&mut self, key: K) {
        let mut at = &mut self.root;
        while let Some(node) = at {
            if key == node.key {
                return;
            }
            at = if key < node.key { &mut node.left } else { &mut node.right };
        }
        *at = Some(Box::new(Node { key, left: None, right: None }));
        self.size += 1;
    }
}

#[smallscope::test(scope = 4)]
fn insert_keeps_the_invariant(mut tree: SearchTree<Key>, key: Key) {
    tree.insert(key);
    assert!(tree.rep_ok());
    assert!(tree.contains(&key));
}

#[test]
fn every_search_tree_is_found_once() {
    // Shapes with k nodes, times the choices of k keys out of n: the sum of Catalan(k) * C(n, k).
    for (n, trees) in [(0, 1), (1, 2), (2, 5), (3, 15), (4, 51), (5, 188)] {
        let outcome = smallscope::count::<SearchTree<Key>>(n);
        assert!(outcome.is_exhaustive());
        assert_eq!(outcome.valid, trees);
    }
}
