//! AVL trees: search trees whose subtrees differ in height by at most one.
//!
//! # Exact counts
//!
//! | structure | arguments | explored | valid | source |
//! |---|---|---|---|---|
//! | avl-tree | 2,0,2,6 | 372 | 37 | STVR tables IV and V, as a sum with int-list |
//! | avl-tree | 3,0,3,6 | 3,612 | 57 | STVR tables IV and V, as a sum with int-list |
//! | avl-tree | 4,0,4,6 | 20,215 | 117 | STVR tables IV and V, as a sum with int-list |
//! | avl-tree | 5,0,5,6 | 69,034 | 153 | STVR tables IV and V, as a sum with int-list |
//! | avl-tree | 6,0,6,2 | 5,289 | 5 | STVR tables IV and V, as a sum with int-list |
//! | avl-tree | 6,0,6,3 | 8,795 | 11 | STVR tables IV and V, as a sum with int-list |
//! | avl-tree | 6,0,6,4 | 18,959 | 25 | STVR tables IV and V, as a sum with int-list |
//! | avl-tree | 6,0,6,5 | 50,950 | 62 | STVR tables IV and V, as a sum with int-list |
//! | avl-tree | 6,0,6,6 | 164,765 | 157 | STVR tables IV and V, as a sum with int-list |
//! | avl-tree | 6,0,6,7 | 525,439 | 379 | STVR tables IV and V, as a sum with int-list |
//! | avl-tree | 6,0,6,8 | 1,489,427 | 849 | STVR tables IV and V, as a sum with int-list |
//! | avl-tree | 6,0,6,9 | 3,717,158 | 1,762 | STVR tables IV and V, as a sum with int-list |
//! | avl-tree | 7,0,7,6 | 369,397 | 157 | STVR tables IV and V, as a sum with int-list |
//! | avl-tree | 8,0,8,6 | 992,884 | 157 | STVR tables IV and V, as a sum with int-list |

use smallscope::{Bounded, Bounds, Visited, rep_ok};
use std::cmp::Ordering;

/// A height-balanced search tree.
#[derive(Bounded, Debug, Clone, PartialEq, Eq)]
pub struct AvlTree<K> {
    pub(crate) root: Option<Box<Node<K>>>,
    pub(crate) size: usize,
}

#[derive(Bounded, Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node<K> {
    /// `None` in a node that was vacated; no valid tree has one.
    pub(crate) element: Option<K>,
    /// A leaf has height 1.
    pub(crate) height: u32,
    pub(crate) left: Option<Box<Node<K>>>,
    pub(crate) right: Option<Box<Node<K>>>,
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
        match (&node.left, &node.right) {
            (None, None) => node.height == 1,
            (Some(child), None) | (None, Some(child)) => child.height <= 1 && node.height == child.height + 1,
            (Some(left), Some(right)) => {
                left.height <= right.height + 1
                    && right.height <= left.height + 1
                    && if left.height < right.height {
                        node.height == right.height + 1
                    } else {
                        node.height == left.height + 1
                    }
            }
        }
    }
}

impl<K> Default for AvlTree<K> {
    fn default() -> Self {
        AvlTree { root: None, size: 0 }
    }
}

impl<K: Ord> AvlTree<K> {
    /// Number of keys.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether the tree is empty.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// The number of nodes on the longest path down.
    pub fn height(&self) -> u32 {
        height(&self.root)
    }

    /// Whether the tree contains a key.
    pub fn contains(&self, key: &K) -> bool {
        let mut at = &self.root;
        while let Some(node) = at {
            at = match Some(key).cmp(&node.element.as_ref()) {
                Ordering::Less => &node.left,
                Ordering::Greater => &node.right,
                Ordering::Equal => return true,
            };
        }
        false
    }

    /// The least key.
    pub fn first(&self) -> Option<&K> {
        let mut node = self.root.as_ref()?;
        while let Some(left) = &node.left {
            node = left;
        }
        node.element.as_ref()
    }

    /// Makes something of each node: of its element, its height, and what was made of its children.
    pub fn fold<R>(&self, make: &mut impl FnMut(&Option<K>, u32, Option<R>, Option<R>) -> R) -> Option<R> {
        fn fold<K, R>(
            at: &Option<Box<Node<K>>>,
            make: &mut impl FnMut(&Option<K>, u32, Option<R>, Option<R>) -> R,
        ) -> Option<R> {
            let node = at.as_ref()?;
            let (left, right) = (fold(&node.left, make), fold(&node.right, make));
            Some(make(&node.element, node.height, left, right))
        }
        fold(&self.root, make)
    }

    /// The keys in order.
    pub fn keys(&self) -> Vec<&K> {
        fn collect<'a, K>(at: &'a Option<Box<Node<K>>>, keys: &mut Vec<&'a K>) {
            if let Some(node) = at {
                collect(&node.left, keys);
                keys.extend(&node.element);
                collect(&node.right, keys);
            }
        }
        let mut keys = Vec::with_capacity(self.size);
        collect(&self.root, &mut keys);
        keys
    }

    /// Adds a key. Returns false if it was present.
    pub fn insert(&mut self, key: K) -> bool {
        let inserted = Self::insert_below(&mut self.root, key);
        self.size += usize::from(inserted);
        inserted
    }

    fn insert_below(at: &mut Option<Box<Node<K>>>, key: K) -> bool {
        let Some(node) = at else {
            *at = Some(Box::new(Node { element: Some(key), height: 1, left: None, right: None }));
            return true;
        };
        let inserted = match Some(&key).cmp(&node.element.as_ref()) {
            Ordering::Less => Self::insert_below(&mut node.left, key),
            Ordering::Greater => Self::insert_below(&mut node.right, key),
            Ordering::Equal => false,
        };
        rebalance(node);
        inserted
    }

    /// Removes a key. Returns false if it was absent.
    pub fn remove(&mut self, key: &K) -> bool {
        let removed = Self::remove_below(&mut self.root, key);
        self.size -= usize::from(removed);
        removed
    }

    fn remove_below(at: &mut Option<Box<Node<K>>>, key: &K) -> bool {
        let Some(node) = at else { return false };
        let removed = match Some(key).cmp(&node.element.as_ref()) {
            Ordering::Less => Self::remove_below(&mut node.left, key),
            Ordering::Greater => Self::remove_below(&mut node.right, key),
            Ordering::Equal => {
                *at = match (node.left.take(), node.right.take()) {
                    (None, child) | (child, None) => child,
                    (left, mut right) => take_least(&mut right).map(|mut next| {
                        (next.left, next.right) = (left, right);
                        next
                    }),
                };
                true
            }
        };
        if let Some(node) = at {
            rebalance(node);
        }
        removed
    }
}

fn height<K>(at: &Option<Box<Node<K>>>) -> u32 {
    at.as_ref().map_or(0, |node| node.height)
}

/// Removes the node with the least key from a subtree.
fn take_least<K>(at: &mut Option<Box<Node<K>>>) -> Option<Box<Node<K>>> {
    let node = at.as_mut()?;
    if node.left.is_some() {
        let least = take_least(&mut node.left);
        rebalance(node);
        return least;
    }
    let mut least = at.take()?;
    *at = least.right.take();
    Some(least)
}

impl<K> Node<K> {
    fn update_height(&mut self) {
        self.height = 1 + height(&self.left).max(height(&self.right));
    }
}

/// Balances a node whose subtrees are balanced and differ in height by at most two.
fn rebalance<K>(node: &mut Box<Node<K>>) {
    if height(&node.left) > height(&node.right) + 1 {
        if let Some(left) = &mut node.left
            && height(&left.left) < height(&left.right)
        {
            rotate_left(left);
        }
        rotate_right(node);
    } else if height(&node.right) > height(&node.left) + 1 {
        if let Some(right) = &mut node.right
            && height(&right.right) < height(&right.left)
        {
            rotate_right(right);
        }
        rotate_left(node);
    } else {
        node.update_height();
    }
}

/// Rotates left: the right child becomes the parent of its parent.
fn rotate_left<K>(top: &mut Box<Node<K>>) {
    if let Some(mut rising) = top.right.take() {
        top.right = rising.left.take();
        top.update_height();
        std::mem::swap(top, &mut rising);
        top.left = Some(rising);
        top.update_height();
    }
}

/// Rotates right: the left child becomes the parent of its parent.
fn rotate_right<K>(top: &mut Box<Node<K>>) {
    if let Some(mut rising) = top.left.take() {
        top.left = rising.right.take();
        top.update_height();
        std::mem::swap(top, &mut rising);
        top.right = Some(rising);
        top.update_height();
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
