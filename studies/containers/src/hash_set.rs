//! A set on top of the hash map, after `java.util.HashSet`.

// `derive(Bounded)` takes the name `HashMap` for that of the standard library.
use crate::HashMap as Map;
use smallscope::sequences::Linearize;
use smallscope::{Bounded, rep_ok};
use std::fmt;
use std::hash::Hash;

/// A set in no particular order.
#[derive(Bounded, Clone, Linearize)]
pub struct HashSet<T> {
    map: Map<T, ()>,
}

#[rep_ok]
impl<T: Hash + Eq> HashSet<T> {
    /// The map is one.
    pub fn rep_ok(&self) -> bool {
        self.map.rep_ok()
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
#[cfg_attr(feature = "cover", smallscope_cover::cover(static WITHOUT_ITEMS))]
impl<T> HashSet<T> {
    /// An empty set.
    pub fn new() -> Self {
        HashSet { map: Map::new() }
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

    /// The elements, bucket by bucket.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.map.iter().map(|(item, ())| item)
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
#[cfg_attr(feature = "cover", smallscope_cover::cover(also(WITHOUT_ITEMS)))]
impl<T: Hash + Eq> HashSet<T> {
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

    /// Removes all elements for which a condition does not hold.
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        for (item, ()) in std::mem::take(&mut self.map).into_entries() {
            if keep(&item) {
                self.insert(item);
            }
        }
    }
}

impl<T> Default for HashSet<T> {
    fn default() -> Self {
        HashSet::new()
    }
}

impl<T: Hash + Eq> PartialEq for HashSet<T> {
    fn eq(&self, other: &Self) -> bool {
        self.map == other.map
    }
}

impl<T: Hash + Eq> Eq for HashSet<T> {}

impl<T: fmt::Debug> fmt::Debug for HashSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
