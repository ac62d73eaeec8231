//! A hash map whose entries go when their keys do, after `java.util.WeakHashMap`.
//!
//! A collector reports the keys that it has reclaimed to a queue. The map removes their entries before it does anything else.
//! Here, [`collect`](WeakHashMap::collect) is the collector, so that runs can be repeated.

use crate::hashing::hash;
use std::fmt;
use std::hash::Hash;

/// The first buckets: few, so that short sequences of calls see the map grow.
const FIRST_BUCKETS: usize = 2;

/// A map in no particular order.
#[derive(Clone)]
pub struct WeakHashMap<K, V> {
    /// A power of two.
    buckets: Vec<Option<Box<Entry<K, V>>>>,
    size: usize,
    /// The hashes of keys that were reclaimed, and whose entries may still be there.
    reclaimed: Vec<usize>,
}

#[derive(Clone)]
struct Entry<K, V> {
    hash: usize,
    /// None once the key is reclaimed.
    key: Option<K>,
    value: V,
    next: Option<Box<Entry<K, V>>>,
}

impl<K: Hash + Eq, V> WeakHashMap<K, V> {
    /// Each entry is in the bucket of its hash, no key is there twice, and each reclaimed one is in the queue.
    pub fn rep_ok(&self) -> bool {
        let entries: Vec<(usize, &Entry<K, V>)> = self.by_bucket().collect();
        let gone = entries.iter().filter(|(_, entry)| entry.key.is_none()).count();
        let is_once = |key: &K| entries.iter().filter(|(_, e)| e.key.as_ref() == Some(key)).count() == 1;
        let is_right = |(bucket, entry): &(usize, &Entry<K, V>)| {
            let key = entry.key.as_ref();
            entry.hash & (self.buckets.len() - 1) == *bucket
                && key.is_none_or(|key| hash(key) == entry.hash && is_once(key))
        };
        self.buckets.len().is_power_of_two()
            && entries.len() == self.size
            && gone == self.reclaimed.len()
            && entries.iter().all(is_right)
    }
}

impl<K, V> WeakHashMap<K, V> {
    fn by_bucket(&self) -> impl Iterator<Item = (usize, &Entry<K, V>)> {
        let chain = |bucket| std::iter::successors(bucket, |entry: &&Entry<K, V>| entry.next.as_deref());
        let buckets = self.buckets.iter().enumerate();
        buckets.flat_map(move |(number, bucket)| chain(bucket.as_deref()).map(move |entry| (number, entry)))
    }

    /// The entries whose keys are there, bucket by bucket.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.by_bucket().filter_map(|(_, entry)| Some((entry.key.as_ref()?, &entry.value)))
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
impl<K: Hash + Eq, V> WeakHashMap<K, V> {
    /// An empty map.
    pub fn new() -> Self {
        let mut buckets = vec![];
        buckets.resize_with(FIRST_BUCKETS, || None);
        WeakHashMap { buckets, size: 0, reclaimed: vec![] }
    }

    /// Number of entries whose keys are there.
    pub fn len(&mut self) -> usize {
        if self.size == 0 {
            return 0;
        }
        self.expunge();
        self.size
    }

    /// Whether there are none.
    pub fn is_empty(&mut self) -> bool {
        self.len() == 0
    }

    /// Number of buckets.
    pub fn buckets(&self) -> usize {
        self.buckets.len()
    }

    /// The collector reclaims a key; false if it is not there.
    pub fn collect(&mut self, key: &K) -> bool {
        let hash = hash(key);
        let bucket = self.place(hash);
        let mut at = &mut self.buckets[bucket];
        while let Some(entry) = at {
            if entry.key.as_ref() == Some(key) {
                entry.key = None;
                self.reclaimed.push(hash);
                return true;
            }
            at = &mut entry.next;
        }
        false
    }

    /// Removes the entries of reclaimed keys.
    fn expunge(&mut self) {
        while let Some(hash) = self.reclaimed.pop() {
            let bucket = self.place(hash);
            let mut at = &mut self.buckets[bucket];
            while at.as_ref().is_some_and(|entry| entry.hash != hash || entry.key.is_some()) {
                let Some(entry) = at else { break };
                at = &mut entry.next;
            }
            if let Some(entry) = at.take() {
                *at = entry.next;
                self.size -= 1;
            }
        }
    }

    /// Puts a value under a key, and returns the one that it replaces.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        self.expunge();
        let hash = hash(&key);
        let bucket = self.place(hash);
        let mut at = &mut self.buckets[bucket];
        while let Some(entry) = at {
            if entry.hash == hash && entry.key.as_ref() == Some(&key) {
                return Some(std::mem::replace(&mut entry.value, value));
            }
            at = &mut entry.next;
        }
        let next = self.buckets[bucket].take();
        self.buckets[bucket] = Some(Box::new(Entry { hash, key: Some(key), value, next }));
        self.size += 1;
        if self.size > self.buckets.len() - self.buckets.len() / 4 {
            self.resize(self.buckets.len() * 2);
        }
        None
    }

    /// The value under a key.
    pub fn get(&mut self, key: &K) -> Option<&V> {
        self.expunge();
        let hash = hash(key);
        let mut at = &self.buckets[self.place(hash)];
        while let Some(entry) = at {
            if entry.hash == hash && entry.key.as_ref() == Some(key) {
                return Some(&entry.value);
            }
            at = &entry.next;
        }
        None
    }

    /// Whether a key is there.
    pub fn contains_key(&mut self, key: &K) -> bool {
        self.get(key).is_some()
    }

    /// Removes a key, and returns its value.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        self.expunge();
        let hash = hash(key);
        let bucket = self.place(hash);
        let mut at = &mut self.buckets[bucket];
        while at.as_ref().is_some_and(|entry| entry.hash != hash || entry.key.as_ref() != Some(key)) {
            at = &mut at.as_mut()?.next;
        }
        let removed = *at.take()?;
        *at = removed.next;
        self.size -= 1;
        Some(removed.value)
    }

    /// Removes all entries, and forgets the queue.
    pub fn clear(&mut self) {
        self.reclaimed.clear();
        for bucket in &mut self.buckets {
            *bucket = None;
        }
        self.size = 0;
    }

    fn place(&self, hash: usize) -> usize {
        hash & (self.buckets.len() - 1)
    }

    /// So many buckets.
    fn resize(&mut self, capacity: usize) {
        let mut buckets: Vec<Option<Box<Entry<K, V>>>> = vec![];
        buckets.resize_with(capacity, || None);
        for mut chain in std::mem::replace(&mut self.buckets, buckets) {
            while let Some(mut entry) = chain {
                chain = entry.next.take();
                let bucket = self.place(entry.hash);
                entry.next = self.buckets[bucket].take();
                self.buckets[bucket] = Some(entry);
            }
        }
    }
}

impl<K: Hash + Eq, V> Default for WeakHashMap<K, V> {
    fn default() -> Self {
        WeakHashMap::new()
    }
}

/// Maps are equal if they have the same entries whose keys are there, in any order.
impl<K: Hash + Eq, V: PartialEq> PartialEq for WeakHashMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        let is_in = |(key, value): (&K, &V)| other.iter().any(|(k, v)| k == key && v == value);
        self.iter().count() == other.iter().count() && self.iter().all(is_in)
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for WeakHashMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
