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
    fn is_dirty(&self) -> bool;
    fn mark(&mut self, dirty: bool);
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
    pools: Vec<Box<dyn AnyPool>>,
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
        for pool in self.pools.drain(..) {
            let _ = panics::catch_silenced(|| drop(pool));
        }
    }
}

impl Values {
    pub(crate) fn new(pools: Vec<Box<dyn AnyPool>>) -> Values {
        Values {
            pools,
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

    /// Restores the initial values of all pools.
    pub(crate) fn reset(&mut self) {
        for pool in &mut self.pools {
            if pool.is_dirty() {
                pool.reset();
            }
        }
    }

    /// Drops the values of all pools that have changed. They must be restored before the next call.
    pub(crate) fn clear(&mut self) {
        let pools = self.pools.as_mut_slice();
        let mut i = 0;
        while i < pools.len() {
            if pools[i].is_dirty() {
                pools[i].clear();
            }
            i += 1;
        }
    }

    /// Makes all pools that have changed equal to those in `from`, which has not changed.
    pub(crate) fn restore(&mut self, from: &Values) {
        // Slices and numbers, because iterators and indexing a vector are calls in a debug build.
        let (pools, from) = (self.pools.as_mut_slice(), from.pools.as_slice());
        let mut i = 0;
        while i < pools.len() {
            let pool = &mut pools[i];
            if pool.is_dirty() {
                let is_copied = pool.copy_from(&*from[i]);
                debug_assert!(is_copied, "smallscope internal error: only cloneable values are restored");
                pool.mark(false);
            }
            i += 1;
        }
    }

    /// Whether anything has changed since it was restored.
    pub(crate) fn is_dirty(&self) -> bool {
        let pools = self.pools.as_slice();
        let mut i = 0;
        while i < pools.len() {
            if pools[i].is_dirty() {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Marks all pools as changed, so that [`Values::restore`] and [`Values::reset`] copy them, or as unchanged.
    pub(crate) fn mark_all(&mut self, dirty: bool) {
        for pool in &mut self.pools {
            pool.mark(dirty);
        }
    }

    pub(crate) fn pool(&self, pool: u32) -> &dyn AnyPool {
        &*self.pools.as_slice()[pool as usize]
    }

    #[inline]
    pub(crate) fn slots<T: 'static>(&self, pool: u32) -> &Slots<T> {
        self.pools.as_slice()[pool as usize]
            .as_any()
            .downcast_ref()
            .expect("smallscope internal error: a call was linked to a pool of another type")
    }

    #[inline]
    pub(crate) fn slots_mut<T: 'static>(&mut self, pool: u32) -> &mut Slots<T> {
        self.pools.as_mut_slice()[pool as usize]
            .as_any_mut()
            .downcast_mut()
            .expect("smallscope internal error: a call was linked to a pool of another type")
    }
}
