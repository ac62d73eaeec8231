//! Mirrors of maps whose values are plain data: the keys are one choice, and each value has a cell.
//!
//! A map of the copy has the methods of std's that read. They read the values that they return, when they return them.
//! Everything else that std can do with a map reads all values first: the mirror derefs to std's map.

use crate::ask::{Asked, Late, Promise};
use crate::cell::{Tracked, contents};
use crate::key;
use std::borrow::Borrow;
use std::cmp::Ordering;
use std::collections::{self, btree_map, hash_map};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::iter::{FusedIterator, Map};
use std::ops::{Deref, Index, RangeBounds};

/// Iterator over the entries of a map, each value read when it is reached.
#[derive(Clone)]
pub struct Entries<I>(I);

/// Iterator over the values of a map, each read when it is reached.
#[derive(Clone)]
pub struct Values<I>(I);

/// The cell of an entry that a loop has reached.
fn reached<'a, K, V>((key, cell): (&'a K, &'a Tracked<V>)) -> (&'a K, &'a Tracked<V>) {
    (key, cell.__reached())
}

/// The cell of a value that a loop has reached.
fn reached_value<'a, K, V>((_, cell): (&'a K, &'a Tracked<V>)) -> &'a Tracked<V> {
    cell.__reached()
}

/// What `__items` makes of an iterator.
type Items<I, T> = Map<I, fn(<I as Iterator>::Item) -> T>;

impl<'a, K: 'a, V: 'a, I: Iterator<Item = (&'a K, &'a Tracked<V>)>> Entries<I> {
    /// The cells instead of the values, for closures and loops of the copy.
    pub fn __items(self) -> Items<I, (&'a K, &'a Tracked<V>)> {
        self.0.map(reached as fn(I::Item) -> (&'a K, &'a Tracked<V>))
    }
}

impl<'a, K: 'a, V: 'a, I: Iterator<Item = (&'a K, &'a Tracked<V>)>> Values<I> {
    /// The cells instead of the values, for closures and loops of the copy.
    pub fn __items(self) -> Items<I, &'a Tracked<V>> {
        self.0.map(reached_value as fn(I::Item) -> &'a Tracked<V>)
    }
}

macro_rules! iterators {
    ($($name:ident $item:ty, $key:pat, $cell:ident => $shown:expr;)*) => { $(
        impl<'a, K: 'a, V: 'a, I: Iterator<Item = (&'a K, &'a Tracked<V>)>> Iterator for $name<I> {
            type Item = $item;
            fn next(&mut self) -> Option<$item> {
                self.0.next().map(|($key, $cell)| $shown)
            }
            fn nth(&mut self, n: usize) -> Option<$item> {
                self.0.nth(n).map(|($key, $cell)| $shown)
            }
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.0.size_hint()
            }
            fn count(self) -> usize {
                self.0.count()
            }
        }

        impl<'a, K: 'a, V: 'a, I> DoubleEndedIterator for $name<I>
        where
            I: DoubleEndedIterator<Item = (&'a K, &'a Tracked<V>)>,
        {
            fn next_back(&mut self) -> Option<$item> {
                self.0.next_back().map(|($key, $cell)| $shown)
            }
        }

        impl<'a, K: 'a, V: 'a, I> ExactSizeIterator for $name<I> where
            I: ExactSizeIterator<Item = (&'a K, &'a Tracked<V>)>
        {
        }

        impl<'a, K: 'a, V: 'a, I: FusedIterator<Item = (&'a K, &'a Tracked<V>)>> FusedIterator for $name<I> {}
    )* };
}
iterators! {
    Entries (&'a K, &'a V), key, cell => (key, cell.__read());
    Values &'a V, _, cell => cell.__read();
}

macro_rules! maps {
    ($($name:ident $module:ident $text:literal: $($bound:ident)+;)*) => { $(
        #[doc = $text]
        pub struct $name<K, V> {
            /// std's map, with a cell for each value.
            pub(crate) cells: collections::$name<K, Tracked<V>>,
            /// Makes std's map of the values. A function, because users' impls need not say that keys can be cloned.
            copy: fn(&Self) -> collections::$name<K, V>,
            /// The values, if they are part of the choice. Then the cells belong to no slot.
            _values: Vec<Box<V>>,
        }

        impl<K: Clone $(+ $bound)+, V: Clone> $name<K, V> {
            /// A map with a slot for each value.
            pub(crate) fn new(cells: collections::$name<K, Tracked<V>>) -> Self {
                Self::with_values(cells, vec![])
            }

            /// A map whose cells hold these values.
            pub(crate) fn with_values(cells: collections::$name<K, Tracked<V>>, values: Vec<Box<V>>) -> Self {
                let copy = |this: &Self| {
                    let entries: Vec<(K, V)> = this.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
                    // Keys that are left open are in the order of their slots, which needs no question.
                    key::make_patterns(|| entries.into_iter().collect())
                };
                $name { cells, copy, _values: values }
            }
        }

        impl<K, V> $name<K, V> {
            /// The cells of the values.
            pub(super) fn cells(&self) -> &collections::$name<K, Tracked<V>> {
                &self.cells
            }

            /// Whether each value has a slot, or belongs to a cell with one.
            pub(super) fn has_slots(&self) -> bool {
                self._values.is_empty()
            }

            /// Number of entries.
            pub fn len(&self) -> usize {
                self.cells.len()
            }

            /// Whether there are none.
            pub fn is_empty(&self) -> bool {
                self.cells.is_empty()
            }

            /// The entries, each value read when it is reached.
            pub fn iter(&self) -> Entries<$module::Iter<'_, K, Tracked<V>>> {
                Entries(self.cells.iter())
            }

            /// The keys. Reads no value.
            pub fn keys(&self) -> $module::Keys<'_, K, Tracked<V>> {
                self.cells.keys()
            }

            /// The values, each read when it is reached.
            pub fn values(&self) -> Values<$module::Iter<'_, K, Tracked<V>>> {
                Values(self.cells.iter())
            }

            /// The entries with cells, for a loop of the copy.
            pub fn __items(&self) -> Items<$module::Iter<'_, K, Tracked<V>>, (&K, &Tracked<V>)> {
                self.iter().__items()
            }

            /// An ordinary map with the same content, all read.
            #[expect(clippy::should_implement_trait, reason = "the copy of a mirror is not a mirror")]
            pub fn clone(&self) -> collections::$name<K, V> {
                (self.copy)(self)
            }

            /// The same.
            pub fn to_owned(&self) -> collections::$name<K, V> {
                self.clone()
            }
        }

        impl<K: $($bound +)+, V> $name<K, V> {
            fn cell<Q: ?Sized $(+ $bound)+>(&self, key: &Q) -> &Tracked<V>
            where
                K: Borrow<Q>,
            {
                self.cells.get(key).expect("no entry found for key")
            }

            /// The value of a key.
            pub fn get<Q: ?Sized $(+ $bound)+>(&self, key: &Q) -> Option<&V>
            where
                K: Borrow<Q>,
            {
                self.cells.get(key).map(Tracked::__read)
            }

            /// The entry of a key.
            pub fn get_key_value<Q: ?Sized $(+ $bound)+>(&self, key: &Q) -> Option<(&K, &V)>
            where
                K: Borrow<Q>,
            {
                self.cells.get_key_value(key).map(|(key, cell)| (key, cell.__read()))
            }

            /// Whether there is an entry of a key. Reads no value.
            pub fn contains_key<Q: ?Sized $(+ $bound)+>(&self, key: &Q) -> bool
            where
                K: Borrow<Q>,
            {
                self.cells.contains_key(key)
            }

            /// The cell of a value, for a question.
            pub fn __at<Q: ?Sized $(+ $bound)+>(&self, key: &Q) -> Asked<'_, V>
            where
                K: Borrow<Q>,
            {
                self.cell(key).__ask()
            }

            /// The cell of a value.
            pub fn __cell_at<Q: ?Sized $(+ $bound)+>(&self, key: &Q) -> &Tracked<V>
            where
                K: Borrow<Q>,
            {
                self.cell(key)
            }

            /// A copy of a value, to be read when it is used.
            pub fn __late_at<Q: ?Sized $(+ $bound)+>(&self, key: &Q) -> Late<'_, V>
            where
                K: Borrow<Q>,
                V: Copy,
            {
                self.cell(key).__late()
            }

            /// A value of which the promise says what `None` means.
            pub fn __some_at<Q: ?Sized $(+ $bound)+>(&self, key: &Q, promise: Promise) -> &V
            where
                K: Borrow<Q>,
            {
                self.cell(key).__some(promise)
            }
        }

        impl<K: Borrow<Q> $(+ $bound)+, V, Q: ?Sized $(+ $bound)+> Index<&Q> for $name<K, V> {
            type Output = V;
            fn index(&self, key: &Q) -> &V {
                self.cell(key).__read()
            }
        }

        /// The content as std knows it: all values are read.
        impl<K, V> Deref for $name<K, V> {
            type Target = collections::$name<K, V>;
            fn deref(&self) -> &Self::Target {
                contents::collected(self, self.cells.values(), || (self.copy)(self))
            }
        }

        impl<'a, K, V> IntoIterator for &'a $name<K, V> {
            type Item = (&'a K, &'a V);
            type IntoIter = Entries<$module::Iter<'a, K, Tracked<V>>>;
            fn into_iter(self) -> Self::IntoIter {
                self.iter()
            }
        }

        impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for $name<K, V> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_map().entries(self.iter()).finish()
            }
        }

        impl<K: $($bound +)+, V: Eq> Eq for $name<K, V> {}
    )* };
}

maps! {
    BTreeMap btree_map "Mirror of a `BTreeMap` of plain data.": Ord;
    HashMap hash_map "Mirror of a `HashMap` of plain data.": Eq Hash;
}

impl<K, V> BTreeMap<K, V> {
    /// The entries of a range of keys, each value read when it is reached.
    pub fn range<Q: ?Sized + Ord>(
        &self,
        range: impl RangeBounds<Q>,
    ) -> Entries<btree_map::Range<'_, K, Tracked<V>>>
    where
        K: Borrow<Q> + Ord,
    {
        Entries(self.cells.range(range))
    }

    /// The entry with the least key.
    pub fn first_key_value(&self) -> Option<(&K, &V)>
    where
        K: Ord,
    {
        self.iter().next()
    }

    /// The entry with the greatest key.
    pub fn last_key_value(&self) -> Option<(&K, &V)>
    where
        K: Ord,
    {
        self.iter().next_back()
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for BTreeMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        // The keys are known without reading a value.
        self.len() == other.len() && self.keys().eq(other.keys()) && self.values().eq(other.values())
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq<collections::BTreeMap<K, V>> for BTreeMap<K, V> {
    fn eq(&self, other: &collections::BTreeMap<K, V>) -> bool {
        self.len() == other.len() && self.keys().eq(other.keys()) && self.values().eq(other.values())
    }
}

impl<K: PartialOrd, V: PartialOrd> PartialOrd for BTreeMap<K, V> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.iter().partial_cmp(other.iter())
    }
}

impl<K: Ord, V: Ord> Ord for BTreeMap<K, V> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.iter().cmp(other.iter())
    }
}

impl<K: Hash, V: Hash> Hash for BTreeMap<K, V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<K: Eq + Hash, V: PartialEq> PartialEq for HashMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self.keys().all(|key| other.contains_key(key))
            && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl<K: Eq + Hash, V: PartialEq> PartialEq<collections::HashMap<K, V>> for HashMap<K, V> {
    fn eq(&self, other: &collections::HashMap<K, V>) -> bool {
        self.len() == other.len()
            && self.keys().all(|key| other.contains_key(key))
            && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}
