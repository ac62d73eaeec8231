//! Circular doubly linked lists with raw pointers. Every entry, the header included, may have an element.

use smallscope::{Bounded, Bounds, Visited, rep_ok};
use std::rc::Rc;

/// A ring of entries, entered at the header.
#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers))]
pub struct DoublyLinkedList {
    header: *mut Entry,
    size: usize,
}

#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers))]
struct Entry {
    element: Option<Rc<Element>>,
    next: *mut Entry,
    previous: *mut Entry,
}

/// An element: nothing but its identity.
#[derive(Bounded, Debug, Clone, Copy)]
pub struct Element;

#[rep_ok]
impl DoublyLinkedList {
    /// A ring of `size` entries; or a lone header without element and size 0.
    pub fn rep_ok(&self) -> bool {
        // SAFETY: every pointer of the list leads to an entry that the list owns.
        unsafe {
            let header = self.header;
            if header.is_null() {
                return false;
            }
            if (*header).element.is_none() {
                return self.size == 0 && (*header).next == header && (*header).previous == header;
            }
            let mut seen = Visited::new();
            let mut current = header;
            while seen.insert(current) {
                let next = (*current).next;
                if next.is_null() || (*next).previous != current {
                    return false;
                }
                current = next;
            }
            current == header && seen.len() == self.size
        }
    }
}

impl DoublyLinkedList {
    /// The elements, from the header on.
    pub fn elements(&self) -> Vec<Rc<Element>> {
        let mut elements = vec![];
        let mut current = self.header;
        loop {
            // SAFETY: the invariant: a ring of entries that the list owns.
            let entry = unsafe { &*current };
            elements.extend(entry.element.clone());
            current = entry.next;
            if current == self.header {
                return elements;
            }
        }
    }
}

impl Drop for DoublyLinkedList {
    fn drop(&mut self) {
        let mut current = self.header;
        loop {
            // SAFETY: the invariant: a ring of entries that were allocated as boxes; each is freed once, when the
            // walk around the ring comes to it.
            let entry = unsafe { Box::from_raw(current) };
            current = entry.next;
            if current == self.header {
                return;
            }
        }
    }
}

/// A size in a range, at most `entries` entries, at most `elements` elements.
pub fn bounds(min_size: i64, max_size: i64, entries: i64, elements: i64) -> Bounds {
    Bounds::exact()
        .objects("Entry", entries as u32)
        .objects("Element", elements as u32)
        .ints("DoublyLinkedList.size", min_size..=max_size)
}
