//! A sorted set on top of the tree map, after `java.util.TreeSet`.

use crate::TreeMap;
use smallscope::sequences::Linearize;
use smallscope::{Bounded, rep_ok};
use std::fmt;

/// A sorted set.
#[derive(Bounded, Clone, Linearize)]
pub struct TreeSet<T> {
    map: TreeMap<T, ()>,
}

#[rep_ok]
impl<T: Ord> TreeSet<T> {
    /// The map is one.
    pub fn rep_ok(&self) -> bool {
        self.map.rep_ok()
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
impl<T> TreeSet<T> {
    /// An empty set.
    pub fn new() -> Self {
        TreeSet { map: TreeMap::new() }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// Removes all elements.
    pub fn clear(&mut self) {
        self.map.clear();
    }

    /// The elements in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.map.iter().map(|(item, ())| item)
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
impl<T: Ord> TreeSet<T> {
    /// Adds an element; false if it was there.
    pub fn insert(&mut self, item: T) -> bool {
        self.map.insert(item, ()).is_none()
    }

    /// Removes an element; false if it was not there.
    pub fn remove(&mut self, item: &T) -> bool {
        self.map.remove(item).is_some()
    }

    /// Whether an element is there.
    pub fn contains(&self, item: &T) -> bool {
        self.map.contains_key(item)
    }

    /// The least element.
    pub fn first(&self) -> Option<&T> {
        self.map.first().map(|(item, ())| item)
    }

    /// The greatest element.
    pub fn last(&self) -> Option<&T> {
        self.map.last().map(|(item, ())| item)
    }

    /// The greatest element that is not above this one.
    pub fn floor(&self, item: &T) -> Option<&T> {
        self.map.floor(item).map(|(item, ())| item)
    }

    /// The least element that is not below this one.
    pub fn ceiling(&self, item: &T) -> Option<&T> {
        self.map.ceiling(item).map(|(item, ())| item)
    }

    /// Removes the least element, and returns it.
    pub fn pop_first(&mut self) -> Option<T> {
        self.map.pop_first().map(|(item, ())| item)
    }
}

impl<T> Default for TreeSet<T> {
    fn default() -> Self {
        TreeSet::new()
    }
}

impl<T: PartialEq> PartialEq for TreeSet<T> {
    fn eq(&self, other: &Self) -> bool {
        self.map == other.map
    }
}

impl<T: Eq> Eq for TreeSet<T> {}

impl<T: fmt::Debug> fmt::Debug for TreeSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
