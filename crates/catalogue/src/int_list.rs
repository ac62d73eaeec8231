//! Singly linked lists of integers with a header node: a part of composite inputs.

use smallscope::{Bounded, Visited, mirror};

/// A list. The header has no element.
#[derive(Bounded, Debug, Clone)]
pub struct IntList {
    header: Option<Box<Node>>,
    size: usize,
}

#[derive(Bounded, Debug, Clone)]
struct Node {
    element: Option<u32>,
    next: Option<Box<Node>>,
}

#[mirror]
impl IntList {
    /// A header without element, then `size` nodes with one each; elements are looked at on the way.
    pub fn is_list(&self) -> bool {
        let Some(header) = &self.header else { return false };
        if header.element.is_some() {
            return false;
        }
        let mut seen = Visited::new();
        seen.insert(&**header);
        let mut current = &**header;
        while let Some(next) = &current.next {
            if next.element.is_none() || !seen.insert(&**next) {
                return false;
            }
            current = next;
        }
        seen.len() - 1 == self.size
    }

    /// The same, but elements are looked at when the shape is known.
    pub fn is_list_shape_first(&self) -> bool {
        let Some(header) = &self.header else { return false };
        if header.element.is_some() {
            return false;
        }
        let mut seen = Visited::new();
        seen.insert(&**header);
        let mut current = &**header;
        while let Some(next) = &current.next {
            if !seen.insert(&**next) {
                return false;
            }
            current = next;
        }
        seen.len() - 1 == self.size && seen.iter().skip(1).all(|node| node.element.is_some())
    }

    /// Whether the elements of a list increase strictly.
    pub fn is_increasing(&self) -> bool {
        let mut last = None;
        let mut current = self.header.as_deref().and_then(|header| header.next.as_deref());
        while let Some(node) = current {
            if last.is_some_and(|last| node.element <= last) {
                return false;
            }
            last = Some(node.element);
            current = node.next.as_deref();
        }
        true
    }
}
