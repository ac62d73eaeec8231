//! A 2-3 tree: nodes with arrays of keys and of children.

use crate::{binomial, count};
use smallscope::{Bounded, Bounds, rep_ok};
use std::collections::BTreeSet;

const KEYS: usize = 2;

#[derive(Bounded, Debug, Clone, Default)]
struct Tree {
    root: Option<Box<Node>>,
}

#[derive(Bounded, Debug, Clone, Default)]
struct Node {
    #[bounded(range = 0..=2)]
    len: usize,
    /// The first `len` are in use, the others are 0.
    keys: [u8; KEYS],
    /// The first `len + 1` are there, or none.
    children: [Option<Box<Node>>; KEYS + 1],
}

#[rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        self.root.as_ref().is_none_or(|root| root.height(None, None).is_some())
    }
}

#[smallscope::mirror]
impl Node {
    /// The height of a node that is in order.
    fn height(&self, low: Option<u8>, high: Option<u8>) -> Option<usize> {
        let n = self.len;
        if n == 0 || self.keys[n..].iter().any(|&k| k != 0) {
            return None;
        }
        let keys = &self.keys[..n];
        let in_order = keys.windows(2).all(|w| w[0] < w[1])
            && low.is_none_or(|low| low < keys[0])
            && high.is_none_or(|high| keys[n - 1] < high);
        if !in_order {
            return None;
        }
        let is_leaf = self.children[0].is_none();
        let mut height = None;
        for (i, child) in self.children.iter().enumerate() {
            match child {
                Some(child) if !is_leaf && i <= n => {
                    let low = if i == 0 { low } else { Some(keys[i - 1]) };
                    let high = if i == n { high } else { Some(keys[i]) };
                    let below = child.height(low, high)?;
                    if *height.get_or_insert(below) != below {
                        return None;
                    }
                }
                None if is_leaf || i > n => {}
                _ => return None,
            }
        }
        Some(height.map_or(0, |h| h + 1))
    }
}

impl Tree {
    fn keys(&self) -> Vec<u8> {
        fn below(node: &Node, keys: &mut Vec<u8>) {
            for i in 0..=node.len {
                if let Some(child) = &node.children[i] {
                    below(child, keys);
                }
                keys.extend(node.keys[..node.len].get(i));
            }
        }
        let mut keys = vec![];
        self.root.iter().for_each(|root| below(root, &mut keys));
        keys
    }

    fn insert(&mut self, key: u8) {
        let Some(root) = &mut self.root else {
            self.root = Some(Box::new(Node::new(&[key], vec![])));
            return;
        };
        if let Some((middle, right)) = root.insert(key) {
            let left = self.root.take();
            self.root = Some(Box::new(Node::new(&[middle], vec![left, Some(right)])));
        }
    }
}

impl Node {
    fn new(keys: &[u8], mut children: Vec<Option<Box<Node>>>) -> Node {
        let mut node = Node { len: keys.len(), ..Node::default() };
        node.keys[..keys.len()].copy_from_slice(keys);
        node.children.iter_mut().zip(children.drain(..)).for_each(|(place, child)| *place = child);
        node
    }

    /// Inserts a key below; if the node overflows, the middle key and the new right half.
    fn insert(&mut self, key: u8) -> Option<(u8, Box<Node>)> {
        let i = self.keys[..self.len].iter().position(|&k| key <= k).unwrap_or(self.len);
        if self.keys[..self.len].get(i) == Some(&key) {
            return None;
        }
        let (key, right) = match &mut self.children[i] {
            Some(child) => child.insert(key).map(|(middle, right)| (middle, Some(right)))?,
            None => (key, None),
        };
        let mut keys = self.keys[..self.len].to_vec();
        let mut children: Vec<Option<Box<Node>>> =
            self.children[..=self.len].iter_mut().map(Option::take).collect();
        keys.insert(i, key);
        children.insert(i + 1, right);
        if keys.len() <= KEYS {
            *self = Node::new(&keys, children);
            return None;
        }
        let right = Node::new(&keys[2..], children.split_off(2));
        *self = Node::new(&keys[..1], children);
        Some((keys[1], Box::new(right)))
    }
}

/// 2-3 trees of a height: for each number of nodes and keys, how many shapes.
fn shapes(height: usize, nodes: usize, keys: usize) -> u64 {
    if nodes == 0 || keys == 0 {
        return 0;
    }
    if height == 0 {
        return u64::from(nodes == 1 && keys <= KEYS);
    }
    (1..=KEYS.min(keys)).map(|own| forests(own + 1, height - 1, nodes - 1, keys - own)).sum()
}

/// Sequences of `n` such trees.
fn forests(n: usize, height: usize, nodes: usize, keys: usize) -> u64 {
    if n == 0 {
        return u64::from(nodes == 0 && keys == 0);
    }
    let split = (0..=nodes).flat_map(|i| (0..=keys).map(move |k| (i, k)));
    split.map(|(i, k)| shapes(height, i, k) * forests(n - 1, height, nodes - i, keys - k)).sum()
}

#[test]
fn each_balanced_shape_with_each_set_of_keys_is_there_once() {
    // One more key than shapes may use, since 0 also marks unused places.
    for (most_nodes, values) in [(0, 1), (1, 3), (3, 4), (4, 6)] {
        let bounds = Bounds::exact().objects("Node", most_nodes).ints("Node.keys", 0..values);
        let trees =
            (0..=most_nodes as usize).flat_map(|nodes| (0..=values as usize).map(move |keys| (nodes, keys)));
        let expected: u64 = trees
            .map(|(nodes, keys)| {
                (0..3).map(|h| shapes(h, nodes, keys)).sum::<u64>() * binomial(values, keys as u64)
            })
            .sum();
        assert_eq!(count::<Tree>(&bounds), 1 + expected, "{most_nodes} nodes");
    }
}

#[smallscope::test(objects(Node = 3), ints(Node.keys = 0..=3, key = 0..=4))]
fn insert_keeps_the_tree_balanced(mut tree: Tree, key: u8) {
    let mut keys: BTreeSet<u8> = tree.keys().into_iter().collect();
    tree.insert(key);
    keys.insert(key);
    assert!(tree.rep_ok());
    assert!(tree.keys().iter().eq(&keys));
}
