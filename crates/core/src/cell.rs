//! Tracked cells: the fields of mirror objects.
//!
//! A cell is the index of its current choice in an immutable, never-freed table of values. The engine
//! changes only the index, so whatever a predicate borrows from a cell stays valid for ever, and mirror
//! types need no lifetime. The first read of a cell puts it on the heap's path ([`crate::heap`]);
//! backtracking takes it off. There is no way from a cell to its value except a tracked read.

use crate::ask::Promise;
use crate::heap::Heap;
use std::cell::Cell;
use std::fmt;
use std::ops::{Deref, Index};

/// The table index of a cell that is not on the path.
pub(crate) const UNREAD: u32 = u32::MAX;

/// The table index of a cell that holds a key which the lazy engine has not decided.
pub(crate) const LAZY: u32 = u32::MAX - 1;

/// What can be asked about a cell instead of reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asks {
    /// It is read.
    Nothing,
    /// Plain data: how it compares.
    Data,
    /// A raw pointer: whether it leads to an object, and to which.
    Address,
    /// Any other pointer: whether it leads to an object.
    Presence,
}

/// The engine's part of a cell.
#[derive(Debug)]
pub struct Head {
    /// Index into the cell's table, or [`UNREAD`], or [`LAZY`].
    pub(crate) index: Cell<u32>,
    /// Number of the slot in its heap.
    pub(crate) slot: Cell<u32>,
    pub(crate) heap: Cell<Option<&'static Heap>>,
    /// Set for engines that decide questions.
    pub(crate) asks: Cell<Asks>,
}

impl Head {
    fn blank() -> Head {
        Head {
            index: Cell::new(UNREAD),
            slot: Cell::new(0),
            heap: Cell::new(None),
            asks: Cell::new(Asks::Nothing),
        }
    }

    /// First read: let the heap choose the first value that is allowed here.
    #[cold]
    #[inline(never)]
    fn activate(&self) {
        match self.heap.get() {
            Some(heap) => heap.first_read(self.slot.get()),
            None => panic!("smallscope: a mirror cell was read outside of a search"),
        }
    }
}

/// A field of a mirror object.
pub struct Tracked<T> {
    pub(crate) head: Head,
    /// The table. Set once, by linking; its length is checked there against the slot's choices.
    pub(crate) table: Cell<*const T>,
    /// What stands for a key that is not decided, in cells that can hold such.
    pub(crate) lazy: Cell<*const T>,
    #[cfg(debug_assertions)]
    pub(crate) table_len: Cell<usize>,
}

impl<T> Tracked<T> {
    /// A cell that is not part of a heap yet.
    pub fn blank() -> Self {
        Tracked {
            head: Head::blank(),
            table: Cell::new(std::ptr::null()),
            lazy: Cell::new(std::ptr::null()),
            #[cfg(debug_assertions)]
            table_len: Cell::new(0),
        }
    }

    pub(crate) fn set_table(&self, table: &'static [T]) {
        self.table.set(table.as_ptr());
        #[cfg(debug_assertions)]
        self.table_len.set(table.len());
    }

    /// Records the read (the first time only) and gives the current value.
    #[inline(always)]
    pub fn __read(&self) -> &T {
        let index = self.head.index.get();
        if index >= LAZY {
            return self.read_undecided();
        }
        self.entry(index)
    }

    #[cold]
    #[inline(never)]
    fn read_undecided(&self) -> &T {
        if self.head.index.get() == UNREAD {
            self.head.activate();
        }
        match self.head.index.get() {
            // SAFETY: the heap sets this index only for slots that linking has marked, after it had given the cell a
            // leaked value for it (see `Builder::attach`).
            LAZY => unsafe { &*self.lazy.get() },
            index => self.entry(index),
        }
    }

    /// A value of the table, by the index that the heap has given the cell.
    #[inline(always)]
    fn entry(&self, index: u32) -> &T {
        #[cfg(debug_assertions)]
        assert!(
            (index as usize) < self.table_len.get(),
            "smallscope internal error: table index out of range"
        );
        // SAFETY: `activate` panics on a cell without a heap, and otherwise leaves an index below the number
        // of choices of the slot, which linking has checked against the length of the table (see
        // `Builder::attach`); the table is leaked and never written to.
        unsafe { &*self.table.get().add(index as usize) }
    }

    /// The value that a choice stands for, in a slot of plain data.
    pub(crate) fn value_of(&self, choice: u32) -> &T {
        let slot = self.head.slot.get();
        let len = self.head.heap.get().map_or(0, |heap| heap.state.borrow().table_len(slot));
        assert!((choice as usize) < len, "smallscope internal error: no such choice");
        self.entry(choice)
    }

    /// The same, for variables that a pattern has bound to a cell.
    #[inline(always)]
    pub fn __bind(&self) -> &T {
        self.__read()
    }
}

/// Fallback for code that no macro has rewritten. Still a tracked read.
impl<T> Deref for Tracked<T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        self.__read()
    }
}

impl<T: PartialEq> PartialEq for Tracked<T> {
    fn eq(&self, other: &Self) -> bool {
        self.__read() == other.__read()
    }
}

impl<T: Eq> Eq for Tracked<T> {}

impl<T: PartialOrd> PartialOrd for Tracked<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.__read().partial_cmp(other.__read())
    }
}

impl<T: Ord> Ord for Tracked<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.__read().cmp(other.__read())
    }
}

impl<T: fmt::Debug> fmt::Debug for Tracked<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.__read().fmt(f)
    }
}

impl<T: fmt::Display> fmt::Display for Tracked<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.__read().fmt(f)
    }
}

/// What `.__read()` and `.__bind()` mean on everything that is not a cell: nothing. The inherent methods
/// of [`Tracked`] win over these, so the macros need not know types.
pub trait Plain {
    /// The place itself.
    #[inline(always)]
    fn __read(&self) -> &Self {
        self
    }
    /// The variable itself.
    #[inline(always)]
    fn __bind(self) -> Self
    where
        Self: Sized,
    {
        self
    }
    /// The place itself, in a comparison.
    #[inline(always)]
    fn __ask(&self) -> &Self {
        self
    }
    /// The place itself, with a promise that nobody needs.
    #[inline(always)]
    fn __under(&self, _: Promise) -> &Self {
        self
    }
    /// The place itself, of which a promise says what `None` means.
    #[inline(always)]
    fn __some(&self, _: Promise) -> &Self {
        self
    }
}

impl<T: ?Sized> Plain for T {}

/// What `.__at(i)` and `.__some_at(i)` mean on whatever has elements that are no cells. A trait of its own, so that
/// the compiler looks for it where it looks for indexing: behind a `Box`, too.
pub trait PlainIndex<I>: Index<I> {
    /// An element, in a comparison.
    #[inline(always)]
    fn __at(&self, index: I) -> &Self::Output {
        &self[index]
    }
    /// An element, of which a promise says what `None` means.
    #[inline(always)]
    fn __some_at(&self, index: I, _: Promise) -> &Self::Output {
        &self[index]
    }
}

impl<T: ?Sized + Index<I>, I> PlainIndex<I> for T {}
