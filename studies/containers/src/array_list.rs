//! A list in an array that grows by half of its size, after `java.util.ArrayList`.

use crate::error::{OutOfBounds, check};
use smallscope::sequences::Linearize;
use smallscope::{Bounded, rep_ok};
use std::fmt;

/// A list in one piece of memory.
#[derive(Bounded, Clone, Linearize)]
pub struct ArrayList<T> {
    slots: Vec<Option<T>>,
    size: usize,
}

#[rep_ok]
impl<T> ArrayList<T> {
    /// The first `size` slots are full, and the others are empty.
    pub fn rep_ok(&self) -> bool {
        self.size <= self.slots.len()
            && (0..self.slots.len()).all(|i| self.slots[i].is_some() == (i < self.size))
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
#[cfg_attr(feature = "cover", smallscope_cover::cover(also(SEARCH)))]
impl<T> ArrayList<T> {
    /// An empty list. The first element makes room for two.
    pub fn new() -> Self {
        ArrayList { slots: vec![], size: 0 }
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

    /// Makes room for this many elements in all.
    pub fn ensure_capacity(&mut self, capacity: usize) {
        if capacity > self.slots.len() {
            self.slots.resize_with(capacity, || None);
        }
    }

    /// Gives back the room that is not used.
    pub fn trim_to_size(&mut self) {
        self.slots.truncate(self.size);
    }

    /// Adds an element at the end.
    pub fn add(&mut self, item: T) {
        self.grow();
        self.slots[self.size] = Some(item);
        self.size += 1;
    }

    /// Adds an element in front of the one at a place, or at the end.
    pub fn insert(&mut self, index: usize, item: T) -> Result<(), OutOfBounds> {
        check(index, self.size + 1, self.size)?;
        self.grow();
        self.slots[index..=self.size].rotate_right(1);
        self.slots[index] = Some(item);
        self.size += 1;
        Ok(())
    }

    /// The element at a place.
    pub fn get(&self, index: usize) -> Option<&T> {
        // Slots that are not used are empty.
        self.slots.get(index)?.as_ref()
    }

    /// Replaces the element at a place, and returns it.
    pub fn set(&mut self, index: usize, item: T) -> Result<T, OutOfBounds> {
        let error = OutOfBounds { index, len: self.size };
        self.slots
            .get_mut(index)
            .and_then(|slot| slot.as_mut())
            .map(|old| std::mem::replace(old, item))
            .ok_or(error)
    }

    /// Removes the element at a place, and returns it.
    pub fn remove_at(&mut self, index: usize) -> Result<T, OutOfBounds> {
        let error = OutOfBounds { index, len: self.size };
        let removed = self.slots.get_mut(index).and_then(Option::take).ok_or(error)?;
        self.slots[index..self.size].rotate_left(1);
        self.size -= 1;
        Ok(removed)
    }

    /// Removes the elements from one place to in front of another.
    ///
    /// # Panics
    ///
    /// If the range is not in the list, or ends before it begins.
    pub fn remove_range(&mut self, from: usize, to: usize) {
        assert!(from <= to && to <= self.size, "no range {from}..{to} in a list of length {}", self.size);
        self.slots[from..to].iter_mut().for_each(|slot| *slot = None);
        self.slots[from..self.size].rotate_left(to - from);
        self.size -= to - from;
    }

    /// Removes all elements. The room stays.
    pub fn clear(&mut self) {
        self.slots[..self.size].iter_mut().for_each(|slot| *slot = None);
        self.size = 0;
    }

    /// The elements from first to last.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.slots[..self.size].iter().flatten()
    }

    fn grow(&mut self) {
        if self.size == self.slots.len() {
            self.ensure_capacity((self.size + self.size / 2).max(self.size + 1).max(2));
        }
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
#[cfg_attr(feature = "cover", smallscope_cover::cover(static SEARCH))]
impl<T: PartialEq> ArrayList<T> {
    /// Whether an element is there.
    pub fn contains(&self, item: &T) -> bool {
        self.index_of(item).is_some()
    }

    /// The first place of an element.
    pub fn index_of(&self, item: &T) -> Option<usize> {
        self.iter().position(|other| other == item)
    }

    /// The last place of an element.
    pub fn last_index_of(&self, item: &T) -> Option<usize> {
        self.iter().rev().position(|other| other == item).map(|from_end| self.size - 1 - from_end)
    }

    /// Removes the first element that is equal to this one; false if there is none.
    pub fn remove(&mut self, item: &T) -> bool {
        self.index_of(item).is_some_and(|index| self.remove_at(index).is_ok())
    }
}

impl<T> Default for ArrayList<T> {
    fn default() -> Self {
        ArrayList::new()
    }
}

/// Lists are equal if they have the same elements, regardless of their capacity.
impl<T: PartialEq> PartialEq for ArrayList<T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<T: Eq> Eq for ArrayList<T> {}

impl<T: fmt::Debug> fmt::Debug for ArrayList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
