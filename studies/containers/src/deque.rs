//! A double-ended queue in a ring, after `java.util.ArrayDeque`, with the places of `java.util.Vector`.

use crate::error::OutOfBounds;
use smallscope::sequences::Linearize;
use smallscope::{Bounded, rep_ok};
use std::fmt;

/// The first element makes this many slots: few, so that short sequences of calls go round.
const FIRST_SLOTS: usize = 2;

/// A queue with two ends, in a ring of slots.
#[derive(Bounded, Clone, Linearize)]
pub struct Deque<T> {
    /// None, or a power of two.
    slots: Vec<Option<T>>,
    /// The slot of the first element.
    head: usize,
    size: usize,
}

#[rep_ok]
impl<T> Deque<T> {
    /// From `head` on, `size` slots are full, around the end if need be, and the others are empty.
    pub fn rep_ok(&self) -> bool {
        let slots = self.slots.len();
        if slots == 0 {
            return self.head == 0 && self.size == 0;
        }
        slots.is_power_of_two()
            && self.head < slots
            && self.size <= slots
            && (0..slots).all(|i| self.slots[(self.head + i) % slots].is_some() == (i < self.size))
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
#[cfg_attr(feature = "cover", smallscope_cover::cover(also(SEARCH)))]
impl<T> Deque<T> {
    /// An empty queue without slots.
    pub fn new() -> Self {
        Deque { slots: vec![], head: 0, size: 0 }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// The number of elements that fit.
    pub fn capacity(&self) -> usize {
        self.slots.len()
    }

    /// Removes all elements. The room stays.
    pub fn clear(&mut self) {
        self.slots.iter_mut().for_each(|slot| *slot = None);
        (self.head, self.size) = (0, 0);
    }

    /// Adds an element in front.
    pub fn push_front(&mut self, item: T) {
        self.grow();
        self.head = self.slot(self.slots.len() - 1);
        self.slots[self.head] = Some(item);
        self.size += 1;
    }

    /// Adds an element at the end.
    pub fn push_back(&mut self, item: T) {
        self.grow();
        let slot = self.slot(self.size);
        self.slots[slot] = Some(item);
        self.size += 1;
    }

    /// Removes the first element, and returns it.
    pub fn pop_front(&mut self) -> Option<T> {
        let item = self.slots.get_mut(self.head)?.take()?;
        self.head = self.slot(1);
        self.size -= 1;
        Some(item)
    }

    /// Removes the last element, and returns it.
    pub fn pop_back(&mut self) -> Option<T> {
        let last = self.slot(self.size.checked_sub(1)?);
        self.size -= 1;
        self.slots[last].take()
    }

    /// The first element.
    pub fn front(&self) -> Option<&T> {
        self.get(0)
    }

    /// The last element.
    pub fn back(&self) -> Option<&T> {
        self.get(self.size.checked_sub(1)?)
    }

    /// The element at a place, counted from the front.
    pub fn get(&self, index: usize) -> Option<&T> {
        if index < self.size { self.slots[self.slot(index)].as_ref() } else { None }
    }

    /// Replaces the element at a place, and returns it.
    pub fn set(&mut self, index: usize, item: T) -> Result<T, OutOfBounds> {
        let error = OutOfBounds { index, len: self.size };
        if index >= self.size {
            return Err(error);
        }
        let slot = self.slot(index);
        self.slots[slot].replace(item).ok_or(error)
    }

    /// Takes this many elements from the front to the end.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    pub fn rotate_left(&mut self, count: usize) {
        assert!(count <= self.size, "cannot rotate {} elements by {count}", self.size);
        for _ in 0..count {
            if let Some(item) = self.pop_front() {
                self.push_back(item);
            }
        }
    }

    /// The elements from first to last.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        (0..self.size).filter_map(|index| self.get(index))
    }

    /// The slot so far from `head`.
    fn slot(&self, offset: usize) -> usize {
        (self.head + offset) & (self.slots.len() - 1)
    }

    /// If all slots are full, twice as many, with the first element in the first one.
    fn grow(&mut self) {
        if self.size == self.slots.len() {
            self.slots.rotate_left(self.head);
            self.head = 0;
            self.slots.resize_with((2 * self.size).max(FIRST_SLOTS), || None);
        }
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
#[cfg_attr(feature = "cover", smallscope_cover::cover(static SEARCH))]
impl<T: PartialEq> Deque<T> {
    /// Whether an element is there.
    pub fn contains(&self, item: &T) -> bool {
        self.iter().any(|other| other == item)
    }
}

impl<T> Default for Deque<T> {
    fn default() -> Self {
        Deque::new()
    }
}

/// Queues are equal if they have the same elements, wherever in the ring.
impl<T: PartialEq> PartialEq for Deque<T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<T: Eq> Eq for Deque<T> {}

impl<T: fmt::Debug> fmt::Debug for Deque<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
