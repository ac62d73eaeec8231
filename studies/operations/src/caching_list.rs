//! Doubly linked rings with a header and a cache of spare nodes: add and remove by index.

use crate::arena::{Arena, Id, NIL, Shape};
use smallscope::mutate;
use smallscope_catalogue::node_caching_linked_list::NodeCachingLinkedList;

/// A ring of nodes behind a header, and a chain of spare nodes.
#[derive(Debug, Clone)]
pub struct List {
    nodes: Arena<Node>,
    header: Id,
    size: usize,
    first_cached: Id,
    cache_size: usize,
    max_cache_size: usize,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    value: Option<u32>,
    previous: Id,
    next: Id,
}

#[mutate(equivalent("caching_list::List::at::ror::b25501", "the number has no sign"))]
impl List {
    /// The node at an index; the header behind the last one.
    fn at(&self, index: usize) -> Id {
        let mut node = self.nodes[self.header].next;
        let mut left = index;
        while left > 0 {
            node = self.nodes[node].next;
            left -= 1;
        }
        node
    }
}

#[mutate(calls(at), equivalent("caching_list::List::take_spare::ror::fa579c", "the number has no sign"))]
impl List {
    /// Adds a value at an index, in a spare node if there is one. Returns false if the index is too large.
    pub fn add(&mut self, index: usize, value: Option<u32>) -> bool {
        if index > self.size {
            return false;
        }
        let next = self.at(index);
        let previous = self.nodes[next].previous;
        let new = self.take_spare();
        self.nodes[new].value = value;
        self.nodes[new].previous = previous;
        self.nodes[new].next = next;
        self.nodes[previous].next = new;
        self.nodes[next].previous = new;
        self.size += 1;
        true
    }

    /// Takes a node out of the cache, or makes one.
    fn take_spare(&mut self) -> Id {
        if self.cache_size == 0 {
            return self.nodes.add(Node { value: None, previous: NIL, next: NIL });
        }
        let spare = self.first_cached;
        self.first_cached = self.nodes[spare].next;
        self.cache_size -= 1;
        spare
    }
}

#[mutate(
    calls(at),
    equivalent("caching_list::List::keep_spare::ror::1f9a44", "the cache never exceeds its limit")
)]
impl List {
    /// Removes the value at an index. Its node becomes a spare node if the limit allows it.
    pub fn remove(&mut self, index: usize) -> Option<Option<u32>> {
        if index >= self.size {
            return None;
        }
        let node = self.at(index);
        let value = self.nodes[node].value;
        let previous = self.nodes[node].previous;
        let next = self.nodes[node].next;
        self.nodes[previous].next = next;
        self.nodes[next].previous = previous;
        self.size -= 1;
        self.keep_spare(node);
        Some(value)
    }

    /// Puts a node into the cache, unless that is full.
    fn keep_spare(&mut self, node: Id) {
        if self.cache_size < self.max_cache_size {
            if self.nodes[node].value.is_none() {
                self.nodes[node].value = Some(0);
            }
            self.nodes[node].previous = NIL;
            self.nodes[node].next = self.first_cached;
            self.first_cached = node;
            self.cache_size += 1;
        }
    }
}

impl List {
    /// The list with the same values and spare nodes.
    pub fn of(list: &NodeCachingLinkedList) -> List {
        let mut nodes = Arena::default();
        let header = nodes.add(Node { value: list.header_value(), previous: NIL, next: NIL });
        let mut last = header;
        for value in list.iter() {
            let new = nodes.add(Node { value, previous: last, next: NIL });
            nodes[last].next = new;
            last = new;
        }
        nodes[last].next = header;
        nodes[header].previous = last;
        let (mut first_cached, mut last) = (NIL, NIL);
        for value in list.cached() {
            let new = nodes.add(Node { value, previous: NIL, next: NIL });
            if last == NIL {
                first_cached = new;
            } else {
                nodes[last].next = new;
            }
            last = new;
        }
        let (size, cache_size, max_cache_size) = (list.len(), list.cache_size(), list.max_cache_size());
        List { nodes, header, size, first_cached, cache_size, max_cache_size }
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// The values and the spare nodes.
    pub fn shape(&self) -> Shape {
        let mut shape = Shape::of(self.nodes.count());
        for number in [self.size, self.cache_size, self.max_cache_size] {
            shape.push(number as i64);
        }
        let (mut previous, mut id) = (self.nodes[self.header].previous, self.header);
        while shape.enter(id) {
            let node = &self.nodes[id];
            shape.push(node.value.map_or(-1, i64::from) * 2 + i64::from(node.previous == previous));
            (previous, id) = (id, node.next);
            if id == self.header {
                break;
            }
        }
        let mut id = self.first_cached;
        while shape.enter(id) {
            let node = &self.nodes[id];
            shape.push(node.value.map_or(-1, i64::from) * 2 + i64::from(node.previous == NIL));
            id = node.next;
        }
        shape
    }
}
