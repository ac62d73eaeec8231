//! Comparisons with cells, and the kinds of operands that they have.

use super::{Asked, NOTHING, Promise, components, is_key};
use crate::cell::{Asks, Head, Tracked, split};
use crate::layout::LARGEST_NUMBER;
use crate::promise::{self, Op};
use std::ops::{Add, Sub};

/// One side of a comparison: a cell, a cell plus a number, or a reference to a value.
pub trait Operand {
    /// What is compared.
    type Value: ?Sized;
    /// Returns the cell, and the number that is added to it.
    fn cell(&self) -> Option<(&Head, i64)>;
    /// Returns the heads of the components of a tuple, if it is one whose components are cells.
    fn components(&self) -> Vec<&Head> {
        vec![]
    }
    /// Calls `f` with the value, which is read.
    fn with<R>(&self, f: impl FnOnce(&Self::Value) -> R) -> R;
    /// Calls `f` with the value for a choice of its cell.
    fn with_choice<R>(&self, choice: u32, f: impl FnOnce(&Self::Value) -> R) -> R;
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
    fn with_choice<R>(&self, _: u32, f: impl FnOnce(&V) -> R) -> R {
        f(self)
    }
}

impl<T> Operand for Asked<'_, T> {
    type Value = T;
    #[inline(always)]
    fn cell(&self) -> Option<(&Head, i64)> {
        Some((&self.cell.head, 0))
    }
    fn components(&self) -> Vec<&Head> {
        split::heads(self.cell)
    }
    #[inline(always)]
    fn with<R>(&self, f: impl FnOnce(&T) -> R) -> R {
        f(self.cell.__read())
    }
    fn with_choice<R>(&self, choice: u32, f: impl FnOnce(&T) -> R) -> R {
        f(self.cell.value_of(choice))
    }
}

/// A sum of a cell and a number.
pub enum Shifted<'a, T> {
    /// Of a cell that can be asked about, where no sum is out of range.
    Cell {
        /// The cell.
        cell: &'a Tracked<T>,
        /// What is added.
        by: i64,
        /// The sum for a value.
        sum: fn(&T, i64) -> T,
    },
    /// Of a cell that was read.
    Value(T),
}

impl<T> Operand for Shifted<'_, T> {
    type Value = T;
    #[inline(always)]
    fn cell(&self) -> Option<(&Head, i64)> {
        match self {
            Shifted::Cell { cell, by, .. } => Some((&cell.head, *by)),
            Shifted::Value(_) => None,
        }
    }
    #[inline(always)]
    fn with<R>(&self, f: impl FnOnce(&T) -> R) -> R {
        match self {
            Shifted::Cell { cell, by, sum } => f(&sum(cell.__read(), *by)),
            Shifted::Value(value) => f(value),
        }
    }
    fn with_choice<R>(&self, choice: u32, f: impl FnOnce(&T) -> R) -> R {
        match self {
            Shifted::Cell { cell, by, sum } => f(&sum(cell.value_of(choice), *by)),
            Shifted::Value(value) => f(value),
        }
    }
}

/// A value that was computed.
pub struct Ready<T>(T);

impl<T> Operand for Ready<T> {
    type Value = T;
    #[inline(always)]
    fn cell(&self) -> Option<(&Head, i64)> {
        None
    }
    #[inline(always)]
    fn with<R>(&self, f: impl FnOnce(&T) -> R) -> R {
        f(&self.0)
    }
    fn with_choice<R>(&self, _: u32, f: impl FnOnce(&T) -> R) -> R {
        f(&self.0)
    }
}

/// An operand that numbers can be added to.
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
    V: Copy + Add<N> + Sub<N, Output = <V as Add<N>>::Output>,
{
    type Sum = Ready<<V as Add<N>>::Output>;
    #[inline(always)]
    fn plus(self, n: N) -> Self::Sum {
        Ready(*self + n)
    }
    #[inline(always)]
    fn minus(self, n: N) -> Self::Sum {
        Ready(*self - n)
    }
}

/// The least and the greatest number of a cell that can be asked about plus `by`.
#[inline(always)]
fn askable_sums(head: &Head, by: i64) -> Option<(i64, i64)> {
    let is_askable = head.asks.get() == Asks::Data && by.unsigned_abs() <= LARGEST_NUMBER;
    if is_askable { head.heap.get()?.numbers(head.slot.get()) } else { None }
}

/// An integer type.
trait Integer: Copy + Add<Output = Self> + Sub<Output = Self> + TryInto<i64> + TryFrom<i128> {
    /// The sum, which the type has.
    fn sum(&self, by: i64) -> Self;
}

macro_rules! integers {
    ($($t:ident)*) => { $(
        impl Integer for $t {
            #[inline(always)]
            fn sum(&self, by: i64) -> $t {
                (*self as i128 + i128::from(by)) as $t
            }
        }
    )* };
}
integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

/// The sum of a cell and a number: without a read if no value of the cell makes the sum too large or too small.
#[inline(always)]
fn shifted<N: Integer>(cell: &Tracked<N>, by: Option<i64>, read: impl FnOnce(N) -> N) -> Shifted<'_, N> {
    let fits = |n: i64, by: i64| N::try_from(i128::from(n) + i128::from(by)).is_ok();
    match by.and_then(|by| Some((by, askable_sums(&cell.head, by)?))) {
        Some((by, (least, most))) if fits(least, by) && fits(most, by) => {
            Shifted::Cell { cell, by, sum: N::sum }
        }
        _ => Shifted::Value(read(*cell.__read())),
    }
}

impl<'a, N: Integer> Shift<N> for Asked<'a, N> {
    type Sum = Shifted<'a, N>;
    #[inline(always)]
    fn plus(self, n: N) -> Self::Sum {
        shifted(self.cell, n.try_into().ok(), |value| value + n)
    }
    #[inline(always)]
    fn minus(self, n: N) -> Self::Sum {
        shifted(self.cell, n.try_into().ok().and_then(i64::checked_neg), |value| value - n)
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

/// Asks how two operands compare, or reads and compares them.
#[inline(always)]
fn compare<L: Operand, R: Operand>(
    op: Op,
    promise: Promise,
    left: &L,
    right: &R,
    test: impl Fn(&L::Value, &R::Value) -> bool,
) -> bool {
    let asked = |cell: Option<(&Head, i64)>| cell.is_some_and(|(head, _)| head.asks.get() != Asks::Nothing);
    if asked(left.cell()) || asked(right.cell()) {
        return compare_cells(op, promise, left, right, &test);
    }
    left.with(|l| right.with(|r| test(l, r)))
}

/// Compiled once for each pair of types, and not for each comparison.
#[inline(never)]
fn compare_cells<L: Operand, R: Operand>(
    op: Op,
    promise: Promise,
    left: &L,
    right: &R,
    test: &dyn Fn(&L::Value, &R::Value) -> bool,
) -> bool {
    let asked = |cell: Option<(&Head, i64)>| {
        let (head, by) = cell?;
        Some((
            head.heap.get().filter(|_| head.asks.get() != Asks::Nothing)?,
            head.slot.get(),
            by,
            head.asks.get(),
        ))
    };
    match (asked(left.cell()), asked(right.cell())) {
        (Some((heap, a, by, Asks::Data)), Some((_, b, back, Asks::Data))) if heap.are_comparable(a, b) => {
            heap.ask_pair((a, by - back), b, op, promise)
        }
        // Pointers that own are compared by what they lead to.
        (Some((heap, slot, _, Asks::Address)), _) => {
            right.with(|r| heap.ask_pointer(slot, promise, &|c| left.with_choice(c, |l| test(l, r))))
        }
        (_, Some((heap, slot, _, Asks::Address))) => {
            left.with(|l| heap.ask_pointer(slot, promise, &|c| right.with_choice(c, |r| test(l, r))))
        }
        (Some((heap, slot, _, Asks::Data)), _) => {
            right.with(|r| heap.ask_choice(slot, promise, &|c| left.with_choice(c, |l| test(l, r))))
        }
        (_, Some((heap, slot, _, Asks::Data))) => {
            left.with(|l| heap.ask_choice(slot, promise, &|c| right.with_choice(c, |r| test(l, r))))
        }
        _ => compare_parts(op, promise, left, right, test),
    }
}

/// Asks how two tuples compare whose components are cells, or reads and compares what is none.
#[inline(never)]
fn compare_parts<L: Operand, R: Operand>(
    op: Op,
    promise: Promise,
    left: &L,
    right: &R,
    test: &dyn Fn(&L::Value, &R::Value) -> bool,
) -> bool {
    match components::compare(op, promise, &left.components(), &right.components()) {
        Some(answer) => answer,
        None => left.with(|l| right.with(|r| test(l, r))),
    }
}

/// What a condition is about: a cell, or anything else, of which nothing is ruled out.
pub trait Subject {
    /// What it holds.
    type Value: ?Sized;
    /// Rules out the values for which the condition refutes the invariant.
    fn rule_out(self, promise: Promise, test: impl Fn(&Self::Value) -> bool);
}

impl<V: ?Sized> Subject for &V {
    type Value = V;
    #[inline(always)]
    fn rule_out(self, _: Promise, _: impl Fn(&V) -> bool) {}
}

impl<T> Subject for Asked<'_, T> {
    type Value = T;
    #[inline(always)]
    fn rule_out(self, promise: Promise, test: impl Fn(&T) -> bool) {
        let head = &self.cell.head;
        if promise == NOTHING || !matches!(head.asks.get(), Asks::Data | Asks::Address) {
            return;
        }
        if let Some(heap) = head.heap.get() {
            heap.rule_out(head.slot.get(), promise, &|choice| test(self.cell.value_of(choice)));
        }
    }
}

/// Rules out values of a field that refute the invariant, before a condition about the field is evaluated: `test` is the
/// condition for each value.
#[inline(always)]
pub fn unless<S: Subject>(promise: Promise, subject: S, test: impl Fn(&S::Value) -> bool) {
    subject.rule_out(promise, test);
}

/// A promise about a comparison that may turn out to be one of keys.
#[inline(always)]
fn under<R>(op: Op, promise: Promise, is_key: bool, compare: impl FnOnce() -> R) -> R {
    if promise == NOTHING || !is_key {
        return compare();
    }
    promise::about_keys(op, promise, compare)
}

macro_rules! comparisons {
    ($($name:ident $op:ident $text:literal;)*) => { $(
        #[doc = $text]
        #[doc = ""]
        #[doc = "`holds` is the operator itself. It stands in the user's code, where the compiler finds the same"]
        #[doc = "coercions as in the original (`pointer == reference`), and the same errors."]
        #[inline(always)]
        pub fn $name<L: Operand, R: Operand>(
            promise: Promise,
            left: L,
            right: R,
            holds: impl Fn(&L::Value, &R::Value) -> bool,
        ) -> bool {
            under(Op::$op, promise, is_key::<L::Value>(), || {
                compare(Op::$op, promise, &left, &right, holds)
            })
        }
    )* };
}
comparisons! {
    eq Eq "`left == right`";
    ne Ne "`left != right`";
    lt Lt "`left < right`";
    le Le "`left <= right`";
    gt Gt "`left > right`";
    ge Ge "`left >= right`";
}
