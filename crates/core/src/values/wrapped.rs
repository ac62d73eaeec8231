//! Sequences whose real type is not `Vec`: `VecDeque` and `Box<[T]>`.

use crate::mirror::nested::{Content, Copied, Nested};
use crate::mirror::{EnumItems, Items, Seq, like_their_sequence};
use crate::shape::RepOk;
use std::collections::VecDeque;
use std::fmt;

/// A sequence whose real type is not `Vec` but another container of the same elements.
pub struct As<C, S> {
    pub(super) seq: S,
    pub(super) container: std::marker::PhantomData<fn() -> C>,
}

impl<C, S> std::ops::Deref for As<C, S> {
    type Target = S;
    #[inline(always)]
    fn deref(&self) -> &S {
        &self.seq
    }
}

impl<C, T> As<C, Seq<T>> {
    /// The cell of an element, for its components.
    #[inline(always)]
    pub fn __cell_at(&self, i: usize) -> &crate::cell::Tracked<T> {
        self.seq.__cell_at(i)
    }

    /// The cell of an element, for a question.
    #[inline(always)]
    pub fn __at(&self, i: usize) -> crate::ask::Asked<'_, T> {
        self.seq.__at(i)
    }

    /// A copy of an element, to be read when it is used.
    #[inline(always)]
    pub fn __late_at(&self, i: usize) -> crate::ask::Late<'_, T>
    where
        T: Copy,
    {
        self.seq.__late_at(i)
    }

    /// An element of which the promise says what `None` means.
    #[inline(always)]
    pub fn __some_at(&self, i: usize, promise: crate::ask::Promise) -> &T {
        self.seq.__some_at(i, promise)
    }
}

impl<C, S, I> std::ops::Index<I> for As<C, S>
where
    S: std::ops::Index<I>,
{
    type Output = S::Output;
    #[inline(always)]
    fn index(&self, i: I) -> &S::Output {
        &self.seq[i]
    }
}

// One by one: a blanket impl over `&S: IntoIterator` would send type inference into a loop.
macro_rules! into_iter {
    ($($seq:ident)*) => { $(
        impl<'a, C, T> IntoIterator for &'a As<C, $seq<T>> {
            type Item = &'a T;
            type IntoIter = <&'a $seq<T> as IntoIterator>::IntoIter;
            fn into_iter(self) -> Self::IntoIter {
                (&self.seq).into_iter()
            }
        }
    )* };
}
into_iter!(Seq Items EnumItems);

impl<C, S: Clone> Clone for As<C, S> {
    fn clone(&self) -> Self {
        As { seq: self.seq.clone(), container: self.container }
    }
}

macro_rules! containers {
    ($($marker:ty, $container:ty, $owned:ty;)*) => { $(
        impl<T: Content> Content for As<$marker, Seq<T>> {
            type Owned = $owned;
            fn is_copy(&self, owned: &$owned) -> bool {
                self.len() == owned.len() && self.iter().zip(owned).all(|(element, other)| element.is_copy(other))
            }
        }
        impl<T: Copied> Copied for As<$marker, Seq<T>> {
            fn copied(&self) -> $owned {
                self.iter().map(T::copied).collect()
            }
        }
        impl<T: Copied> Nested for As<$marker, Seq<T>> {}

        impl<T: Clone> As<$marker, Seq<T>> {
            /// An ordinary container, all read.
            #[expect(clippy::should_implement_trait, reason = "the copy of a mirror is not a mirror")]
            pub fn clone(&self) -> $container {
                self.seq.iter().cloned().collect()
            }

            /// The same.
            pub fn to_owned(&self) -> $container {
                self.clone()
            }
        }

        impl<T: PartialEq> PartialEq<$container> for As<$marker, Seq<T>> {
            fn eq(&self, other: &$container) -> bool {
                self.seq.len() == other.len() && self.seq.iter().eq(other.iter())
            }
        }

        impl<T: PartialEq> PartialEq<As<$marker, Seq<T>>> for $container {
            fn eq(&self, other: &As<$marker, Seq<T>>) -> bool {
                other == self
            }
        }
    )* };
}
containers! {
    VecDeque<()>, VecDeque<T>, VecDeque<T::Owned>;
    Box<[()]>, Box<[T]>, Box<[T::Owned]>;
}

impl<T: PartialEq> PartialEq<Vec<T>> for As<VecDeque<()>, Seq<T>> {
    fn eq(&self, other: &Vec<T>) -> bool {
        self.seq == *other
    }
}

like_their_sequence! {
    {C, S} As<C, S>, S;
}

impl<C, S: fmt::Debug> fmt::Debug for As<C, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.seq.fmt(f)
    }
}

impl<C, S: RepOk> RepOk for As<C, S> {
    const INVARIANT: Option<&'static str> = S::INVARIANT;
    fn rep_ok(&self) -> bool {
        self.seq.rep_ok()
    }
}

/// A container that can be made from a `Vec` and be read element by element.
pub trait Container<T: 'static> {
    /// The container with elements of this type.
    type Of: 'static;
    /// From a vector.
    fn from_vec(v: Vec<T>) -> Self::Of;
    /// Number of elements.
    fn len(of: &Self::Of) -> usize;
    /// One element.
    fn get(of: &Self::Of, i: usize) -> &T;
    /// The elements in order.
    fn iter_mut(of: &mut Self::Of) -> impl ExactSizeIterator<Item = &mut T>;
}

impl<T: 'static> Container<T> for VecDeque<()> {
    type Of = VecDeque<T>;
    fn from_vec(v: Vec<T>) -> VecDeque<T> {
        v.into()
    }
    fn len(of: &VecDeque<T>) -> usize {
        of.len()
    }
    fn get(of: &VecDeque<T>, i: usize) -> &T {
        &of[i]
    }
    fn iter_mut(of: &mut VecDeque<T>) -> impl ExactSizeIterator<Item = &mut T> {
        of.iter_mut()
    }
}

impl<T: 'static> Container<T> for Box<[()]> {
    type Of = Box<[T]>;
    fn from_vec(v: Vec<T>) -> Box<[T]> {
        v.into()
    }
    fn len(of: &Box<[T]>) -> usize {
        of.len()
    }
    fn get(of: &Box<[T]>, i: usize) -> &T {
        &of[i]
    }
    fn iter_mut(of: &mut Box<[T]>) -> impl ExactSizeIterator<Item = &mut T> {
        of.iter_mut()
    }
}
