//! List and cache of the node caching list, each alone: inputs that are generated separately and combined later.
//! Values of these types are only read; their nodes are never freed.
//!
//! # Exact counts
//!
//! | structure | arguments | explored | valid | source |
//! |---|---|---|---|---|
//! | node-cache | 2,2 | 159 | 11 | STVR tables I and II, as a sum with node-caching-list |
//! | node-cache | 3,2 | 766 | 26 | STVR tables I and II, as a sum with node-caching-list |
//! | node-cache | 4,2 | 3,010 | 57 | STVR tables I and II, as a sum with node-caching-list |
//! | node-cache | 5,2 | 10,431 | 120 | STVR tables I and II, as a sum with node-caching-list |
//! | node-cache | 6,2 | 33,173 | 247 | STVR tables I and II, as a sum with node-caching-list |
//! | node-cache | 7,2 | 99,100 | 502 | STVR tables I and II, as a sum with node-caching-list |
//! | node-cache | 8,2 | 282,276 | 1,013 | STVR tables I and II, as a sum with node-caching-list |
//! | node-cache | 9,2 | 774,445 | 2,036 | STVR tables I and II, as a sum with node-caching-list |
//! | node-cache | 4,3 | 11,140 | 179 | STVR tables I and II, as a sum with node-caching-list |
//! | node-cache | 4,4 | 30,190 | 453 | STVR tables I and II, as a sum with node-caching-list |
//! | node-cache | 4,5 | 67,270 | 975 | STVR tables I and II, as a sum with node-caching-list |
//! | node-cache | 4,9 | 601,090 | 8,303 | STVR tables I and II, as a sum with node-caching-list |
//! | node-caching-list | 1,2 | 24 | 12 | STVR tables I and II, as a sum with node-cache |
//! | node-caching-list | 2,2 | 93 | 39 | STVR tables I and II, as a sum with node-cache |
//! | node-caching-list | 3,2 | 244 | 120 | STVR tables I and II, as a sum with node-cache |
//! | node-caching-list | 4,2 | 593 | 363 | STVR tables I and II, as a sum with node-cache |
//! | node-caching-list | 5,2 | 1,476 | 1,092 | STVR tables I and II, as a sum with node-cache |
//! | node-caching-list | 6,2 | 3,874 | 3,279 | STVR tables I and II, as a sum with node-cache |
//! | node-caching-list | 7,2 | 10,712 | 9,840 | STVR tables I and II, as a sum with node-cache |
//! | node-caching-list | 8,2 | 30,747 | 29,523 | STVR tables I and II, as a sum with node-cache |
//! | node-caching-list | 3,3 | 464 | 340 | STVR tables I and II, as a sum with node-cache |
//! | node-caching-list | 3,4 | 904 | 780 | STVR tables I and II, as a sum with node-cache |
//! | node-caching-list | 3,5 | 1,678 | 1,554 | STVR tables I and II, as a sum with node-cache |
//! | node-caching-list | 3,9 | 11,234 | 11,110 | STVR tables I and II, as a sum with node-cache |

use smallscope::{Bounded, Bounds, Visited, rep_ok};

/// A ring of nodes behind a header.
#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers), frozen)]
pub struct CachingList {
    #[bounded(non_null)]
    header: *mut ListNode,
    size: usize,
}

#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers), frozen)]
struct ListNode {
    value: Option<u32>,
    #[bounded(non_null)]
    previous: *mut ListNode,
    #[bounded(non_null)]
    next: *mut ListNode,
}

#[rep_ok]
impl CachingList {
    /// A ring of `size` nodes besides the header.
    pub fn rep_ok(&self) -> bool {
        // SAFETY: every pointer leads to a node.
        unsafe {
            let header = self.header;
            if (*header).next.is_null() || (*header).previous.is_null() {
                return false;
            }
            let size = self.size;
            let mut nodes = 0;
            let mut node = header;
            loop {
                if (*(*node).previous).next != node || (*(*node).next).previous != node {
                    return false;
                }
                nodes += 1;
                node = (*node).next;
                if node == header {
                    return nodes - 1 == size;
                }
            }
        }
    }
}

/// A chain of spare nodes.
#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers), frozen)]
pub struct NodeCache {
    first_cached: *mut SpareNode,
    cache_size: usize,
    max_cache_size: usize,
}

#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers), frozen)]
struct SpareNode {
    value: Option<u32>,
    previous: *mut SpareNode,
    next: *mut SpareNode,
}

#[rep_ok]
impl NodeCache {
    /// A chain of `cache_size` nodes with a value each, and not more than the limit.
    pub fn rep_ok(&self) -> bool {
        if self.cache_size > self.max_cache_size {
            return false;
        }
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

/// Lists of up to `max_size` nodes besides the header, values from 1 to `values` or none.
pub fn list_bounds(max_size: i64, values: i64) -> Bounds {
    Bounds::exact()
        .objects("ListNode", max_size as u32 + 1)
        .ints("CachingList.size", 0..=max_size)
        .ints("ListNode.value", 1..=values)
}

/// Caches of up to `max_cache` nodes, values from 1 to `values` or none.
pub fn cache_bounds(max_cache: i64, values: i64) -> Bounds {
    Bounds::exact()
        .objects("SpareNode", max_cache as u32)
        .ints("NodeCache.cache_size", 0..=max_cache)
        .ints("NodeCache.max_cache_size", 0..=max_cache)
        .ints("SpareNode.value", 1..=values)
}
