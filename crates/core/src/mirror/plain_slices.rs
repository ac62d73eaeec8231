//! Slices that are no mirrors, where the copy of an invariant expects one: as arguments, and in patterns.

use super::slices::Slice;
use super::{Array, LateVec, Seq};
use crate::cell::{Copied, Tracked, contents, split};
use std::marker::PhantomData;
use std::ops::Deref;

/// Cells of values that are no part of a structure: the elements of a local vector, as an argument of a function of the
/// copy that takes a slice.
pub struct PlainCells<'a, T> {
    cells: Holders<T>,
    of: PhantomData<&'a [T]>,
}

/// Cells that hold values. A type without the lifetime of the values, which need not be there any more when it is dropped.
struct Holders<T>(Vec<Tracked<T>>);

impl<T> Drop for Holders<T> {
    fn drop(&mut self) {
        split::release(&self.0);
    }
}

impl<T> Deref for PlainCells<'_, T> {
    type Target = Slice<T>;
    fn deref(&self) -> &Slice<T> {
        Slice::of(&self.cells.0)
    }
}

/// `.__slice()` on slices that are no mirrors.
pub trait PlainSlice<T> {
    /// Cells that hold the elements.
    fn __slice(&self) -> PlainCells<'_, T>;
}

impl<T> PlainSlice<T> for [T] {
    fn __slice(&self) -> PlainCells<'_, T> {
        PlainCells {
            cells: Holders(self.iter().map(|value| contents::holding(value, Copied::Not)).collect()),
            of: PhantomData,
        }
    }
}

/// What a marked function takes in place of `&[T]`. Its callers see its signature no better than its name, so it takes
/// slices of cells and local vectors alike.
pub trait AsSlice<T> {
    /// A slice of cells, perhaps together with the cells.
    type Cells<'a>: Deref<Target = Slice<T>>
    where
        Self: 'a;
    /// Returns it.
    fn __as_slice(&self) -> Self::Cells<'_>;
}

macro_rules! as_slice {
    (mirrors: $([$($g:tt)*] $mirror:ty;)*) => { $(
        impl<T, $($g)*> AsSlice<T> for $mirror {
            type Cells<'a>
                = &'a Slice<T>
            where
                Self: 'a;
            #[inline]
            fn __as_slice(&self) -> &Slice<T> {
                self
            }
        }
    )* };
    (locals: $([$($g:tt)*] $local:ty;)*) => { $(
        impl<T, $($g)*> AsSlice<T> for $local {
            type Cells<'a>
                = PlainCells<'a, T>
            where
                Self: 'a;
            fn __as_slice(&self) -> PlainCells<'_, T> {
                self.__slice()
            }
        }
    )* };
    (pointers: $([$($bound:tt)*] $pointer:ty;)*) => { $(
        impl<T, S: ?Sized + AsSlice<T> $($bound)*> AsSlice<T> for $pointer {
            type Cells<'a>
                = S::Cells<'a>
            where
                Self: 'a;
            fn __as_slice(&self) -> S::Cells<'_> {
                (**self).__as_slice()
            }
        }
    )* };
}
as_slice! { mirrors:
    [] Slice<T>;
    [] Seq<T>;
    [] LateVec<T>;
    [const N: usize] Array<T, N>;
}
as_slice! { locals:
    [] [T];
    [] Vec<T>;
    [const N: usize] [T; N];
}
as_slice! { pointers:
    [] &S;
    [] Box<S>;
    [] std::rc::Rc<S>;
    [] std::sync::Arc<S>;
}

/// What `rest @ ..` in a slice pattern is bound to.
pub struct Rest<R>(pub R);

impl<'a, T> Rest<&'a [Tracked<T>]> {
    /// The slice of these cells.
    pub fn __rest(self) -> &'a Slice<T> {
        Slice::of(self.0)
    }
}

/// `.__rest()` on slices that are no mirrors.
pub trait PlainRest {
    /// The slice itself.
    type Slice;
    /// Returns it.
    fn __rest(self) -> Self::Slice;
}

impl<R> PlainRest for Rest<R> {
    type Slice = R;
    fn __rest(self) -> R {
        self.0
    }
}
