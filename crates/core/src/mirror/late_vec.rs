//! Local vectors of an invariant that collect fields: `keys.push(node.key)` keeps the cell, which is read when the element
//! is used, and asked where the element is compared.

use super::sequences::{Cells, Elements};
use super::slices::Slice;
use crate::ask::Late;
use crate::cell::{Copied, Tracked, contents, split};
use std::fmt;
use std::ops::Deref;

/// A local vector of plain data.
pub struct LateVec<T> {
    /// One cell per element: an alias of a field, or the holder of a value.
    cells: Vec<Tracked<T>>,
    /// The values, at fixed addresses, by the index of their cell.
    values: Vec<(usize, Box<T>)>,
}

impl<T: Copy> LateVec<T> {
    /// An empty vector.
    #[expect(clippy::new_without_default, reason = "generated code calls only this")]
    pub fn new() -> LateVec<T> {
        LateVec { cells: vec![], values: vec![] }
    }

    /// Appends a copy of a field, or a value.
    pub fn push(&mut self, element: Late<'_, T>) {
        match element {
            Late::Cell(cell) => self.cells.push(contents::alias(cell)),
            Late::Value(value) => {
                let value = Box::new(value);
                self.cells.push(contents::holding(&value, Copied::Always));
                self.values.push((self.cells.len() - 1, value));
            }
        }
    }

    /// Removes the last element and returns it.
    pub fn pop(&mut self) -> Option<T> {
        let cell = self.cells.pop()?;
        let value = *cell.__read();
        split::release(&[cell]);
        if self.values.last().is_some_and(|(i, _)| *i == self.cells.len()) {
            self.values.pop();
        }
        Some(value)
    }

    /// Removes all elements.
    pub fn clear(&mut self) {
        split::release(&self.cells);
        self.cells.clear();
        self.values.clear();
    }
}

impl<T> LateVec<T> {
    /// The cells of the elements, for a loop of the copy.
    pub fn __items(&self) -> Cells<'_, T> {
        self.iter().__items()
    }

    /// The cells, for a pattern of the copy.
    pub fn __cells(&self) -> &[Tracked<T>] {
        &self.cells
    }
}

impl<T> Drop for LateVec<T> {
    fn drop(&mut self) {
        split::release(&self.cells);
    }
}

impl<T> Deref for LateVec<T> {
    type Target = Slice<T>;
    fn deref(&self) -> &Slice<T> {
        Slice::of(&self.cells)
    }
}

impl<'a, T> IntoIterator for &'a LateVec<T> {
    type Item = &'a T;
    type IntoIter = Elements<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: fmt::Debug> fmt::Debug for LateVec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
