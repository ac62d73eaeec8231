//! A set on top of the linked hash map, after `java.util.LinkedHashSet`.

use crate::LinkedHashMap;
use std::fmt;
use std::hash::Hash;

/// A set in the order in which its elements came.
#[derive(Clone)]
pub struct LinkedHashSet<T> {
    map: LinkedHashMap<T, ()>,
}

impl<T: Hash + Eq> LinkedHashSet<T> {
    /// The map is one.
    pub fn rep_ok(&self) -> bool {
        self.map.rep_ok()
    }

    /// The elements in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.map.iter().map(|(item, ())| item)
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
impl<T: Hash + Eq> LinkedHashSet<T> {
    /// An empty set.
    pub fn new() -> Self {
        LinkedHashSet { map: LinkedHashMap::new() }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

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

    /// Removes all elements.
    pub fn clear(&mut self) {
        self.map.clear();
    }
}

impl<T: Hash + Eq> Default for LinkedHashSet<T> {
    fn default() -> Self {
        LinkedHashSet::new()
    }
}

impl<T: Hash + Eq> PartialEq for LinkedHashSet<T> {
    fn eq(&self, other: &Self) -> bool {
        self.map == other.map
    }
}

impl<T: Hash + Eq + fmt::Debug> fmt::Debug for LinkedHashSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
