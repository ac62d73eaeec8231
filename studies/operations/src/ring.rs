//! Doubly linked rings behind a header: whether the elements read the same in both directions.

use crate::arena::{Arena, Id, NIL, Shape};
use smallscope::mutate;

/// A ring of nodes. The header has no element.
#[derive(Debug, Clone)]
pub struct Ring {
    nodes: Arena<Node>,
    header: Id,
    size: usize,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    element: Option<u32>,
    next: Id,
    previous: Id,
}

#[mutate(
    equivalent(
        "ring::Ring::is_palindromic::ror::ba4fc9",
        "behind the middle, the same pairs are compared again"
    ),
    equivalent("ring::Ring::is_palindromic::ror::d85eba", "the number of comparisons goes up one by one"),
    equivalent(
        "ring::Ring::is_palindromic::aor::68c0b1",
        "behind the middle, the same pairs are compared again"
    ),
    equivalent(
        "ring::Ring::is_palindromic::aor::5f9d88",
        "behind the middle, the same pairs are compared again"
    ),
    equivalent(
        "ring::Ring::is_palindromic::const::fe60a3",
        "behind the middle, the same pairs are compared again"
    )
)]
impl Ring {
    /// Whether the elements read the same in both directions.
    pub fn is_palindromic(&self) -> bool {
        let mut front = self.nodes[self.header].next;
        let mut back = self.nodes[self.header].previous;
        let mut compared = 0;
        while compared < self.size / 2 {
            if self.nodes[front].element != self.nodes[back].element {
                return false;
            }
            front = self.nodes[front].next;
            back = self.nodes[back].previous;
            compared += 1;
        }
        true
    }
}

impl Ring {
    /// The ring with these elements.
    pub fn of(elements: impl Iterator<Item = Option<u32>>) -> Ring {
        let mut nodes = Arena::default();
        let header = nodes.add(Node { element: None, next: NIL, previous: NIL });
        let (mut last, mut size) = (header, 0);
        for element in elements {
            let new = nodes.add(Node { element, next: NIL, previous: last });
            nodes[last].next = new;
            (last, size) = (new, size + 1);
        }
        nodes[last].next = header;
        nodes[header].previous = last;
        Ring { nodes, header, size }
    }

    /// The elements.
    pub fn shape(&self) -> Shape {
        let mut shape = Shape::of(self.nodes.count());
        shape.push(self.size as i64);
        let mut id = self.nodes[self.header].next;
        while id != self.header && shape.enter(id) {
            shape.push(self.nodes[id].element.map_or(-1, i64::from));
            id = self.nodes[id].next;
        }
        shape
    }
}
