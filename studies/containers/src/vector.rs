//! A list in an array that grows by a fixed number of places or doubles, after `java.util.Vector`.

use crate::error::{OutOfBounds, check};
use std::fmt;

/// A list in one piece of memory, whose growth is set.
#[derive(Clone)]
pub struct Vector<T> {
    slots: Vec<Option<T>>,
    count: usize,
    /// How many places it grows by; 0 if it doubles.
    increment: usize,
}

impl<T> Vector<T> {
    /// The first `count` slots are full, and the others are empty.
    pub fn rep_ok(&self) -> bool {
        self.count <= self.slots.len()
            && self.slots.iter().enumerate().all(|(i, slot)| slot.is_some() == (i < self.count))
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
impl<T> Vector<T> {
    /// An empty vector that grows by so many places, or doubles if that is 0.
    pub fn with_increment(increment: usize) -> Self {
        Vector { slots: vec![], count: 0, increment }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The number of elements that fit.
    pub fn capacity(&self) -> usize {
        self.slots.len()
    }

    /// Makes room for this many elements in all; more, if the growth is larger.
    pub fn ensure_capacity(&mut self, least: usize) {
        let old = self.slots.len();
        if least > old {
            let grown = if self.increment > 0 { old + self.increment } else { old * 2 };
            let capacity = if grown < least { least } else { grown };
            self.slots.resize_with(capacity, || None);
        }
    }

    /// Gives back the room that is not used.
    pub fn trim_to_size(&mut self) {
        if self.count < self.slots.len() {
            self.slots.truncate(self.count);
        }
    }

    /// Adds an element at the end.
    pub fn add_element(&mut self, item: T) {
        self.ensure_capacity(self.count + 1);
        self.slots[self.count] = Some(item);
        self.count += 1;
    }

    /// Adds an element in front of the one at a place, or at the end.
    pub fn insert_element_at(&mut self, item: T, index: usize) -> Result<(), OutOfBounds> {
        check(index, self.count + 1, self.count)?;
        self.ensure_capacity(self.count + 1);
        let mut at = self.count;
        while at > index {
            self.slots.swap(at, at - 1);
            at -= 1;
        }
        self.slots[index] = Some(item);
        self.count += 1;
        Ok(())
    }

    /// The element at a place.
    pub fn element_at(&self, index: usize) -> Result<&T, OutOfBounds> {
        let error = OutOfBounds { index, len: self.count };
        if index >= self.count {
            return Err(error);
        }
        self.slots[index].as_ref().ok_or(error)
    }

    /// Replaces the element at a place, and returns it.
    pub fn set_element_at(&mut self, item: T, index: usize) -> Result<T, OutOfBounds> {
        check(index, self.count, self.count)?;
        self.slots[index].replace(item).ok_or(OutOfBounds { index, len: self.count })
    }

    /// Removes the element at a place, and returns it.
    pub fn remove_element_at(&mut self, index: usize) -> Result<T, OutOfBounds> {
        check(index, self.count, self.count)?;
        let removed = self.slots[index].take();
        let mut at = index;
        while at + 1 < self.count {
            self.slots.swap(at, at + 1);
            at += 1;
        }
        self.count -= 1;
        removed.ok_or(OutOfBounds { index, len: self.count })
    }

    /// Removes all elements. The room stays.
    pub fn remove_all_elements(&mut self) {
        let mut at = 0;
        while at < self.count {
            self.slots[at] = None;
            at += 1;
        }
        self.count = 0;
    }

    /// The first element.
    pub fn first_element(&self) -> Option<&T> {
        if self.count == 0 {
            return None;
        }
        self.slots[0].as_ref()
    }

    /// The last element.
    pub fn last_element(&self) -> Option<&T> {
        if self.count == 0 {
            return None;
        }
        self.slots[self.count - 1].as_ref()
    }
}

impl<T> Vector<T> {
    /// The elements from first to last.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.slots.iter().take(self.count).flatten()
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate(calls(ensure_capacity)))]
impl<T: Default> Vector<T> {
    /// Removes elements from the end, or adds default ones, until there are so many.
    pub fn set_size(&mut self, size: usize) {
        if size > self.count {
            self.ensure_capacity(size);
        }
        let (mut from, mut to) = (size, self.count);
        if size > self.count {
            from = self.count;
            to = size;
        }
        while from < to {
            self.slots[from] = if size > self.count { Some(T::default()) } else { None };
            from += 1;
        }
        self.count = size;
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate(calls(remove_element_at)))]
impl<T: PartialEq> Vector<T> {
    /// Whether an element is there.
    pub fn contains(&self, item: &T) -> bool {
        self.index_of(item, 0).is_some()
    }

    /// The first place of an element from a place on.
    pub fn index_of(&self, item: &T, from: usize) -> Option<usize> {
        let mut at = from;
        while at < self.count {
            if self.slots[at].as_ref() == Some(item) {
                return Some(at);
            }
            at += 1;
        }
        None
    }

    /// The last place of an element up to a place.
    pub fn last_index_of(&self, item: &T, up_to: usize) -> Result<Option<usize>, OutOfBounds> {
        check(up_to, self.count, self.count)?;
        let mut above = up_to + 1;
        while above > 0 {
            above -= 1;
            if self.slots[above].as_ref() == Some(item) {
                return Ok(Some(above));
            }
        }
        Ok(None)
    }

    /// Removes the first element that is equal to this one; false if there is none.
    pub fn remove_element(&mut self, item: &T) -> bool {
        match self.index_of(item, 0) {
            Some(index) => self.remove_element_at(index).is_ok(),
            None => false,
        }
    }
}

/// Vectors are equal if they have the same elements, regardless of their capacity.
impl<T: PartialEq> PartialEq for Vector<T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<T: fmt::Debug> fmt::Debug for Vector<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
