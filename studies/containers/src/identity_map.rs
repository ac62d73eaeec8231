//! A map whose keys are objects, not values, after `java.util.IdentityHashMap`: equal objects are different keys.
//!
//! Entries lie in the slots of one table. A key that finds its slot taken goes to the next one that is free; when an entry
//! is removed, those behind it that could not have their own slot move up.

use crate::hashing::place;
use smallscope::sequences::Linearize;
use smallscope::{Bounded, rep_ok};
use std::fmt;
use std::rc::Rc;

/// The first entry makes this many slots.
const FIRST_SLOTS: usize = 4;

/// An object with an identity.
pub trait Identity {
    /// The number of the object.
    fn identity(&self) -> u64;
}

/// The object that it points to. Addresses, and so the order of entries, differ from run to run.
impl<T> Identity for Rc<T> {
    fn identity(&self) -> u64 {
        Rc::as_ptr(self).addr() as u64
    }
}

/// A number is the object of this number.
impl Identity for u8 {
    fn identity(&self) -> u64 {
        u64::from(*self)
    }
}

/// A handle of an object: its number, and the value that decides equality. It is the same in every run.
#[derive(Bounded, Clone, Copy, Debug, Linearize)]
pub struct Object<T> {
    /// The number of the object.
    pub number: u8,
    /// The value that decides equality.
    pub value: T,
}

impl<T> Identity for Object<T> {
    fn identity(&self) -> u64 {
        u64::from(self.number)
    }
}

/// Objects are equal if their values are.
impl<T: PartialEq> PartialEq for Object<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

/// A map from objects to values.
#[derive(Bounded, Clone, Linearize)]
pub struct IdentityMap<K, V> {
    /// None, or a power of two; not all are full.
    slots: Vec<Option<Entry<K, V>>>,
    size: usize,
}

#[derive(Bounded, Clone, Linearize)]
struct Entry<K, V> {
    key: K,
    value: V,
}

#[rep_ok]
impl<K: Identity, V> IdentityMap<K, V> {
    /// Each object is there once, and is found: from its own slot to where it is, all slots are full.
    pub fn rep_ok(&self) -> bool {
        let slots = self.slots.len();
        if slots == 0 {
            return self.size == 0;
        }
        slots.is_power_of_two()
            && self.size <= Self::most_entries(slots)
            && self.slots.iter().flatten().count() == self.size
            && (0..slots).all(|slot| {
                self.slots[slot]
                    .as_ref()
                    .is_none_or(|entry| self.find(&entry.key).is_ok_and(|found| found == slot))
            })
    }

    /// With more entries, the map grows. There is always a free slot, so that every search ends.
    fn most_entries(slots: usize) -> usize {
        slots - slots / 4
    }

    /// The slot of an object, or the free one for it, if there is one.
    fn find(&self, key: &K) -> Result<usize, Option<usize>> {
        let slots = self.slots.len();
        if slots == 0 {
            return Err(None);
        }
        let first = place(&key.identity(), slots);
        for slot in (first..slots).chain(0..first) {
            match &self.slots[slot] {
                None => return Err(Some(slot)),
                Some(entry) if entry.key.identity() == key.identity() => return Ok(slot),
                Some(_) => {}
            }
        }
        Err(None)
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
#[cfg_attr(feature = "cover", smallscope_cover::cover(static WITHOUT_KEYS))]
impl<K, V> IdentityMap<K, V> {
    /// An empty map without slots.
    pub fn new() -> Self {
        IdentityMap { slots: vec![], size: 0 }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Removes all entries. The slots stay.
    pub fn clear(&mut self) {
        self.slots.iter_mut().for_each(|slot| *slot = None);
        self.size = 0;
    }

    /// The entries, as they lie in the slots.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.slots.iter().flatten().map(|entry| (&entry.key, &entry.value))
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
#[cfg_attr(feature = "cover", smallscope_cover::cover(also(WITHOUT_KEYS)))]
impl<K: Identity, V> IdentityMap<K, V> {
    /// Puts a value under an object, and returns the one that it replaces.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        if let Ok(slot) = self.find(&key) {
            return self.slots[slot].replace(Entry { key, value }).map(|entry| entry.value);
        }
        if self.size == Self::most_entries(self.slots.len()) {
            self.grow();
        }
        self.add(Entry { key, value });
        self.size += 1;
        None
    }

    /// Removes an object, and returns its value.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        let slot = self.find(key).ok()?;
        let removed = self.slots[slot].take()?;
        self.size -= 1;
        self.close_gap(slot);
        Some(removed.value)
    }

    /// The value under an object.
    pub fn get(&self, key: &K) -> Option<&V> {
        let slot = self.find(key).ok()?;
        self.slots[slot].as_ref().map(|entry| &entry.value)
    }

    /// Whether an object is there.
    pub fn contains_key(&self, key: &K) -> bool {
        self.find(key).is_ok()
    }

    /// Adds an entry whose key is not there.
    fn add(&mut self, entry: Entry<K, V>) {
        match self.find(&entry.key) {
            Err(Some(free)) => self.slots[free] = Some(entry),
            _ => unreachable!("the key is not there, and a slot is free"),
        }
    }

    /// Fills a slot that became free with the next entry that belongs there.
    fn close_gap(&mut self, mut gap: usize) {
        let slots = self.slots.len();
        let mut slot = gap;
        loop {
            slot = (slot + 1) % slots;
            let Some(entry) = &self.slots[slot] else { return };
            // How far an entry is from its own slot, and how far the gap is from where it is.
            let own = place(&entry.key.identity(), slots);
            if (slot + slots - own) % slots >= (slot + slots - gap) % slots {
                self.slots.swap(gap, slot);
                gap = slot;
            }
        }
    }

    fn grow(&mut self) {
        let mut slots = Vec::new();
        slots.resize_with((2 * self.slots.len()).max(FIRST_SLOTS), || None);
        for entry in std::mem::replace(&mut self.slots, slots).into_iter().flatten() {
            self.add(entry);
        }
    }
}

impl<K, V> Default for IdentityMap<K, V> {
    fn default() -> Self {
        IdentityMap::new()
    }
}

/// Maps are equal if they have equal values under the same objects.
impl<K: Identity, V: PartialEq> PartialEq for IdentityMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl<K: Identity, V: Eq> Eq for IdentityMap<K, V> {}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for IdentityMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
