//! Slices that are no mirrors, where the copy of an invariant expects one: as arguments, and in patterns.

use super::slices::Slice;
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
