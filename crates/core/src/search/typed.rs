//! A search for values of a type.

use super::subject::{Subject, blank};
use super::{Found, SearchCore};
use crate::absorb::Absorb;
use crate::bounds::Bounds;
use crate::candidate::Candidate;
use crate::error::{Error, Failure};
use crate::options::Options;
use crate::outcome::Outcome;
use crate::shape::Bounded;
use std::ops::{Deref, DerefMut};

/// A search for the valid values of `T` within some bounds.
///
/// ```
/// # use smallscope_core::{Bounds, Options, Search};
/// let mut search = Search::<u8>::new(&Bounds::scope(3), Options::default())?;
/// let mut values = vec![];
/// while let Some(value) = search.next_value() {
///     values.push(value.unwrap());
/// }
/// assert_eq!(values, [0, 1, 2]);
/// assert!(search.outcome().is_exhaustive());
/// # Ok::<(), smallscope_core::Error>(())
/// ```
///
/// All that does not depend on the type is in [`SearchCore`].
pub struct Search<T: Bounded> {
    pub(super) core: SearchCore,
    pub(super) root: &'static T::Cell,
}

impl<T: Bounded> Deref for Search<T> {
    type Target = SearchCore;
    #[inline(always)]
    fn deref(&self) -> &SearchCore {
        &self.core
    }
}

impl<T: Bounded> DerefMut for Search<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut SearchCore {
        &mut self.core
    }
}

impl<T: Bounded> Search<T> {
    /// Lays out the bounded heap.
    pub fn new(bounds: &Bounds, options: Options) -> Result<Self, Error> {
        let root = blank::<T::Cell>();
        Ok(Search { core: SearchCore::with_root(Subject::of::<T::Cell>(), root, bounds, options)?, root })
    }

    /// The part of the bounds that lies within a smaller scope: a step of a deepening series.
    pub fn within(bounds: &Bounds, scope: u32, options: Options) -> Result<Self, Error> {
        let mut search = Self::new(&bounds.within(scope), options)?;
        search.left_out = Some(0);
        Ok(search)
    }

    /// The next valid value, or the failure that ends the search.
    pub fn next_value(&mut self) -> Option<Result<T, Failure>> {
        match self.find_next_value() {
            Ok(Found::Valid) => Some(self.value()),
            Ok(Found::End) => None,
            Err(failure) => Some(Err(failure)),
        }
    }

    /// Counts the valid values without building them, and without visiting them all.
    pub fn count(mut self) -> Result<Outcome, Failure> {
        self.count_all()
    }

    /// The candidate of a real value. The search can not be continued from there.
    pub fn candidate_of(&mut self, value: &T) -> Result<Candidate, Error> {
        self.go_nowhere();
        Absorb::run(self.core.heap(), self.root, value)?;
        Ok(self.candidate())
    }
}
