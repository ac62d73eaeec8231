//! A doubly linked list that keeps removed nodes in a cache, up to a limit, and takes new nodes from there first. Nodes of
//! the list may have no value; spare nodes must have one, so a node without a value gets one when it is removed.
//!
//! # Exact counts
//!
//! | structure | arguments | explored | valid | source |
//! |---|---|---|---|---|
//! | node-caching-linked-list | 4,1,2,2 | 1,485 | 132 | STVR table I |
//! | node-caching-linked-list | 6,2,3,2 | 13,610 | 1,014 | STVR table I |
//! | node-caching-linked-list | 8,3,4,1 | 13,164 | 450 | STVR section 3 |
//! | node-caching-linked-list | 8,3,4,2 | 102,426 | 6,840 | STVR table I |
//! | node-caching-linked-list | 8,3,4,3 | 902,178 | 60,860 | STVR table II |
//! | node-caching-linked-list | 8,3,4,4 | 5,101,182 | 353,340 | STVR table II |
//! | node-caching-linked-list | 8,3,4,5 | 20,787,504 | 1,515,150 | STVR table II |
//! | node-caching-linked-list | 8,3,4,6 | 67,420,914 | 5,222,000 | STVR table II |
//! | node-caching-linked-list | 10,4,5,2 | 698,155 | 43,560 | STVR table I |
//! | node-caching-linked-list | 12,5,6,2 | 4,433,071 | 269,724 | STVR table I |
//! | node-caching-linked-list | 14,6,7,2 | 26,602,064 | 1,646,058 | STVR table I |
//! | node-caching-linked-list | 16,7,8,2 | 152,594,160 | 9,967,920 | STVR table I |
//! | node-caching-linked-list | 8,3,4,7 | 185,298,006 | 15,289,560 | STVR table II |
//! | node-caching-linked-list | 8,3,4,8 | 449,407,158 | 39,475,620 | STVR table II |
//! | node-caching-linked-list | 8,3,4,9 | 988,610,772 | 92,246,330 | STVR table II |
//! | node-caching-linked-list | 18,8,9,2 | 844,607,873 | 60,108,828 | STVR table I |

use smallscope::{Bounded, Bounds, Visited, rep_ok};

/// A ring of nodes behind a header, and a singly linked cache of spare nodes.
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
        // SAFETY: the caller guarantees it.
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

impl NodeCachingLinkedList {
    /// The empty list, which will keep up to `max_cache_size` spare nodes.
    pub fn new(max_cache_size: usize) -> Self {
        let nowhere = std::ptr::null_mut();
        let header = Box::into_raw(Box::new(Node { value: None, previous: nowhere, next: nowhere }));
        // SAFETY: the node was just allocated, and no other pointer to it exists.
        unsafe { ((*header).next, (*header).previous) = (header, header) };
        NodeCachingLinkedList { header, size: 0, first_cached: nowhere, cache_size: 0, max_cache_size }
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Number of spare nodes.
    pub fn cache_size(&self) -> usize {
        self.cache_size
    }

    /// The limit on spare nodes.
    pub fn max_cache_size(&self) -> usize {
        self.max_cache_size
    }

    /// The values in order.
    pub fn iter(&self) -> impl Iterator<Item = Option<u32>> {
        let mut node = self.header;
        (0..self.size).map(move |_| {
            // SAFETY: the invariant: a ring of nodes that the list owns; the iterator borrows the list.
            unsafe {
                node = (*node).next;
                (*node).value
            }
        })
    }

    /// The value of the header, which no operation reads.
    pub fn header_value(&self) -> Option<u32> {
        // SAFETY: the invariant: the list owns its header.
        unsafe { (*self.header).value }
    }

    /// The values of the spare nodes.
    pub fn cached(&self) -> impl Iterator<Item = Option<u32>> {
        let mut node = self.first_cached;
        (0..self.cache_size).map(move |_| {
            // SAFETY: the invariant: a chain of as many nodes, which the list owns; the iterator borrows the list.
            unsafe {
                let value = (*node).value;
                node = (*node).next;
                value
            }
        })
    }

    /// The first value.
    pub fn first(&self) -> Option<Option<u32>> {
        // SAFETY: the invariant: the list owns its nodes.
        (!self.is_empty()).then(|| unsafe { (*(*self.header).next).value })
    }

    /// The last value.
    pub fn last(&self) -> Option<Option<u32>> {
        // SAFETY: the invariant: the list owns its nodes.
        (!self.is_empty()).then(|| unsafe { (*(*self.header).previous).value })
    }

    /// The place of the first occurrence of a value.
    pub fn index_of(&self, value: Option<u32>) -> Option<usize> {
        self.iter().position(|v| v == value)
    }

    /// Whether the list contains a value.
    pub fn contains(&self, value: Option<u32>) -> bool {
        self.index_of(value).is_some()
    }

    /// Adds a value at the front, in a spare node if there is one.
    pub fn add_first(&mut self, value: Option<u32>) {
        // SAFETY: the header and its neighbours are the list's.
        unsafe { self.add_before((*self.header).next, value) };
    }

    /// Adds a value at the end, in a spare node if there is one.
    pub fn add_last(&mut self, value: Option<u32>) {
        // SAFETY: the header is the list's.
        unsafe { self.add_before(self.header, value) };
    }

    /// Removes the first value. Its node becomes a spare node if the limit allows it.
    pub fn remove_first(&mut self) -> Option<Option<u32>> {
        self.remove_at(0)
    }

    /// Removes the last value. Its node becomes a spare node if the limit allows it.
    pub fn remove_last(&mut self) -> Option<Option<u32>> {
        self.remove_at(self.size.checked_sub(1)?)
    }

    /// Removes a value by its place. Its node becomes a spare node if the limit allows it.
    pub fn remove_at(&mut self, index: usize) -> Option<Option<u32>> {
        if index >= self.size {
            return None;
        }
        // SAFETY: the invariant: a ring of nodes that the list owns. There are more values than `index`, so the node
        // is not the header; its neighbours are linked around it, so it is in no list when it is removed.
        unsafe {
            let node = (0..index).fold((*self.header).next, |node, _| (*node).next);
            let Node { value, previous, next } = *node;
            (*previous).next = next;
            (*next).previous = previous;
            self.size -= 1;
            self.give_up(node);
            Some(value)
        }
    }

    /// Removes the first occurrence of a value. Returns false if it was absent.
    pub fn remove(&mut self, value: Option<u32>) -> bool {
        self.index_of(value).is_some_and(|index| self.remove_at(index).is_some())
    }

    /// Removes every value. As many nodes as the limit allows become spare nodes.
    pub fn clear(&mut self) {
        while self.remove_first().is_some() {}
    }

    /// Changes the limit on spare nodes, and frees those that are too many.
    pub fn set_max_cache_size(&mut self, max_cache_size: usize) {
        self.max_cache_size = max_cache_size;
        while self.cache_size > max_cache_size {
            drop(self.take_spare());
        }
    }

    /// # Safety
    ///
    /// The place must be a node of the ring.
    unsafe fn add_before(&mut self, place: *mut Node, value: Option<u32>) {
        // SAFETY: the caller guarantees it, and with a node its neighbours are in the ring.
        unsafe {
            let previous = (*place).previous;
            let filled = Node { value, previous, next: place };
            let node = Box::into_raw(match self.take_spare() {
                Some(mut spare) => {
                    *spare = filled;
                    spare
                }
                None => Box::new(filled),
            });
            (*previous).next = node;
            (*place).previous = node;
        }
        self.size += 1;
    }

    /// Keeps a node for later, or frees it if there are enough.
    ///
    /// # Safety
    ///
    /// The node must be a box that is in no list.
    unsafe fn give_up(&mut self, node: *mut Node) {
        // SAFETY: the caller guarantees it.
        let mut spare = unsafe { Box::from_raw(node) };
        if self.cache_size < self.max_cache_size {
            // The invariant requires a value in every spare node, although no operation reads it.
            spare.value.get_or_insert(0);
            spare.previous = std::ptr::null_mut();
            spare.next = self.first_cached;
            self.first_cached = Box::into_raw(spare);
            self.cache_size += 1;
        }
    }

    /// Takes a spare node, which is then in no list.
    fn take_spare(&mut self) -> Option<Box<Node>> {
        if self.first_cached.is_null() {
            return None;
        }
        // SAFETY: the invariant: the cache is a chain of boxed nodes. The cache then begins with the next one.
        let spare = unsafe { Box::from_raw(self.first_cached) };
        self.first_cached = spare.next;
        self.cache_size -= 1;
        Some(spare)
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
