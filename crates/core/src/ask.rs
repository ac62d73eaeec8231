//! Questions: what instrumented code asks about a field instead of reading it.
//!
//! `self.size == n` needs to know whether the size is `n`, not what it is. The instrumented copy of an invariant says
//! `eq(promise, self.size.__ask(), &n, |l, r| *l == *r)`. An engine that decides questions answers without choosing a
//! value. For all other engines this is a read and a comparison.
//!
//! A *promise* says that the whole invariant is false if the answer comes out one way. Then the engine does not try that
//! way. `#[rep_ok]` derives promises from where a question stands (`a && b`, `if c { return false }`); a function learns
//! from [`enter`] what its caller does with the result.

mod compare;
mod components;
mod handed;
mod late;
mod looks;

pub use compare::{Operand, Ready, Shift, Shifted, Subject, eq, ge, gt, le, lt, minus, ne, plus, unless};

pub use handed::{Handed, HandedCell, HandedValue};

pub use looks::{IsSet, Keyed, Keys, Look, Other, Pairwise, Range, SetLook};
pub(crate) use looks::{by_bytes, by_order};

pub use late::{AskedLate, Late, PlainLate, PlainLateIndex};

pub use crate::promise::{FALSE_REFUTES, NOTHING, Promise, TRUE_REFUTES, not};

use crate::cell::{Asks, Tracked, split};
use crate::key::Key;
use std::any::type_name;
use std::cell::Cell;
use std::ops::Deref;

thread_local! {
    /// What the caller of the next instrumented function promises about its result.
    static PENDING: Cell<Promise> = const { Cell::new(NOTHING) };
}

/// Takes what the caller has promised. The first call in each function of the copy.
#[inline(always)]
pub fn enter() -> Promise {
    PENDING.replace(NOTHING)
}

/// Leaves a promise for the function of the copy that is called next.
#[inline(always)]
pub fn promise(promise: Promise) {
    PENDING.set(promise);
}

/// Withdraws a promise that was not taken. The first call after that function has returned.
#[inline(always)]
pub fn unpromise() {
    PENDING.set(NOTHING);
}

/// Runs other instrumented code, as a derived field does when it is read, without the pending promise.
pub(crate) fn aside<R>(f: impl FnOnce() -> R) -> R {
    let pending = enter();
    let result = f();
    promise(pending);
    result
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

/// Whether a type is [`Key`], or a reference to one. Compares names, since type parameters of users' code may not be
/// `'static`. A wrong name costs a promise, nothing else.
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
    /// Returns the cell, for a question. Engines that decide values read it here, so that reads keep the order of the code.
    #[inline(always)]
    pub fn __ask(&self) -> Asked<'_, T> {
        if self.head.asks.get() == Asks::Nothing {
            self.__read();
        }
        Asked { cell: self, promise: NOTHING }
    }

    /// The cell, which a loop has reached. Everything but plain data that can be asked about is read here, so that reads
    /// keep the order of the code.
    #[inline(always)]
    pub fn __reached(&self) -> &Tracked<T> {
        if !matches!(self.head.asks.get(), Asks::Data | Asks::Components) {
            self.__read();
        }
        self
    }

    /// Reads an `Option` of which the promise says what `None` means.
    #[inline(always)]
    pub fn __some(&self, promise: Promise) -> &T {
        if promise != NOTHING && self.head.asks.get() != Asks::Nothing && self.head.is_unread() {
            if let Some(heap) = self.head.heap.get() {
                heap.read_some(self.head.slot.get(), promise);
            }
        }
        self.__read()
    }
}

impl<S: Keyed> Tracked<S> {
    /// The cell itself, as an argument of a function of the copy. Engines that decide values read it here, so that reads keep
    /// the order of the code.
    pub fn __cell(&self) -> &Self {
        if self.head.asks.get() == Asks::Nothing {
            self.__read();
        }
        self
    }

    /// The set or map of the cell, of which keys are looked up.
    pub fn __look(&self) -> S::Look<'_> {
        Look::at(self).into()
    }
}

impl<S: Keyed> Tracked<Option<S>> {
    /// The cell of the set or map, if there is one.
    pub fn __held(&self) -> Option<&Tracked<S>> {
        split::optional(self)
    }

    /// The same, to be taken out with `as_ref`.
    pub fn __holder(&self) -> Holder<'_, S> {
        Holder(self.__held())
    }
}

/// What an `Option` of a set or a map holds.
pub struct Holder<'a, S>(Option<&'a Tracked<S>>);

impl<'a, S> Holder<'a, S> {
    /// The cell of the set or map, if there is one.
    pub fn as_ref(&self) -> Option<&'a Tracked<S>> {
        self.0
    }
}

impl<S: IsSet> Tracked<S> {
    /// The set of the cell, of which a loop asks for one key after the other.
    pub fn __loop(&self) -> S::Look<'_> {
        self.__look()
    }
}

impl<T: Copy> Tracked<T> {
    /// A copy of what the cell holds. Cells that cannot be asked about are read here.
    #[inline(always)]
    pub fn __late(&self) -> Late<'_, T> {
        match self.head.asks.get() {
            Asks::Data | Asks::Components => Late::Cell(self),
            _ => Late::Value(*self.__read()),
        }
    }
}

impl<'a, T> Asked<'a, T> {
    /// The same question with a promise about its answer.
    #[inline(always)]
    pub fn __under(self, promise: Promise) -> Asked<'a, T> {
        Asked { promise, ..self }
    }

    /// Whether it is none. Asks the heap if the cell can be asked about.
    #[inline(always)]
    fn none(&self, promise: Promise, is_none: fn(&T) -> bool) -> bool {
        let head = &self.cell.head;
        match head.heap.get() {
            Some(heap) if head.asks.get() != Asks::Nothing => heap.ask_none(head.slot.get(), promise),
            _ if head.asks.get() == Asks::Components => split::is_none(self.cell),
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

/// Every other method is that of the value, which is read.
impl<T> Deref for Asked<'_, T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        self.cell.__read()
    }
}
