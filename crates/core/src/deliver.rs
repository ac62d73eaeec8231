//! Places for values: a test owns a value ([`Owned`]), or looks at it ([`Kept`]).
//!
//! A test that only looks at values gets the same value again and again, changed into the next one. That is sound for
//! structures whose pointers are boxes, where every part has one owner. Values with other pointers are built anew: the test
//! may still hold a part of the last value, and only a value's own destructor knows what raw pointers lead to. So are values
//! with a type that has a destructor of its own, which runs on each value after the test has looked at it.

use crate::build::Build;
use crate::heap::Heap;
pub use crate::mirror::root::Refused;
use crate::mirror::root::accept;
use crate::shape::{Bounded, Mirrored};
use std::any::Any;
use std::mem::ManuallyDrop;
use std::sync::Weak;

/// The current combination of disjoint parts, as places for values see it.
pub struct Combination<'a> {
    /// The number of each part's candidate.
    pub(crate) at: &'a [u32],
    /// The address of the parts: numbers of other parts mean something else.
    pub(crate) identity: *const (),
    pub(crate) parts: &'a dyn Parts,
    /// Each input is one part.
    pub(crate) is_plain: bool,
}

impl Combination<'_> {
    /// The number of an input's value.
    #[inline]
    fn index(&self, input: usize) -> u32 {
        if self.is_plain { self.at[input] } else { self.parts.index(input) }
    }
}

/// The parts of a combination, by input.
pub(crate) trait Parts {
    /// Opens the slots of an input, or all of them, so that a value can be built.
    fn show(&self, input: Option<usize>) -> Result<(), Refused>;
    /// How many values the input has; none if these are too many to number.
    fn count(&self, input: usize) -> Option<u32>;
    /// The number of the input's current value, if they are numbered.
    fn index(&self, input: usize) -> u32;
    /// How many choices the current candidate of the input has.
    fn size(&self, input: usize) -> u32;
    /// Whether values of the input stay as they are while a test only looks at them.
    fn is_frozen(&self, input: usize) -> bool;
    /// Keeps the address of the parts from being used again.
    fn pin(&self) -> Weak<dyn Any + Send + Sync>;
}

/// Makes real values of a complete candidate.
pub struct Maker<'a> {
    pub(crate) build: &'a mut Build,
    /// The heap with the candidate.
    pub(crate) heap: &'static Heap,
    /// A value can be changed into another one.
    pub(crate) is_changeable: bool,
}

impl Maker<'_> {
    /// A new value.
    #[inline]
    fn make<T: Bounded>(&mut self, cell: &'static T::Cell) -> Result<T, Refused> {
        // If the invariant rejects it, it stays undropped: its destructor may rely on the invariant.
        let value = ManuallyDrop::new(self.build.run(cell));
        accept(self.heap, cell, &*value)?;
        Ok(ManuallyDrop::into_inner(value))
    }

    /// Changes a value. If that goes wrong, it is not there any more.
    #[inline]
    fn remake<T: Bounded>(&mut self, cell: &'static T::Cell, place: &mut Option<T>) -> Result<(), Refused> {
        let half_made = Leak(place);
        if let Some(value) = &mut *half_made.0 {
            self.build.change(cell, value);
            accept(self.heap, cell, value)?;
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

/// A place for values of `T`, filled by [`Search::hand`](crate::Search::hand): [`Owned`], [`Kept`], or a tuple of these for a product.
pub trait Hold<T: Bounded>: Default {
    /// Gives the value up. It is dropped unless the next value can be made of it.
    ///
    /// If a destructor panics, values that are not dropped yet stay, and another call drops them.
    fn done(&mut self);
    /// Whether a value was lent and is dropped, so that a panic since comes from its destructor.
    #[doc(hidden)]
    fn has_dropped(&self) -> bool {
        false
    }
    /// Puts the value of a part of the current candidate there.
    #[doc(hidden)]
    fn refill(&mut self, cell: &'static <T as Mirrored>::Cell, maker: &mut Maker<'_>) -> Result<(), Refused>;
    /// Puts the value of the current combination of parts there.
    #[doc(hidden)]
    fn refill_combined(
        &mut self,
        cell: &'static <T as Mirrored>::Cell,
        combined: &Combination<'_>,
        maker: &mut Maker<'_>,
    ) -> Result<(), Refused> {
        combined.parts.show(None)?;
        self.refill(cell, maker)
    }
    /// Puts the value of one part of the current combination there.
    #[doc(hidden)]
    fn refill_part(
        &mut self,
        cell: &'static <T as Mirrored>::Cell,
        part: usize,
        combined: &Combination<'_>,
        maker: &mut Maker<'_>,
    ) -> Result<(), Refused> {
        combined.parts.show(Some(part))?;
        self.refill(cell, maker)
    }
}

/// A place for values that are given away.
pub struct Owned<T>(Option<T>);

/// A place for values that are lent: the next one is made of the last one where that is possible.
pub struct Kept<T> {
    value: Option<T>,
    /// The next value is made of this one.
    is_of_use: bool,
    cache: Cache<T>,
}

/// Values of a part that were built before, by the number of their candidate. They are lent again, since a test cannot
/// change them.
struct Cache<T> {
    values: Vec<Option<T>>,
    /// The one that is lent.
    lent: Option<u32>,
    /// How many choices the candidates have together.
    size: u64,
    /// Whether values can be kept.
    is_open: bool,
    /// What the numbers refer to.
    parts: Option<Weak<dyn Any + Send + Sync>>,
}

/// How many choices the candidates of the values that are kept may have together, for each place.
const MOST_CHOICES: u64 = 1 << 23;

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Cache { values: vec![], lent: None, size: 0, is_open: false, parts: None }
    }
}

impl<T> Cache<T> {
    /// Whether the numbers refer to the candidates of this combination.
    #[inline]
    fn is_of(&self, combined: &Combination<'_>) -> bool {
        self.parts.as_ref().is_some_and(|parts| std::ptr::addr_eq(parts.as_ptr(), combined.identity))
    }

    /// Begins anew, for other parts.
    #[cold]
    fn open(&mut self, part: usize, combined: &Combination<'_>) {
        *self = Cache { parts: Some(combined.parts.pin()), ..Cache::default() };
        if let Some(count) = combined.parts.count(part).filter(|_| combined.parts.is_frozen(part)) {
            self.is_open = true;
            self.values.resize_with(count as usize, || None);
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
        Kept { value: None, is_of_use: false, cache: Cache::default() }
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
        let kept = self.cache.lent.and_then(|index| self.cache.values[index as usize].as_ref());
        kept.or(self.value.as_ref()).expect("a value is there until it is done with")
    }
}

impl<T: Bounded> Hold<T> for Owned<T> {
    fn done(&mut self) {
        drop(self.0.take());
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
            // Taken out first, so that a destructor that panics does not run twice.
            drop(self.value.take());
        }
    }

    fn has_dropped(&self) -> bool {
        self.value.is_none() && self.cache.lent.is_none()
    }

    #[inline]
    fn refill(&mut self, cell: &'static T::Cell, maker: &mut Maker<'_>) -> Result<(), Refused> {
        self.cache.lent = None;
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
        combined: &Combination<'_>,
        maker: &mut Maker<'_>,
    ) -> Result<(), Refused> {
        if !self.cache.is_of(combined) {
            self.cache.open(part, combined);
        }
        let index = combined.index(part);
        if self.cache.lent == Some(index) {
            return Ok(());
        }
        self.cache.lent = None;
        if !self.cache.is_open {
            combined.parts.show(None)?;
            return self.refill(cell, maker);
        }
        if self.cache.values[index as usize].is_none() {
            let size = u64::from(combined.parts.size(part)) + 1;
            combined.parts.show(Some(part))?;
            if self.cache.size + size > MOST_CHOICES {
                return self.refill(cell, maker);
            }
            self.cache.values[index as usize] = Some(maker.make(cell)?);
            self.cache.size += size;
        }
        self.cache.lent = Some(index);
        Ok(())
    }
}
