//! Fibonacci heaps: rings of trees in rings, smallest key known.

use smallscope::{Bounded, Bounds, Visited, rep_ok};

/// A priority queue of heap-ordered trees. Siblings form rings.
#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers))]
pub struct FibonacciHeap {
    size: usize,
    nodes: *mut Node,
    min_node: *mut Node,
}

#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers))]
struct Node {
    parent: *mut Node,
    right: *mut Node,
    left: *mut Node,
    child: *mut Node,
    key: u32,
    degree: u32,
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
                && Self::least_root_key(self.nodes).is_some_and(|least| least == (*self.min_node).key)
        }
    }

    /// Whether the ring through `start` and all rings below it are closed, with correct links.
    ///
    /// # Safety
    ///
    /// Pointers of nodes lead to nodes or are null.
    unsafe fn is_ring(start: *mut Node, parent: *mut Node, seen: &mut Visited<*mut Node>) -> bool {
        let mut node = start;
        // SAFETY: the caller says so.
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
            // SAFETY: the caller says so.
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
        // SAFETY: the caller says so.
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

    /// The least key of the root ring, if no node has a smaller key than its parent.
    ///
    /// # Safety
    ///
    /// `start` belongs to a ring, and so do all nodes below.
    unsafe fn least_root_key(start: *mut Node) -> Option<u32> {
        let mut least = u32::MAX;
        let mut node = start;
        // SAFETY: the caller says so.
        unsafe {
            loop {
                let key = (*node).key;
                if !Self::children_are_not_smaller(node, key) {
                    return None;
                }
                least = least.min(key);
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
    unsafe fn children_are_not_smaller(node: *mut Node, key: u32) -> bool {
        // SAFETY: the caller says so.
        unsafe {
            let first = (*node).child;
            if first.is_null() {
                return true;
            }
            let mut child = first;
            loop {
                let below = (*child).key;
                if below < key || !Self::children_are_not_smaller(child, below) {
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

impl Drop for FibonacciHeap {
    fn drop(&mut self) {
        /// # Safety
        ///
        /// `start` belongs to a ring of boxed nodes that nobody else frees.
        unsafe fn free(start: *mut Node) {
            let mut node = start;
            loop {
                // SAFETY: the caller says so, and the walk meets each node once.
                let owned = unsafe { Box::from_raw(node) };
                if !owned.child.is_null() {
                    // SAFETY: as above.
                    unsafe { free(owned.child) };
                }
                node = owned.right;
                if node == start {
                    return;
                }
            }
        }
        if !self.nodes.is_null() {
            // SAFETY: the invariant: rings of boxed nodes, each in one ring only.
            unsafe { free(self.nodes) };
        }
    }
}

/// Everything up to `n`: nodes and sizes; keys and degrees below `n`.
pub fn bounds(n: i64) -> Bounds {
    Bounds::exact()
        .objects("Node", n as u32)
        .ints("FibonacciHeap.size", 0..=n)
        .ints("Node.key", 0..=n - 1)
        .ints("Node.degree", 0..=n - 1)
}
