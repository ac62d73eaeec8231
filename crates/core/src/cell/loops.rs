//! Methods that the cells of sets, and of their `Option`s, have of their own. On everything else they read, or do nothing.

use super::Tracked;

/// `(&place).__loop()` on the cells of everything but sets, which have a method of their own. The same for `Option`s of sets and
/// maps.
pub trait CellLoop {
    /// What the cell holds.
    type Held;
    /// The value, which is read.
    fn __loop(&self) -> &Self::Held;
    /// The same, for a pattern.
    fn __held(&self) -> &Self::Held {
        self.__loop()
    }
    /// The same, for a method.
    fn __holder(&self) -> &Self::Held {
        self.__loop()
    }
}

impl<T> CellLoop for Tracked<T> {
    type Held = T;
    #[inline(always)]
    fn __loop(&self) -> &T {
        self.__read()
    }
}

/// The same on everything that is no cell. One more reference, so that the compiler finds the other methods first.
pub trait PlainLoop {
    /// The place itself.
    #[inline(always)]
    fn __loop<'a>(self: &&'a Self) -> &'a Self {
        self
    }
    /// The place itself.
    #[inline(always)]
    fn __held<'a>(self: &&'a Self) -> &'a Self {
        self
    }
    /// The place itself.
    #[inline(always)]
    fn __holder<'a>(self: &&'a Self) -> &'a Self {
        self
    }
}

impl<T: ?Sized> PlainLoop for T {}
