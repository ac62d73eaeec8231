//! The region of one `#[cover]`: its blocks, and a table on each thread.

use crate::table::Slots;
use std::fmt;

/// A type whose code has probes. `#[cover]` on an impl block implements it.
#[diagnostic::on_unimplemented(
    message = "the code of `{Self}` has no probes: write `#[smallscope::cover]` above an impl block with its methods",
    label = "no impl block of this type has `#[cover]` without a name",
    note = "blocks with a name, `#[cover(static NAME)]`, are regions of their own: `&NAME`"
)]
pub trait Covered {
    /// The impl block's own region, and those that it names with `also(..)`.
    fn regions() -> &'static [&'static Region];
}

/// What `#[cover]` on an impl block without a name implements. The compiler prints the name if two blocks do.
#[doc(hidden)]
#[expect(non_camel_case_types, reason = "it is a message")]
pub trait a_second_block_must_have_a_name_so_write_cover_static_NAME {
    /// See [`Covered::regions`].
    fn regions() -> &'static [&'static Region];
}

#[diagnostic::do_not_recommend]
impl<T: a_second_block_must_have_a_name_so_write_cover_static_NAME> Covered for T {
    fn regions() -> &'static [&'static Region] {
        T::regions()
    }
}

/// Passes the table of the calling thread to a function.
type Look = fn(&mut dyn FnMut(&Slots<'_>));

/// The blocks of one item with `#[cover]`.
pub struct Region {
    file: &'static str,
    blocks: &'static [Block],
    combinations: usize,
    look: Look,
}

/// Code that runs as a whole, unless something in it panics.
#[derive(Debug)]
pub struct Block {
    /// Its function: `TreeMap::insert`.
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
    /// Code before it could have skipped it, and did not.
    After,
    /// A closure is called.
    Closure,
}

impl Region {
    #[doc(hidden)]
    pub const fn __new(
        file: &'static str,
        blocks: &'static [Block],
        combinations: usize,
        look: Look,
    ) -> Region {
        Region { file, blocks, combinations, look }
    }

    /// The source file.
    pub fn file(&self) -> &'static str {
        self.file
    }

    /// The blocks, in the order of the source.
    pub fn blocks(&self) -> &'static [Block] {
        self.blocks
    }

    pub(crate) fn combinations(&self) -> usize {
        self.combinations
    }

    /// Passes the table of this thread to a function.
    pub(crate) fn look(&self, mut look: impl FnMut(&Slots<'_>)) {
        (self.look)(&mut look);
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
