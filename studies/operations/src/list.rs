//! Singly linked lists with a header: the set of the elements as an increasing list.

use crate::arena::{Arena, Id, NIL, Shape};
use smallscope::mutate;
use smallscope_catalogue::int_list::IntList;

/// A list and a set, which increases strictly. Both begin with a header without an element.
#[derive(Debug, Clone)]
pub struct ListAndSet {
    nodes: Arena<Node>,
    list: Id,
    set: Id,
    list_size: usize,
    set_size: usize,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    element: u32,
    next: Id,
}

#[mutate(equivalent(
    "list::ListAndSet::insert::ror::cf4f6a",
    "the loop ends at an element that is not less"
))]
impl ListAndSet {
    /// Replaces the set by that of the list's elements. Returns how many elements the list has more than once.
    pub fn list_to_set(&mut self) -> usize {
        self.clear_set();
        let mut repeated = 0;
        let mut node = self.nodes[self.list].next;
        while node != NIL {
            if !self.insert(self.nodes[node].element) {
                repeated += 1;
            }
            node = self.nodes[node].next;
        }
        repeated
    }

    fn clear_set(&mut self) {
        let header = self.set;
        self.nodes[header].next = NIL;
        self.set_size = 0;
    }

    /// Adds an element to the set. Returns false if it was present.
    fn insert(&mut self, element: u32) -> bool {
        let mut before = self.set;
        let mut node = self.nodes[before].next;
        while node != NIL && self.nodes[node].element < element {
            before = node;
            node = self.nodes[node].next;
        }
        if node != NIL && self.nodes[node].element == element {
            return false;
        }
        let new = self.nodes.add(Node { element, next: node });
        self.nodes[before].next = new;
        self.set_size += 1;
        true
    }
}

impl ListAndSet {
    /// A list and a set with the same elements.
    pub fn of(list: &IntList, set: &IntList) -> ListAndSet {
        let mut nodes = Arena::default();
        let [list_header, set_header] = [list, set].map(|list| {
            let header = nodes.add(Node { element: 0, next: NIL });
            let mut last = header;
            for element in list.iter() {
                let new = nodes.add(Node { element, next: NIL });
                nodes[last].next = new;
                last = new;
            }
            header
        });
        let (list_size, set_size) = (list.len(), set.len());
        ListAndSet { nodes, list: list_header, set: set_header, list_size, set_size }
    }

    /// The elements of both.
    pub fn shape(&self) -> Shape {
        let mut shape = Shape::of(self.nodes.count());
        for (first, size) in [(self.list, self.list_size), (self.set, self.set_size)] {
            shape.push(size as i64);
            let mut id = first;
            while shape.enter(id) {
                shape.push(i64::from(self.nodes[id].element));
                id = self.nodes[id].next;
            }
        }
        shape
    }
}
