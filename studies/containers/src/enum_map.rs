//! A map with a slot for each value of an enum, after `java.util.EnumMap`.

use std::fmt;
use std::marker::PhantomData;

/// A type with few values, which are numbered.
pub trait Enumerated: Copy + 'static {
    /// All values, each at its number.
    const ALL: &'static [Self];

    /// The number of a value.
    fn number(self) -> usize;
}

impl Enumerated for bool {
    const ALL: &'static [bool] = &[false, true];

    fn number(self) -> usize {
        usize::from(self)
    }
}

/// A map in the order of its keys.
#[derive(Clone)]
pub struct EnumMap<K, V> {
    slots: Vec<Option<V>>,
    size: usize,
    keys: PhantomData<K>,
}

impl<K: Enumerated, V> EnumMap<K, V> {
    /// There is a slot for each key, and `size` of them are full.
    pub fn rep_ok(&self) -> bool {
        self.slots.len() == K::ALL.len() && self.slots.iter().flatten().count() == self.size
    }

    /// The entries in the order of the keys.
    pub fn iter(&self) -> impl Iterator<Item = (K, &V)> {
        K::ALL.iter().zip(&self.slots).filter_map(|(key, value)| Some((*key, value.as_ref()?)))
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
impl<K: Enumerated, V> EnumMap<K, V> {
    /// An empty map.
    pub fn new() -> Self {
        let mut slots = vec![];
        slots.resize_with(K::ALL.len(), || None);
        EnumMap { slots, size: 0, keys: PhantomData }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Puts a value under a key, and returns the one that it replaces.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let old = self.slots[key.number()].replace(value);
        if old.is_none() {
            self.size += 1;
        }
        old
    }

    /// Removes a key, and returns its value.
    pub fn remove(&mut self, key: K) -> Option<V> {
        let old = self.slots[key.number()].take();
        if old.is_some() {
            self.size -= 1;
        }
        old
    }

    /// The value under a key.
    pub fn get(&self, key: K) -> Option<&V> {
        self.slots[key.number()].as_ref()
    }

    /// Whether a key is there.
    pub fn contains_key(&self, key: K) -> bool {
        self.slots[key.number()].is_some()
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        for slot in &mut self.slots {
            *slot = None;
        }
        self.size = 0;
    }

    /// The key of the first entry.
    pub fn first(&self) -> Option<K> {
        let mut at = 0;
        while at < self.slots.len() && self.slots[at].is_none() {
            at += 1;
        }
        K::ALL.get(at).copied()
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
impl<K: Enumerated, V: PartialEq> EnumMap<K, V> {
    /// Whether a value is there.
    pub fn contains_value(&self, value: &V) -> bool {
        for slot in &self.slots {
            if slot.as_ref() == Some(value) {
                return true;
            }
        }
        false
    }
}

impl<K: Enumerated, V> Default for EnumMap<K, V> {
    fn default() -> Self {
        EnumMap::new()
    }
}

impl<K: Enumerated, V: PartialEq> PartialEq for EnumMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.slots == other.slots
    }
}

impl<K: Enumerated + fmt::Debug, V: fmt::Debug> fmt::Debug for EnumMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
