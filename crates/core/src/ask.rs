//! Questions: what instrumented code asks about a field instead of reading it.
//!
//! `self.size == n` needs to know whether the size is `n`, not what it is. The copy of an invariant says
//! `eq(promise, self.size.__ask(), &n)`, and an engine that decides questions instead of values answers without choosing
//! a value. For all other engines this is a read and a comparison.
//!
//! A *promise* says what the answer is worth: that the whole invariant is false if it comes out one way. Then the
//! engine need not try that way at all. `#[rep_ok]` derives promises from where a question stands (`a && b`,
//! `if c { return false }`); functions learn from [`enter`] what their caller does with their result.

use crate::cell::{Head, Tracked};
use std::cell::Cell;
use std::ops::Deref;

/// What follows for the whole invariant from the result of an expression.
pub type Promise = u8;

/// Nothing.
pub const NOTHING: Promise = 0;
/// If it is `false`, `None` or `Err`, the invariant is false.
pub const FALSE_REFUTES: Promise = 1;
/// If it is `true` or `Some`, the invariant is false.
pub const TRUE_REFUTES: Promise = 2;

thread_local! {
    /// What the caller of the next instrumented function promises about its result.
    static PENDING: Cell<Promise> = const { Cell::new(NOTHING) };
}

/// The first thing that a function of the copy does: takes what its caller has promised.
#[inline(always)]
pub fn enter() -> Promise {
    PENDING.replace(NOTHING)
}

/// The last thing before a call of a function of the copy.
#[inline(always)]
pub fn promise(promise: Promise) {
    PENDING.set(promise);
}

/// The first thing after that call: what was not taken is void.
#[inline(always)]
pub fn unpromise() {
    PENDING.set(NOTHING);
}

/// The promise about `x`, from the one about `!x`.
#[inline(always)]
pub const fn not(promise: Promise) -> Promise {
    (promise & FALSE_REFUTES) << 1 | (promise & TRUE_REFUTES) >> 1
}

/// The promise about `c` in `if c { return false }`, from the one about the result of the function.
#[inline(always)]
pub const fn returns_false(promise: Promise) -> Promise {
    (promise & FALSE_REFUTES) << 1
}

/// The promise about `c` in `if c { return true }`, from the one about the result of the function.
#[inline(always)]
pub const fn returns_true(promise: Promise) -> Promise {
    promise & TRUE_REFUTES
}

/// A cell that a question is about.
pub struct Asked<'a, T> {
    cell: &'a Tracked<T>,
    promise: Promise,
}

impl<T> Tracked<T> {
    /// The cell, for a question. Engines that decide values read it here, so that reads keep the order of the code.
    #[inline(always)]
    pub fn __ask(&self) -> Asked<'_, T> {
        self.__read();
        Asked { cell: self, promise: NOTHING }
    }

    /// Reads an `Option` of which the promise says what `None` means.
    #[inline(always)]
    pub fn __some(&self, promise: Promise) -> &T {
        let _ = promise;
        self.__read()
    }
}

impl<'a, T> Asked<'a, T> {
    /// The same question with a promise about its answer.
    #[inline(always)]
    pub fn __under(self, promise: Promise) -> Asked<'a, T> {
        Asked { promise, ..self }
    }
}

impl<T> Asked<'_, Option<T>> {
    /// Whether it is `None`.
    #[inline(always)]
    pub fn is_none(&self) -> bool {
        let _ = self.promise;
        self.cell.__read().is_none()
    }

    /// Whether it is `Some`.
    #[inline(always)]
    pub fn is_some(&self) -> bool {
        self.cell.__read().is_some()
    }
}

impl<T> Asked<'_, *const T> {
    /// Whether it is null.
    #[inline(always)]
    pub fn is_null(&self) -> bool {
        self.cell.__read().is_null()
    }
}

impl<T> Asked<'_, *mut T> {
    /// Whether it is null.
    #[inline(always)]
    pub fn is_null(&self) -> bool {
        self.cell.__read().is_null()
    }
}

/// Every other method is the value's own.
impl<T> Deref for Asked<'_, T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        self.cell.__read()
    }
}

/// One side of a comparison: a cell, a cell plus a number, or a reference to a value.
pub trait Operand {
    /// What is compared.
    type Value: ?Sized;
    /// The cell, and what is added to it.
    fn cell(&self) -> Option<(&Head, i64)>;
    /// Reads it.
    fn with<R>(&self, f: impl FnOnce(&Self::Value) -> R) -> R;
}

impl<V: ?Sized> Operand for &V {
    type Value = V;
    #[inline(always)]
    fn cell(&self) -> Option<(&Head, i64)> {
        None
    }
    #[inline(always)]
    fn with<R>(&self, f: impl FnOnce(&V) -> R) -> R {
        f(self)
    }
}

impl<T> Operand for Asked<'_, T> {
    type Value = T;
    #[inline(always)]
    fn cell(&self) -> Option<(&Head, i64)> {
        Some((&self.cell.head, 0))
    }
    #[inline(always)]
    fn with<R>(&self, f: impl FnOnce(&T) -> R) -> R {
        f(self.cell.__read())
    }
}

/// A sum of a cell and a number.
pub struct Shifted<'a, T> {
    cell: &'a Tracked<T>,
    by: i64,
    sum: fn(&T, i64) -> T,
}

impl<T> Operand for Shifted<'_, T> {
    type Value = T;
    fn cell(&self) -> Option<(&Head, i64)> {
        Some((&self.cell.head, self.by))
    }
    fn with<R>(&self, f: impl FnOnce(&T) -> R) -> R {
        f(&(self.sum)(self.cell.__read(), self.by))
    }
}

/// A value that was computed.
pub struct Ready<T>(T);

impl<T> Operand for Ready<T> {
    type Value = T;
    fn cell(&self) -> Option<(&Head, i64)> {
        None
    }
    fn with<R>(&self, f: impl FnOnce(&T) -> R) -> R {
        f(&self.0)
    }
}

/// What numbers can be added to, on one side of a comparison.
pub trait Shift<N> {
    /// The sum.
    type Sum;
    /// `self + n`
    fn plus(self, n: N) -> Self::Sum;
    /// `self - n`
    fn minus(self, n: N) -> Self::Sum;
}

impl<V, N> Shift<N> for &V
where
    V: Copy + std::ops::Add<N> + std::ops::Sub<N, Output = <V as std::ops::Add<N>>::Output>,
{
    type Sum = Ready<<V as std::ops::Add<N>>::Output>;
    fn plus(self, n: N) -> Self::Sum {
        Ready(*self + n)
    }
    fn minus(self, n: N) -> Self::Sum {
        Ready(*self - n)
    }
}

/// `operand + n`, and `n + operand`.
#[inline(always)]
pub fn plus<O: Shift<N>, N>(operand: O, n: N) -> O::Sum {
    operand.plus(n)
}

/// `operand - n`
#[inline(always)]
pub fn minus<O: Shift<N>, N>(operand: O, n: N) -> O::Sum {
    operand.minus(n)
}

macro_rules! shifts {
    ($($t:ident)*) => { $(
        impl<'a> Shift<$t> for Asked<'a, $t> {
            type Sum = Ready<$t>;
            fn plus(self, n: $t) -> Self::Sum {
                Ready(*self.cell.__read() + n)
            }
            fn minus(self, n: $t) -> Self::Sum {
                Ready(*self.cell.__read() - n)
            }
        }
    )* };
}
shifts!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

macro_rules! comparisons {
    ($($name:ident $bound:ident $op:tt $text:literal;)*) => { $(
        #[doc = $text]
        #[inline(always)]
        pub fn $name<L: Operand, R: Operand>(promise: Promise, left: L, right: R) -> bool
        where
            L::Value: $bound<R::Value>,
        {
            let _ = promise;
            left.with(|l| right.with(|r| *l $op *r))
        }
    )* };
}
comparisons! {
    eq PartialEq == "`left == right`";
    ne PartialEq != "`left != right`";
    lt PartialOrd < "`left < right`";
    le PartialOrd <= "`left <= right`";
    gt PartialOrd > "`left > right`";
    ge PartialOrd >= "`left >= right`";
}
