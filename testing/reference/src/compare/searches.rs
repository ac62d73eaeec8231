//! The searches for values of a type, behind objects, as [`crate::assignments`] has its heap.

use crate::assignments::holds;
use smallscope_core::bounds::Bounds;
use smallscope_core::candidate::Candidate;
use smallscope_core::error::{Error, Failure};
use smallscope_core::options::Options;
use smallscope_core::outcome::Outcome;
use smallscope_core::search::{AnySearch, Hold, Kept, Search};
use smallscope_core::shape::Bounded;
use std::any::Any;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};

/// A search for values of a type.
pub(crate) trait Searching: DerefMut<Target = AnySearch> + Any {
    /// The candidate that another search for values of the type reads back from the current value, and what the invariant
    /// says of the value.
    fn value_in(&mut self, other: &mut dyn Searching) -> Result<Back, Failure>;
    /// The candidate that another search reads back from the current value when it is lent.
    fn lent_in(&mut self, other: &mut dyn Searching) -> Result<Result<Candidate, Error>, Failure>;
    /// The candidate that this search reads back from its own value.
    fn value_again(&mut self) -> Result<Result<Candidate, Error>, Failure>;
    /// The candidate that this search reads back from a `ManuallyDrop` of a value of its type.
    fn read_back(&mut self, value: &dyn Any) -> Result<Candidate, Error>;
    /// Counts the values.
    fn count(self: Box<Self>) -> Result<Outcome, Failure>;
    /// The candidate that another search reads back from the next value.
    fn next_in(&mut self, other: &mut dyn Searching) -> Option<Result<Result<Candidate, Error>, Failure>>;
}

/// A value that was read back.
pub(crate) struct Back {
    /// The candidate.
    pub candidate: Result<Candidate, Error>,
    /// What the invariant says, or the message of its panic.
    pub holds: Result<bool, String>,
}

/// Starts a search, within the bounds or within a smaller scope.
pub(crate) type Start = dyn Fn(&Bounds, Option<u32>, Options) -> Result<Box<dyn Searching>, Error>;

/// Starts a search for values of `T`.
pub(crate) fn start<T: Bounded>(
    bounds: &Bounds,
    scope: Option<u32>,
    options: Options,
) -> Result<Box<dyn Searching>, Error> {
    let search = match scope {
        Some(scope) => Search::<T>::within(bounds, scope, options),
        None => Search::<T>::new(bounds, options),
    };
    Ok(Box::new(Lending { search: search?, place: Kept::default() }))
}

/// A search, and the value that it lends.
struct Lending<T: Bounded> {
    search: Search<T>,
    place: Kept<T>,
}

impl<T: Bounded> Lending<T> {
    /// A search for values of `T`.
    fn of(search: &mut dyn Searching) -> &mut Lending<T> {
        (search as &mut dyn Any).downcast_mut().expect("a search for values of the same type")
    }
}

impl<T: Bounded> Deref for Lending<T> {
    type Target = AnySearch;
    fn deref(&self) -> &AnySearch {
        &self.search
    }
}

impl<T: Bounded> DerefMut for Lending<T> {
    fn deref_mut(&mut self) -> &mut AnySearch {
        &mut self.search
    }
}

impl<T: Bounded> Searching for Lending<T> {
    fn value_in(&mut self, other: &mut dyn Searching) -> Result<Back, Failure> {
        let value = self.search.value()?;
        Ok(Back { candidate: Lending::of(other).search.candidate_of(&value), holds: holds(&value) })
    }

    fn lent_in(&mut self, other: &mut dyn Searching) -> Result<Result<Candidate, Error>, Failure> {
        self.search.hand(&mut self.place)?;
        let candidate = Lending::of(other).search.candidate_of(self.place.get());
        self.place.done();
        Ok(candidate)
    }

    fn value_again(&mut self) -> Result<Result<Candidate, Error>, Failure> {
        let value = self.search.value()?;
        Ok(self.search.candidate_of(&value))
    }

    fn read_back(&mut self, value: &dyn Any) -> Result<Candidate, Error> {
        let value: &ManuallyDrop<T> = value.downcast_ref().expect("a value of the type of the search");
        self.search.candidate_of(value)
    }

    fn count(self: Box<Self>) -> Result<Outcome, Failure> {
        self.search.count()
    }

    fn next_in(&mut self, other: &mut dyn Searching) -> Option<Result<Result<Candidate, Error>, Failure>> {
        let value = self.search.next_value()?;
        Some(value.map(|value| Lending::of(other).search.candidate_of(&value)))
    }
}
