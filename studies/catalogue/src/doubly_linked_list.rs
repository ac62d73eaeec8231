//! Circular doubly linked lists with raw pointers. Every entry, the header included, may have an element.
//!
//! The header is the first entry, not a sentinel. Entries behind it may be vacant: the invariant allows it, and the
//! operations skip them. So the list is the sequence of the elements that are present, and `size`, which counts
//! entries, can be larger than its length.
//!
//! # Exact counts
//!
//! | structure | arguments | explored | valid | source |
//! |---|---|---|---|---|
//! | doubly-linked-list | 1,1,2,2 | 13 | 1 | original tool |
//! | doubly-linked-list | 2,2,3,3 | 27 | 3 | original tool |
//! | doubly-linked-list | 3,3,4,4 | 49 | 10 | original tool |
//! | doubly-linked-list | 4,4,5,5 | 94 | 37 | original tool |
//! | doubly-linked-list | 5,5,6,6 | 229 | 151 | original tool |
//! | doubly-linked-list | 6,6,7,7 | 776 | 674 | original tool |
//! | doubly-linked-list | 7,7,8,8 | 3,392 | 3,263 | original tool |
//! | doubly-linked-list | 8,8,9,9 | 17,166 | 17,007 | original tool |
//! | doubly-linked-list | 9,9,10,10 | 95,020 | 94,828 | original tool |
//! | doubly-linked-list | 10,10,11,11 | 562,823 | 562,595 | original tool |
//! | doubly-linked-list | 11,11,12,12 | 3,535,294 | 3,535,027 | original tool |

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

/// An element without content: only its identity matters.
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
                if (*current).next.is_null() || (*current).next != header && seen.contains(&(*current).next) {
                    return false;
                }
                let next = (*current).next;
                if (*next).previous != current {
                    return false;
                }
                current = next;
            }
            current == header && seen.len() == self.size
        }
    }
}

impl DoublyLinkedList {
    /// The empty list: a header without element.
    pub fn new() -> Self {
        let header = Box::into_raw(Box::new(Entry {
            element: None,
            next: std::ptr::null_mut(),
            previous: std::ptr::null_mut(),
        }));
        // SAFETY: the entry was just allocated, and no other pointer to it exists.
        unsafe { ((*header).next, (*header).previous) = (header, header) };
        DoublyLinkedList { header, size: 0 }
    }

    /// Number of elements. Vacant entries do not count, so this walks.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// The elements, from the header on.
    pub fn iter(&self) -> impl Iterator<Item = &Rc<Element>> {
        // SAFETY: entries live as long as the list, and do not change while it is borrowed.
        self.entries().filter_map(|entry| unsafe { (*entry).element.as_ref() })
    }

    /// The elements, from the header on.
    pub fn elements(&self) -> Vec<Rc<Element>> {
        self.iter().cloned().collect()
    }

    /// The first element.
    pub fn first(&self) -> Option<&Rc<Element>> {
        // SAFETY: the invariant: the list owns its header.
        unsafe { (*self.header).element.as_ref() }
    }

    /// The last element.
    pub fn last(&self) -> Option<&Rc<Element>> {
        // SAFETY: the invariant: a ring of entries that the list owns.
        unsafe {
            let mut entry = (*self.header).previous;
            while (*entry).element.is_none() && entry != self.header {
                entry = (*entry).previous;
            }
            (*entry).element.as_ref()
        }
    }

    /// The place of the first occurrence of an element, which is compared by identity.
    pub fn index_of(&self, element: &Rc<Element>) -> Option<usize> {
        self.iter().position(|e| Rc::ptr_eq(e, element))
    }

    /// Whether the list contains an element.
    pub fn contains(&self, element: &Rc<Element>) -> bool {
        self.index_of(element).is_some()
    }

    /// Adds an element at the front.
    pub fn push_front(&mut self, element: Rc<Element>) {
        self.header = self.insert_before_header(element);
    }

    /// Adds an element at the end.
    pub fn push_back(&mut self, element: Rc<Element>) {
        self.insert_before_header(element);
    }

    /// Removes an element by its place, which counts elements.
    pub fn remove_at(&mut self, index: usize) -> Option<Rc<Element>> {
        let entry = self.occupied().nth(index)?;
        // SAFETY: the entry belongs to the list.
        unsafe { self.remove_entry(entry) }
    }

    /// Removes the first occurrence of an element. Returns false if it was absent.
    pub fn remove(&mut self, element: &Rc<Element>) -> bool {
        self.index_of(element).is_some_and(|index| self.remove_at(index).is_some())
    }

    /// Reverses the order.
    pub fn reverse(&mut self) {
        for entry in self.entries().collect::<Vec<_>>() {
            // SAFETY: the entry belongs to the list, and nothing else refers to it now.
            let entry = unsafe { &mut *entry };
            std::mem::swap(&mut entry.next, &mut entry.previous);
        }
        // The ring still begins with the entry that was first; the entry that was last follows.
        let last = self.occupied().nth(1);
        self.header = last.unwrap_or(self.header);
    }

    /// Every entry once, from the header on.
    fn entries(&self) -> impl Iterator<Item = *mut Entry> {
        std::iter::successors(Some(self.header), |&entry| {
            // SAFETY: the invariant: a ring of entries that the list owns.
            let next = unsafe { (*entry).next };
            (next != self.header).then_some(next)
        })
    }

    /// Every entry that has an element.
    fn occupied(&self) -> impl Iterator<Item = *mut Entry> {
        // SAFETY: the entries are those of the list.
        self.entries().filter(|&entry| unsafe { (*entry).element.is_some() })
    }

    /// Inserts an element before the header, which is also the end of the list.
    fn insert_before_header(&mut self, element: Rc<Element>) -> *mut Entry {
        self.size += 1;
        let next = self.header;
        // SAFETY: the invariant: a ring of entries that the list owns.
        unsafe {
            if (*next).element.is_none() {
                (*next).element = Some(element);
                return next;
            }
            let previous = (*next).previous;
            let entry = Box::into_raw(Box::new(Entry { element: Some(element), next, previous }));
            (*previous).next = entry;
            (*next).previous = entry;
            entry
        }
    }

    /// Takes the element out of an entry and frees the entry. If the entry was the header, the next entry with an element
    /// becomes the header, and vacant ones between them move to the end. If there is no such entry, vacant ones are
    /// freed, too.
    ///
    /// # Safety
    ///
    /// The entry must belong to the list.
    unsafe fn remove_entry(&mut self, entry: *mut Entry) -> Option<Rc<Element>> {
        // SAFETY: the caller guarantees that the list owns the entry, so its neighbours belong to the list, too. Entries
        // that are freed are not reached again: the others are linked around them before.
        unsafe {
            let element = (*entry).element.take();
            if entry == self.header {
                let Some(header) = self.occupied().next() else {
                    *self = DoublyLinkedList::new();
                    return element;
                };
                self.header = header;
            }
            let Entry { next, previous, .. } = *Box::from_raw(entry);
            (*previous).next = next;
            (*next).previous = previous;
            self.size -= 1;
            element
        }
    }
}

impl Default for DoublyLinkedList {
    fn default() -> Self {
        DoublyLinkedList::new()
    }
}

impl Drop for DoublyLinkedList {
    fn drop(&mut self) {
        let mut current = self.header;
        loop {
            // SAFETY: the invariant: a ring of entries that were allocated as boxes; each is freed once, when the
            // walk around the ring reaches it.
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
