//! What the copy hands to a loop or to a function: a reference to a cell, or a value of any other type.
//!
//! The copy of `for k in v` iterates over `Handed(Some(v)).__loop()`. The compiler finds the first `__loop` that fits: that of
//! sets, that of other cells, and behind `&mut` that of everything else. The same for arguments of functions that are marked
//! `#[mirror]`: these take sets and maps as cells.

use super::looks::{IsSet, Keyed};
use crate::cell::Tracked;

/// It, until it is taken.
pub struct Handed<X>(pub Option<X>);

impl<X> Handed<X> {
    pub(crate) fn value(self) -> X {
        self.0.expect("smallscope internal error: a value is handed over once")
    }
}

impl<'a, S: IsSet> Handed<&'a Tracked<S>> {
    /// The set. The loop asks about one key after the other.
    pub fn __loop(self) -> S::Look<'a> {
        self.value().__look()
    }
}

impl<'a, S: Keyed> Handed<&'a Tracked<S>> {
    /// The cell of the set or map.
    pub fn __argument(self) -> &'a Tracked<S> {
        self.value().__cell()
    }
}

/// [`Handed`] for other cells.
pub trait HandedCell<'a>: Sized {
    /// What the cell holds.
    type Held;
    /// The value, which is read.
    fn __loop(self) -> &'a Self::Held;
    /// The same.
    fn __argument(self) -> &'a Self::Held {
        self.__loop()
    }
}

impl<'a, T> HandedCell<'a> for Handed<&'a Tracked<T>> {
    type Held = T;
    fn __loop(self) -> &'a T {
        self.value().__read()
    }
}

/// [`Handed`] for everything else.
pub trait HandedValue<X> {
    /// The value itself.
    fn __loop(&mut self) -> X;
    /// The same.
    fn __argument(&mut self) -> X {
        self.__loop()
    }
}

impl<X> HandedValue<X> for Handed<X> {
    fn __loop(&mut self) -> X {
        Handed(self.0.take()).value()
    }
}
