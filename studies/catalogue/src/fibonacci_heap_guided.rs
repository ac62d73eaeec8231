//! The same Fibonacci heaps as in [`fibonacci_heap`](crate::fibonacci_heap), with an invariant that checks each node as soon
//! as the walk reaches it.

use crate::fibonacci_heap::{FibonacciHeap, Node};
use smallscope::{Bounded, Visited, rep_ok};

pub use crate::fibonacci_heap::bounds;

/// A priority queue of heap-ordered trees.
#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers))]
pub struct GuidedFibonacciHeap {
    // The invariant below says the same in another way.
    #[bounded(unchecked)]
    heap: FibonacciHeap,
}

#[rep_ok(crate::fibonacci_heap::FibonacciHeap, crate::fibonacci_heap::Node)]
impl GuidedFibonacciHeap {
    /// The same values as for [`fibonacci_heap`](crate::fibonacci_heap).
    pub fn rep_ok(&self) -> bool {
        if self.heap.nodes.is_null() {
            return self.heap.min_node.is_null() && self.heap.size == 0;
        }
        let mut seen = Visited::new();
        // SAFETY: every pointer of the heap leads to a node that the heap owns.
        unsafe {
            let roots = self.heap.nodes;
            Self::ring_length(roots, std::ptr::null_mut(), &mut seen).is_some()
                && seen.len() == self.heap.size
                && !self.heap.min_node.is_null()
                && Self::is_least(self.heap.min_node, roots)
        }
    }

    /// The number of nodes in a ring and below, if all these rings are valid.
    ///
    /// # Safety
    ///
    /// Pointers of nodes lead to nodes or are null.
    unsafe fn ring_length(start: *mut Node, parent: *mut Node, seen: &mut Visited<*mut Node>) -> Option<u32> {
        let mut node = start;
        let mut length = 0;
        // SAFETY: the caller guarantees it.
        unsafe {
            loop {
                if (*node).parent != parent || !seen.insert(node) {
                    return None;
                }
                if !parent.is_null() && (*node).key < (*parent).key {
                    return None;
                }
                length += 1;
                if seen.contains(&(*node).child) {
                    return None;
                }
                let child = (*node).child;
                let children = if child.is_null() { 0 } else { Self::ring_length(child, node, seen)? };
                if (*node).degree != children {
                    return None;
                }
                if (*node).right.is_null() || (*node).right != start && seen.contains(&(*node).right) {
                    return None;
                }
                let right = (*node).right;
                if (*right).left != node {
                    return None;
                }
                node = right;
                if node == start {
                    return Some(length);
                }
            }
        }
    }

    /// Whether a node is a root, and no root has a smaller key.
    ///
    /// # Safety
    ///
    /// `start` belongs to a ring.
    unsafe fn is_least(least: *mut Node, start: *mut Node) -> bool {
        let mut is_root = false;
        let mut node = start;
        // SAFETY: the caller guarantees it.
        unsafe {
            loop {
                is_root |= node == least;
                if (*node).key < (*least).key {
                    return false;
                }
                node = (*node).right;
                if node == start {
                    return is_root;
                }
            }
        }
    }
}
