//! A hash table with chains and any number of buckets, after `java.util.Hashtable`.

use crate::hashing::hash;
use std::fmt;
use std::hash::Hash;

/// Few, so that short sequences of calls see the table grow.
const FIRST_BUCKETS: usize = 3;

/// A map in no particular order, which also looks for values.
#[derive(Clone)]
pub struct Hashtable<K, V> {
    /// At least one.
    buckets: Vec<Option<Box<Entry<K, V>>>>,
    count: usize,
    /// With so many entries, the next one makes the table grow.
    threshold: usize,
}

#[derive(Clone)]
struct Entry<K, V> {
    hash: usize,
    key: K,
    value: V,
    next: Option<Box<Entry<K, V>>>,
}

impl<K: Hash + Eq, V> Hashtable<K, V> {
    /// Each key is in the bucket of its hash, once, and the threshold is three quarters of the buckets.
    pub fn rep_ok(&self) -> bool {
        let is_there = |(bucket, entry): (usize, &Entry<K, V>)| {
            entry.hash == hash(&entry.key) && entry.hash % self.buckets.len() == bucket
        };
        let entries: Vec<(usize, &Entry<K, V>)> = self.by_bucket().collect();
        let is_once = |key: &K| entries.iter().filter(|(_, other)| other.key == *key).count() == 1;
        entries.len() == self.count
            && self.threshold == self.buckets.len() * 3 / 4
            && entries.iter().all(|(bucket, entry)| is_there((*bucket, entry)) && is_once(&entry.key))
    }
}

impl<K, V> Hashtable<K, V> {
    fn by_bucket(&self) -> impl Iterator<Item = (usize, &Entry<K, V>)> {
        let chain = |bucket| std::iter::successors(bucket, |entry: &&Entry<K, V>| entry.next.as_deref());
        let buckets = self.buckets.iter().enumerate();
        buckets.flat_map(move |(number, bucket)| chain(bucket.as_deref()).map(move |entry| (number, entry)))
    }

    /// The entries, bucket by bucket.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.by_bucket().map(|(_, entry)| (&entry.key, &entry.value))
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
impl<K, V> Hashtable<K, V> {
    /// An empty table.
    pub fn new() -> Self {
        let mut buckets = vec![];
        buckets.resize_with(FIRST_BUCKETS, || None);
        Hashtable { buckets, count: 0, threshold: FIRST_BUCKETS * 3 / 4 }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Number of buckets.
    pub fn buckets(&self) -> usize {
        self.buckets.len()
    }

    /// Removes all entries. The buckets stay.
    pub fn clear(&mut self) {
        let mut bucket = self.buckets.len();
        while bucket > 0 {
            bucket -= 1;
            self.buckets[bucket] = None;
        }
        self.count = 0;
    }

    /// The keys, from the last bucket to the first.
    pub fn keys(&self) -> Vec<&K> {
        let mut keys = vec![];
        let mut bucket = self.buckets.len();
        while bucket > 0 {
            bucket -= 1;
            let mut at = &self.buckets[bucket];
            while let Some(entry) = at {
                keys.push(&entry.key);
                at = &entry.next;
            }
        }
        keys
    }

    /// About twice as many buckets, an odd number.
    fn rehash(&mut self) {
        let capacity = self.buckets.len() * 2 + 1;
        let mut buckets: Vec<Option<Box<Entry<K, V>>>> = vec![];
        buckets.resize_with(capacity, || None);
        self.threshold = capacity * 3 / 4;
        for mut chain in std::mem::replace(&mut self.buckets, buckets) {
            while let Some(mut entry) = chain {
                chain = entry.next.take();
                let bucket = entry.hash % capacity;
                entry.next = self.buckets[bucket].take();
                self.buckets[bucket] = Some(entry);
            }
        }
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate(calls(rehash)))]
impl<K: Hash + Eq, V> Hashtable<K, V> {
    /// Puts a value under a key, and returns the one that it replaces.
    pub fn put(&mut self, key: K, value: V) -> Option<V> {
        let hash = hash(&key);
        let mut bucket = hash % self.buckets.len();
        let mut at = &mut self.buckets[bucket];
        while let Some(entry) = at {
            if entry.hash == hash && entry.key == key {
                return Some(std::mem::replace(&mut entry.value, value));
            }
            at = &mut entry.next;
        }
        if self.count >= self.threshold {
            self.rehash();
            bucket = hash % self.buckets.len();
        }
        let next = self.buckets[bucket].take();
        self.buckets[bucket] = Some(Box::new(Entry { hash, key, value, next }));
        self.count += 1;
        None
    }

    /// The value under a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        let hash = hash(key);
        let mut at = &self.buckets[hash % self.buckets.len()];
        while let Some(entry) = at {
            if entry.hash == hash && entry.key == *key {
                return Some(&entry.value);
            }
            at = &entry.next;
        }
        None
    }

    /// Whether a key is there.
    pub fn contains_key(&self, key: &K) -> bool {
        self.get(key).is_some()
    }

    /// Removes a key, and returns its value.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        let hash = hash(key);
        let bucket = hash % self.buckets.len();
        let mut at = &mut self.buckets[bucket];
        while at.as_ref().is_some_and(|entry| entry.hash != hash || entry.key != *key) {
            at = &mut at.as_mut()?.next;
        }
        let removed = *at.take()?;
        *at = removed.next;
        self.count -= 1;
        Some(removed.value)
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
impl<K, V: PartialEq> Hashtable<K, V> {
    /// Whether a value is there.
    pub fn contains(&self, value: &V) -> bool {
        let mut bucket = self.buckets.len();
        while bucket > 0 {
            bucket -= 1;
            let mut at = &self.buckets[bucket];
            while let Some(entry) = at {
                if entry.value == *value {
                    return true;
                }
                at = &entry.next;
            }
        }
        false
    }
}

impl<K, V> Default for Hashtable<K, V> {
    fn default() -> Self {
        Hashtable::new()
    }
}

/// Tables are equal if they have the same entries, in any order.
impl<K: Hash + Eq, V: PartialEq> PartialEq for Hashtable<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Hashtable<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
