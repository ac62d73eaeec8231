//! Binary search trees.
//!
//! # Exact counts
//!
//! | structure | arguments | explored | valid | source |
//! |---|---|---|---|---|
//! | search-tree | 1,1,1,0,0 | 4 | 1 | original tool |
//! | search-tree | 2,2,2,0,1 | 22 | 2 | original tool |
//! | search-tree | 3,3,3,0,2 | 133 | 5 | original tool |
//! | search-tree | 4,4,4,0,3 | 875 | 14 | original tool |
//! | search-tree | 5,5,5,0,4 | 6,155 | 42 | original tool |
//! | search-tree | 6,6,6,0,5 | 45,233 | 132 | original tool |
//! | search-tree | 7,7,7,0,6 | 340,990 | 429 | original tool |
//! | search-tree | 8,8,8,0,7 | 2,606,968 | 1,430 | original tool |
//! | search-tree | 10,10,10,0,9 | 155,455,872 | 16,796 | original tool |
//! | search-tree | 3,0,3,1,3 | 178 | 15 | Korat paper |

use smallscope::{Bounded, Bounds, Visited, mirror, rep_ok};
use std::cmp::Ordering;

/// A set of keys as an unbalanced search tree.
#[derive(Bounded, Debug, Clone, PartialEq, Eq)]
pub struct SearchTree<K> {
    root: Option<Box<Node<K>>>,
    size: usize,
}

#[derive(Bounded, Debug, Clone, PartialEq, Eq)]
struct Node<K> {
    left: Option<Box<Node<K>>>,
    right: Option<Box<Node<K>>>,
    info: K,
}

#[rep_ok]
impl<K: Ord> SearchTree<K> {
    /// A tree of `size` nodes whose keys are in order.
    pub fn rep_ok(&self) -> bool {
        let Some(root) = &self.root else { return self.size == 0 };
        Self::is_tree(root, self) && Self::is_ordered(root, None, None)
    }

    fn is_tree(root: &Node<K>, tree: &SearchTree<K>) -> bool {
        let mut seen = Visited::new();
        seen.insert(root);
        let mut next = 0;
        while let Some(node) = seen.get(next) {
            next += 1;
            if let Some(left) = &node.left
                && !seen.insert(&**left)
            {
                return false;
            }
            if let Some(right) = &node.right
                && !seen.insert(&**right)
            {
                return false;
            }
        }
        seen.len() == tree.size
    }

    /// Whether the keys from `node` down lie between the bounds and in order.
    fn is_ordered(node: &Node<K>, low: Option<&K>, high: Option<&K>) -> bool {
        let key = &node.info;
        low.is_none_or(|low| low < key)
            && high.is_none_or(|high| key < high)
            && node.left.as_ref().is_none_or(|left| Self::is_ordered(left, low, Some(key)))
            && node.right.as_ref().is_none_or(|right| Self::is_ordered(right, Some(key), high))
    }
}

/// The place of a key in a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyPlace {
    /// Nowhere.
    Absent,
    /// In a node.
    At {
        /// It is the root.
        is_root: bool,
        /// It has a left child.
        has_left: bool,
        /// It has a right child.
        has_right: bool,
    },
}

#[mirror(opaque(KeyPlace))]
impl<K: Ord> SearchTree<K> {
    /// The place of a key. Reads the nodes on the path to it, and nothing else.
    pub fn place_of(&self, key: &K) -> KeyPlace {
        let mut is_root = true;
        let mut current = self.root.as_deref();
        while let Some(node) = current {
            current = match key.cmp(&node.info) {
                Ordering::Less => node.left.as_deref(),
                Ordering::Greater => node.right.as_deref(),
                Ordering::Equal => {
                    let (has_left, has_right) = (node.left.is_some(), node.right.is_some());
                    return KeyPlace::At { is_root, has_left, has_right };
                }
            };
            is_root = false;
        }
        KeyPlace::Absent
    }
}

impl<K> Default for SearchTree<K> {
    fn default() -> Self {
        SearchTree { root: None, size: 0 }
    }
}

impl<K: Ord> SearchTree<K> {
    /// Number of keys.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether the tree is empty.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Whether the tree contains a key.
    pub fn contains(&self, key: &K) -> bool {
        let mut at = &self.root;
        while let Some(node) = at {
            at = match key.cmp(&node.info) {
                Ordering::Less => &node.left,
                Ordering::Greater => &node.right,
                Ordering::Equal => return true,
            };
        }
        false
    }

    /// Adds a key. Returns false if it was present.
    pub fn insert(&mut self, key: K) -> bool {
        let mut at = &mut self.root;
        while let Some(node) = at {
            at = match key.cmp(&node.info) {
                Ordering::Less => &mut node.left,
                Ordering::Greater => &mut node.right,
                Ordering::Equal => return false,
            };
        }
        *at = Some(Box::new(Node { left: None, right: None, info: key }));
        self.size += 1;
        true
    }

    /// Removes a key. Returns false if it was absent.
    pub fn remove(&mut self, key: &K) -> bool {
        let removed = Self::remove_below(&mut self.root, key);
        self.size -= usize::from(removed);
        removed
    }

    fn remove_below(at: &mut Option<Box<Node<K>>>, key: &K) -> bool {
        let Some(node) = at else { return false };
        match key.cmp(&node.info) {
            Ordering::Less => Self::remove_below(&mut node.left, key),
            Ordering::Greater => Self::remove_below(&mut node.right, key),
            Ordering::Equal => {
                *at = match (node.left.take(), node.right.take()) {
                    (None, child) | (child, None) => child,
                    (left, mut right) => {
                        let mut next = Self::take_least(&mut right);
                        if let Some(next) = &mut next {
                            (next.left, next.right) = (left, right);
                        }
                        next
                    }
                };
                true
            }
        }
    }

    /// Removes the node with the least key from a subtree.
    fn take_least(at: &mut Option<Box<Node<K>>>) -> Option<Box<Node<K>>> {
        if at.as_ref()?.left.is_some() {
            return Self::take_least(&mut at.as_mut()?.left);
        }
        let mut least = at.take()?;
        *at = least.right.take();
        Some(least)
    }

    /// Makes something of each node: of its key, and what was made of its children.
    pub fn fold<R>(&self, make: &mut impl FnMut(&K, Option<R>, Option<R>) -> R) -> Option<R> {
        fn fold<K, R>(
            at: &Option<Box<Node<K>>>,
            make: &mut impl FnMut(&K, Option<R>, Option<R>) -> R,
        ) -> Option<R> {
            let node = at.as_ref()?;
            let (left, right) = (fold(&node.left, make), fold(&node.right, make));
            Some(make(&node.info, left, right))
        }
        fold(&self.root, make)
    }

    /// The keys in order.
    pub fn keys(&self) -> Vec<&K> {
        fn collect<'a, K>(at: &'a Option<Box<Node<K>>>, keys: &mut Vec<&'a K>) {
            if let Some(node) = at {
                collect(&node.left, keys);
                keys.push(&node.info);
                collect(&node.right, keys);
            }
        }
        let mut keys = vec![];
        collect(&self.root, &mut keys);
        keys
    }
}

/// At most `nodes` nodes, a size and keys in a range each.
pub fn bounds(nodes: i64, min_size: i64, max_size: i64, min_key: i64, max_key: i64) -> Bounds {
    Bounds::exact()
        .objects("Node", nodes as u32)
        .ints("SearchTree.size", min_size..=max_size)
        .ints("Node.info", min_key..=max_key)
}
