//! Sorted circular doubly linked lists with raw pointers and a header entry.
//!
//! # Exact counts
//!
//! | structure | arguments | explored | valid | source |
//! |---|---|---|---|---|
//! | sorted-list | 1,1,2,1 | 14 | 1 | original tool |
//! | sorted-list | 2,2,3,2 | 32 | 3 | original tool |
//! | sorted-list | 3,3,4,3 | 72 | 10 | original tool |
//! | sorted-list | 4,4,5,4 | 201 | 35 | original tool |
//! | sorted-list | 5,5,6,5 | 713 | 126 | original tool |
//! | sorted-list | 6,6,7,6 | 2,880 | 462 | original tool |
//! | sorted-list | 7,7,8,7 | 12,148 | 1,716 | original tool |
//! | sorted-list | 8,8,9,8 | 51,647 | 6,435 | original tool |
//! | sorted-list | 9,9,10,9 | 218,991 | 24,310 | original tool |
//! | sorted-list | 10,10,11,10 | 924,018 | 92,378 | original tool |
//! | sorted-list | 11,11,12,11 | 3,880,154 | 352,716 | original tool; its own tests assert it |
//! | sorted-list | 13,13,14,13 | 67,604,267 | 5,200,300 | original tool |

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
                if (*current).next.is_null() || (*current).next != header && seen.contains(&(*current).next) {
                    return false;
                }
                let next = (*current).next;
                if (*next).previous != current {
                    return false;
                }
                current = next;
            }
            current == header && seen.len() - 1 == self.size && Self::elements_are_sorted(header)
        }
    }

    /// # Safety
    ///
    /// The entry must belong to a ring.
    unsafe fn elements_are_sorted(header: *mut Entry) -> bool {
        // SAFETY: the caller guarantees it.
        unsafe {
            let mut last = header;
            let mut current = (*header).next;
            while current != header {
                if (*current).element.is_none() || last != header && (*current).element < (*last).element {
                    return false;
                }
                last = current;
                current = (*current).next;
            }
            true
        }
    }
}

impl SortedList {
    /// The empty list.
    pub fn new() -> Self {
        let header = Entry::boxed(None);
        // SAFETY: the entry was just allocated, and no other pointer to it exists.
        unsafe { ((*header).next, (*header).previous) = (header, header) };
        SortedList { header, size: 0 }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// The elements in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let mut current = self.header;
        (0..self.size).filter_map(move |_| {
            // SAFETY: the invariant: a ring of entries that the list owns; the iterator borrows the list.
            unsafe {
                current = (*current).next;
                (*current).element
            }
        })
    }

    /// The elements in order.
    pub fn elements(&self) -> Vec<u32> {
        self.iter().collect()
    }

    /// The least element.
    pub fn first(&self) -> Option<u32> {
        // SAFETY: the invariant: a ring of entries that the list owns. In an empty list this is the header, which has
        // no element.
        unsafe { (*(*self.header).next).element }
    }

    /// The greatest element.
    pub fn last(&self) -> Option<u32> {
        // SAFETY: as for the least one.
        unsafe { (*(*self.header).previous).element }
    }

    /// Whether the list contains an element.
    pub fn contains(&self, element: u32) -> bool {
        self.iter().take_while(|e| *e <= element).any(|e| e == element)
    }

    /// Adds an element, behind those that are equal.
    pub fn insert(&mut self, element: u32) {
        // SAFETY: the place is in the list, and the entry is new.
        unsafe {
            let place = self.first_from((*self.header).next, |e| e > element);
            self.link_before(place, Entry::boxed(Some(element)));
        }
    }

    /// Removes one occurrence of an element. Returns false if it is absent.
    pub fn remove(&mut self, element: u32) -> bool {
        // SAFETY: the place is in the list, and it is not the header, which has no element. The entry is in no list
        // when it is freed.
        unsafe {
            let place = self.first_from((*self.header).next, |e| e >= element);
            let found = (*place).element == Some(element);
            if found {
                self.unlink(place);
                drop(Box::from_raw(place));
            }
            found
        }
    }

    /// Moves everything from another list into this one.
    pub fn merge(&mut self, mut other: SortedList) {
        // SAFETY: entries are taken out of the other list before they are put into this one, so each is owned once.
        // The other list keeps its header.
        unsafe {
            let mut place = (*self.header).next;
            while let Some(element) = other.first() {
                let entry = (*other.header).next;
                other.unlink(entry);
                place = self.first_from(place, |e| e > element);
                self.link_before(place, entry);
            }
        }
    }

    /// The first entry from `place` on with such an element, or the header.
    ///
    /// # Safety
    ///
    /// The place must be an entry of this list.
    unsafe fn first_from(&self, place: *mut Entry, is_it: impl Fn(u32) -> bool) -> *mut Entry {
        let mut current = place;
        // SAFETY: the invariant: a ring, all of whose entries the list owns.
        unsafe {
            while (*current).element.is_some_and(|element| !is_it(element)) {
                current = (*current).next;
            }
        }
        current
    }

    /// Links an entry into the list.
    ///
    /// # Safety
    ///
    /// The place must be an entry of this list, and the new entry must be a box that is in no list.
    unsafe fn link_before(&mut self, place: *mut Entry, entry: *mut Entry) {
        // SAFETY: the caller guarantees it, and with an entry its neighbours are in the list.
        unsafe {
            let previous = (*place).previous;
            ((*entry).previous, (*entry).next) = (previous, place);
            (*previous).next = entry;
            (*place).previous = entry;
        }
        self.size += 1;
    }

    /// Unlinks an entry from the list.
    ///
    /// # Safety
    ///
    /// It must be an entry of this list, other than the header.
    unsafe fn unlink(&mut self, entry: *mut Entry) {
        // SAFETY: the caller guarantees it, and with an entry its neighbours are in the list.
        unsafe {
            let (previous, next) = ((*entry).previous, (*entry).next);
            (*previous).next = next;
            (*next).previous = previous;
        }
        self.size -= 1;
    }
}

impl Entry {
    /// An entry that is in no list yet.
    fn boxed(element: Option<u32>) -> *mut Entry {
        let nowhere = std::ptr::null_mut();
        Box::into_raw(Box::new(Entry { element, next: nowhere, previous: nowhere }))
    }
}

impl Default for SortedList {
    fn default() -> Self {
        SortedList::new()
    }
}

impl Drop for SortedList {
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

/// A size in a range, at most `entries` entries (the header is one), elements from 1 to `max_element`.
pub fn bounds(min_size: i64, max_size: i64, entries: i64, max_element: i64) -> Bounds {
    Bounds::exact()
        .objects("Entry", entries as u32)
        .ints("SortedList.size", min_size..=max_size)
        .ints("Entry.element", 1..=max_element)
}
