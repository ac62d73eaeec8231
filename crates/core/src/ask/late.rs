//! Copies of fields in variables, which are read when the variable is used.
//!
//! `let key = node.key;` does not need the key; what comes behind it may only compare it. The copy of an invariant says
//! `let key = node.key.__late();`, compares with `key.__ask()` and uses `*key.__get()`.

use super::compare::{Operand, Shift, Shifted, Subject};
use super::{Asked, NOTHING, Promise};
use crate::cell::{Head, Tracked, split};
use std::ops::{Deref, Index};

/// A copy of a field, or of any other value.
#[derive(Clone, Copy)]
pub enum Late<'a, T> {
    /// Of a cell of plain data.
    Cell(&'a Tracked<T>),
    /// Of anything else.
    Value(T),
}

impl<'a, T> Late<'a, T> {
    /// The value, which is read.
    #[inline(always)]
    pub fn __get(&self) -> &T {
        match self {
            Late::Cell(cell) => cell.__read(),
            Late::Value(value) => value,
        }
    }

    /// A copy of the value, which is read.
    #[inline(always)]
    pub fn __value(&self) -> T
    where
        T: Copy,
    {
        *self.__get()
    }

    /// The value, if it was read already.
    #[inline]
    pub fn __known(&self) -> Option<&T> {
        match self {
            Late::Cell(cell) => cell.head.is_open().then(|| cell.__read()),
            Late::Value(value) => Some(value),
        }
    }

    /// The copy, for a question.
    #[inline(always)]
    pub fn __ask(&self) -> AskedLate<'_, 'a, T> {
        AskedLate(self)
    }
}

/// The value, which is read.
impl<T> Deref for Late<'_, T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        self.__get()
    }
}

macro_rules! tuples {
    ($(($($t:ident $i:tt),+))*) => { $(
        impl<'a, $($t: Copy),+> Late<'a, ($($t,)+)> {
            /// Copies of the components, each to be read when it is used.
            pub fn __parts(&self) -> ($(Late<'a, $t>,)+) {
                match self {
                    Late::Cell(cell) => {
                        let cells = cell.__parts();
                        ($(cells.$i.__late(),)+)
                    }
                    Late::Value(value) => ($(Late::Value(value.$i),)+),
                }
            }
        }
    )* };
}
tuples!((A 0)(A 0, B 1)(A 0, B 1, C 2)(A 0, B 1, C 2, D 3)(A 0, B 1, C 2, D 3, E 4)(A 0, B 1, C 2, D 3, E 4, F 5));

/// A copy that a question is about.
pub struct AskedLate<'b, 'a, T>(&'b Late<'a, T>);

impl<T> AskedLate<'_, '_, T> {
    /// The same question; promises are about cells.
    #[inline(always)]
    pub fn __under(self, _: Promise) -> Self {
        self
    }
}

impl<T> Deref for AskedLate<'_, '_, T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        self.0.__get()
    }
}

impl<T> Operand for AskedLate<'_, '_, T> {
    type Value = T;
    #[inline(always)]
    fn cell(&self) -> Option<(&Head, i64)> {
        match self.0 {
            Late::Cell(cell) => Some((&cell.head, 0)),
            Late::Value(_) => None,
        }
    }
    fn components(&self) -> Vec<&Head> {
        match self.0 {
            Late::Cell(cell) => split::heads(cell),
            Late::Value(_) => vec![],
        }
    }
    #[inline(always)]
    fn with<R>(&self, f: impl FnOnce(&T) -> R) -> R {
        f(self.0.__get())
    }
    fn with_choice<R>(&self, choice: u32, f: impl FnOnce(&T) -> R) -> R {
        match self.0 {
            Late::Cell(cell) => f(cell.value_of(choice)),
            Late::Value(value) => f(value),
        }
    }
}

impl<T> Subject for AskedLate<'_, '_, T> {
    type Value = T;
    fn rule_out(self, promise: Promise, test: impl Fn(&T) -> bool) {
        if let Late::Cell(cell) = self.0 {
            Asked { cell, promise: NOTHING }.rule_out(promise, test);
        }
    }
}

impl<'a, T: Copy, N> Shift<N> for AskedLate<'_, 'a, T>
where
    Asked<'a, T>: Shift<N, Sum = Shifted<'a, T>>,
    T: std::ops::Add<N, Output = T> + std::ops::Sub<N, Output = T>,
{
    type Sum = Shifted<'a, T>;
    fn plus(self, n: N) -> Self::Sum {
        match self.0 {
            Late::Cell(cell) => Asked { cell, promise: NOTHING }.plus(n),
            Late::Value(value) => Shifted::Value(*value + n),
        }
    }
    fn minus(self, n: N) -> Self::Sum {
        match self.0 {
            Late::Cell(cell) => Asked { cell, promise: NOTHING }.minus(n),
            Late::Value(value) => Shifted::Value(*value - n),
        }
    }
}

/// `.__late()` on everything that is not a cell.
pub trait PlainLate: Copy {
    /// A copy of the value.
    #[inline(always)]
    fn __late(&self) -> Late<'_, Self> {
        Late::Value(*self)
    }
    /// The value itself.
    #[inline(always)]
    fn __value(&self) -> Self {
        *self
    }
}

impl<T: Copy> PlainLate for T {}

/// `.__late_at(i)` on values whose elements are no cells.
pub trait PlainLateIndex<I>: Index<I> {
    /// A copy of an element.
    #[inline(always)]
    fn __late_at(&self, index: I) -> Late<'_, Self::Output>
    where
        Self::Output: Copy,
    {
        Late::Value(self[index])
    }
}

impl<T: ?Sized + Index<I>, I> PlainLateIndex<I> for T {}
