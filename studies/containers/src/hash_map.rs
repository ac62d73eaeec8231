//! A hash map with chains, after `java.util.HashMap`.

use crate::hashing::place;
use smallscope::sequences::Linearize;
use smallscope::{Bounded, rep_ok};
use std::fmt;
use std::hash::Hash;

/// The first entry makes this many buckets: few, so that short sequences of calls see the map grow.
const FIRST_BUCKETS: usize = 2;

/// A map in no particular order. Keys are unique; inserting one that is there replaces its value.
#[derive(Bounded, Clone, Linearize)]
pub struct HashMap<K, V> {
    /// None, or a power of two.
    buckets: Vec<Option<Box<Entry<K, V>>>>,
    size: usize,
}

#[derive(Bounded, Clone, Linearize)]
struct Entry<K, V> {
    key: K,
    value: V,
    next: Option<Box<Entry<K, V>>>,
}

#[rep_ok]
impl<K: Hash + Eq, V> HashMap<K, V> {
    /// Each key is in the bucket of its hash, once, and there are at most three entries for four buckets.
    pub fn rep_ok(&self) -> bool {
        let buckets = self.buckets.len();
        if buckets == 0 {
            return self.size == 0;
        }
        if !buckets.is_power_of_two() || self.size > Self::most_entries(buckets) {
            return false;
        }
        let mut count = 0;
        for bucket in 0..buckets {
            let mut at = &self.buckets[bucket];
            while let Some(entry) = at {
                count += 1;
                if count > self.size
                    || place(&entry.key, buckets) != bucket
                    || Self::has_key(&entry.next, &entry.key)
                {
                    return false;
                }
                at = &entry.next;
            }
        }
        count == self.size
    }

    fn has_key(chain: &Option<Box<Entry<K, V>>>, key: &K) -> bool {
        chain.as_ref().is_some_and(|entry| entry.key == *key || Self::has_key(&entry.next, key))
    }

    /// With more entries, the map grows.
    fn most_entries(buckets: usize) -> usize {
        buckets - buckets / 4
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
#[cfg_attr(feature = "cover", smallscope_cover::cover(static WITHOUT_KEYS))]
impl<K, V> HashMap<K, V> {
    /// An empty map without buckets.
    pub fn new() -> Self {
        HashMap { buckets: vec![], size: 0 }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Number of buckets.
    pub fn buckets(&self) -> usize {
        self.buckets.len()
    }

    /// Removes all entries. The buckets stay.
    pub fn clear(&mut self) {
        self.buckets.iter_mut().for_each(|bucket| *bucket = None);
        self.size = 0;
    }

    /// The entries, bucket by bucket.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        let chain = |bucket| std::iter::successors(bucket, |entry: &&Entry<K, V>| entry.next.as_deref());
        self.buckets
            .iter()
            .flat_map(move |bucket| chain(bucket.as_deref()))
            .map(|entry| (&entry.key, &entry.value))
    }

    /// The entries, bucket by bucket, taken out.
    pub(crate) fn into_entries(self) -> impl Iterator<Item = (K, V)> {
        let unchain = |chain: &mut Option<Box<Entry<K, V>>>| {
            let entry = *chain.take()?;
            *chain = entry.next;
            Some((entry.key, entry.value))
        };
        self.buckets.into_iter().flat_map(move |mut chain| std::iter::from_fn(move || unchain(&mut chain)))
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
#[cfg_attr(feature = "cover", smallscope_cover::cover(also(WITHOUT_KEYS)))]
impl<K: Hash + Eq, V> HashMap<K, V> {
    /// Puts a value under a key, and returns the one that it replaces.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        if let Some(old) = self.get_mut(&key) {
            return Some(std::mem::replace(old, value));
        }
        if self.buckets.is_empty() {
            self.buckets.resize_with(FIRST_BUCKETS, || None);
        }
        if self.size == Self::most_entries(self.buckets.len()) {
            self.grow();
        }
        self.add(Box::new(Entry { key, value, next: None }));
        self.size += 1;
        None
    }

    /// Removes a key, and returns its value.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        let mut at = self.bucket_mut(key)?;
        while at.as_ref()?.key != *key {
            at = &mut at.as_mut()?.next;
        }
        let removed = *at.take()?;
        *at = removed.next;
        self.size -= 1;
        Some(removed.value)
    }

    /// The value under a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        if self.buckets.is_empty() {
            return None;
        }
        let mut entry = self.buckets[place(key, self.buckets.len())].as_ref()?;
        while entry.key != *key {
            entry = entry.next.as_ref()?;
        }
        Some(&entry.value)
    }

    /// The value under a key, to be changed.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let mut entry = self.bucket_mut(key)?.as_mut()?;
        while entry.key != *key {
            entry = entry.next.as_mut()?;
        }
        Some(&mut entry.value)
    }

    /// Whether a key is there.
    pub fn contains_key(&self, key: &K) -> bool {
        self.get(key).is_some()
    }

    fn bucket_mut(&mut self, key: &K) -> Option<&mut Option<Box<Entry<K, V>>>> {
        let buckets = self.buckets.len();
        if buckets == 0 { None } else { Some(&mut self.buckets[place(key, buckets)]) }
    }

    /// Puts an entry in front of its chain.
    fn add(&mut self, mut entry: Box<Entry<K, V>>) {
        let bucket = place(&entry.key, self.buckets.len());
        entry.next = self.buckets[bucket].take();
        self.buckets[bucket] = Some(entry);
    }

    /// Twice as many buckets.
    fn grow(&mut self) {
        let mut buckets = Vec::new();
        buckets.resize_with(2 * self.buckets.len(), || None);
        for mut chain in std::mem::replace(&mut self.buckets, buckets) {
            while let Some(mut entry) = chain {
                chain = entry.next.take();
                self.add(entry);
            }
        }
    }
}

impl<K, V> Default for HashMap<K, V> {
    fn default() -> Self {
        HashMap::new()
    }
}

/// Maps are equal if they have the same entries, in any order.
impl<K: Hash + Eq, V: PartialEq> PartialEq for HashMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl<K: Hash + Eq, V: Eq> Eq for HashMap<K, V> {}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for HashMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
