//! Copies of what a structure holds, as an invariant makes them with `clone`, and comparisons with these.
//!
//! The copy of a vector, an array or a deque of plain data is an ordinary one. Inside of others they are copied as they are: a
//! copy of a mirror has the same cells, which are read when they are looked at.

use super::{Array, Seq};
use crate::cell::{Copied, Tracked, contents};
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

impl<T> Clone for Seq<T> {
    fn clone(&self) -> Self {
        Seq { cells: self.cells.clone(), shorter: self.shorter }
    }
}

impl<T, const N: usize> Clone for Array<T, N> {
    fn clone(&self) -> Self {
        Array(self.0.clone())
    }
}

impl<T: Clone, const N: usize> Array<T, N> {
    /// An ordinary array, all read.
    #[expect(clippy::should_implement_trait, reason = "the copy of a mirror is not a mirror")]
    pub fn clone(&self) -> [T; N] {
        std::array::from_fn(|i| self[i].clone())
    }
}

impl<T: PartialEq, const N: usize> PartialEq<[T; N]> for Array<T, N> {
    fn eq(&self, other: &[T; N]) -> bool {
        self.iter().eq(other)
    }
}

impl<T: PartialEq, const N: usize> PartialEq<Array<T, N>> for [T; N] {
    fn eq(&self, other: &Array<T, N>) -> bool {
        other == self
    }
}

/// What is compared as the sequence inside is.
macro_rules! __like_their_sequence {
    ($({$($g:tt)*} $t:ty, $seq:ty;)*) => { $(
        impl<$($g)*> PartialEq for $t where $seq: PartialEq {
            fn eq(&self, other: &Self) -> bool {
                **self == **other
            }
        }

        impl<$($g)*> Eq for $t where $seq: Eq {}

        impl<$($g)*> PartialOrd for $t where $seq: PartialOrd {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                (**self).partial_cmp(&**other)
            }
        }

        impl<$($g)*> Ord for $t where $seq: Ord {
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                (**self).cmp(&**other)
            }
        }

        impl<$($g)*> std::hash::Hash for $t where $seq: std::hash::Hash {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                (**self).hash(state);
            }
        }
    )* };
}
pub(crate) use __like_their_sequence as like_their_sequence;
like_their_sequence! {
    {T, const N: usize} Array<T, N>, Seq<T>;
}

/// `clone` of std's maps whose values are cells.
pub trait CopiedMap: Sized {
    /// A map with other cells that hold the same.
    fn clone(&self) -> Self;
    /// The same.
    fn to_owned(&self) -> Self {
        CopiedMap::clone(self)
    }
}

impl<K: Clone + Ord, V> CopiedMap for BTreeMap<K, Tracked<V>> {
    fn clone(&self) -> Self {
        self.iter().map(|(key, cell)| (key.clone(), contents::again(cell))).collect()
    }
}

impl<K: Clone + Eq + Hash, V> CopiedMap for HashMap<K, Tracked<V>> {
    fn clone(&self) -> Self {
        let mut copy = HashMap::with_capacity_and_hasher(self.len(), self.hasher().clone());
        for (key, cell) in self {
            copy.insert(key.clone(), contents::again(cell));
        }
        copy
    }
}

impl<M: CopiedMap> CopiedMap for Option<M> {
    fn clone(&self) -> Self {
        self.as_ref().map(CopiedMap::clone)
    }
}

/// `clone` of a tuple with a component that is not plain data: its components are cells.
pub trait CopiedTuple {
    /// The components without their cells.
    type Copied;
    /// The components, all read. A vector is copied as it is, so its elements are read when they are looked at.
    fn clone(&self) -> Self::Copied;
    /// The same.
    fn to_owned(&self) -> Self::Copied {
        CopiedTuple::clone(self)
    }
}

macro_rules! tuples {
    ($(($($t:ident $i:tt),+))*) => { $(
        impl<$($t: Clone),+> CopiedTuple for ($(Tracked<$t>,)+) {
            type Copied = ($($t,)+);
            fn clone(&self) -> ($($t,)+) {
                ($(self.$i.__read().clone(),)+)
            }
        }
    )* };
}
tuples!((A 0)(A 0, B 1)(A 0, B 1, C 2)(A 0, B 1, C 2, D 3)(A 0, B 1, C 2, D 3, E 4)(A 0, B 1, C 2, D 3, E 4, F 5));

macro_rules! maps {
    ($($map:ident: $empty:expr, $($bound:ident)+;)*) => { $(
        impl<K: Clone $(+ $bound)+, V: Clone> Clone for super::$map<K, V> {
            fn clone(&self) -> Self {
                let (mut cells, mut values) = ($empty(self.cells()), vec![]);
                for (key, cell) in self.cells() {
                    let cell = if self.has_slots() {
                        contents::again(cell)
                    } else {
                        let value = Box::new(cell.__read().clone());
                        let cell = contents::holding(&*value, Copied::Always);
                        values.push(value);
                        cell
                    };
                    cells.insert(key.clone(), cell);
                }
                super::$map::with_values(cells, values)
            }
        }
    )* };
}
maps! {
    BTreeMap: |_: &BTreeMap<K, Tracked<V>>| BTreeMap::new(), Ord;
    HashMap: |map: &HashMap<K, Tracked<V>>| HashMap::with_hasher(map.hasher().clone()), Eq Hash;
}
