//! Singly linked lists with a header entry. Elements are shared objects without content, so lists differ by
//! which of their elements are the same: the counts are Bell numbers.
//!
//! # Exact counts
//!
//! | structure | arguments | explored | valid | source |
//! |---|---|---|---|---|
//! | singly-linked-list | 1,1,2,2 | 8 | 1 | original tool |
//! | singly-linked-list | 2,2,3,3 | 17 | 2 | original tool |
//! | singly-linked-list | 3,3,4,4 | 44 | 5 | original tool |
//! | singly-linked-list | 4,4,5,5 | 139 | 15 | original tool |
//! | singly-linked-list | 5,5,6,6 | 518 | 52 | original tool |
//! | singly-linked-list | 6,6,7,7 | 2,194 | 203 | original tool |
//! | singly-linked-list | 7,7,8,8 | 10,290 | 877 | original tool |
//! | singly-linked-list | 8,8,9,9 | 52,567 | 4,140 | original tool |
//! | singly-linked-list | 9,9,10,10 | 289,324 | 21,147 | original tool |
//! | singly-linked-list | 10,10,11,11 | 1,702,171 | 115,975 | original tool |
//! | singly-linked-list | 11,11,12,12 | 10,639,556 | 678,570 | original tool |

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

/// An element without content: only its identity matters.
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
    /// The empty list.
    pub fn new() -> Self {
        SinglyLinkedList { header: Some(Box::new(Entry { element: None, next: None })), size: 0 }
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
    pub fn iter(&self) -> impl Iterator<Item = &Rc<Element>> {
        let first = self.header.as_ref().and_then(|header| header.next.as_deref());
        std::iter::successors(first, |entry| entry.next.as_deref()).filter_map(|entry| entry.element.as_ref())
    }

    /// The elements in order.
    pub fn elements(&self) -> Vec<Rc<Element>> {
        self.iter().cloned().collect()
    }

    /// The first element.
    pub fn first(&self) -> Option<&Rc<Element>> {
        self.iter().next()
    }

    /// The last element.
    pub fn last(&self) -> Option<&Rc<Element>> {
        self.iter().last()
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
        self.insert_at(0, element);
    }

    /// Adds an element at the end.
    pub fn push_back(&mut self, element: Rc<Element>) {
        self.insert_at(self.size, element);
    }

    /// Removes an element by its place.
    pub fn remove_at(&mut self, index: usize) -> Option<Rc<Element>> {
        let link = self.link(index);
        let entry = *link.take()?;
        *link = entry.next;
        self.size -= 1;
        entry.element
    }

    /// Removes the first occurrence of an element. Returns false if it was absent.
    pub fn remove(&mut self, element: &Rc<Element>) -> bool {
        self.index_of(element).is_some_and(|index| self.remove_at(index).is_some())
    }

    /// Reverses the order.
    pub fn reverse(&mut self) {
        let mut rest = self.link(0).take();
        let mut reversed = None;
        while let Some(mut entry) = rest {
            rest = std::mem::replace(&mut entry.next, reversed);
            reversed = Some(entry);
        }
        *self.link(0) = reversed;
    }

    fn insert_at(&mut self, index: usize, element: Rc<Element>) {
        let link = self.link(index);
        *link = Some(Box::new(Entry { element: Some(element), next: link.take() }));
        self.size += 1;
    }

    /// The link to the entry at this place, or the last link of a shorter list.
    fn link(&mut self, index: usize) -> &mut Option<Box<Entry>> {
        let mut at = &mut self.header.as_mut().expect("a list has a header").next;
        for _ in 0..index {
            let Some(entry) = at else { break };
            at = &mut entry.next;
        }
        at
    }
}

impl Default for SinglyLinkedList {
    fn default() -> Self {
        SinglyLinkedList::new()
    }
}

/// A size in a range, at most `entries` entries (the header is one), at most `elements` elements.
pub fn bounds(min_size: i64, max_size: i64, entries: i64, elements: i64) -> Bounds {
    Bounds::exact()
        .objects("Entry", entries as u32)
        .objects("Element", elements as u32)
        .ints("SinglyLinkedList.size", min_size..=max_size)
}
