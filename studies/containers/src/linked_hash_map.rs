//! A hash map that keeps the insertion order of its keys, after `java.util.LinkedHashMap`.
//!
//! The entries lie in a vector without gaps: a removed entry's place is taken by the last one. Each is in two lists: the chain
//! of its bucket, and the order of all entries.

use crate::hashing::place;
use smallscope::sequences::Linearize;
use smallscope::{Bounded, rep_ok};
use std::fmt;
use std::hash::Hash;

/// The first entry makes this many buckets.
const FIRST_BUCKETS: usize = 2;

/// A map whose entries are in the order in which their keys were first inserted.
#[derive(Bounded, Clone, Linearize)]
pub struct LinkedHashMap<K, V> {
    entries: Vec<Entry<K, V>>,
    /// The first entry of each chain. No buckets, or a power of two.
    #[bounded(index = "entries")]
    buckets: Vec<Option<usize>>,
    #[bounded(index = "entries")]
    first: Option<usize>,
    #[bounded(index = "entries")]
    last: Option<usize>,
}

#[derive(Bounded, Clone, Linearize)]
struct Entry<K, V> {
    key: K,
    value: V,
    #[bounded(index = "LinkedHashMap.entries")]
    chained: Option<usize>,
    #[bounded(index = "LinkedHashMap.entries")]
    before: Option<usize>,
    #[bounded(index = "LinkedHashMap.entries")]
    after: Option<usize>,
}

#[rep_ok]
impl<K: Hash + Eq, V> LinkedHashMap<K, V> {
    /// The order goes through all entries, in both directions; each is in the chain of its hash, and no key comes twice.
    pub fn rep_ok(&self) -> bool {
        self.is_in_order() && self.is_in_buckets() && self.has_distinct_keys()
    }

    fn is_in_order(&self) -> bool {
        let (mut before, mut at) = (None, self.first);
        let mut count = 0;
        while let Some(entry) = at {
            count += 1;
            if count > self.entries.len() || self.entries[entry].before != before {
                return false;
            }
            before = at;
            at = self.entries[entry].after;
        }
        count == self.entries.len() && self.last == before
    }

    fn is_in_buckets(&self) -> bool {
        let buckets = self.buckets.len();
        if buckets == 0 {
            return self.entries.is_empty();
        }
        if !buckets.is_power_of_two() || self.entries.len() > buckets {
            return false;
        }
        let mut count = 0;
        for bucket in 0..buckets {
            let mut at = self.buckets[bucket];
            while let Some(entry) = at {
                count += 1;
                // A cyclic chain, or two that meet, have too many entries.
                if count > self.entries.len() || place(&self.entries[entry].key, buckets) != bucket {
                    return false;
                }
                at = self.entries[entry].chained;
            }
        }
        count == self.entries.len()
    }

    fn has_distinct_keys(&self) -> bool {
        let mut at = self.first;
        while let Some(entry) = at {
            at = self.entries[entry].after;
            let mut other = at;
            while let Some(later) = other {
                if self.entries[later].key == self.entries[entry].key {
                    return false;
                }
                other = self.entries[later].after;
            }
        }
        true
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
#[cfg_attr(feature = "cover", smallscope_cover::cover(static WITHOUT_KEYS))]
impl<K, V> LinkedHashMap<K, V> {
    /// An empty map without buckets.
    pub fn new() -> Self {
        LinkedHashMap { entries: vec![], buckets: vec![], first: None, last: None }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Removes all entries. The buckets stay.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.buckets.fill(None);
        (self.first, self.last) = (None, None);
    }

    /// The entry whose key has been there for the longest time.
    pub fn first(&self) -> Option<(&K, &V)> {
        self.first.map(|first| self.entry(first))
    }

    /// The entry whose key came last.
    pub fn last(&self) -> Option<(&K, &V)> {
        self.last.map(|last| self.entry(last))
    }

    /// The entries in the order in which their keys came.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        std::iter::successors(self.first, |entry| self.entries[*entry].after).map(|entry| self.entry(entry))
    }

    fn entry(&self, entry: usize) -> (&K, &V) {
        let entry = &self.entries[entry];
        (&entry.key, &entry.value)
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
#[cfg_attr(feature = "cover", smallscope_cover::cover(also(WITHOUT_KEYS)))]
impl<K: Hash + Eq, V> LinkedHashMap<K, V> {
    /// Puts a value under a key, and returns the one that it replaces. A key that is there keeps its place in the order.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        if let Some(entry) = self.find(&key) {
            return Some(std::mem::replace(&mut self.entries[entry].value, value));
        }
        if self.entries.len() == self.buckets.len() {
            self.grow();
        }
        let new = self.entries.len();
        let before = self.last.replace(new);
        match before {
            Some(before) => self.entries[before].after = Some(new),
            None => self.first = Some(new),
        }
        let bucket = place(&key, self.buckets.len());
        let chained = self.buckets[bucket].replace(new);
        self.entries.push(Entry { key, value, chained, before, after: None });
        None
    }

    /// Removes a key, and returns its value.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        let entry = self.find(key)?;
        Some(self.remove_entry(entry).1)
    }

    /// Removes the entry whose key has been there for the longest time, and returns it.
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        self.first.map(|first| self.remove_entry(first))
    }

    /// The value under a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        self.find(key).map(|entry| &self.entries[entry].value)
    }

    /// Whether a key is there.
    pub fn contains_key(&self, key: &K) -> bool {
        self.find(key).is_some()
    }

    fn find(&self, key: &K) -> Option<usize> {
        if self.buckets.is_empty() {
            return None;
        }
        let mut entry = self.buckets[place(key, self.buckets.len())]?;
        while self.entries[entry].key != *key {
            entry = self.entries[entry].chained?;
        }
        Some(entry)
    }

    fn remove_entry(&mut self, entry: usize) -> (K, V) {
        let Entry { chained, before, after, .. } = self.entries[entry];
        *self.link_to(entry) = chained;
        match before {
            Some(before) => self.entries[before].after = after,
            None => self.first = after,
        }
        match after {
            Some(after) => self.entries[after].before = before,
            None => self.last = before,
        }
        self.release(entry)
    }

    /// Removes an unlinked entry from the vector. The last one moves to its place.
    fn release(&mut self, entry: usize) -> (K, V) {
        let moved = self.entries.len() - 1;
        if entry != moved {
            *self.link_to(moved) = Some(entry);
            let Entry { before, after, .. } = self.entries[moved];
            match before {
                Some(before) => self.entries[before].after = Some(entry),
                None => self.first = Some(entry),
            }
            match after {
                Some(after) => self.entries[after].before = Some(entry),
                None => self.last = Some(entry),
            }
        }
        let released = self.entries.swap_remove(entry);
        (released.key, released.value)
    }

    /// The link of a chain that leads to an entry.
    fn link_to(&mut self, entry: usize) -> &mut Option<usize> {
        let bucket = place(&self.entries[entry].key, self.buckets.len());
        if self.buckets[bucket] == Some(entry) {
            return &mut self.buckets[bucket];
        }
        let mut at = self.buckets[bucket];
        while let Some(previous) = at {
            at = self.entries[previous].chained;
            if at == Some(entry) {
                return &mut self.entries[previous].chained;
            }
        }
        unreachable!("an entry is in the chain of its bucket")
    }

    /// Twice as many buckets.
    fn grow(&mut self) {
        let buckets = (2 * self.buckets.len()).max(FIRST_BUCKETS);
        self.buckets = vec![None; buckets];
        for (number, entry) in self.entries.iter_mut().enumerate() {
            entry.chained = self.buckets[place(&entry.key, buckets)].replace(number);
        }
    }
}

impl<K, V> Default for LinkedHashMap<K, V> {
    fn default() -> Self {
        LinkedHashMap::new()
    }
}

/// Maps are equal if they have the same entries in the same order.
impl<K: PartialEq, V: PartialEq> PartialEq for LinkedHashMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<K: Eq, V: Eq> Eq for LinkedHashMap<K, V> {}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for LinkedHashMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
