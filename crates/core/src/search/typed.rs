//! A search for values of a type.

use super::{AnySearch, Found, Hold, Owned};
use crate::absorb::Absorb;
use crate::bounds::Bounds;
use crate::candidate::Candidate;
use crate::error::{Error, Failure};
use crate::mirror::root::{ValueType, blank};
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
/// Everything that does not depend on the type is in [`AnySearch`].
pub struct Search<T: Bounded> {
    any: AnySearch,
    root: &'static T::Cell,
}

impl<T: Bounded> Deref for Search<T> {
    type Target = AnySearch;
    #[inline(always)]
    fn deref(&self) -> &AnySearch {
        &self.any
    }
}

impl<T: Bounded> DerefMut for Search<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut AnySearch {
        &mut self.any
    }
}

impl<T: Bounded> Search<T> {
    /// Lays out the bounded heap.
    pub fn new(bounds: &Bounds, options: Options) -> Result<Self, Error> {
        let root = blank::<T::Cell>();
        Ok(Search { any: AnySearch::with_root(ValueType::of::<T::Cell>(), root, bounds, options)?, root })
    }

    /// The part of the bounds that lies within a smaller scope: a step of a deepening series.
    pub fn within(bounds: &Bounds, scope: u32, options: Options) -> Result<Self, Error> {
        let mut search = Self::new(&bounds.within(scope), options)?;
        search.any.depth_first.deepening.deliver_whole_only();
        Ok(search)
    }

    /// Returns the next valid value, or the failure that ends the search.
    pub fn next_value(&mut self) -> Option<Result<T, Failure>> {
        match self.find_next_value() {
            Ok(Found::Valid) => Some(self.value()),
            Ok(Found::End | Found::Paused) => None,
            Err(failure) => Some(Err(failure)),
        }
    }

    /// Counts the valid values without building them, and without visiting them all.
    pub fn count(mut self) -> Result<Outcome, Failure> {
        self.count_all()
    }

    /// Returns the candidate of a real value. The search cannot be continued from there.
    pub fn candidate_of(&mut self, value: &T) -> Result<Candidate, Error> {
        self.any.close_all();
        let heap = self.any.depth_first.structure.heap;
        heap.without_rules(|| Absorb::run(heap, self.root, value))?;
        Ok(self.candidate())
    }

    /// Forgets the type of the values.
    pub fn into_any(self) -> AnySearch {
        self.any
    }

    /// Builds the value of the current candidate, and checks it with the real invariant.
    pub fn value(&mut self) -> Result<T, Failure> {
        let mut place = Owned::default();
        self.hand(&mut place)?;
        Ok(place.take())
    }

    /// Builds the value of the current candidate into a place for values, and checks it with the real invariant.
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
    #[inline]
    pub fn hand<H: Hold<T>>(&mut self, place: &mut H) -> Result<(), Failure> {
        let root = self.root;
        hand_root(&mut self.any, root, place)
    }
}

/// Builds the value of the current candidate of a search for values of `T` into a place for values.
///
/// # Panics
///
/// If the search is for values of another type.
pub fn hand<T: Bounded, H: Hold<T>>(search: &mut AnySearch, place: &mut H) -> Result<(), Failure> {
    let root: Option<&'static T::Cell> = search.depth_first.structure.root.as_any().downcast_ref();
    let root = root.expect("smallscope internal error: a search for values of another type");
    hand_root(search, root, place)
}

#[inline]
fn hand_root<T: Bounded, H: Hold<T>>(
    search: &mut AnySearch,
    root: &'static T::Cell,
    place: &mut H,
) -> Result<(), Failure> {
    search.build_with(&mut |combination, maker| match combination {
        Some(combination) => place.refill_combined(root, combination, maker),
        None => place.refill(root, maker),
    })
}
