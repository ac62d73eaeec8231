//! Fields that are a function of the rest (`#[bounded(derived = Self::count)]`), and fields whose values
//! the user lists (`#[bounded(values = [..])]`).

use crate::ask::{self, Asked, Handed, HandedCell, Late, Promise};
use crate::cell::Tracked;
use crate::error::Error;
use crate::link::{At, Builder};
use crate::mirror::made::{Again, IntoCell};
use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::ptr::NonNull;
use std::rc::Rc;

/// The mirror of a derived field: no slot, computed from the mirror of its structure whenever it is read.
pub struct Derived<T> {
    compute: OnceCell<Rc<dyn Fn() -> T>>,
    /// Every value it ever had; leaked, because predicates may borrow them.
    seen: RefCell<Vec<NonNull<T>>>,
}

impl<T: PartialEq + Clone> Derived<T> {
    /// A field that is not linked yet.
    pub fn blank() -> Self {
        Derived { compute: OnceCell::new(), seen: RefCell::default() }
    }

    /// Says how it is computed.
    pub fn link(&'static self, compute: impl Fn() -> T + 'static)
    where
        T: 'static,
    {
        assert!(
            self.compute.set(Rc::new(compute)).is_ok(),
            "smallscope internal error: a part is linked once"
        );
    }

    /// The current value.
    pub fn __read(&self) -> &T {
        let compute = self.compute.get().expect("smallscope: a mirror was read outside of a search");
        let value = ask::aside(&**compute);
        // SAFETY: leaked below and never written to.
        let known = self.seen.borrow().iter().copied().find(|v| unsafe { *v.as_ref() == value });
        let value = known.unwrap_or_else(|| {
            let value = NonNull::from(Box::leak(Box::new(value)));
            self.seen.borrow_mut().push(value);
            value
        });
        // SAFETY: as above.
        unsafe { value.as_ref() }
    }

    /// The same, for variables that a pattern has bound to the field.
    pub fn __bind(&self) -> &T {
        self.__read()
    }

    /// The same, for the components of a tuple.
    pub fn __parts(&self) -> &T {
        self.__read()
    }

    /// The same, for the pattern of a tuple.
    pub fn __bind_parts(&self) -> &T {
        self.__read()
    }

    /// The same, for the pattern of an `Option`.
    pub fn __option(&self) -> &T {
        self.__read()
    }

    /// The same, in a comparison.
    pub fn __ask(&self) -> &T {
        self.__read()
    }

    /// The same, to look keys up in.
    pub fn __look(&self) -> &T {
        self.__read()
    }

    /// The same, for a loop.
    pub fn __loop(&self) -> &T {
        self.__read()
    }

    /// The same; the promise is of no use.
    pub fn __some(&self, _: Promise) -> &T {
        self.__read()
    }

    /// A copy of the current value.
    pub fn __late(&self) -> Late<'_, T>
    where
        T: Copy,
    {
        Late::Value(*self.__read())
    }
}

impl<'a, T: PartialEq + Clone> HandedCell<'a> for Handed<&'a Derived<T>> {
    type Held = T;
    fn __loop(self) -> &'a T {
        self.value().__read()
    }
}

/// The field of a clone is computed from the same structure.
impl<T> Again for Derived<T> {
    fn again(&self) -> Self {
        Derived { compute: self.compute.clone(), seen: RefCell::default() }
    }
}

impl<T: PartialEq + Clone + fmt::Debug> fmt::Debug for Derived<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.__read().fmt(f)
    }
}

/// The cell of a field whose values the user lists.
pub struct Listed<T> {
    cell: Tracked<T>,
    /// How values are compared; known when the cell is linked.
    same: OnceCell<fn(&T, &T) -> bool>,
}

impl<T: 'static> Listed<T> {
    /// A field that is not linked yet.
    pub fn blank() -> Self {
        Listed { cell: Tracked::blank(), same: OnceCell::new() }
    }

    /// Gives it its values.
    pub fn link(&'static self, b: &mut Builder, at: At, values: Vec<T>)
    where
        T: PartialEq,
    {
        if let Some(i) = (1..values.len()).find(|&i| values[..i].contains(&values[i])) {
            let why = format!(
                "`values` lists an equal value twice (again at position {i}), so values would be delivered twice"
            );
            b.fail(Error::Contradiction { at: at.site.to_string(), why });
            return;
        }
        let _ = self.same.set(T::eq);
        b.attach_values(&self.cell, at, values);
    }

    /// Reads the slot.
    pub fn walk(&'static self, w: &mut crate::walk::Walk) {
        w.slot(&self.cell.head);
        let index = self.cell.head.index.get();
        w.show(&self.cell.head, || format!("value {index}"));
    }

    /// The current value.
    pub fn build(&'static self) -> T
    where
        T: Clone,
    {
        self.cell.__read().clone()
    }

    /// Puts the current value in place of another one.
    pub fn update(&'static self, real: &mut T)
    where
        T: Clone,
    {
        *real = self.build();
    }

    /// Opens the slot with the value's choice.
    pub fn absorb(&'static self, real: &T, a: &mut crate::absorb::Absorb) {
        let same = self.same.get();
        a.listed(&self.cell, |listed| same.is_some_and(|same| same(listed, real)));
    }
}

impl<T> Listed<T> {
    /// Records the read and gives the current value.
    #[inline(always)]
    pub fn __read(&self) -> &T {
        self.cell.__read()
    }

    /// The same, for variables that a pattern has bound to the field.
    #[inline(always)]
    pub fn __bind(&self) -> &T {
        self.cell.__read()
    }

    /// The same, for the components of a tuple.
    #[inline(always)]
    pub fn __parts(&self) -> &T {
        self.cell.__read()
    }

    /// The same, for the pattern of a tuple.
    #[inline(always)]
    pub fn __bind_parts(&self) -> &T {
        self.cell.__read()
    }

    /// The same, for the pattern of an `Option`.
    #[inline(always)]
    pub fn __option(&self) -> &T {
        self.cell.__read()
    }

    /// The same, to look keys up in.
    #[inline(always)]
    pub fn __look(&self) -> &T {
        self.cell.__read()
    }

    /// The same, for a loop.
    #[inline(always)]
    pub fn __loop(&self) -> &T {
        self.cell.__read()
    }

    /// The cell, for a question.
    #[inline(always)]
    pub fn __ask(&self) -> Asked<'_, T> {
        self.cell.__ask()
    }

    /// A copy of the current value, to be read when it is used.
    #[inline(always)]
    pub fn __late(&self) -> Late<'_, T>
    where
        T: Copy,
    {
        self.cell.__late()
    }

    /// Reads an `Option` of which the promise says what `None` means.
    #[inline(always)]
    pub fn __some(&self, promise: Promise) -> &T {
        self.cell.__some(promise)
    }
}

impl<'a, T> HandedCell<'a> for Handed<&'a Listed<T>> {
    type Held = T;
    fn __loop(self) -> &'a T {
        self.value().cell.__read()
    }
}

impl<T> Again for Listed<T> {
    fn again(&self) -> Self {
        Listed { cell: self.cell.again(), same: self.same.clone() }
    }
}

#[diagnostic::do_not_recommend]
impl<T> IntoCell<Listed<T>> for T {
    fn into_cell(self) -> Listed<T> {
        Listed { cell: self.into_cell(), same: OnceCell::new() }
    }
}

impl<T: fmt::Debug> fmt::Debug for Listed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cell.fmt(f)
    }
}
