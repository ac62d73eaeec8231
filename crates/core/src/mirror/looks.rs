//! What can be looked up in maps: which keys there are. A value needs the whole set of keys, since each set of keys has values of
//! its own.

use super::{Entries, Values};
use crate::ask::{Keyed, Keys, Look, Promise, by_bytes, by_order};
use crate::cell::Tracked;
use crate::shape::Body;
use std::borrow::Borrow;
use std::collections::{self, btree_map, hash_map};
use std::hash::Hash;
use std::ops::{Deref, RangeBounds};

/// A map of which keys are looked up.
pub struct MapLook<'a, M>(Look<'a, M>);

/// The same, where values are bound to variables: they stay cells.
pub struct EntryLook<'a, M>(Look<'a, M>);

impl<'a, M> From<Look<'a, M>> for MapLook<'a, M> {
    fn from(look: Look<'a, M>) -> Self {
        MapLook(look)
    }
}

impl<'a, M: Keyed> MapLook<'a, M> {
    /// The same with a promise about the answer.
    pub fn __under(self, promise: Promise) -> Self {
        MapLook(self.0.under(promise))
    }

    /// The same, where values are bound to variables.
    pub fn __entries(self) -> EntryLook<'a, M> {
        EntryLook(self.0)
    }

    /// The keys, each asked about when it is reached.
    pub fn keys(&self) -> Keys<'a, M> {
        self.0.every_key()
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<M: Keyed> EntryLook<'_, M> {
    /// The same with a promise about the answer.
    pub fn __under(self, promise: Promise) -> Self {
        EntryLook(self.0.under(promise))
    }
}

/// The map as the copy knows it, whose keys are read.
impl<M: Keyed> Deref for MapLook<'_, M> {
    type Target = M;
    fn deref(&self) -> &M {
        self.0.whole()
    }
}

macro_rules! maps {
    ($($($map:ident)::+<K, $value:ty>, {$($shown:ident)?} $got:ty, |$read:ident| $shows:expr, $cells:expr, $module:ident $numbers:ident $sort:ident $wrap:expr => $iter:ty, $all:expr => $values:ty: $($bound:ident)+;)*) => { $(
        impl<K: $($bound +)+, V> Keyed for $($map)::+<K, V> {
            type Key = K;
            type Keys<'a> = $module::Keys<'a, K, $value> where Self: 'a;
            type Look<'a> = MapLook<'a, Self> where Self: 'a;
            fn all_keys(&self) -> Self::Keys<'_> {
                self.keys()
            }
            type Numbers<'a> = collections::$numbers<&'a K, usize> where Self: 'a;
            fn number<'a>(numbers: &mut Self::Numbers<'a>, key: &'a K) -> usize
            where
                Self: 'a,
            {
                let next = numbers.len();
                *numbers.entry(key).or_insert(next)
            }
            fn sort(keys: &mut [(&K, usize)]) {
                $sort(keys);
            }
        }

        impl<'a, K: $($bound +)+, V $(: $shown)?> MapLook<'a, $($map)::+<K, V>> {
            /// The entries. All keys are read.
            pub fn iter(&self) -> $iter {
                $wrap(self.0.whole().iter())
            }

            /// The values. All keys are read.
            pub fn values(&self) -> $values {
                $all(self.0.whole())
            }

            /// Whether there is an entry of a key.
            pub fn contains_key<Q: ?Sized $(+ $bound)+>(&self, key: &Q) -> bool
            where
                K: Borrow<Q>,
            {
                match self.0.find(|other| other.borrow() == key) {
                    Some(found) => found.is_some(),
                    None => self.0.whole().contains_key(key),
                }
            }

            /// The value of a key, which is read. If there is one, all keys are read.
            pub fn get<Q: ?Sized $(+ $bound)+>(&self, key: &Q) -> Option<&'a $got>
            where
                K: Borrow<Q>,
            {
                match self.0.find(|other| other.borrow() == key) {
                    Some(None) => None,
                    _ => self.0.whole().get(key).map(|$read: &'a _| $shows),
                }
            }
        }

        impl<'a, K: $($bound +)+, V> EntryLook<'a, $($map)::+<K, V>> {
            /// The value of a key. If there is one, all keys are read.
            pub fn get<Q: ?Sized $(+ $bound)+>(&self, key: &Q) -> Option<&'a $value>
            where
                K: Borrow<Q>,
            {
                match self.0.find(|other| other.borrow() == key) {
                    Some(None) => None,
                    _ => $cells(self.0.whole()).get(key),
                }
            }
        }
    )* };
}
maps! {
    super::BTreeMap<K, Tracked<V>>, {} V, |v| v, super::BTreeMap::cells, btree_map BTreeMap by_order
        std::convert::identity => Entries<btree_map::Iter<'a, K, Tracked<V>>>,
        super::BTreeMap::values => Values<btree_map::Iter<'a, K, Tracked<V>>>: Ord;
    super::HashMap<K, Tracked<V>>, {} V, |v| v, super::HashMap::cells, hash_map HashMap by_bytes
        std::convert::identity => Entries<hash_map::Iter<'a, K, Tracked<V>>>,
        super::HashMap::values => Values<hash_map::Iter<'a, K, Tracked<V>>>: Eq Hash;
    collections::BTreeMap<K, V>, {Shown} V::Shown, |v| v.shown(), std::convert::identity, btree_map BTreeMap by_order
        ShownEntries => ShownEntries<btree_map::Iter<'a, K, V>>,
        |map: &'a collections::BTreeMap<K, V>| ShownValues(map.values()) => ShownValues<btree_map::Values<'a, K, V>>: Ord;
    collections::HashMap<K, V>, {Shown} V::Shown, |v| v.shown(), std::convert::identity, hash_map HashMap by_bytes
        ShownEntries => ShownEntries<hash_map::Iter<'a, K, V>>,
        |map: &'a collections::HashMap<K, V>| ShownValues(map.values()) => ShownValues<hash_map::Values<'a, K, V>>: Eq Hash;
}

/// A value of std's maps in the copy: a cell, or a structure with cells.
pub trait Shown {
    /// What code that no macro has rewritten sees of it.
    type Shown;
    /// The value; a cell is read.
    fn shown(&self) -> &Self::Shown;
}

impl<T> Shown for Tracked<T> {
    type Shown = T;
    fn shown(&self) -> &T {
        self.__read()
    }
}

impl<T: Body> Shown for T {
    type Shown = T;
    fn shown(&self) -> &T {
        self
    }
}

impl<T, const N: usize> Shown for super::Array<T, N> {
    type Shown = Self;
    fn shown(&self) -> &Self {
        self
    }
}

/// Iterator over the entries of one of std's maps, each value read when it is reached.
#[derive(Clone)]
pub struct ShownEntries<I>(I);

impl<I: Iterator> ShownEntries<I> {
    /// The cells instead of the values, for closures and loops of the copy.
    pub fn __items(self) -> I {
        self.0
    }
}

impl<'a, K: 'a, V: Shown + 'a, I: Iterator<Item = (&'a K, &'a V)>> Iterator for ShownEntries<I> {
    type Item = (&'a K, &'a V::Shown);
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(key, value)| (key, value.shown()))
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<'a, K: 'a, V: Shown + 'a, I> DoubleEndedIterator for ShownEntries<I>
where
    I: DoubleEndedIterator<Item = (&'a K, &'a V)>,
{
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|(key, value)| (key, value.shown()))
    }
}

impl<'a, K: 'a, V: Shown + 'a, I> ExactSizeIterator for ShownEntries<I> where
    I: ExactSizeIterator<Item = (&'a K, &'a V)>
{
}

/// Iterator over the values of one of std's maps, each read when it is reached.
#[derive(Clone)]
pub struct ShownValues<I>(I);

impl<I: Iterator> ShownValues<I> {
    /// The cells instead of the values, for closures and loops of the copy.
    pub fn __items(self) -> I {
        self.0
    }
}

impl<'a, V: Shown + 'a, I: Iterator<Item = &'a V>> Iterator for ShownValues<I> {
    type Item = &'a V::Shown;
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(V::shown)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<'a, V: Shown + 'a, I: DoubleEndedIterator<Item = &'a V>> DoubleEndedIterator for ShownValues<I> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(V::shown)
    }
}

impl<'a, V: Shown + 'a, I: ExactSizeIterator<Item = &'a V>> ExactSizeIterator for ShownValues<I> {}

macro_rules! ranges {
    ($($($map:ident)::+, $range:ty;)*) => { $(
        impl<'a, K: Ord, V> MapLook<'a, $($map)::+<K, V>> {
            /// The entries of a range of keys. All keys are read.
            pub fn range<Q: ?Sized + Ord>(&self, range: impl RangeBounds<Q>) -> $range
            where
                K: Borrow<Q>,
            {
                self.0.whole().range(range)
            }
        }
    )* };
}
ranges! {
    super::BTreeMap, Entries<btree_map::Range<'a, K, Tracked<V>>>;
    collections::BTreeMap, btree_map::Range<'a, K, V>;
}
