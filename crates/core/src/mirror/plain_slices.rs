//! Slices that are no mirrors, where the copy of an invariant expects one: as arguments, and in patterns.

use super::slices::Slice;
use crate::cell::{Copied, Tracked, contents};
use std::marker::PhantomData;
use std::ops::Deref;

/// Cells of values that are no part of a structure: the elements of a local vector, as an argument of a function of the
/// copy that takes a slice.
pub struct PlainCells<'a, T> {
    cells: Vec<Tracked<T>>,
    of: PhantomData<&'a [T]>,
}

impl<T> Deref for PlainCells<'_, T> {
    type Target = Slice<T>;
    fn deref(&self) -> &Slice<T> {
        Slice::of(&self.cells)
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
            cells: self.iter().map(|value| contents::holding(value, Copied::Not)).collect(),
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
