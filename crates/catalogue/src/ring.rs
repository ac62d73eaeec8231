//! Circular doubly linked lists with raw pointers and a header entry, in any order: the input of a test for
//! palindromes. The invariant does not look at the elements.

use smallscope::{Bounded, Bounds, Visited, rep_ok};

/// A ring of entries behind a header without element.
#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers))]
pub struct Ring {
    header: *mut Entry,
    size: usize,
}

#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers))]
struct Entry {
    element: Option<u32>,
    next: *mut Entry,
    previous: *mut Entry,
}

#[rep_ok]
impl Ring {
    /// A ring of `size` entries behind the header.
    pub fn rep_ok(&self) -> bool {
        // SAFETY: every pointer of the list leads to an entry that the list owns.
        unsafe {
            let header = self.header;
            if header.is_null() || (*header).element.is_some() {
                return false;
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
            current == header && seen.len() - 1 == self.size
        }
    }
}

impl Ring {
    /// Whether the elements read the same in both directions.
    pub fn is_palindromic(&self) -> bool {
        // SAFETY: the invariant: a ring of entries that the list owns.
        unsafe {
            let (mut front, mut back) = ((*self.header).next, (*self.header).previous);
            for _ in 0..self.size / 2 {
                if (*front).element != (*back).element {
                    return false;
                }
                (front, back) = ((*front).next, (*back).previous);
            }
        }
        true
    }

    /// The elements in order.
    pub fn elements(&self) -> Vec<Option<u32>> {
        let mut elements = vec![];
        // SAFETY: the invariant: a ring of entries that the list owns.
        unsafe {
            let mut current = (*self.header).next;
            while current != self.header {
                elements.push((*current).element);
                current = (*current).next;
            }
        }
        elements
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        let mut current = self.header;
        loop {
            // SAFETY: the invariant: a ring of boxed entries, each of which the walk meets once.
            current = unsafe { Box::from_raw(current) }.next;
            if current == self.header {
                return;
            }
        }
    }
}

/// At most `entries` entries (the header is one), a size in a range, elements from 1 to `elements` or none.
pub fn bounds(entries: i64, min_size: i64, max_size: i64, elements: i64) -> Bounds {
    Bounds::exact()
        .objects("Entry", entries as u32)
        .ints("Ring.size", min_size..=max_size)
        .ints("Entry.element", 1..=elements)
}
