//! A search tree whose nodes lie in a vector and refer to each other by index.

use crate::{binomial, catalan, count};
use smallscope::{Bounded, Bounds, Key, rep_ok};
use std::collections::BTreeSet;

#[derive(Bounded, Debug, Clone)]
struct Tree<K> {
    nodes: Vec<Node<K>>,
    #[bounded(index = "nodes")]
    root: Option<usize>,
}

#[derive(Bounded, Debug, Clone)]
struct Node<K> {
    key: K,
    #[bounded(index = "nodes")]
    left: Option<usize>,
    #[bounded(index = "nodes")]
    right: Option<usize>,
}

#[rep_ok]
impl<K: Ord> Tree<K> {
    /// Every node of the vector is reached once, and the keys are in order.
    fn rep_ok(&self) -> bool {
        let mut seen = vec![false; self.nodes.len()];
        self.is_tree(self.root, &mut seen, None, None) && seen.iter().all(|&s| s)
    }

    fn is_tree(&self, at: Option<usize>, seen: &mut [bool], low: Option<&K>, high: Option<&K>) -> bool {
        let Some(i) = at else { return true };
        let node = &self.nodes[i];
        if std::mem::replace(&mut seen[i], true) {
            return false;
        }
        let key = &node.key;
        low.is_none_or(|low| low < key)
            && high.is_none_or(|high| key < high)
            && self.is_tree(node.left, seen, low, Some(key))
            && self.is_tree(node.right, seen, Some(key), high)
    }
}

impl<K: Ord + Copy> Tree<K> {
    fn keys(&self) -> BTreeSet<K> {
        self.nodes.iter().map(|n| n.key).collect()
    }

    /// The place that refers to the node with this key, or would.
    fn place(&mut self, key: K) -> &mut Option<usize> {
        let mut at = (usize::MAX, false);
        let mut next = self.root;
        while let Some(i) = next {
            let node = &self.nodes[i];
            if node.key == key {
                break;
            }
            at = (i, key < node.key);
            next = if at.1 { node.left } else { node.right };
        }
        match at {
            (usize::MAX, _) => &mut self.root,
            (i, true) => &mut self.nodes[i].left,
            (i, false) => &mut self.nodes[i].right,
        }
    }

    fn insert(&mut self, key: K) {
        let new = self.nodes.len();
        let place = self.place(key);
        if place.is_none() {
            *place = Some(new);
            self.nodes.push(Node { key, left: None, right: None });
        }
    }

    /// Removes the smallest key; the last node of the vector moves into the gap.
    fn pop_first(&mut self) -> Option<K> {
        let key = self.nodes.iter().map(|n| n.key).min()?;
        let gap = self.place(key).take()?;
        let right = self.nodes[gap].right;
        *self.place(key) = right;
        let last = self.nodes.len() - 1;
        if gap != last {
            let moved = self.nodes[last].key;
            *self.place(moved) = Some(gap);
        }
        self.nodes.swap_remove(gap);
        Some(key)
    }
}

#[test]
fn each_shape_with_each_set_of_keys_is_there_once() {
    for n in 0..=4 {
        let trees: u64 = (0..=n).map(|k| catalan(k) * binomial(n, k)).sum();
        // Scope 0 leaves the keys one value, but no node.
        assert_eq!(count::<Tree<Key>>(&Bounds::scope(n as u32)), trees);
    }
}

#[test]
fn nodes_that_only_lie_elsewhere_are_not_another_tree() {
    let bounds = Bounds::exact().objects("Node", 3).len("Tree.nodes", [3]).ints("Node.key", 0..=2);
    assert_eq!(count::<Tree<u8>>(&bounds), catalan(3));
}

#[smallscope::test(scope = 3, audit)]
fn insert_adds_the_key_and_nothing_else(mut tree: Tree<u8>, key: u8) {
    let mut keys = tree.keys();
    tree.insert(key);
    keys.insert(key);
    assert!(tree.rep_ok());
    assert_eq!(tree.keys(), keys);
}

#[smallscope::test(scope = 4)]
fn popping_gives_the_keys_in_order(mut tree: Tree<Key>) {
    let keys = tree.keys();
    let mut popped = vec![];
    while let Some(key) = tree.pop_first() {
        assert!(tree.rep_ok());
        popped.push(key);
    }
    assert!(popped.iter().eq(&keys));
}
