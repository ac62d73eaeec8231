//! Singly linked lists with a header entry. Elements are shared objects without content, so lists differ by
//! which of their elements are the same: the counts are Bell numbers.

use smallscope::{Bounded, Bounds, Visited, rep_ok};
use std::rc::Rc;

/// A list of shared elements. The header carries none.
#[derive(Bounded, Debug, Clone)]
pub struct SinglyLinkedList {
    header: Option<Box<Entry>>,
    size: usize,
}

#[derive(Bounded, Debug, Clone)]
struct Entry {
    element: Option<Rc<Element>>,
    next: Option<Box<Entry>>,
}

/// An element: nothing but its identity.
#[derive(Bounded, Debug, Clone, Copy)]
pub struct Element;

#[rep_ok]
impl SinglyLinkedList {
    /// A header without element, then `size` different entries with one each.
    pub fn rep_ok(&self) -> bool {
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
}

impl SinglyLinkedList {
    /// The elements in order.
    pub fn elements(&self) -> Vec<Rc<Element>> {
        let first = self.header.as_ref().and_then(|header| header.next.as_deref());
        std::iter::successors(first, |entry| entry.next.as_deref())
            .filter_map(|entry| entry.element.clone())
            .collect()
    }
}

/// A size in a range, at most `entries` entries (the header is one), at most `elements` elements.
pub fn bounds(min_size: i64, max_size: i64, entries: i64, elements: i64) -> Bounds {
    Bounds::exact()
        .objects("Entry", entries as u32)
        .objects("Element", elements as u32)
        .ints("SinglyLinkedList.size", min_size..=max_size)
}
