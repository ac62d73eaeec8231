//! Questions: what instrumented code asks about a field instead of reading it.
//!
//! `self.size == n` needs to know whether the size is `n`, not what it is. The copy of an invariant says
//! `eq(promise, self.size.__ask(), &n, |l, r| *l == *r)`, and an engine that decides questions instead of values answers
//! without choosing a value. For all other engines this is a read and a comparison.
//!
//! A *promise* says what the answer is worth: that the whole invariant is false if it comes out one way. Then the
//! engine need not try that way at all. `#[rep_ok]` derives promises from where a question stands (`a && b`,
//! `if c { return false }`); functions learn from [`enter`] what their caller does with their result.

use crate::cell::{Asks, Head, Tracked, UNREAD};
use crate::heap::{Heap, Kind};
use crate::key::Key;
use std::any::type_name;
use std::cell::Cell;
use std::cmp::Ordering;
use std::ops::{Add, Deref, Sub};

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

/// Runs instrumented code in between, as a derived field does when it is read: what waits is not meant for that.
pub(crate) fn aside<R>(f: impl FnOnce() -> R) -> R {
    let pending = enter();
    let result = f();
    promise(pending);
    result
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

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Op {
    pub fn holds(self, order: Ordering) -> bool {
        match self {
            Op::Eq => order.is_eq(),
            Op::Ne => order.is_ne(),
            Op::Lt => order.is_lt(),
            Op::Le => order.is_le(),
            Op::Gt => order.is_gt(),
            Op::Ge => order.is_ge(),
        }
    }

    /// The same with its sides exchanged.
    pub fn flipped(self) -> Op {
        match self {
            Op::Lt => Op::Gt,
            Op::Le => Op::Ge,
            Op::Gt => Op::Lt,
            Op::Ge => Op::Le,
            Op::Eq | Op::Ne => self,
        }
    }
}

thread_local! {
    /// A promise about the next comparison of keys, if it is this one. In generic code nobody but the key itself knows
    /// that it is one.
    static ABOUT_KEYS: Cell<Option<(Op, Promise)>> = const { Cell::new(None) };
}

/// The promise about a comparison of keys.
pub(crate) fn take_promise(op: Op) -> Promise {
    match ABOUT_KEYS.take() {
        Some((about, promise)) if about == op => promise,
        _ => NOTHING,
    }
}

/// Whether a type is [`Key`], or a reference to one. Only by name, since type parameters of users' code may not be
/// `'static`; if names should ever lie, a promise is lost.
#[inline(always)]
fn is_key<T: ?Sized>() -> bool {
    let (name, key) = (type_name::<T>(), type_name::<Key>());
    name.len() <= key.len() + 3 && name.ends_with(key)
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
        if self.head.asks.get() == Asks::Nothing {
            self.__read();
        }
        Asked { cell: self, promise: NOTHING }
    }

    /// Reads an `Option` of which the promise says what `None` means.
    #[inline(always)]
    pub fn __some(&self, promise: Promise) -> &T {
        if promise != NOTHING
            && self.head.asks.get() != Asks::Nothing
            && self.head.index.get() == UNREAD
            && let Some(heap) = self.head.heap.get()
        {
            heap.read_some(self.head.slot.get(), promise);
        }
        self.__read()
    }
}

impl<'a, T> Asked<'a, T> {
    /// The same question with a promise about its answer.
    #[inline(always)]
    pub fn __under(self, promise: Promise) -> Asked<'a, T> {
        Asked { promise, ..self }
    }

    /// Whether it is none, asked of the heap if that is how the cell is asked.
    #[inline(always)]
    fn none(&self, promise: Promise, is_none: fn(&T) -> bool) -> bool {
        let head = &self.cell.head;
        match head.heap.get() {
            Some(heap) if head.asks.get() != Asks::Nothing => heap.ask_none(head.slot.get(), promise),
            _ => is_none(self.cell.__read()),
        }
    }
}

impl<T> Asked<'_, Option<T>> {
    /// Whether it is `None`.
    #[inline(always)]
    pub fn is_none(&self) -> bool {
        self.none(self.promise, Option::is_none)
    }

    /// Whether it is `Some`.
    #[inline(always)]
    pub fn is_some(&self) -> bool {
        !self.none(not(self.promise), Option::is_none)
    }
}

impl<T> Asked<'_, *const T> {
    /// Whether it is null.
    #[inline(always)]
    pub fn is_null(&self) -> bool {
        self.none(self.promise, |p| p.is_null())
    }
}

impl<T> Asked<'_, *mut T> {
    /// Whether it is null.
    #[inline(always)]
    pub fn is_null(&self) -> bool {
        self.none(self.promise, |p| p.is_null())
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
    /// What it would be with a choice of its cell.
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
    /// Of a cell that can be asked, none of whose sums is out of range.
    Cell {
        /// The cell.
        cell: &'a Tracked<T>,
        /// What is added.
        by: i64,
        /// How.
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

macro_rules! shifts {
    ($($t:ident)*) => { $(
        impl<'a> Asked<'a, $t> {
            #[inline(always)]
            fn shifted(self, by: Option<i64>, read: impl FnOnce($t) -> $t) -> Shifted<'a, $t> {
                let head = &self.cell.head;
                if head.asks.get() == Asks::Data
                    && let (Some(by), Some(heap)) = (by, head.heap.get())
                    && let Some((least, most)) = heap.numbers(head.slot.get())
                    && $t::try_from(i128::from(least) + i128::from(by)).is_ok()
                    && $t::try_from(i128::from(most) + i128::from(by)).is_ok()
                {
                    return Shifted::Cell { cell: self.cell, by, sum: |n, by| (*n as i128 + i128::from(by)) as $t };
                }
                Shifted::Value(read(*self.cell.__read()))
            }
        }

        impl<'a> Shift<$t> for Asked<'a, $t> {
            type Sum = Shifted<'a, $t>;
            #[inline(always)]
            fn plus(self, n: $t) -> Self::Sum {
                self.shifted(i64::try_from(n).ok(), |value| value + n)
            }
            #[inline(always)]
            fn minus(self, n: $t) -> Self::Sum {
                self.shifted(i64::try_from(n).ok().and_then(i64::checked_neg), |value| value - n)
            }
        }
    )* };
}
shifts!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

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
        return compare_cells(op, promise, left, right, test);
    }
    left.with(|l| right.with(|r| test(l, r)))
}

#[inline(never)]
fn compare_cells<L: Operand, R: Operand>(
    op: Op,
    promise: Promise,
    left: &L,
    right: &R,
    test: impl Fn(&L::Value, &R::Value) -> bool,
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
            right.with(|r| heap.ask_pointer(slot, promise, |c| left.with_choice(c, |l| test(l, r))))
        }
        (_, Some((heap, slot, _, Asks::Address))) => {
            left.with(|l| heap.ask_pointer(slot, promise, |c| right.with_choice(c, |r| test(l, r))))
        }
        (Some((heap, slot, _, Asks::Data)), _) => {
            right.with(|r| heap.ask_choice(slot, promise, |c| left.with_choice(c, |l| test(l, r))))
        }
        (_, Some((heap, slot, _, Asks::Data))) => {
            left.with(|l| heap.ask_choice(slot, promise, |c| right.with_choice(c, |r| test(l, r))))
        }
        _ => left.with(|l| right.with(|r| test(l, r))),
    }
}

/// What a condition may be about: a cell, or anything else, about which nothing needs to be known.
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
        if promise != NOTHING
            && matches!(head.asks.get(), Asks::Data | Asks::Address)
            && let Some(heap) = head.heap.get()
        {
            heap.rule_out(head.slot.get(), promise, |choice| test(self.cell.value_of(choice)));
        }
    }
}

/// Before a condition about one field is evaluated: what it says about each value of the field, so that values which
/// refute the invariant are not tried.
#[inline(always)]
pub fn unless<S: Subject>(promise: Promise, subject: S, test: impl Fn(&S::Value) -> bool) {
    subject.rule_out(promise, test);
}

impl Heap {
    /// The least and the greatest number that a slot of plain data can hold.
    fn numbers(&self, slot: u32) -> Option<(i64, i64)> {
        let s = self.state.borrow();
        let base = s.infos[slot as usize].code?.base;
        let Kind::Values { count, .. } = s.slots[slot as usize].kind else { return None };
        (s.slots[slot as usize].nones == 0).then_some((base, base + i64::from(count) - 1))
    }

    /// Whether the order of two slots is that of their numbers.
    fn are_comparable(&self, a: u32, b: u32) -> bool {
        let s = self.state.borrow();
        let (a, b) = (a as usize, b as usize);
        match (s.infos[a].code, s.infos[b].code) {
            // `None` comes before all numbers of its own slot.
            (Some(x), Some(y)) if s.slots[a].nones + s.slots[b].nones > 0 => x == y,
            (Some(x), Some(y)) => x.of == y.of,
            _ => false,
        }
    }
}

/// A promise about a comparison that may turn out to be one of keys.
#[inline(always)]
fn under<R>(op: Op, promise: Promise, is_key: bool, compare: impl FnOnce() -> R) -> R {
    if promise == NOTHING || !is_key {
        return compare();
    }
    ABOUT_KEYS.set(Some((op, promise)));
    let result = compare();
    ABOUT_KEYS.set(None);
    result
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
