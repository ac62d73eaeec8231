//! Circular doubly linked lists with raw pointers and a header entry, in any order: the input of a test for
//! palindromes. The invariant does not read the elements.
//!
//! # Exact counts
//!
//! | structure | arguments | explored | valid | source |
//! |---|---|---|---|---|
//! | ring | 4,0,4,4 | 211 | 156 | STVR table X (valid); original tool |
//! | ring | 4,0,4,8 | 879 | 820 | STVR table X (valid); original tool |
//! | ring | 5,0,5,5 | 1,637 | 1,555 | STVR table X (valid); original tool |
//! | ring | 5,0,5,10 | 16,192 | 16,105 | STVR table X (valid); original tool |
//! | ring | 6,0,6,6 | 19,722 | 19,608 | STVR table X (valid); original tool |
//! | ring | 6,0,6,12 | 402,354 | 402,234 | STVR table X (valid); original tool |
//! | ring | 7,0,7,7 | 299,744 | 299,593 | STVR table X (valid); original tool |
//! | ring | 7,0,7,14 | 12,204,399 | 12,204,241 | STVR table X (valid); original tool |

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
                if (*current).next.is_null() || (*current).next != header && seen.contains(&(*current).next) {
                    return false;
                }
                let next = (*current).next;
                if (*next).previous != current {
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

    /// The ring without elements.
    pub fn new() -> Self {
        let header = Entry::boxed(None);
        // SAFETY: the entry was just allocated, and no other pointer to it exists.
        unsafe { ((*header).next, (*header).previous) = (header, header) };
        Ring { header, size: 0 }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether the ring is empty.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// The elements in order.
    pub fn iter(&self) -> impl Iterator<Item = Option<u32>> {
        let mut current = self.header;
        (0..self.size).map(move |_| {
            // SAFETY: the invariant: a ring of entries that the list owns; the iterator borrows the list.
            unsafe {
                current = (*current).next;
                (*current).element
            }
        })
    }

    /// The elements in order.
    pub fn elements(&self) -> Vec<Option<u32>> {
        self.iter().collect()
    }

    /// The element at this place.
    pub fn get(&self, index: usize) -> Option<Option<u32>> {
        // SAFETY: the invariant: the list owns its entries.
        (index < self.size).then(|| unsafe { (*self.entry(index)).element })
    }

    /// The place of the first occurrence of an element.
    pub fn index_of(&self, element: Option<u32>) -> Option<usize> {
        self.iter().position(|e| e == element)
    }

    /// Whether the ring contains an element.
    pub fn contains(&self, element: Option<u32>) -> bool {
        self.index_of(element).is_some()
    }

    /// Adds an element at the front.
    pub fn push_front(&mut self, element: Option<u32>) {
        self.insert_at(0, element);
    }

    /// Adds an element at the end.
    pub fn push_back(&mut self, element: Option<u32>) {
        self.insert_at(self.size, element);
    }

    /// Inserts an element at this place.
    ///
    /// # Panics
    ///
    /// If the place lies behind the end.
    pub fn insert_at(&mut self, index: usize, element: Option<u32>) {
        assert!(index <= self.size, "place {index} lies behind the end");
        let next = self.entry(index);
        let entry = Entry::boxed(element);
        // SAFETY: the invariant: entries and their neighbours are the list's. The new entry is in no list.
        unsafe {
            let previous = (*next).previous;
            ((*entry).previous, (*entry).next) = (previous, next);
            (*previous).next = entry;
            (*next).previous = entry;
        }
        self.size += 1;
    }

    /// Removes the element at this place.
    pub fn remove_at(&mut self, index: usize) -> Option<Option<u32>> {
        if index >= self.size {
            return None;
        }
        // SAFETY: the invariant: the entry and its neighbours are the list's. It is not the header, since there are
        // more elements than `index`, and the neighbours are linked around it.
        let Entry { element, next, previous } = unsafe { *Box::from_raw(self.entry(index)) };
        // SAFETY: as above; the neighbours are other entries than the one that was freed.
        unsafe {
            (*previous).next = next;
            (*next).previous = previous;
        }
        self.size -= 1;
        Some(element)
    }

    /// Removes the first occurrence of an element. Returns false if it was absent.
    pub fn remove(&mut self, element: Option<u32>) -> bool {
        self.index_of(element).is_some_and(|index| self.remove_at(index).is_some())
    }

    /// The entry at this place, or the header for the place behind the last.
    fn entry(&self, index: usize) -> *mut Entry {
        // SAFETY: the invariant: a ring of entries that the list owns.
        unsafe { (0..index).fold((*self.header).next, |entry, _| (*entry).next) }
    }
}

impl Entry {
    /// An entry that is in no list yet.
    fn boxed(element: Option<u32>) -> *mut Entry {
        let nowhere = std::ptr::null_mut();
        Box::into_raw(Box::new(Entry { element, next: nowhere, previous: nowhere }))
    }
}

impl Default for Ring {
    fn default() -> Self {
        Ring::new()
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
