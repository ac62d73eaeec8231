//! The values of one running test: a pool of slots for each type.
//!
//! A slot is empty until a call fills it, and again after its value was moved out. Only the calls that use a pool know
//! its type, so pools are kept here without their types; access costs a comparison of type ids.

use std::any::Any;

use smallscope_support::panics;

use super::pool::Slots;
use crate::sink::Sink;

/// A slot of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Place {
    /// The number of the pool, in the order in which pools were added to the context.
    pub pool: u32,
    /// The number of the slot in it.
    pub slot: u32,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reply {
    /// It returned.
    Returned,
    /// It returned, and its result went into a pool.
    Stored,
    /// It returned an `Err`.
    Failed,
    /// It panicked.
    Panicked,
    /// It was not made: a value that it needs is missing, or needed twice.
    Skipped,
}

/// A pool without its type.
pub(crate) trait AnyPool: Any {
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
    fn reset(&mut self);
    /// Empties all slots.
    fn clear(&mut self);
    /// Makes the slots equal to those of a pool of the same context; false if values cannot be cloned.
    fn copy_from(&mut self, other: &dyn AnyPool) -> bool;
    /// Whether a value can change through a shared reference.
    fn is_changed_by_reference(&self) -> bool;
    fn is_filled(&self, slot: usize) -> bool;
    fn linearize(&self, slot: usize, sink: &mut Sink);
    /// Linearizes all slots, with zero for those that are empty and one before the values of the others.
    fn linearize_all(&self, sink: &mut Sink);
    fn has_invariant(&self) -> bool;
    /// Whether the invariant holds; true for slots that are empty.
    fn holds(&self, slot: usize) -> bool;
    fn show(&self, slot: usize) -> Option<String>;
}

/// The values in the pools of a running test, and the result of its last call.
pub struct Values {
    /// Boxed slices, because indexing them is not a call in a debug build.
    pools: Box<[Box<dyn AnyPool>]>,
    /// Which pools have changed since they were restored.
    dirty: Box<[bool]>,
    is_changed_by_reference: Box<[bool]>,
    /// What calls keep of their results.
    pub(crate) attention: Attention,
    /// Pools whose values are not compared, because their type differs in the reference implementation.
    pub(crate) incomparable: Vec<u32>,
    /// The linearized result of the last call, if it is kept.
    pub(crate) result: Sink,
    /// The result of the last call as text, or the message of its panic or error, if it is kept.
    pub(crate) text: String,
    /// The place of the last panic.
    pub(crate) place: Option<panics::Place>,
}

/// What calls keep of their results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Attention {
    /// Their linearization, to compare them.
    pub results: bool,
    /// Their texts, for reports.
    pub texts: bool,
}

/// A destructor that panics ends the test, not the run.
impl Drop for Values {
    fn drop(&mut self) {
        for pool in std::mem::take(&mut self.pools) {
            let _ = panics::catch_silenced(|| drop(pool));
        }
    }
}

impl Values {
    pub(crate) fn new(pools: Vec<Box<dyn AnyPool>>) -> Values {
        let is_changed_by_reference = pools.iter().map(|pool| pool.is_changed_by_reference()).collect();
        Values {
            dirty: vec![false; pools.len()].into_boxed_slice(),
            is_changed_by_reference,
            pools: pools.into_boxed_slice(),
            attention: Attention::default(),
            incomparable: vec![],
            result: Sink::new(),
            text: String::new(),
            place: None,
        }
    }

    /// Returns the value in a slot, if there is a pool for the type and the slot is filled.
    pub fn get<T: 'static>(&self, slot: usize) -> Option<&T> {
        let pools = self.pools.iter();
        pools.filter_map(|pool| pool.as_any().downcast_ref::<Slots<T>>()).next()?.get(slot)
    }

    /// Returns the value in a slot as text, if its pool can show values.
    pub fn show(&self, place: Place) -> Option<String> {
        self.pools[place.pool as usize].show(place.slot as usize)
    }

    /// Whether a slot is filled.
    pub fn is_filled(&self, place: Place) -> bool {
        self.pools[place.pool as usize].is_filled(place.slot as usize)
    }

    /// Restores the initial values of all pools that have changed.
    pub(crate) fn reset(&mut self) {
        let mut i = 0;
        while i < self.pools.len() {
            if self.dirty[i] {
                self.pools[i].reset();
                self.dirty[i] = false;
            }
            i += 1;
        }
    }

    /// Drops the values of all pools that have changed. They must be restored before the next call.
    pub(crate) fn clear(&mut self) {
        let mut i = 0;
        while i < self.pools.len() {
            if self.dirty[i] {
                self.pools[i].clear();
            }
            i += 1;
        }
    }

    /// Makes all pools that have changed equal to those in `from`, which has not changed.
    pub(crate) fn restore(&mut self, from: &Values) {
        // Numbers, because iterators are calls in a debug build.
        let mut i = 0;
        while i < self.pools.len() {
            if self.dirty[i] {
                let is_copied = self.pools[i].copy_from(&*from.pools[i]);
                debug_assert!(is_copied, "smallscope internal error: only cloneable values are restored");
                self.dirty[i] = false;
            }
            i += 1;
        }
    }

    /// Whether anything has changed since it was restored.
    #[inline(always)]
    pub(crate) fn is_dirty(&self) -> bool {
        let mut i = 0;
        while i < self.dirty.len() {
            if self.dirty[i] {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Marks all pools as changed, so that [`Values::restore`] and [`Values::reset`] copy them.
    pub(crate) fn mark_all(&mut self) {
        self.dirty.fill(true);
    }

    /// Notes that a value of a pool was lent by reference.
    #[inline(always)]
    pub(crate) fn lent(&mut self, pool: u32) {
        if self.is_changed_by_reference[pool as usize] {
            self.dirty[pool as usize] = true;
        }
    }

    pub(crate) fn pool(&self, pool: u32) -> &dyn AnyPool {
        &*self.pools[pool as usize]
    }

    #[inline(always)]
    pub(crate) fn slots<T: 'static>(&self, pool: u32) -> &Slots<T> {
        match self.pools[pool as usize].as_any().downcast_ref() {
            Some(slots) => slots,
            None => linked_wrongly(),
        }
    }

    /// The slots of a pool, which change by that.
    #[inline(always)]
    pub(crate) fn slots_mut<T: 'static>(&mut self, pool: u32) -> &mut Slots<T> {
        self.dirty[pool as usize] = true;
        match self.pools[pool as usize].as_any_mut().downcast_mut() {
            Some(slots) => slots,
            None => linked_wrongly(),
        }
    }
}

#[cold]
fn linked_wrongly() -> ! {
    panic!("smallscope internal error: a call was linked to a pool of another type")
}
