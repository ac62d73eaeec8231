//! The node caching list with a type for each of its two kinds of nodes, and fields that declare which part they belong to.
//! The invariant is one function; the search finds out which of its conjuncts are about which part. A second list has the
//! invariant as a sequence of statements, as the paper prints it.
//!
//! Links of the list are never null, as in the published separate generation; links of spare nodes, which have another
//! type, can be. Values of these types are only read; their nodes are never freed.
//!
//! # Exact counts
//!
//! Those of `disjoint.tsv`: explored by the published algorithm in both parts together.

use smallscope::{Bounded, Bounds, Visited, rep_ok};

/// A ring of nodes behind a header, and a singly linked cache of spare nodes.
#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers), unsafe(parts), frozen)]
pub struct DisjointCachingList {
    #[bounded(part = "list", non_null)]
    header: *mut ListNode,
    #[bounded(part = "list")]
    size: usize,
    #[bounded(part = "cache")]
    first_cached: *mut SpareNode,
    #[bounded(part = "cache")]
    cache_size: usize,
    #[bounded(part = "cache")]
    max_cache_size: usize,
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

#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers), frozen)]
struct SpareNode {
    value: Option<u32>,
    previous: *mut SpareNode,
    next: *mut SpareNode,
}

#[rep_ok]
impl DisjointCachingList {
    /// A ring of `size` nodes besides the header; a chain of `cache_size` spare nodes with a value each, and not more
    /// than the limit.
    pub fn rep_ok(&self) -> bool {
        self.has_neighbours() && self.cache_size <= self.max_cache_size && self.is_ring() && self.is_chain()
    }

    fn has_neighbours(&self) -> bool {
        // SAFETY: pointers of list nodes lead to list nodes.
        unsafe { !(*self.header).next.is_null() && !(*self.header).previous.is_null() }
    }

    fn is_ring(&self) -> bool {
        let (header, size) = (self.header, self.size);
        let mut nodes = 0;
        let mut node = header;
        loop {
            // SAFETY: pointers of list nodes lead to list nodes.
            unsafe {
                if (*(*node).previous).next != node || (*(*node).next).previous != node {
                    return false;
                }
                nodes += 1;
                node = (*node).next;
            }
            if node == header {
                return nodes - 1 == size;
            }
        }
    }

    fn is_chain(&self) -> bool {
        let mut seen = Visited::new();
        let mut node = self.first_cached;
        while !node.is_null() {
            // SAFETY: pointers of spare nodes lead to spare nodes or are null.
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

/// The same list. Its invariant has the statements of figure 3 of the paper, but for what the types rule out: negative
/// sizes, a cache of another size than 20.
#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers), unsafe(parts), frozen)]
pub struct CachingListOfStatements {
    #[bounded(part = "list", non_null)]
    header: *mut ListNode,
    #[bounded(part = "list")]
    size: usize,
    #[bounded(part = "cache")]
    first_cached: *mut SpareNode,
    #[bounded(part = "cache")]
    cache_size: usize,
    #[bounded(part = "cache")]
    max_cache_size: usize,
}

#[rep_ok(statements)]
impl CachingListOfStatements {
    /// Holds for the same lists.
    pub fn rep_ok(&self) -> bool {
        if self.header.is_null() {
            return false;
        }
        // SAFETY: pointers of list nodes lead to list nodes.
        if unsafe { (*self.header).next.is_null() } {
            return false;
        }
        // SAFETY: pointers of list nodes lead to list nodes.
        if unsafe { (*self.header).previous.is_null() } {
            return false;
        }
        if self.cache_size > self.max_cache_size {
            return false;
        }
        // Where the paper asks whether it is negative.
        let size = self.size;
        let mut cyclic_size = 0;
        let mut n = self.header;
        loop {
            cyclic_size += 1;
            // SAFETY: pointers of list nodes lead to list nodes.
            unsafe {
                if (*(*n).previous).next != n {
                    return false;
                }
                if (*(*n).next).previous != n {
                    return false;
                }
                n = (*n).next;
            }
            if n == self.header {
                break;
            }
        }
        if size != cyclic_size - 1 {
            return false;
        }
        let mut acyclic_size = 0;
        let mut m = self.first_cached;
        let mut visited = Visited::new();
        if !m.is_null() {
            visited.insert(m);
        }
        while !m.is_null() {
            acyclic_size += 1;
            // SAFETY: pointers of spare nodes lead to spare nodes or are null.
            unsafe {
                if !(*m).previous.is_null() {
                    return false;
                }
                if (*m).value.is_none() {
                    return false;
                }
                m = (*m).next;
            }
            if !m.is_null() && !visited.insert(m) {
                return false;
            }
        }
        self.cache_size == acyclic_size
    }
}

impl DisjointCachingList {
    /// The values of all list nodes, beginning with the header.
    pub fn list_values(&self) -> Vec<Option<u32>> {
        let mut values = vec![];
        let mut node = self.header;
        loop {
            // SAFETY: the invariant: a ring of nodes.
            unsafe {
                values.push((*node).value);
                node = (*node).next;
            }
            if node == self.header {
                return values;
            }
        }
    }

    /// The values of all spare nodes.
    pub fn cached_values(&self) -> Vec<Option<u32>> {
        let mut values = vec![];
        let mut node = self.first_cached;
        while !node.is_null() {
            // SAFETY: the invariant: a chain of nodes.
            unsafe {
                values.push((*node).value);
                node = (*node).next;
            }
        }
        values
    }

    /// The limit on spare nodes.
    pub fn max_cache_size(&self) -> usize {
        self.max_cache_size
    }
}

/// Lists of up to `max_size` nodes besides the header, caches of up to `max_cache` nodes, values from 1 to `values`.
pub fn bounds(max_size: i64, max_cache: i64, values: i64) -> Bounds {
    bounds_of("DisjointCachingList", max_size, max_cache, values)
}

/// The same bounds for the list of statements.
pub fn bounds_of_statements(max_size: i64, max_cache: i64, values: i64) -> Bounds {
    bounds_of("CachingListOfStatements", max_size, max_cache, values)
}

fn bounds_of(list: &str, max_size: i64, max_cache: i64, values: i64) -> Bounds {
    Bounds::exact()
        .objects("ListNode", max_size as u32 + 1)
        .ints(&format!("{list}.size"), 0..=max_size)
        .ints("ListNode.value", 1..=values)
        .objects("SpareNode", max_cache as u32)
        .ints(&format!("{list}.cache_size"), 0..=max_cache)
        .ints(&format!("{list}.max_cache_size"), 0..=max_cache)
        .ints("SpareNode.value", 1..=values)
}
