//! A sorted map: a red-black tree with parent links, after `java.util.TreeMap`.
//!
//! The nodes lie in a vector, without gaps: a removed node's place is taken by the last one. Links are places in that
//! vector. So everything is safe code, a clone is a copy of one vector, and `len` is the length of the vector.

mod balance;
mod linearize;

use smallscope::{Bounded, rep_ok};
use std::cmp::Ordering;
use std::fmt;

/// A sorted map. Keys are unique; inserting one that is there replaces its value.
#[derive(Bounded, Clone)]
pub struct TreeMap<K, V> {
    nodes: Vec<Node<K, V>>,
    #[bounded(index = "nodes")]
    root: Option<usize>,
}

#[derive(Bounded, Clone, Debug)]
struct Node<K, V> {
    key: K,
    value: V,
    color: Color,
    #[bounded(index = "TreeMap.nodes")]
    left: Option<usize>,
    #[bounded(index = "TreeMap.nodes")]
    right: Option<usize>,
    #[bounded(index = "TreeMap.nodes")]
    parent: Option<usize>,
}

/// The colour of a node.
#[derive(Bounded, Clone, Copy, Debug, PartialEq, Eq)]
enum Color {
    /// Has black children only.
    Red,
    /// Counts for the height.
    Black,
}

#[rep_ok]
impl<K: Ord, V> TreeMap<K, V> {
    /// Every node is in the tree once and knows its parent, the keys are in order, the root is black, no red node has a
    /// red child, and all paths down from the root have equally many black nodes.
    pub fn rep_ok(&self) -> bool {
        let Some(root) = self.root else { return self.nodes.is_empty() };
        let mut seen = vec![false; self.nodes.len()];
        self.nodes[root].parent.is_none()
            && self.nodes[root].color == Color::Black
            && self.is_tree(root, &mut seen)
            && seen.iter().all(|seen| *seen)
            && self.black_height(root).is_some()
            && self.is_ordered(root, None, None)
    }

    fn is_tree(&self, at: usize, seen: &mut Vec<bool>) -> bool {
        if seen[at] {
            return false;
        }
        seen[at] = true;
        if let Some(left) = self.nodes[at].left {
            if self.nodes[left].parent != Some(at) || !self.is_tree(left, seen) {
                return false;
            }
        }
        if let Some(right) = self.nodes[at].right {
            if self.nodes[right].parent != Some(at) || !self.is_tree(right, seen) {
                return false;
            }
        }
        true
    }

    /// The number of black nodes on every path down, if it is the same on all and no red node has a red child.
    fn black_height(&self, at: usize) -> Option<usize> {
        let is_red = self.nodes[at].color == Color::Red;
        let mut heights = [0, 0];
        for (side, child) in [self.nodes[at].left, self.nodes[at].right].into_iter().enumerate() {
            if let Some(child) = child {
                if is_red && self.nodes[child].color == Color::Red {
                    return None;
                }
                heights[side] = self.black_height(child)?;
            }
        }
        (heights[0] == heights[1]).then_some(heights[0] + usize::from(!is_red))
    }

    fn is_ordered(&self, at: usize, low: Option<&K>, high: Option<&K>) -> bool {
        let key = &self.nodes[at].key;
        low.is_none_or(|low| low < key)
            && high.is_none_or(|high| key < high)
            && self.nodes[at].left.is_none_or(|left| self.is_ordered(left, low, Some(key)))
            && self.nodes[at].right.is_none_or(|right| self.is_ordered(right, Some(key), high))
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
impl<K, V> TreeMap<K, V> {
    /// An empty map.
    pub fn new() -> Self {
        TreeMap { nodes: vec![], root: None }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.root = None;
    }

    /// The entries in the order of their keys.
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter { map: self, next: self.first_node() }
    }

    /// Whether the root's left and right children are red; a missing one is not. `None` in an empty map.
    pub fn red_below_root(&self) -> Option<(bool, bool)> {
        let root = &self.nodes[self.root?];
        let is_red = |child: Option<usize>| child.is_some_and(|child| self.nodes[child].color == Color::Red);
        Some((is_red(root.left), is_red(root.right)))
    }

    /// The tree without its keys and values, in preorder: `B` and `R` for nodes, `.` where there is none.
    pub fn shape(&self) -> String {
        let mut shape = String::new();
        self.write_shape(self.root, &mut shape);
        shape
    }

    fn write_shape(&self, at: Option<usize>, shape: &mut String) {
        let Some(node) = at else { return shape.push('.') };
        shape.push(if self.nodes[node].color == Color::Black { 'B' } else { 'R' });
        self.write_shape(self.nodes[node].left, shape);
        self.write_shape(self.nodes[node].right, shape);
    }
}

#[cfg_attr(
    feature = "mutate",
    smallscope::mutate(calls(add, entry, first_node, fix_after_insertion, remove_node))
)]
#[cfg_attr(
    feature = "cover",
    smallscope_cover::cover(
        also(balance::BALANCE),
        predicates(
            self.nodes[node].left.is_some(),
            self.nodes[node].right.is_some(),
            self.nodes[node].parent.is_some(),
            self.nodes[node].color == Color::Red
        )
    )
)]
impl<K: Ord, V> TreeMap<K, V> {
    /// Puts a value under a key, and returns the one that it replaces.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let Some(mut node) = self.root else {
            self.root = Some(self.add(key, value, None));
            self.nodes[0].color = Color::Black;
            return None;
        };
        loop {
            match key.cmp(&self.nodes[node].key) {
                Ordering::Less => match self.nodes[node].left {
                    Some(left) => node = left,
                    None => {
                        let new = self.add(key, value, Some(node));
                        self.nodes[node].left = Some(new);
                        self.fix_after_insertion(new);
                        return None;
                    }
                },
                Ordering::Greater => match self.nodes[node].right {
                    Some(right) => node = right,
                    None => {
                        let new = self.add(key, value, Some(node));
                        self.nodes[node].right = Some(new);
                        self.fix_after_insertion(new);
                        return None;
                    }
                },
                Ordering::Equal => return Some(std::mem::replace(&mut self.nodes[node].value, value)),
            }
        }
    }

    /// Removes a key, and returns its value.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        let found = self.find(key)?;
        Some(self.remove_node(found).1)
    }

    /// The value under a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        let node = self.find(key)?;
        Some(&self.nodes[node].value)
    }

    /// The value under a key, to be changed.
    #[cfg_attr(feature = "cover", cover(skip))]
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let node = self.find(key)?;
        Some(&mut self.nodes[node].value)
    }

    /// Whether a key is there.
    #[cfg_attr(feature = "cover", cover(skip))]
    pub fn contains_key(&self, key: &K) -> bool {
        self.find(key).is_some()
    }

    /// The entry with the least key.
    #[cfg_attr(feature = "cover", cover(skip))]
    pub fn first(&self) -> Option<(&K, &V)> {
        self.first_node().map(|node| self.entry(node))
    }

    /// The entry with the greatest key.
    #[cfg_attr(feature = "cover", cover(skip))]
    pub fn last(&self) -> Option<(&K, &V)> {
        let mut node = self.root?;
        while let Some(right) = self.nodes[node].right {
            node = right;
        }
        Some(self.entry(node))
    }

    /// The entry with the greatest key that is not above this one.
    #[cfg_attr(feature = "cover", cover(skip))]
    pub fn floor(&self, key: &K) -> Option<(&K, &V)> {
        let (mut at, mut best) = (self.root, None);
        while let Some(node) = at {
            at = match key.cmp(&self.nodes[node].key) {
                Ordering::Less => self.nodes[node].left,
                Ordering::Equal => return Some(self.entry(node)),
                Ordering::Greater => {
                    best = Some(node);
                    self.nodes[node].right
                }
            };
        }
        best.map(|node| self.entry(node))
    }

    /// The entry with the least key that is not below this one.
    #[cfg_attr(feature = "cover", cover(skip))]
    pub fn ceiling(&self, key: &K) -> Option<(&K, &V)> {
        let (mut at, mut best) = (self.root, None);
        while let Some(node) = at {
            at = match key.cmp(&self.nodes[node].key) {
                Ordering::Less => {
                    best = Some(node);
                    self.nodes[node].left
                }
                Ordering::Equal => return Some(self.entry(node)),
                Ordering::Greater => self.nodes[node].right,
            };
        }
        best.map(|node| self.entry(node))
    }

    /// Removes the entry with the least key, and returns it.
    #[cfg_attr(feature = "cover", cover(skip))]
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        let first = self.first_node()?;
        Some(self.remove_node(first))
    }

    fn find(&self, key: &K) -> Option<usize> {
        let mut node = self.root?;
        loop {
            node = match key.cmp(&self.nodes[node].key) {
                Ordering::Less => self.nodes[node].left?,
                Ordering::Equal => return Some(node),
                Ordering::Greater => self.nodes[node].right?,
            };
        }
    }
}

/// The entries of a [`TreeMap`] in the order of their keys.
#[derive(Clone, Debug)]
pub struct Iter<'a, K, V> {
    map: &'a TreeMap<K, V>,
    next: Option<usize>,
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        let node = self.next?;
        self.next = self.map.next_node(node);
        Some(self.map.entry(node))
    }
}

impl<'a, K, V> IntoIterator for &'a TreeMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K, V> Default for TreeMap<K, V> {
    fn default() -> Self {
        TreeMap::new()
    }
}

/// Maps are equal if they have the same entries, regardless of their trees.
impl<K: PartialEq, V: PartialEq> PartialEq for TreeMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<K: Eq, V: Eq> Eq for TreeMap<K, V> {}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for TreeMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}
