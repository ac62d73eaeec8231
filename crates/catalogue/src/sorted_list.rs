//! Sorted circular doubly linked lists with raw pointers and a header entry.

use smallscope::{Bounded, Bounds, Visited, rep_ok};

/// A ring of entries; all but the header have an element, and these do not decrease.
#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers))]
pub struct SortedList {
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
impl SortedList {
    /// A ring of `size` entries behind the header, in order.
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
            current == header && seen.len() - 1 == self.size && Self::is_sorted(header)
        }
    }

    /// # Safety
    ///
    /// The entry must belong to a ring.
    unsafe fn is_sorted(header: *mut Entry) -> bool {
        // SAFETY: the caller says so.
        unsafe {
            let mut current = (*header).next;
            let mut last = None;
            while current != header {
                let Some(element) = (*current).element else { return false };
                if last.is_some_and(|last| element < last) {
                    return false;
                }
                last = Some(element);
                current = (*current).next;
            }
            true
        }
    }
}

impl SortedList {
    /// The elements in order.
    pub fn elements(&self) -> Vec<u32> {
        let mut elements = vec![];
        // SAFETY: the invariant: a ring of entries that the list owns.
        unsafe {
            let mut current = (*self.header).next;
            while current != self.header {
                elements.extend((*current).element);
                current = (*current).next;
            }
        }
        elements
    }
}

impl Drop for SortedList {
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

/// A size in a range, at most `entries` entries (the header is one), elements from 1 to `max_element`.
pub fn bounds(min_size: i64, max_size: i64, entries: i64, max_element: i64) -> Bounds {
    Bounds::exact()
        .objects("Entry", entries as u32)
        .ints("SortedList.size", min_size..=max_size)
        .ints("Entry.element", 1..=max_element)
}
