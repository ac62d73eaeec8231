//! Mirrors of vectors of structures: consecutive objects of a pool.

use super::sequences::{Elements, Leaked};
use crate::cell::Tracked;
use std::fmt;
use std::ops::{Deref, Index};
use std::slice;

/// Mirror of a vector of structs: consecutive objects of a pool. Derefs to a slice, so all of `[T]` works.
pub struct Items<T>(pub(crate) Leaked<T>);

impl<T> Deref for Items<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'a, T> IntoIterator for &'a Items<T> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T> Items<T> {
    /// The first element, as a `VecDeque` calls it.
    pub fn front(&self) -> Option<&T> {
        self.0.first()
    }

    /// The last element, as a `VecDeque` calls it.
    pub fn back(&self) -> Option<&T> {
        self.0.last()
    }

    /// All elements.
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }

    /// The elements as an ordinary vector.
    #[expect(clippy::should_implement_trait, reason = "the copy of a mirror is not a mirror")]
    pub fn clone(&self) -> Vec<T>
    where
        T: Clone,
    {
        self.0.to_vec()
    }
}

impl<T: fmt::Debug> fmt::Debug for Items<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: PartialEq> PartialEq for Items<T> {
    fn eq(&self, other: &Self) -> bool {
        *self.0 == *other.0
    }
}

/// Mirror of a vector of enums with payload: reading an element chooses its variant.
pub struct EnumItems<T>(pub(crate) Leaked<Tracked<T>>);

impl<T> EnumItems<T> {
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// One element.
    pub fn get(&self, i: usize) -> Option<&T> {
        self.0.get(i).map(Tracked::__read)
    }

    /// The first element.
    pub fn first(&self) -> Option<&T> {
        self.get(0)
    }

    /// The last element.
    pub fn last(&self) -> Option<&T> {
        self.0.last().map(Tracked::__read)
    }

    /// The first element, as a `VecDeque` calls it.
    pub fn front(&self) -> Option<&T> {
        self.first()
    }

    /// The last element, as a `VecDeque` calls it.
    pub fn back(&self) -> Option<&T> {
        self.last()
    }

    /// The elements, each read when it is reached.
    pub fn iter(&self) -> Elements<'_, T> {
        Elements::new(&self.0)
    }

    /// The elements as an ordinary vector, all read.
    #[expect(clippy::should_implement_trait, reason = "the copy of a mirror is not a mirror")]
    pub fn clone(&self) -> Vec<T>
    where
        T: Clone,
    {
        self.to_vec()
    }

    /// The same.
    pub fn to_vec(&self) -> Vec<T>
    where
        T: Clone,
    {
        self.iter().cloned().collect()
    }
}

impl<T> Index<usize> for EnumItems<T> {
    type Output = T;
    #[track_caller]
    fn index(&self, i: usize) -> &T {
        self.0[i].__read()
    }
}

impl<'a, T> IntoIterator for &'a EnumItems<T> {
    type Item = &'a T;
    type IntoIter = Elements<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: fmt::Debug> fmt::Debug for EnumItems<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: PartialEq> PartialEq for EnumItems<T> {
    fn eq(&self, other: &Self) -> bool {
        *self.0 == *other.0
    }
}

/// Comparisons with a vector that the invariant has made.
macro_rules! like_vectors {
    ($($items:ident)*) => { $(
        impl<T: PartialEq> PartialEq<Vec<T>> for $items<T> {
            fn eq(&self, other: &Vec<T>) -> bool {
                self.len() == other.len() && self.iter().zip(other).all(|(a, b)| a == b)
            }
        }

        impl<T: PartialEq> PartialEq<$items<T>> for Vec<T> {
            fn eq(&self, other: &$items<T>) -> bool {
                other == self
            }
        }
    )* };
}
like_vectors!(Items EnumItems);
