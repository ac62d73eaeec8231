//! A test with a place for its arguments. Everything that depends on the type of the values is here, so that the rest
//! of the runner is compiled once, and not for each test.

use super::Arguments;
use smallscope_core::search::hand;
use smallscope_core::{AnySearch, Bounded, Bounds, Error, Failure, Hold, Options, Owned, Search};
use std::marker::PhantomData;
use std::mem::ManuallyDrop;

/// Lays out a search, of the part within a scope if one is given.
pub(crate) type LayOut = fn(&Bounds, Option<u32>, Options) -> Result<AnySearch, Error>;

pub(crate) fn lay_out<T: Bounded>(
    bounds: &Bounds,
    within: Option<u32>,
    options: Options,
) -> Result<AnySearch, Error> {
    let search = match within {
        Some(scope) => Search::<T>::within(bounds, scope, options)?,
        None => Search::<T>::new(bounds, options)?,
    };
    Ok(search.into_any())
}

/// Shows the value of the current, valid candidate.
pub(crate) fn show<T: Bounded>(search: &mut AnySearch, show: &dyn Fn(&T) -> Arguments) -> Option<Arguments> {
    let mut place = Owned::<T>::default();
    hand(search, &mut place).ok()?;
    // Not dropped: if its destructor panics, that is what is being reported.
    let value = ManuallyDrop::new(place.take());
    Some(show(&value))
}

/// A test, on one thread.
pub(crate) trait Case {
    /// Builds the value of the current, valid candidate.
    fn prepare(&mut self, search: &mut AnySearch) -> Result<(), Failure>;
    /// Runs the test on that value. An error is a failure.
    fn run(&mut self) -> Result<(), String>;
    /// Drops what a run that has unwound has left. Each call drops at least one value of those that are left.
    fn discard(&mut self);
    /// Whether the run ended, and values that it was lent are dropped.
    fn has_dropped(&self) -> bool;
    /// Drops the value that is kept for the next one.
    fn clear(&mut self);
    /// Returns why the search may not go on, if an earlier process died in it.
    fn fatal(&self) -> Option<String> {
        None
    }
}

/// A test that any thread may run.
pub(crate) trait SharedCase: Sync {
    /// Returns the test for one thread.
    fn on_thread(&self) -> Box<dyn Case + '_>;
}

/// A function on values, and the place of its arguments.
pub(crate) struct Held<T, P, F> {
    values: PhantomData<fn() -> T>,
    place: P,
    test: F,
}

impl<T: Bounded, P: Hold<T>, F: FnMut(&mut P) -> Result<(), String>> Held<T, P, F> {
    pub(crate) fn new(test: F) -> Held<T, P, F> {
        Held { values: PhantomData, place: P::default(), test }
    }
}

/// A function that any thread may call, each with its own place.
pub(crate) struct Shared<T, P, F> {
    place: PhantomData<fn() -> (T, P)>,
    test: F,
}

impl<T: Bounded, P: Hold<T>, F: Fn(&mut P) -> Result<(), String> + Sync> Shared<T, P, F> {
    pub(crate) fn new(test: F) -> Shared<T, P, F> {
        Shared { place: PhantomData, test }
    }
}

impl<T: Bounded, P: Hold<T>, F: Fn(&mut P) -> Result<(), String> + Sync> SharedCase for Shared<T, P, F> {
    fn on_thread(&self) -> Box<dyn Case + '_> {
        Box::new(Held::<T, P, _>::new(&self.test))
    }
}

impl<T: Bounded, P: Hold<T>, F: FnMut(&mut P) -> Result<(), String>> Case for Held<T, P, F> {
    fn prepare(&mut self, search: &mut AnySearch) -> Result<(), Failure> {
        hand(search, &mut self.place)
    }

    fn run(&mut self) -> Result<(), String> {
        let result = (self.test)(&mut self.place);
        self.place.done();
        result
    }

    fn discard(&mut self) {
        self.place.done();
    }

    fn has_dropped(&self) -> bool {
        self.place.has_dropped()
    }

    fn clear(&mut self) {
        self.place = P::default();
    }
}
