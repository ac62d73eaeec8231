//! What can be looked up in sets.

use super::{Keyed, Keys, Look, Member, by_bytes, by_order};
use crate::ask::Promise;
use crate::cell::Tracked;
use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, btree_set, hash_set};
use std::hash::Hash;
use std::iter::FusedIterator;
use std::ops::{Bound, Deref, RangeBounds};

/// A set of which keys are looked up.
pub struct SetLook<'a, S>(Look<'a, S>);

impl<'a, S> From<Look<'a, S>> for SetLook<'a, S> {
    fn from(look: Look<'a, S>) -> Self {
        SetLook(look)
    }
}

impl<'a, S: Keyed> SetLook<'a, S> {
    /// The same with a promise about the answer.
    pub fn __under(self, promise: Promise) -> Self {
        SetLook(self.0.under(promise))
    }

    /// The same, to be compared with another set.
    pub fn __pairwise(self) -> Pairwise<'a, S> {
        Pairwise(self.0)
    }

    /// The keys, for a loop of the copy.
    pub fn __items(self) -> Keys<'a, S> {
        self.0.every_key()
    }

    /// The keys, each asked about when it is reached.
    pub fn iter(&self) -> Keys<'a, S> {
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

/// The set as std knows it, which is read.
impl<S: Keyed> Deref for SetLook<'_, S> {
    type Target = S;
    fn deref(&self) -> &S {
        self.0.whole()
    }
}

impl<'a, S: Keyed> IntoIterator for SetLook<'a, S> {
    type Item = &'a S::Key;
    type IntoIter = Keys<'a, S>;
    fn into_iter(self) -> Keys<'a, S> {
        self.0.every_key()
    }
}

/// A set to be compared with another one that is a cell, too.
pub struct Pairwise<'a, S>(Look<'a, S>);

impl<S: Keyed> Pairwise<'_, S> {
    /// The same with a promise about the answer.
    pub fn __under(self, promise: Promise) -> Self {
        Pairwise(self.0.under(promise))
    }
}

/// A set of std.
pub trait IsSet: Keyed {}

/// What a set is compared with.
pub trait Other<K> {
    /// Whether a key is in it.
    fn has(&self, key: &K) -> Member<'_>;
    /// Whether all its keys, or none of them (`is_in` is false), are in another set.
    fn is_inside(&self, other: &dyn Other<K>, is_in: bool, promise: Promise) -> bool;
}

macro_rules! sets {
    ($($set:ident $module:ident $numbers:ident $sort:ident: $($bound:ident)+;)*) => { $(
        impl<K: $($bound +)+> Keyed for $set<K> {
            type Key = K;
            type Keys<'a> = $module::Iter<'a, K> where Self: 'a;
            type Look<'a> = SetLook<'a, Self> where Self: 'a;
            fn all_keys(&self) -> Self::Keys<'_> {
                self.iter()
            }
            type Numbers<'a> = $numbers<&'a K, usize> where Self: 'a;
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

        impl<K: $($bound +)+> IsSet for $set<K> {}

        impl<K: $($bound +)+> Other<K> for $set<K> {
            fn has(&self, key: &K) -> Member<'_> {
                Member::Known(self.contains(key))
            }
            fn is_inside(&self, other: &dyn Other<K>, is_in: bool, promise: Promise) -> bool {
                self.iter().all(|key| Member::Known(true).implies(other.has(key), is_in, promise))
            }
        }

        impl<K: $($bound +)+> Other<K> for Look<'_, $set<K>> {
            fn has(&self, key: &K) -> Member<'_> {
                let Some(mut candidates) = self.candidates() else { return self.whole().has(key) };
                candidates.find(|(other, _)| *other == key).map_or(Member::Known(false), |(_, member)| member)
            }
            fn is_inside(&self, other: &dyn Other<K>, is_in: bool, promise: Promise) -> bool {
                match self.candidates() {
                    Some(mut all) => all.all(|(key, member)| member.implies(other.has(key), is_in, promise)),
                    None => self.whole().is_inside(other, is_in, promise),
                }
            }
        }

        impl<K: $($bound +)+> Other<K> for SetLook<'_, $set<K>> {
            fn has(&self, key: &K) -> Member<'_> {
                self.0.has(key)
            }
            fn is_inside(&self, other: &dyn Other<K>, is_in: bool, promise: Promise) -> bool {
                self.0.is_inside(other, is_in, promise)
            }
        }

        impl<'a, K: $($bound +)+> SetLook<'a, $set<K>> {
            /// Whether a key is in the set.
            pub fn contains<Q: ?Sized $(+ $bound)+>(&self, key: &Q) -> bool
            where
                K: Borrow<Q>,
            {
                match self.0.find(|other| other.borrow() == key) {
                    Some(found) => found.is_some(),
                    None => self.0.whole().contains(key),
                }
            }

            /// The key of the set that is the same as another one.
            pub fn get<Q: ?Sized $(+ $bound)+>(&self, key: &Q) -> Option<&'a K>
            where
                K: Borrow<Q>,
            {
                self.0.find(|other| other.borrow() == key).unwrap_or_else(|| self.0.whole().get(key))
            }

            /// Whether all keys are in another set, which is not a cell.
            pub fn is_subset(&self, other: &$set<K>) -> bool {
                self.0.is_inside(other, true, self.0.promise_about_false())
            }

            /// Whether all keys of another set are in this one.
            pub fn is_superset(&self, other: &$set<K>) -> bool {
                other.is_inside(&self.0, true, self.0.promise_about_false())
            }

            /// Whether no key of another set is in this one.
            pub fn is_disjoint(&self, other: &$set<K>) -> bool {
                other.is_inside(&self.0, false, self.0.promise_about_false())
            }
        }

        impl<K: $($bound +)+> Pairwise<'_, $set<K>> {
            /// Whether all keys are in another set.
            pub fn is_subset(&self, other: &impl Other<K>) -> bool {
                self.0.is_inside(other, true, self.0.promise_about_false())
            }

            /// Whether all keys of another set are in this one.
            pub fn is_superset(&self, other: &impl Other<K>) -> bool {
                other.is_inside(&self.0, true, self.0.promise_about_false())
            }

            /// Whether no key is in both sets.
            pub fn is_disjoint(&self, other: &impl Other<K>) -> bool {
                self.0.is_inside(other, false, self.0.promise_about_false())
            }
        }
    )* };
}
sets! {
    BTreeSet btree_set BTreeMap by_order: Ord;
    HashSet hash_set HashMap by_bytes: Eq Hash;
}

impl<K, O: Other<K> + ?Sized> Other<K> for &O {
    fn has(&self, key: &K) -> Member<'_> {
        (**self).has(key)
    }
    fn is_inside(&self, other: &dyn Other<K>, is_in: bool, promise: Promise) -> bool {
        (**self).is_inside(other, is_in, promise)
    }
}

/// What is in no cell of a set, such as the content of a `Box`.
impl<K, S: Other<K>> Other<K> for Tracked<S> {
    fn has(&self, key: &K) -> Member<'_> {
        self.__read().has(key)
    }
    fn is_inside(&self, other: &dyn Other<K>, is_in: bool, promise: Promise) -> bool {
        self.__read().is_inside(other, is_in, promise)
    }
}

impl<'a, K: Ord> SetLook<'a, BTreeSet<K>> {
    /// The least key.
    pub fn first(&self) -> Option<&'a K> {
        self.iter().next()
    }

    /// The greatest key.
    pub fn last(&self) -> Option<&'a K> {
        self.iter().next_back()
    }

    /// The keys in a range.
    pub fn range<Q: ?Sized + Ord>(&self, range: impl RangeBounds<Q>) -> Range<'a, K>
    where
        K: Borrow<Q>,
    {
        let is_ordered = match (range.start_bound(), range.end_bound()) {
            (Bound::Excluded(start), Bound::Excluded(end)) => start < end,
            (
                Bound::Included(start) | Bound::Excluded(start),
                Bound::Included(end) | Bound::Excluded(end),
            ) => start <= end,
            _ => true,
        };
        let keys = self.0.keys_if(|key| is_ordered && range.contains(key.borrow()));
        match keys.filter(|_| is_ordered) {
            Some(keys) => Range::Asked(keys),
            // Panics as std's set does.
            None => Range::Read(self.0.whole().range(range)),
        }
    }
}

/// Iterator over a range of a set, each key asked about when it is reached.
#[derive(Clone)]
pub enum Range<'a, K: Ord> {
    /// Of one that was read.
    Read(btree_set::Range<'a, K>),
    /// Of one that is asked.
    Asked(Keys<'a, BTreeSet<K>>),
}

impl<'a, K: Ord> Iterator for Range<'a, K> {
    type Item = &'a K;
    fn next(&mut self) -> Option<&'a K> {
        match self {
            Range::Read(keys) => keys.next(),
            Range::Asked(keys) => keys.next(),
        }
    }
}

impl<K: Ord> DoubleEndedIterator for Range<'_, K> {
    fn next_back(&mut self) -> Option<Self::Item> {
        match self {
            Range::Read(keys) => keys.next_back(),
            Range::Asked(keys) => keys.next_back(),
        }
    }
}

impl<K: Ord> FusedIterator for Range<'_, K> {}
