//! A doubly linked list that keeps removed nodes for later use.

use smallscope::{Bounded, Bounds, Visited, rep_ok};

/// A ring of nodes behind a header, and a singly linked cache of spare ones.
#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers))]
pub struct NodeCachingLinkedList {
    header: *mut Node,
    size: usize,
    first_cached: *mut Node,
    cache_size: usize,
    max_cache_size: usize,
}

#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers))]
struct Node {
    value: Option<u32>,
    previous: *mut Node,
    next: *mut Node,
}

#[rep_ok]
impl NodeCachingLinkedList {
    /// A ring of `size` nodes besides the header; a chain of `cache_size` spare nodes with a value each.
    pub fn rep_ok(&self) -> bool {
        // SAFETY: every pointer of the list leads to a node that the list owns.
        unsafe {
            let header = self.header;
            if header.is_null() || (*header).next.is_null() || (*header).previous.is_null() {
                return false;
            }
            self.cache_size <= self.max_cache_size
                && Self::is_ring(header, self.size)
                && self.cache_is_right()
        }
    }

    /// # Safety
    ///
    /// Pointers of nodes lead to nodes or are null.
    unsafe fn is_ring(header: *mut Node, size: usize) -> bool {
        let mut nodes = 0;
        let mut node = header;
        // SAFETY: the caller says so.
        unsafe {
            loop {
                let previous = (*node).previous;
                if previous.is_null() || (*previous).next != node {
                    return false;
                }
                let next = (*node).next;
                if next.is_null() || (*next).previous != node {
                    return false;
                }
                nodes += 1;
                node = next;
                if node == header {
                    return nodes - 1 == size;
                }
            }
        }
    }

    fn cache_is_right(&self) -> bool {
        let mut seen = Visited::new();
        let mut node = self.first_cached;
        while !node.is_null() {
            // SAFETY: pointers of nodes lead to nodes or are null.
            unsafe {
                if !(*node).previous.is_null() || (*node).value.is_none() {
                    return false;
                }
                let next = (*node).next;
                if !seen.insert(node) {
                    return false;
                }
                node = next;
            }
        }
        seen.len() == self.cache_size
    }
}

impl Drop for NodeCachingLinkedList {
    fn drop(&mut self) {
        let mut node = self.first_cached;
        while !node.is_null() {
            // SAFETY: the invariant: a chain of boxed nodes that are not part of the ring.
            node = unsafe { Box::from_raw(node) }.next;
        }
        let mut node = self.header;
        loop {
            // SAFETY: the invariant: a ring of boxed nodes, each of which the walk meets once.
            node = unsafe { Box::from_raw(node) }.next;
            if node == self.header {
                return;
            }
        }
    }
}

/// At most `nodes` nodes in list and cache together, `max_size` of them in the list besides the header, `max_cache`
/// in the cache, values from 1 to `values`.
pub fn bounds(nodes: i64, max_size: i64, max_cache: i64, values: i64) -> Bounds {
    Bounds::exact()
        .objects("Node", nodes as u32)
        .ints("NodeCachingLinkedList.size", 0..=max_size)
        .ints("NodeCachingLinkedList.cache_size", 0..=max_cache)
        .ints("NodeCachingLinkedList.max_cache_size", 0..=max_cache)
        .ints("Node.value", 1..=values)
}
