//! Plain data in collections inside of collections: copies of it, and comparisons with values of the user's own types.
//!
//! `self.map == expected` compares a map of cells with a `BTreeMap<u8, Vec<u8>>`, and `self.rows.clone()` is a `Vec<Vec<u8>>`.
//! The macros know no types, so they wrap both sides, or the receiver, and the compiler chooses: methods that take the wrapper
//! by value are for the types of this module, and those that take a reference to it are for all others.

use super::{Array, EnumItems, Items, Seq, Slice};
use crate::cell::Tracked;
use crate::key;
use crate::shape::Leaf;
use std::cell::Cell;
use std::collections;
use std::hash::Hash;
use std::iter::{Cloned, Map};
use std::ops::{Range, RangeInclusive};
use std::slice;

/// The traits of which generated code calls methods.
pub mod methods {
    pub use super::{
        CloningNested as _, CloningOption as _, CloningPlain as _, CloningPlainOption as _,
        CopyingPlain as _, CopyingReference as _, Same as _, SamePlain as _,
    };
}

/// What the user's code compares as a whole.
pub trait Content {
    /// What it is in the user's code. Structures stay mirrors.
    type Owned;
    /// Whether the other content is the same. Reads no more than is needed.
    fn is_copy(&self, owned: &Self::Owned) -> bool;
}

/// What the user's code copies as a whole.
pub trait Copied: Content {
    /// The content, all read.
    fn copied(&self) -> Self::Owned;
}

/// Content whose copy has another type.
pub trait Nested: Copied {}

/// Implements the traits of content for plain data, which is its own mirror.
#[doc(hidden)]
#[macro_export]
macro_rules! __own_content {
    ({$($g:tt)*} $t:ty $(, $needs:path)?) => {
        impl<$($g)*> $crate::mirror::nested::Content for $t $(where for<'trivial> $t: ::std::clone::Clone + ::std::cmp::PartialEq + $needs)? {
            type Owned = $t;
            #[inline(always)]
            fn is_copy(&self, owned: &$t) -> bool {
                self == owned
            }
        }

        impl<$($g)*> $crate::mirror::nested::Copied for $t $(where for<'trivial> $t: ::std::clone::Clone + ::std::cmp::PartialEq + $needs)? {
            fn copied(&self) -> $t {
                ::std::clone::Clone::clone(self)
            }
        }
    };
}
__own_content!({T: Leaf + PartialEq} Range<T>);
__own_content!({T: Leaf + PartialEq} RangeInclusive<T>);

impl<'a, T: Content<Owned: 'a>> Content for &'a T {
    type Owned = &'a T::Owned;
    #[inline]
    fn is_copy(&self, owned: &Self::Owned) -> bool {
        (**self).is_copy(owned)
    }
}

impl<T: Copied> Copied for Tracked<T> {
    fn copied(&self) -> T::Owned {
        self.__read().copied()
    }
}
impl<T: Copied> Nested for Tracked<T> {}

impl<T: Content> Content for Tracked<T> {
    type Owned = T::Owned;
    #[inline]
    fn is_copy(&self, owned: &T::Owned) -> bool {
        self.__read().is_copy(owned)
    }
}

impl<T: Content> Content for Option<T> {
    type Owned = Option<T::Owned>;
    #[inline]
    fn is_copy(&self, owned: &Self::Owned) -> bool {
        match (self, owned) {
            (Some(value), Some(owned)) => value.is_copy(owned),
            (None, None) => true,
            _ => false,
        }
    }
}
impl<T: Copied> Copied for Option<T> {
    fn copied(&self) -> Self::Owned {
        self.as_ref().map(T::copied)
    }
}
impl<T: Nested> Nested for Option<T> {}

macro_rules! tuples {
    ($(($($t:ident $i:tt),+))*) => { $(
        impl<$($t: Content),+> Content for ($($t,)+) {
            type Owned = ($($t::Owned,)+);
            #[inline]
            fn is_copy(&self, owned: &Self::Owned) -> bool {
                $(self.$i.is_copy(&owned.$i))&&+
            }
        }

        impl<$($t: Copied),+> Copied for ($($t,)+) {
            fn copied(&self) -> Self::Owned {
                ($(self.$i.copied(),)+)
            }
        }
    )* };
}
tuples!((A 0)(A 0, B 1)(A 0, B 1, C 2)(A 0, B 1, C 2, D 3)(A 0, B 1, C 2, D 3, E 4)(A 0, B 1, C 2, D 3, E 4, F 5));

impl<A: Copied, B: Nested> Nested for (A, B) {}

macro_rules! sequences {
    ($([$($g:tt)*] $t:ty, $owned:ty, |$element:ident, $other:ident| $same:expr;)*) => { $(
        impl<$($g)*> Content for $t {
            type Owned = $owned;
            fn is_copy(&self, owned: &$owned) -> bool {
                self.len() == owned.len() && self.iter().zip(owned.iter()).all(|($element, $other)| $same)
            }
        }
    )* };
}
sequences! {
    [T: Content] Seq<T>, Vec<T::Owned>, |a, b| a.is_copy(b);
    [T: Content, const N: usize] Array<T, N>, [T::Owned; N], |a, b| a.is_copy(b);
    [T: PartialEq] Items<T>, Vec<T>, |a, b| a == b;
    [T: PartialEq] EnumItems<T>, Vec<T>, |a, b| a == b;
}

macro_rules! copies {
    ($([$($g:tt)*] $t:ty, |$this:ident| $copied:expr;)*) => { $(
        impl<$($g)*> Copied for $t {
            fn copied(&self) -> Self::Owned {
                let $this = self;
                $copied
            }
        }
        impl<$($g)*> Nested for $t {}
    )* };
}
copies! {
    [T: Copied] Seq<T>, |s| s.iter().map(T::copied).collect();
    [T: Copied, const N: usize] Array<T, N>, |s| std::array::from_fn(|i| s[i].copied());
    [T: Clone + PartialEq] Items<T>, |s| s.to_vec();
    [T: Clone + PartialEq] EnumItems<T>, |s| s.iter().cloned().collect();
}

macro_rules! maps {
    ($($map:ident: $($bound:ident)+;)*) => { $(
        impl<K: Leaf $(+ $bound)+, V: Leaf + PartialEq> Content for super::$map<K, V> {
            type Owned = collections::$map<K, V>;
            fn is_copy(&self, owned: &Self::Owned) -> bool {
                self == owned
            }
        }

        impl<K: Leaf $(+ $bound)+, V: Leaf + PartialEq> Copied for super::$map<K, V> {
            fn copied(&self) -> Self::Owned {
                self.clone()
            }
        }
        impl<K: Leaf $(+ $bound)+, V: Leaf + PartialEq> Nested for super::$map<K, V> {}

        impl<K: Leaf $(+ $bound)+, V: Nested> Content for collections::$map<K, V> {
            type Owned = collections::$map<K, V::Owned>;
            fn is_copy(&self, owned: &Self::Owned) -> bool {
                // The keys are known without reading a value.
                self.len() == owned.len()
                    && self.keys().all(|key| owned.contains_key(key))
                    && self.iter().all(|(key, value)| owned.get(key).is_some_and(|owned| value.is_copy(owned)))
            }
        }

        impl<K: Leaf $(+ $bound)+, V: Nested> Copied for collections::$map<K, V> {
            fn copied(&self) -> Self::Owned {
                let entries: Vec<_> = self.iter().map(|(key, value)| (key.clone(), value.copied())).collect();
                // Keys that are left open are in the order of their slots, which needs no question.
                key::make_patterns(|| entries.into_iter().collect())
            }
        }
        impl<K: Leaf $(+ $bound)+, V: Nested> Nested for collections::$map<K, V> {}
    )* };
}
maps! {
    BTreeMap: Ord;
    HashMap: Eq Hash;
}

/// What may be a mirror, and what it is compared with. An operator stands between `__mirror` and `__value`: between two truth values
/// if the mirror knows what it is in the user's code, and otherwise between what the user's code compares.
pub struct Pair<'a, M: ?Sized, R: ?Sized>(pub &'a M, pub &'a R);

/// [`Pair`] of content and what it is in the user's code.
pub trait Same {
    /// True.
    fn __mirror(self) -> &'static bool;
    /// Whether both are the same.
    fn __value(self) -> &'static bool;
}

impl<M: Content> Same for Pair<'_, M, M::Owned> {
    #[inline(always)]
    fn __mirror(self) -> &'static bool {
        &true
    }
    #[inline(always)]
    fn __value(self) -> &'static bool {
        if self.0.is_copy(self.1) { &true } else { &false }
    }
}

/// With a second impl, the compiler says nothing about a pair in which it has found an error before.
impl Same for Pair<'_, Never, Never> {
    fn __mirror(self) -> &'static bool {
        &true
    }
    fn __value(self) -> &'static bool {
        &true
    }
}

/// A type without values.
pub enum Never {}

/// [`Pair`] of everything else.
pub trait SamePlain<'a, M: ?Sized, R: ?Sized> {
    /// The first of both.
    fn __mirror(&self) -> &'a M;
    /// The second of both.
    fn __value(&self) -> &'a R;
}

impl<'a, M: ?Sized, R: ?Sized> SamePlain<'a, M, R> for Pair<'a, M, R> {
    #[inline(always)]
    fn __mirror(&self) -> &'a M {
        self.0
    }
    #[inline(always)]
    fn __value(&self) -> &'a R {
        self.1
    }
}

/// The receiver of `clone`, `to_owned` or `to_vec`.
pub struct Copying<'a, T: ?Sized>(pub &'a T);

impl<M: Nested> Copying<'_, M> {
    /// The copy as the user's code knows it.
    pub fn __clone<C>(self, _: impl FnOnce() -> C) -> M::Owned {
        self.0.copied()
    }

    /// The same for a vector.
    pub fn __to_vec<C, T>(self, _: impl FnOnce() -> C) -> Vec<T>
    where
        M: Content<Owned: Into<Vec<T>>>,
    {
        self.0.copied().into()
    }
}

/// [`Copying`] from a reference.
pub trait CopyingReference<M: Nested> {
    /// The copy as the user's code knows it.
    fn __clone<C>(self, _: impl FnOnce() -> C) -> M::Owned;
    /// The same for a vector.
    fn __to_vec<C, T>(self, _: impl FnOnce() -> C) -> Vec<T>
    where
        M: Content<Owned: Into<Vec<T>>>;
}

impl<M: Nested> CopyingReference<M> for Copying<'_, &M> {
    fn __clone<C>(self, _: impl FnOnce() -> C) -> M::Owned {
        self.0.copied()
    }
    fn __to_vec<C, T>(self, _: impl FnOnce() -> C) -> Vec<T>
    where
        M: Content<Owned: Into<Vec<T>>>,
    {
        self.0.copied().into()
    }
}

/// [`Copying`] from everything else.
pub trait CopyingPlain {
    /// Copies as the user's code does.
    #[inline(always)]
    fn __clone<C>(&self, copy: impl FnOnce() -> C) -> C {
        copy()
    }
    /// The same.
    #[inline(always)]
    fn __to_vec<C>(&self, copy: impl FnOnce() -> C) -> C {
        copy()
    }
}

impl<T: ?Sized> CopyingPlain for Copying<'_, T> {}

/// The receiver of `cloned`: an iterator over references, or an `Option` of one.
pub struct Cloning<I>(Cell<Option<I>>);

impl<I> Cloning<I> {
    /// The receiver.
    #[inline(always)]
    pub fn of(receiver: I) -> Self {
        Cloning(Cell::new(Some(receiver)))
    }

    #[inline(always)]
    fn receiver(&self) -> I {
        self.0.take().expect("smallscope internal error: a receiver is used once")
    }
}

/// [`Cloning`] of what is copied into another type.
pub trait CloningNested<C> {
    /// The copies.
    fn __cloned(self) -> C;
}

impl<'a, M: Nested, I: Iterator<Item = &'a M>> CloningNested<Map<I, fn(&'a M) -> M::Owned>> for Cloning<I> {
    fn __cloned(self) -> Map<I, fn(&'a M) -> M::Owned> {
        self.receiver().map(M::copied)
    }
}

/// [`Cloning`] of what may be absent.
pub trait CloningOption<C> {
    /// The copy.
    fn __cloned(self) -> C;
}

impl<M: Nested> CloningOption<Option<M::Owned>> for Cloning<Option<&M>> {
    fn __cloned(self) -> Option<M::Owned> {
        self.receiver().map(M::copied)
    }
}

/// [`Cloning`] of everything else that is iterated over.
pub trait CloningPlain<C> {
    /// Clones as the user's code does.
    fn __cloned(&self) -> C;
}

impl<'a, T: Clone + 'a, I: Iterator<Item = &'a T>> CloningPlain<Cloned<I>> for Cloning<I> {
    #[inline(always)]
    fn __cloned(&self) -> Cloned<I> {
        self.receiver().cloned()
    }
}

/// [`Cloning`] of everything else that may be absent.
pub trait CloningPlainOption<C> {
    /// Clones as the user's code does.
    fn __cloned(&self) -> C;
}

impl<T: Clone> CloningPlainOption<Option<T>> for Cloning<Option<&T>> {
    #[inline(always)]
    fn __cloned(&self) -> Option<T> {
        self.receiver().cloned()
    }
}

impl<T: PartialEq, const N: usize> PartialEq<[T; N]> for Tracked<Seq<T>> {
    fn eq(&self, other: &[T; N]) -> bool {
        self.__read() == other
    }
}

macro_rules! into_iter {
    ($($seq:ty, $iter:ty;)*) => { $(
        impl<'a, T> IntoIterator for &'a Tracked<$seq> {
            type Item = &'a T;
            type IntoIter = $iter;
            fn into_iter(self) -> $iter {
                self.__read().into_iter()
            }
        }
    )* };
}
into_iter! {
    Seq<T>, super::Elements<'a, T>;
    Items<T>, slice::Iter<'a, T>;
}

impl<T: Clone> Slice<Seq<T>> {
    /// The elements of the elements, all read.
    pub fn concat(&self) -> Vec<T> {
        self.iter().flatten().cloned().collect()
    }
}
