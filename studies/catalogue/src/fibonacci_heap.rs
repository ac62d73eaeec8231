//! Fibonacci heaps: rings of trees whose children form rings, with a pointer to the smallest key.
//!
//! # Exact counts
//!
//! | structure | arguments | explored | valid | source |
//! |---|---|---|---|---|
//! | fibonacci-heap | 1 | 10 | 2 | original tool |
//! | fibonacci-heap | 2 | 96 | 12 | original tool |
//! | fibonacci-heap | 3 | 803 | 136 | original tool |
//! | fibonacci-heap | 4 | 8,634 | 2,310 | original tool |
//! | fibonacci-heap | 5 | 164,365 | 52,281 | original tool; its own tests assert it |

use smallscope::{Bounded, Bounds, Visited, rep_ok};
use std::collections::BTreeMap;

/// A priority queue of heap-ordered trees. Siblings form rings.
///
/// Nodes are allocated by `Box`, and belong to the heap that leads to them. While they do, they are used through
/// raw pointers only. They have no marks, so degrees have no logarithmic bound if keys are decreased.
#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers))]
pub struct FibonacciHeap {
    pub(crate) size: usize,
    pub(crate) nodes: *mut Node,
    pub(crate) min_node: *mut Node,
}

#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers))]
pub(crate) struct Node {
    pub(crate) parent: *mut Node,
    pub(crate) right: *mut Node,
    pub(crate) left: *mut Node,
    pub(crate) child: *mut Node,
    pub(crate) key: u32,
    pub(crate) degree: u32,
}

#[rep_ok]
impl FibonacciHeap {
    /// Rings of `size` nodes with correct links, degrees and heap order; the minimum is a root with the least key.
    pub fn rep_ok(&self) -> bool {
        if self.nodes.is_null() {
            return self.min_node.is_null() && self.size == 0;
        }
        if self.min_node.is_null() {
            return false;
        }
        let mut seen = Visited::new();
        // SAFETY: every pointer of the heap leads to a node that the heap owns.
        unsafe {
            Self::is_ring(self.nodes, std::ptr::null_mut(), &mut seen)
                && Self::is_in_ring(self.min_node, self.nodes)
                && seen.len() == self.size
                && Self::degrees_are_right(self.nodes)
                && Self::least_root(self.nodes).is_some_and(|least| (*least).key == (*self.min_node).key)
        }
    }

    /// Whether the ring through `start` and all rings below it are closed, with correct links.
    ///
    /// # Safety
    ///
    /// Pointers of nodes lead to nodes or are null.
    unsafe fn is_ring(start: *mut Node, parent: *mut Node, seen: &mut Visited<*mut Node>) -> bool {
        let mut node = start;
        // SAFETY: the caller guarantees it.
        unsafe {
            loop {
                if (*node).parent != parent || !seen.insert(node) {
                    return false;
                }
                let child = (*node).child;
                if !child.is_null() && !Self::is_ring(child, node, seen) {
                    return false;
                }
                let right = (*node).right;
                if right.is_null() || (*right).left != node {
                    return false;
                }
                node = right;
                if node == start {
                    return true;
                }
            }
        }
    }

    /// # Safety
    ///
    /// `start` belongs to a ring.
    unsafe fn is_in_ring(node: *mut Node, start: *mut Node) -> bool {
        let mut current = start;
        loop {
            if current == node {
                return true;
            }
            // SAFETY: the caller guarantees it.
            current = unsafe { (*current).right };
            if current == start {
                return false;
            }
        }
    }

    /// Whether every node of the ring and below has as many children as it says.
    ///
    /// # Safety
    ///
    /// `start` belongs to a ring, and so do all nodes below.
    unsafe fn degrees_are_right(start: *mut Node) -> bool {
        let mut node = start;
        // SAFETY: the caller guarantees it.
        unsafe {
            loop {
                let child = (*node).child;
                let mut children = 0;
                if !child.is_null() {
                    let mut current = child;
                    loop {
                        children += 1;
                        current = (*current).right;
                        if current == child {
                            break;
                        }
                    }
                }
                if (*node).degree != children || !child.is_null() && !Self::degrees_are_right(child) {
                    return false;
                }
                node = (*node).right;
                if node == start {
                    return true;
                }
            }
        }
    }

    /// A root with the least key, if no node has a smaller key than its parent.
    ///
    /// # Safety
    ///
    /// `start` belongs to a ring, and so do all nodes below.
    unsafe fn least_root(start: *mut Node) -> Option<*mut Node> {
        let mut least = start;
        let mut node = start;
        // SAFETY: the caller guarantees it.
        unsafe {
            loop {
                if (*node).key < (*least).key {
                    least = node;
                }
                if !Self::children_are_not_smaller(node) {
                    return None;
                }
                node = (*node).right;
                if node == start {
                    return Some(least);
                }
            }
        }
    }

    /// # Safety
    ///
    /// `node` belongs to a ring, and so do all nodes below.
    unsafe fn children_are_not_smaller(node: *mut Node) -> bool {
        // SAFETY: the caller guarantees it.
        unsafe {
            let first = (*node).child;
            if first.is_null() {
                return true;
            }
            let mut child = first;
            loop {
                if (*node).key > (*child).key || !Self::children_are_not_smaller(child) {
                    return false;
                }
                child = (*child).right;
                if child == first {
                    return true;
                }
            }
        }
    }
}

impl Default for FibonacciHeap {
    fn default() -> Self {
        FibonacciHeap { size: 0, nodes: std::ptr::null_mut(), min_node: std::ptr::null_mut() }
    }
}

impl FibonacciHeap {
    /// Number of keys.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether the heap is empty.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// The keys, each before those below it.
    pub fn keys(&self) -> Vec<u32> {
        // SAFETY: the invariant.
        self.all_nodes().into_iter().map(|node| unsafe { (*node).key }).collect()
    }

    /// Whether the heap contains a key. Takes linear time.
    pub fn contains(&self, key: u32) -> bool {
        self.find(key).is_some()
    }

    /// The least key.
    pub fn find_min(&self) -> Option<u32> {
        // SAFETY: the invariant: it is null or leads to a node.
        unsafe { self.min_node.as_ref() }.map(|least| least.key)
    }

    /// The degrees of the roots.
    pub fn root_degrees(&self) -> Vec<u32> {
        // SAFETY: the invariant.
        unsafe { ring(self.nodes).map(|root| (*root).degree).collect() }
    }

    /// Adds a key.
    pub fn insert(&mut self, key: u32) {
        let node = Node {
            parent: std::ptr::null_mut(),
            right: std::ptr::null_mut(),
            left: std::ptr::null_mut(),
            child: std::ptr::null_mut(),
            key,
            degree: 0,
        };
        let node = Box::into_raw(Box::new(node));
        // SAFETY: the node has just been allocated, and is a ring once it is closed.
        unsafe {
            close(node);
            self.add_roots(node, node);
        }
        self.size += 1;
    }

    /// Adds all keys of another heap.
    pub fn merge(&mut self, mut other: FibonacciHeap) {
        let roots = std::mem::replace(&mut other.nodes, std::ptr::null_mut());
        if !roots.is_null() {
            // SAFETY: the invariant of the other heap, which leads to none of its nodes any more.
            unsafe { self.add_roots(roots, other.min_node) };
            self.size += other.size;
        }
    }

    /// Removes and returns the least key, and links the trees until their degrees differ.
    pub fn extract_min(&mut self) -> Option<u32> {
        let least = self.min_node;
        if least.is_null() {
            return None;
        }
        // SAFETY: the invariant. Children join the ring of roots before their parent leaves it; then nothing
        // leads to that any more, and all others are in the ring of `rest` or below.
        unsafe {
            let child = (*least).child;
            for node in ring(child) {
                (*node).parent = std::ptr::null_mut();
            }
            if !child.is_null() {
                splice(least, child);
            }
            let rest = leave_ring(least);
            (self.nodes, self.min_node) = (std::ptr::null_mut(), std::ptr::null_mut());
            self.consolidate(rest);
            self.size -= 1;
            Some(Box::from_raw(least).key)
        }
    }

    /// Replaces one occurrence of a key by a smaller one. Returns false if it is absent, or if the new one is
    /// larger. Finding the key takes linear time.
    pub fn decrease_key(&mut self, key: u32, smaller: u32) -> bool {
        let Some(node) = self.find(key) else { return false };
        if smaller > key {
            return false;
        }
        // SAFETY: the invariant. A node leaves the ring of its parent before it becomes a root.
        unsafe {
            (*node).key = smaller;
            let parent = (*node).parent;
            if !parent.is_null() && smaller < (*parent).key {
                (*parent).child = leave_ring(node);
                (*parent).degree -= 1;
                (*node).parent = std::ptr::null_mut();
                self.add_roots(node, node);
            } else if parent.is_null() && smaller < (*self.min_node).key {
                self.min_node = node;
            }
        }
        true
    }

    /// Removes a key, one occurrence only. Returns false if it is absent. Takes linear time.
    pub fn delete(&mut self, key: u32) -> bool {
        // No key is smaller than 0, and equal keys are interchangeable.
        self.decrease_key(key, 0) && self.extract_min().is_some()
    }

    /// Every node once, each before those below it.
    fn all_nodes(&self) -> Vec<*mut Node> {
        let mut nodes = Vec::with_capacity(self.size);
        // SAFETY: the invariant: pointers lead to nodes or are null, and siblings form rings.
        unsafe {
            nodes.extend(ring(self.nodes));
            let mut next = 0;
            while let Some(&node) = nodes.get(next) {
                nodes.extend(ring((*node).child));
                next += 1;
            }
        }
        nodes
    }

    fn find(&self, key: u32) -> Option<*mut Node> {
        // SAFETY: the invariant.
        self.all_nodes().into_iter().find(|&node| unsafe { (*node).key } == key)
    }

    /// Joins the ring of roots and another one.
    ///
    /// # Safety
    ///
    /// `roots` is in a ring that no other heap holds, and `least` is a node of it with the least key. Parents are null.
    unsafe fn add_roots(&mut self, roots: *mut Node, least: *mut Node) {
        if self.nodes.is_null() {
            (self.nodes, self.min_node) = (roots, least);
            return;
        }
        // SAFETY: the caller guarantees it, and the invariant.
        unsafe {
            splice(self.nodes, roots);
            if (*least).key < (*self.min_node).key {
                self.min_node = least;
            }
        }
    }

    /// Links the trees of a ring until their degrees differ, and adds them to an empty heap.
    ///
    /// # Safety
    ///
    /// As for [`ring`]; no other heap holds these nodes. Parents are null.
    unsafe fn consolidate(&mut self, roots: *mut Node) {
        // SAFETY: the caller guarantees it, and the ring is read before it is taken apart.
        let roots: Vec<_> = unsafe { ring(roots) }.collect();
        let mut by_degree = BTreeMap::new();
        for mut tree in roots {
            // SAFETY: the trees of the map are rings of their own.
            unsafe {
                close(tree);
                while let Some(other) = by_degree.remove(&(*tree).degree) {
                    tree = link(tree, other);
                }
                by_degree.insert((*tree).degree, tree);
            }
        }
        for tree in by_degree.into_values() {
            // SAFETY: as above.
            unsafe { self.add_roots(tree, tree) };
        }
    }
}

/// The nodes of a ring, or none if `start` is null.
///
/// # Safety
///
/// `start` is null or in a ring, which stays as it is while it is walked through.
unsafe fn ring(start: *mut Node) -> impl Iterator<Item = *mut Node> {
    std::iter::successors((!start.is_null()).then_some(start), move |&node| {
        // SAFETY: the caller guarantees it.
        let right = unsafe { (*node).right };
        (right != start).then_some(right)
    })
}

/// Makes a ring of one node.
///
/// # Safety
///
/// The node is allocated, and the ring that it was in is no longer used.
unsafe fn close(node: *mut Node) {
    // SAFETY: the caller guarantees it.
    unsafe { ((*node).left, (*node).right) = (node, node) };
}

/// Joins two rings.
///
/// # Safety
///
/// The nodes are in different rings.
unsafe fn splice(one: *mut Node, other: *mut Node) {
    // SAFETY: the caller guarantees it.
    unsafe {
        let (next, last) = ((*one).right, (*other).left);
        ((*one).right, (*other).left) = (other, one);
        ((*last).right, (*next).left) = (next, last);
    }
}

/// Removes a node from its ring, closes it to a ring of one, and returns another node of the old ring, or null.
///
/// # Safety
///
/// The node is in a ring.
unsafe fn leave_ring(node: *mut Node) -> *mut Node {
    // SAFETY: the caller guarantees it.
    unsafe {
        let (left, right) = ((*node).left, (*node).right);
        ((*left).right, (*right).left) = (right, left);
        close(node);
        if right == node { std::ptr::null_mut() } else { right }
    }
}

/// Links two trees.
///
/// # Safety
///
/// The nodes are different rings of one node each.
unsafe fn link(one: *mut Node, other: *mut Node) -> *mut Node {
    // SAFETY: the caller guarantees it.
    unsafe {
        let (upper, lower) = if (*one).key <= (*other).key { (one, other) } else { (other, one) };
        (*lower).parent = upper;
        if (*upper).child.is_null() {
            (*upper).child = lower;
        } else {
            splice((*upper).child, lower);
        }
        (*upper).degree += 1;
        upper
    }
}

impl Drop for FibonacciHeap {
    fn drop(&mut self) {
        for node in self.all_nodes() {
            // SAFETY: the invariant: boxed nodes, each met once.
            drop(unsafe { Box::from_raw(node) });
        }
    }
}

/// Up to `n` nodes and sizes; keys and degrees below `n`.
pub fn bounds(n: i64) -> Bounds {
    Bounds::exact()
        .objects("Node", n as u32)
        .ints("FibonacciHeap.size", 0..=n)
        .ints("Node.key", 0..=n - 1)
        .ints("Node.degree", 0..=n - 1)
}
