//! What one `#[cover]` stands for: its blocks, and a table of slots on each thread.
//!
//! Slot `i + 1` belongs to block `i`, and combination `c` has slot `slots - 1 - c`. Between them are some that nothing belongs to:
//! both parts are multiples of 16. A slot is 1 if its target was reached. Slot 0 is a switch: while it is not 0, predicates are evaluated, and it is [`NEWS`] if since then a combination was reached for the
//! first time. Blocks do not say so: to find out would cost more than to write a 1 once more.

use std::cell::Cell;
use std::fmt;

/// Whether probes are built.
pub(crate) const PROBES: bool = cfg!(feature = "probes");

/// Whether predicates are built, too.
pub(crate) const PREDICATES: bool = cfg!(feature = "predicates");

/// The switch is on.
pub(crate) const ON: u8 = 1;

/// The switch is on, and a combination is new.
pub(crate) const NEWS: u8 = 2;

/// A type whose code has probes. `#[cover]` on an impl block implements it.
#[diagnostic::on_unimplemented(
    message = "the code of `{Self}` has no probes",
    label = "no impl block of this type has `#[cover]` without a name",
    note = "put `#[smallscope::cover]` on a block of its methods; blocks with a name, `#[cover(static NAME)]`, are regions of their own: `&NAME`"
)]
pub trait Covered {
    /// The impl block's own region, and those that it names with `also(..)`.
    fn regions() -> &'static [&'static Region];
}

/// Shows the table of the thread that calls it.
type Access = fn(&mut dyn FnMut(&[Cell<u8>]));

/// The blocks of one item with `#[cover]`.
pub struct Region {
    file: &'static str,
    blocks: &'static [Block],
    slots: usize,
    access: Access,
}

/// Code that runs as a whole, unless something in it panics.
#[derive(Debug)]
pub struct Block {
    /// The function that it is in: `TreeMap::insert`.
    pub function: &'static str,
    /// How it is entered.
    pub kind: BlockKind,
    /// The condition, pattern or statement that it belongs to, shortened. Empty for the entry of a function.
    pub text: &'static str,
    /// Where it begins.
    pub line: u32,
    /// The column in this line.
    pub column: u32,
    /// The predicates that are in scope.
    pub predicates: &'static [&'static str],
    #[doc(hidden)]
    pub first_combination: usize,
    #[doc(hidden)]
    pub is_built: bool,
}

/// How a block is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlockKind {
    /// The function is called.
    Entry,
    /// A condition holds.
    Then,
    /// A condition does not hold, or a `let .. else` does not match.
    Else,
    /// An arm of a `match`.
    Arm,
    /// A round of a loop.
    Body,
    /// Something before it could have skipped it, and did not.
    After,
    /// A closure is called.
    Closure,
}

impl Region {
    #[doc(hidden)]
    pub const fn __new(file: &'static str, blocks: &'static [Block], slots: usize, access: Access) -> Region {
        Region { file, blocks, slots, access }
    }

    /// The source file.
    pub fn file(&self) -> &'static str {
        self.file
    }

    /// The blocks, in the order of the source.
    pub fn blocks(&self) -> &'static [Block] {
        self.blocks
    }

    pub(crate) fn slots(&self) -> usize {
        self.slots
    }

    /// The slots before those of combinations.
    pub(crate) fn slots_of_blocks(&self) -> usize {
        (1 + self.blocks.len()).next_multiple_of(16)
    }

    pub(crate) fn slot_of_block(block: usize) -> usize {
        block + 1
    }

    pub(crate) fn slot_of_combination(&self, combination: usize) -> usize {
        self.slots - 1 - combination
    }

    /// The table of this thread.
    pub(crate) fn look(&self, mut look: impl FnMut(&[Cell<u8>])) {
        (self.access)(&mut look);
    }

    /// Forgets what this thread has reached. From now on predicates are evaluated, or are not.
    pub(crate) fn clear(&self, predicates: bool) {
        self.look(|slots| {
            slots.iter().for_each(|slot| slot.set(0));
            slots[0].set(if predicates { ON } else { 0 });
        });
    }
}

impl fmt::Debug for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Region")
            .field("file", &self.file)
            .field("blocks", &self.blocks)
            .finish_non_exhaustive()
    }
}

/// What generated code calls.
pub(crate) mod probes {
    use super::{NEWS, PREDICATES, PROBES};
    use std::cell::Cell;
    use std::thread::LocalKey;

    /// A block is entered.
    #[inline(always)]
    pub fn hit<const SLOTS: usize>(table: &'static LocalKey<[Cell<u8>; SLOTS]>, slot: usize) {
        if PROBES {
            table.with(|slots| slots[slot].set(1));
        }
    }

    /// Whether predicates are to be evaluated.
    #[inline(always)]
    pub fn asks<const SLOTS: usize>(table: &'static LocalKey<[Cell<u8>; SLOTS]>) -> bool {
        let asks = PROBES && PREDICATES && table.with(|slots| slots[0].get() != 0);
        if asks {
            std::hint::cold_path();
        }
        asks
    }

    /// Runs a function in a place where it is not in the way of the version without predicates.
    #[inline(never)]
    pub fn elsewhere<R>(run: impl FnOnce() -> R) -> R {
        run()
    }

    /// The value of a predicate at its place in the number of a combination.
    #[inline(always)]
    pub fn bit(predicate: bool, number: u32) -> usize {
        usize::from(predicate) << number
    }

    /// A block is entered, and these predicates hold.
    #[inline]
    pub fn combination<const SLOTS: usize>(
        table: &'static LocalKey<[Cell<u8>; SLOTS]>,
        first: usize,
        bits: usize,
    ) {
        table.with(|slots| {
            let slot = &slots[SLOTS - 1 - first - bits];
            if slot.get() == 0 {
                slot.set(1);
                slots[0].set(NEWS);
            }
        });
    }
}
