//! Mirrors: the types that a predicate sees in place of real ones, and what connects the two.
//!
//! * This module has mirrors of std's types. Everything here derefs or answers like its namesake. Operations whose answer
//!   would be wrong on a mirror (`Rc::strong_count`, `Cell::set`, `RefCell::borrow_mut`) are absent, so they do not compile.
//! * [`made`] has what an invariant needs to make values of its own types.
//! * [`shape`] has the traits that mirrors implement, and `root` what a search needs of the whole value.
//! * Four traversals of a mirror each have a module: [`link`] lays out its slots, [`walk`] visits those that are reachable,
//!   [`build`] makes the real value, and [`absorb`] reads one back. The traits name the traversals, and the traversals use
//!   the traits; that is why they are one module.

pub mod absorb;
pub mod arguments;
pub mod build;
mod copies;
pub mod destructor;
mod items;
mod late_vec;
pub mod link;
mod looks;
pub mod made;
mod maps;
pub mod nested;
pub mod once;
pub mod outside;
mod plain_cells;
mod plain_slices;
mod pointers;
pub(crate) mod root;
mod sequences;
pub mod shape;
mod show;
mod slices;
pub mod walk;

pub(crate) use copies::like_their_sequence;
pub use copies::{CopiedMap, CopiedTuple};
pub use items::{EnumItems, Items};
pub use late_vec::LateVec;
pub use looks::{EntryLook, MapLook, Shown, ShownEntries, ShownValues};
pub use maps::{BTreeMap, Entries, HashMap, Values};
pub use plain_cells::PlainCell;
pub use plain_slices::{AsSlice, PlainCells, PlainRest, PlainSlice, Rest};
pub use pointers::{Arc, Box, Pooled, Rc, SyncWeak, Weak};
pub(crate) use sequences::Leaked;
pub use sequences::{Array, Cells, Elements, Held, Seq, held};
pub use show::{Debugged, NotDebug};
pub use slices::{AsElements, Slice, SliceIndex, Slices};

use std::fmt;

/// Mirror of `std::cell::RefCell`: read only, never fails to borrow.
pub struct RefCell<T>(pub(crate) T);

impl<T: fmt::Debug> fmt::Debug for RefCell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RefCell").field("value", &self.0).finish()
    }
}

impl<T> RefCell<T> {
    /// The content.
    #[inline(always)]
    pub fn borrow(&self) -> Ref<'_, T> {
        &self.0
    }

    /// The content.
    pub fn try_borrow(&self) -> Result<Ref<'_, T>, std::cell::BorrowError> {
        Ok(&self.0)
    }
}

/// Mirror of `std::cell::Ref`: a plain reference, which borrow-checks more leniently.
pub type Ref<'b, T> = &'b T;

/// `Ref::map` and `Ref::clone`, for the alias above.
pub trait RefFns<'b, T: 'b>: Sized {
    /// A part of the content.
    fn map<U: ?Sized>(this: Self, f: impl FnOnce(&'b T) -> &'b U) -> &'b U;
}

impl<'b, T> RefFns<'b, T> for &'b T {
    fn map<U: ?Sized>(this: Self, f: impl FnOnce(&'b T) -> &'b U) -> &'b U {
        f(this)
    }
}

/// Mirror of `std::cell::Cell`: `get` only.
pub struct Cell<T>(pub(crate) T);

impl<T: fmt::Debug> fmt::Debug for Cell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cell").field("value", &self.0).finish()
    }
}

impl<T: Copy> Cell<T> {
    /// The content.
    #[inline(always)]
    pub fn get(&self) -> T {
        self.0
    }
}
