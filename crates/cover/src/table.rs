//! The tables that the probes of a region write to, one for each thread.
//!
//! While no `Coverage` has begun, a function writes nothing: it has other versions with probes, one for blocks, and one
//! that also evaluates predicates. Afterwards a probe usually finds its slot set. If not, it sets the slot and changes
//! the *moment* of the thread. A `Coverage` remembers the moment at which it read the tables, and reads them again only
//! after the moment has changed.
//!
//! A table has no owner: several `Coverage`s may read it. So none of them stores here what it has seen.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::LocalKey;

/// Whether probes are built.
pub(crate) const PROBES: bool = cfg!(feature = "probes");

/// Whether predicates are built, too.
pub(crate) const PREDICATES: bool = cfg!(feature = "predicates");

/// A table: a slot for each block, and one for each combination of predicates.
pub struct Table<const BLOCKS: usize, const COMBINATIONS: usize> {
    asks: Cell<Asks>,
    blocks: [Cell<bool>; BLOCKS],
    combinations: [Cell<bool>; COMBINATIONS],
}

/// What the probes of a table record.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Asks {
    Nothing,
    Blocks,
    Predicates,
}

/// A table of any size.
pub struct Slots<'a> {
    pub(crate) asks: &'a Cell<Asks>,
    pub(crate) blocks: &'a [Cell<bool>],
    pub(crate) combinations: &'a [Cell<bool>],
}

/// The saved content of a table.
pub(crate) struct Saved {
    asks: Asks,
    blocks: Vec<bool>,
    combinations: Vec<bool>,
}

thread_local! {
    /// Changes whenever a slot of this thread is newly set.
    static MOMENT: Cell<u64> = const { Cell::new(0) };
}

/// The moment of this thread. It differs from those of all other threads that have begun.
#[inline]
pub(crate) fn moment() -> u64 {
    MOMENT.get()
}

/// Begins a moment that no thread has had.
fn begin_moment() {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    MOMENT.set(NEXT.fetch_add(1 << 32, Ordering::Relaxed));
}

impl<const BLOCKS: usize, const COMBINATIONS: usize> Table<BLOCKS, COMBINATIONS> {
    /// An empty table that records nothing.
    #[allow(clippy::new_without_default, reason = "for generated code")]
    pub const fn new() -> Self {
        Table {
            asks: Cell::new(Asks::Nothing),
            blocks: [const { Cell::new(false) }; BLOCKS],
            combinations: [const { Cell::new(false) }; COMBINATIONS],
        }
    }

    /// The table without its size.
    pub fn slots(&self) -> Slots<'_> {
        let Table { asks, blocks, combinations } = self;
        Slots { asks, blocks, combinations }
    }
}

impl Slots<'_> {
    /// Empties the table, and begins to record.
    pub(crate) fn begin(&self, asks: Asks) {
        self.asks.set(asks);
        self.blocks.iter().chain(self.combinations).for_each(|slot| slot.set(false));
        begin_moment();
    }

    pub(crate) fn save(&self) -> Saved {
        let values = |slots: &[Cell<bool>]| slots.iter().map(Cell::get).collect();
        Saved { asks: self.asks.get(), blocks: values(self.blocks), combinations: values(self.combinations) }
    }

    pub(crate) fn restore(&self, saved: &Saved) {
        let set = |slots: &[Cell<bool>], values: &[bool]| {
            std::iter::zip(slots, values).for_each(|(slot, value)| slot.set(*value));
        };
        self.asks.set(saved.asks);
        set(self.blocks, &saved.blocks);
        set(self.combinations, &saved.combinations);
        // Others may have read the table in the meantime. What is restored is new to them.
        begin_moment();
    }
}

type Local<const B: usize, const C: usize> = &'static LocalKey<Table<B, C>>;

/// Marks a branch as unlikely, like `std::hint::cold_path` of newer compilers.
#[cold]
#[inline]
fn cold_path() {}

/// Sets a slot.
#[inline(always)]
fn reach(slot: &Cell<bool>) {
    if !slot.get() {
        cold_path();
        slot.set(true);
        MOMENT.set(MOMENT.get() + 1);
    }
}

/// Whether the version of a function with probes runs.
#[inline(always)]
pub fn is_on<const B: usize, const C: usize>(table: Local<B, C>) -> bool {
    let is_on = PROBES && table.with(|table| table.asks.get() != Asks::Nothing);
    if is_on {
        cold_path();
    }
    is_on
}

/// Runs a version of a function out of line, so that it does not slow down the others.
#[inline(never)]
pub fn elsewhere<R>(run: impl FnOnce() -> R) -> R {
    run()
}

/// Runs a version of a function inline, beside the one without probes, where a call would cost more.
#[inline(always)]
pub fn here<R>(run: impl FnOnce() -> R) -> R {
    run()
}

/// Records that a block is entered.
#[inline(always)]
pub fn hit<const B: usize, const C: usize>(table: Local<B, C>, block: usize) {
    if PROBES {
        table.with(|table| reach(&table.blocks[block]));
    }
}

/// Whether predicates are evaluated.
#[inline(always)]
pub fn evaluates<const B: usize, const C: usize>(table: Local<B, C>) -> bool {
    PROBES && PREDICATES && table.with(|table| table.asks.get() == Asks::Predicates)
}

/// The bit of a predicate in the number of a combination.
#[inline(always)]
pub fn bit(predicate: impl Condition, number: u32) -> usize {
    usize::from(predicate.holds()) << number
}

/// What a predicate is.
#[diagnostic::on_unimplemented(
    message = "a predicate has to be a `bool`, not a `{Self}`: compare it, as in `predicates(x > 0)`",
    label = "no condition"
)]
pub trait Condition {
    /// Whether it holds.
    fn holds(self) -> bool;
}

impl Condition for bool {
    #[inline(always)]
    fn holds(self) -> bool {
        self
    }
}

/// Records that a block is entered while these predicates hold.
#[inline(always)]
pub fn combination<const B: usize, const C: usize>(table: Local<B, C>, first: usize, bits: usize) {
    table.with(|table| reach(&table.combinations[first + bits]));
}
