//! A test with a place for its values: they are put there first, then the test runs.

use smallscope_core::{Bounded, Failure, Hold, Search};
use std::marker::PhantomData;

/// A test, on one thread.
pub(crate) trait Case<T: Bounded> {
    /// Builds the value of the current, valid candidate.
    fn prepare(&mut self, search: &mut Search<T>) -> Result<(), Failure>;
    /// Runs the test on that value; an error is a failure.
    fn run(&mut self) -> Result<(), String>;
    /// Drops what is there.
    fn clear(&mut self);
}

/// A test that any thread may run.
pub(crate) trait SharedCase<T: Bounded>: Sync {
    /// The case of a thread.
    fn on_thread(&self) -> Box<dyn Case<T> + '_>;
}

/// A function and the place that it gets its arguments from.
pub(crate) struct Held<P, F> {
    place: P,
    test: F,
}

impl<P: Default, F: FnMut(&mut P) -> Result<(), String>> Held<P, F> {
    pub(crate) fn new(test: F) -> Held<P, F> {
        Held { place: P::default(), test }
    }
}

/// A function that any thread may call, each with a place of its own.
pub(crate) struct Shared<P, F> {
    place: PhantomData<fn() -> P>,
    test: F,
}

impl<P, F: Fn(&mut P) -> Result<(), String> + Sync> Shared<P, F> {
    pub(crate) fn new(test: F) -> Shared<P, F> {
        Shared { place: PhantomData, test }
    }
}

impl<T: Bounded, P: Hold<T>, F: Fn(&mut P) -> Result<(), String> + Sync> SharedCase<T> for Shared<P, F> {
    fn on_thread(&self) -> Box<dyn Case<T> + '_> {
        Box::new(Held::new(&self.test))
    }
}

impl<T: Bounded, P: Hold<T>, F: FnMut(&mut P) -> Result<(), String>> Case<T> for Held<P, F> {
    fn prepare(&mut self, search: &mut Search<T>) -> Result<(), Failure> {
        search.hand(&mut self.place)
    }

    fn run(&mut self) -> Result<(), String> {
        let result = (self.test)(&mut self.place);
        self.place.done();
        result
    }

    fn clear(&mut self) {
        self.place = P::default();
    }
}
