//! Handing values over: built and checked with the real invariant, to be kept by the caller or only to be looked at.
//!
//! Who only looks at values ([`Kept`]) gets the same one again and again, changed into the next. That is sound for
//! structures whose pointers are boxes, where every part has one owner. Values with other pointers are built anew:
//! somebody may still hold a part of the last one, and only its own destructor knows what raw pointers lead to.

use super::{Search, SearchCore, Showing};
use crate::build::Build;
use crate::error::{Failure, FailureKind};
use crate::heap::Ownership;
use crate::options::Engine;
use crate::shape::{Bounded, Mirrored, RepOk};
use std::any::Any;
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the search knows about values.
pub(super) struct Delivery {
    /// The current candidate is the one that `find_next` came to: every reachable slot is open, and its objects have
    /// the owners that they should have.
    is_found: bool,
    /// Whether a value can be changed into another one, if that is known.
    is_changeable: Option<bool>,
    pub(super) build: Build,
    /// See [`SearchCore::run_number`].
    pub(super) run_number: u64,
}

impl Delivery {
    pub(super) fn new() -> Delivery {
        Delivery { is_found: false, is_changeable: None, build: Build::new(), run_number: 0 }
    }

    /// The invariant is about to run, or the search goes to a candidate on which it has not run.
    #[inline(always)]
    pub(super) fn next_run(&mut self) {
        self.is_found = false;
        self.run_number += 1;
    }

    /// The current candidate is valid, and nothing is missing.
    #[inline(always)]
    pub(super) fn found(&mut self) {
        self.is_found = true;
    }

    /// The candidate is about to change.
    #[inline(always)]
    pub(super) fn lost(&mut self) {
        self.is_found = false;
    }
}

/// Makes real values of a complete candidate.
pub struct Maker<'a> {
    build: &'a mut Build,
    is_changeable: bool,
}

/// The real invariant does not accept a value that was built: why not.
pub struct Refused(FailureKind);

impl Refused {
    pub(crate) fn new(difference: String) -> Refused {
        Refused(FailureKind::Disagreement { difference })
    }

    pub(crate) fn unbuildable(why: &str) -> Refused {
        Refused(FailureKind::Unbuildable { why: why.into() })
    }
}

impl Maker<'_> {
    /// A new value.
    #[inline]
    fn make<T: Bounded>(&mut self, cell: &'static T::Cell) -> Result<T, Refused> {
        // If the invariant rejects it, it stays undropped: its destructor may rely on the invariant.
        let value = ManuallyDrop::new(self.build.run(cell));
        accept(&*value)?;
        Ok(ManuallyDrop::into_inner(value))
    }

    /// Changes a value. If that goes wrong, it is not there any more.
    #[inline]
    fn remake<T: Bounded>(&mut self, cell: &'static T::Cell, place: &mut Option<T>) -> Result<(), Refused> {
        let half_made = Leak(place);
        if let Some(value) = &mut *half_made.0 {
            self.build.change(cell, value);
            accept(value)?;
        }
        std::mem::forget(half_made);
        Ok(())
    }
}

/// Leaks what is in a place: its destructor may rely on the invariant.
struct Leak<'a, T>(&'a mut Option<T>);

impl<T> Drop for Leak<'_, T> {
    fn drop(&mut self) {
        std::mem::forget(self.0.take());
    }
}

/// Whether the real invariant holds.
#[inline]
fn accept<T: Bounded>(value: &T) -> Result<(), Refused> {
    match verdict(value) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Refused::new(
            "the invariant accepts the candidate but rejects the value built from it: it depends on something that \
             the search does not see (addresses, `size_of`, a static)"
                .into(),
        )),
        Err(message) => Err(Refused::new(format!(
            "the invariant accepts the candidate but panics on the value built from it: {message}"
        ))),
    }
}

/// What the real invariant says, or the message of its panic.
#[inline]
pub(super) fn verdict<T: RepOk>(value: &T) -> Result<bool, String> {
    catch_unwind(AssertUnwindSafe(|| value.rep_ok())).map_err(panic_message)
}

/// The message of a panic, if it has one.
pub(super) fn panic_message(thrown: Box<dyn Any + Send>) -> String {
    let text = thrown.downcast_ref::<&str>().map(|s| (*s).to_owned());
    let text = text.or_else(|| thrown.downcast_ref::<String>().cloned());
    // What was thrown may have a destructor that panics.
    std::mem::forget(thrown);
    text.unwrap_or_else(|| "(no message)".into())
}

/// A place for values of `T`, filled by [`Search::hand`]: [`Owned`], [`Kept`], or a tuple of these for a product.
pub trait Hold<T: Bounded>: Default {
    /// Says that the value is done with. It is dropped unless it will be of use.
    fn done(&mut self);
    /// Puts the value of a part of the current candidate there.
    #[doc(hidden)]
    fn refill(&mut self, cell: &'static <T as Mirrored>::Cell, maker: &mut Maker<'_>) -> Result<(), Refused>;
    /// Puts the value of the current combination of parts there.
    #[doc(hidden)]
    fn refill_combined(
        &mut self,
        cell: &'static <T as Mirrored>::Cell,
        combined: &Showing<'_>,
        maker: &mut Maker<'_>,
    ) -> Result<(), Refused> {
        combined.show_all()?;
        self.refill(cell, maker)
    }
    /// Puts the value of one part of the current combination there.
    #[doc(hidden)]
    fn refill_part(
        &mut self,
        cell: &'static <T as Mirrored>::Cell,
        part: usize,
        combined: &Showing<'_>,
        maker: &mut Maker<'_>,
    ) -> Result<(), Refused> {
        combined.show_part(part)?;
        self.refill(cell, maker)
    }
}

/// A place for values that are given away.
pub struct Owned<T>(Option<T>);

/// A place for values that are lent: the next one is made of the last one where that is possible.
pub struct Kept<T> {
    value: Option<T>,
    /// Whether the value will be used for the next one.
    is_of_use: bool,
    store: Store<T>,
}

/// Values of a part that were built before, by the number of their candidate. They are lent again: nobody can have
/// changed them.
struct Store<T> {
    values: Vec<Option<T>>,
    /// The one that is lent.
    lent: Option<u32>,
    /// How many choices the candidates have together.
    size: u64,
    /// Whether values can be kept.
    is_open: bool,
    /// What the numbers are about.
    generation: u64,
}

/// How many choices the candidates of the values that are kept may have together, for each place.
const MOST_CHOICES: u64 = 1 << 23;

impl<T> Default for Store<T> {
    fn default() -> Self {
        Store { values: vec![], lent: None, size: 0, is_open: false, generation: 0 }
    }
}

impl<T> Store<T> {
    /// Begins anew, for other parts.
    #[cold]
    fn open(&mut self, part: usize, combined: &Showing<'_>) {
        *self = Store {
            generation: combined.generation(),
            is_open: combined.is_frozen(part),
            ..Store::default()
        };
        if self.is_open {
            self.values.resize_with(combined.count(part) as usize, || None);
        }
    }
}

impl<T> Default for Owned<T> {
    fn default() -> Self {
        Owned(None)
    }
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Kept { value: None, is_of_use: false, store: Store::default() }
    }
}

impl<T> Owned<T> {
    /// The value.
    ///
    /// # Panics
    ///
    /// If it was taken before.
    #[track_caller]
    pub fn take(&mut self) -> T {
        self.0.take().expect("a value is taken once")
    }
}

impl<T> Kept<T> {
    /// The value.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[track_caller]
    pub fn get(&self) -> &T {
        let kept = self.store.lent.and_then(|index| self.store.values[index as usize].as_ref());
        kept.or(self.value.as_ref()).expect("a value is there until it is done with")
    }
}

impl<T: Bounded> Hold<T> for Owned<T> {
    fn done(&mut self) {
        self.0 = None;
    }

    #[inline]
    fn refill(&mut self, cell: &'static T::Cell, maker: &mut Maker<'_>) -> Result<(), Refused> {
        self.0 = Some(maker.make(cell)?);
        Ok(())
    }
}

impl<T: Bounded> Hold<T> for Kept<T> {
    fn done(&mut self) {
        if !self.is_of_use {
            self.value = None;
        }
    }

    #[inline]
    fn refill(&mut self, cell: &'static T::Cell, maker: &mut Maker<'_>) -> Result<(), Refused> {
        self.store.lent = None;
        self.is_of_use = maker.is_changeable;
        if self.value.is_some() && maker.is_changeable {
            return maker.remake(cell, &mut self.value);
        }
        self.value = Some(maker.make(cell)?);
        Ok(())
    }

    #[inline]
    fn refill_part(
        &mut self,
        cell: &'static T::Cell,
        part: usize,
        combined: &Showing<'_>,
        maker: &mut Maker<'_>,
    ) -> Result<(), Refused> {
        if self.store.generation != combined.generation() {
            self.store.open(part, combined);
        }
        let index = combined.index(part);
        if self.store.lent == Some(index) {
            return Ok(());
        }
        self.store.lent = None;
        if !self.store.is_open {
            combined.show_all()?;
            return self.refill(cell, maker);
        }
        if self.store.values[index as usize].is_none() {
            let size = u64::from(combined.size(part)) + 1;
            combined.show_part(part)?;
            if self.store.size + size > MOST_CHOICES {
                return self.refill(cell, maker);
            }
            self.store.values[index as usize] = Some(maker.make(cell)?);
            self.store.size += size;
        }
        self.store.lent = Some(index);
        Ok(())
    }
}

impl<T: Bounded> Search<T> {
    /// Builds the value of the current candidate, and checks it with the real invariant.
    pub fn value(&mut self) -> Result<T, Failure> {
        let mut place = Owned::default();
        self.hand(&mut place)?;
        Ok(place.take())
    }

    /// The same, into a place for values.
    ///
    /// ```
    /// # use smallscope_core::{Bounds, Found, Kept, Options, Search};
    /// # use std::ops::ControlFlow;
    /// let mut search = Search::<Vec<u8>>::new(&Bounds::scope(2), Options::default())?;
    /// let (mut place, mut sum) = (Kept::<Vec<u8>>::default(), 0);
    /// while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {
    ///     search.hand(&mut place).unwrap();
    ///     sum += place.get().len();
    /// }
    /// assert_eq!(sum, 0 + 2 * 1 + 4 * 2);
    /// # Ok::<(), smallscope_core::Error>(())
    /// ```
    pub fn hand<H: Hold<T>>(&mut self, place: &mut H) -> Result<(), Failure> {
        let root = self.root;
        let core = &mut self.core;
        let is_combined = core.prepare()?;
        let mut maker = Maker {
            build: &mut core.delivery.build,
            is_changeable: core.delivery.is_changeable == Some(true),
        };
        let refilled = match core.combined.as_ref().filter(|_| is_combined) {
            Some(combined) => combined.with_current(core.heap, core.root, &mut |combination| {
                place.refill_combined(root, combination, &mut maker)
            }),
            None => place.refill(root, &mut maker),
        };
        refilled.map_err(|Refused(kind)| self.failure(kind))
    }
}

impl SearchCore {
    /// Makes sure that a value can be built, and finds out how; says whether it is a combination of parts.
    #[inline]
    fn prepare(&mut self) -> Result<bool, Failure> {
        let is_combined = self.is_combined() && self.delivery.is_found;
        if !is_combined {
            self.rest.show(self.heap);
            self.make_sure()?;
        }
        self.delivery.is_changeable.get_or_insert_with(|| {
            self.heap.state.borrow().pointers.iter().all(|(_, ownership)| *ownership == Ownership::Unique)
        });
        Ok(is_combined)
    }

    /// Makes sure that a value can be built: also before the first candidate and after the last one.
    #[inline]
    fn make_sure(&mut self) -> Result<(), Failure> {
        let is_known = self.delivery.is_found;
        if is_known && self.options.engine != Engine::Korat {
            debug_assert!(
                self.is_whole(),
                "smallscope internal error: a candidate that was found is not complete"
            );
            return Ok(());
        }
        if !is_known && self.complete().is_err() {
            let why = "the bounds leave too few objects to complete it".into();
            return Err(self.failure(FailureKind::Unbuildable { why }));
        }
        let flaw = self.heap().state.borrow().flaw();
        match flaw {
            Some(why) => Err(self.failure(FailureKind::Unbuildable { why: why.into() })),
            None => Ok(()),
        }
    }

    /// Whether every reachable slot is open, and objects have the owners that they should have.
    fn is_whole(&self) -> bool {
        let before = self.heap().state.borrow().path.len();
        self.complete().is_ok() && {
            let s = self.heap().state.borrow();
            s.path.len() == before && s.flaw().is_none()
        }
    }
}
