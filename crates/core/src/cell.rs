//! Tracked cells: the fields of mirror objects.
//!
//! A cell is the index of its current choice in an immutable, never-freed table of values. The engine
//! changes only the index, so whatever a predicate borrows from a cell stays valid for ever, and mirror
//! types need no lifetime. The first read of a cell puts it on the path; backtracking takes it
//! off. There is no way from a cell to its value except a tracked read.

pub(crate) mod contents;
mod loops;
pub(crate) mod members;
pub(crate) mod split;

pub(crate) use contents::Copied;
pub use loops::{CellLoop, PlainLoop};

use crate::ids::{Choice, SlotId};
use crate::promise::{Op, Promise};
use members::{Found, Members};
use std::cell::Cell;
use std::fmt;
use std::mem::ManuallyDrop;
use std::ops::{Deref, Index};
use std::rc::Rc;

/// The table index of a cell that is not on the path.
pub(crate) const UNREAD: u32 = u32::MAX;

/// The table index of a cell that holds a key which the lazy engine has not decided. For values with keys inside, the number
/// of the pattern is subtracted from it.
pub(crate) const LAZY: u32 = u32::MAX - 1;

/// From this table index on, a cell shows something that is not decided.
pub(crate) const FIRST_LAZY: u32 = LAZY - (1 << 24);

/// The table index of a cell that has no slot, but cells for the components of its value.
pub(crate) const SPLIT: u32 = FIRST_LAZY;

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
    /// It has no slot, but cells for the components of its value.
    Components,
    /// A set or a map that is no plain data: which keys it has.
    Keys,
}

/// What cells ask of the heap that they belong to.
pub(crate) trait Tracker: fmt::Debug {
    /// Opens a slot that is read for the first time, with the first choice that is allowed here. It may be left open
    /// which key the slot holds.
    fn first_read(&self, slot: SlotId);
    /// Prepares reading a slot of which a promise says what `None` means.
    fn read_some(&self, slot: SlotId, promise: Promise);
    /// Whether a slot holds no object or value (`None`, null), without choosing one if it does.
    fn ask_none(&self, slot: SlotId, promise: Promise) -> bool;
    /// Asks about the value of a slot of plain data: `test` says what the answer is for each choice.
    fn ask_choice(&self, slot: SlotId, promise: Promise, test: &dyn Fn(Choice) -> bool) -> bool;
    /// Asks how `a`, plus a number, compares with `b`, for slots whose values are numbers.
    fn ask_pair(&self, a: (SlotId, i64), b: SlotId, op: Op, promise: Promise) -> bool;
    /// Asks about the object of a raw pointer: `test` says what the answer is for each choice. What a promise rules out
    /// is not tried.
    fn ask_pointer(&self, slot: SlotId, promise: Promise, test: &dyn Fn(Choice) -> bool) -> bool;
    /// Rules out what refutes the invariant before a slot is read or asked about.
    fn rule_out(&self, slot: SlotId, promise: Promise, test: &dyn Fn(Choice) -> bool);
    /// Returns the least and the greatest number that a slot of plain data can hold.
    fn numbers(&self, slot: SlotId) -> Option<(i64, i64)>;
    /// Whether the order of two slots is that of their numbers.
    fn are_comparable(&self, a: SlotId, b: SlotId) -> bool;
    /// Returns what can be asked about the sets or maps of a slot, of whose table `find` finds that out. None if such slots
    /// are read.
    fn members(&self, slot: SlotId, table: usize, find: &dyn Fn() -> Option<Found>) -> Option<Rc<Members>>;
    /// Asks whether the choice of a slot belongs to a part of its choices.
    fn ask_part(&self, part: (SlotId, u32), promise: Promise) -> bool;
    /// Whether it is better to ask the second of two such questions first: the answer is known, and the other is not.
    fn is_second_known(&self, first: (SlotId, u32), second: (SlotId, u32)) -> bool;
    /// Returns the length of a slot's table.
    fn table_len(&self, slot: SlotId) -> usize;
}

/// The heap's part of a cell.
#[derive(Debug)]
pub struct Head {
    /// Index into the cell's table, or [`UNREAD`], or [`LAZY`] less the number of a pattern.
    pub(crate) index: Cell<u32>,
    /// Number of the slot in its heap.
    pub(crate) slot: Cell<SlotId>,
    pub(crate) heap: Cell<Option<&'static dyn Tracker>>,
    /// Set for engines that decide questions.
    pub(crate) asks: Cell<Asks>,
    /// How the content of neighbouring cells becomes a slice.
    pub(crate) copied: Cell<Copied>,
}

impl Head {
    /// Whether the cell shows its choice.
    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        self.index.get() < FIRST_LAZY
    }

    /// Whether the cell is not on the path.
    #[inline]
    pub(crate) fn is_unread(&self) -> bool {
        self.index.get() == UNREAD
    }

    pub(crate) fn blank() -> Head {
        Head {
            index: Cell::new(UNREAD),
            slot: Cell::new(SlotId::default()),
            heap: Cell::new(None),
            asks: Cell::new(Asks::Nothing),
            copied: Cell::new(Copied::Never),
        }
    }

    /// Opens the slot, which is read for the first time.
    #[cold]
    #[inline(never)]
    fn activate(&self) {
        match self.heap.get() {
            Some(heap) => heap.first_read(self.slot.get()),
            None => panic!("smallscope: a mirror cell was read outside of a search"),
        }
    }
}

/// What a cell owns that an invariant has made.
pub(crate) struct Made<T> {
    pub(crate) value: Rc<T>,
    pub(crate) parts: split::OwnedParts,
}

/// A field of a mirror object.
pub struct Tracked<T> {
    pub(crate) head: Head,
    /// The table. Set once, by linking; its length is checked there against the slot's choices.
    pub(crate) table: Cell<*const T>,
    /// The value that stands for an undecided key, in cells that can hold one; or such values, one per pattern. In a cell
    /// that is split or holds a value, the parts: see [`split`].
    pub(crate) lazy: Cell<*const T>,
    /// The cell that this one is an alias of, if it is one.
    pub(crate) target: Cell<*const Tracked<T>>,
    /// The value, in a cell that an invariant has made.
    pub(crate) made: Option<Made<T>>,
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
            target: Cell::new(std::ptr::null()),
            made: None,
            #[cfg(debug_assertions)]
            table_len: Cell::new(0),
        }
    }

    pub(crate) fn set_table(&self, table: &'static [T]) {
        self.table.set(table.as_ptr());
        #[cfg(debug_assertions)]
        self.table_len.set(table.len());
    }

    /// Returns the current value. The first read is recorded.
    #[inline(always)]
    pub fn __read(&self) -> &T {
        let index = self.head.index.get();
        if index >= FIRST_LAZY {
            return self.read_undecided();
        }
        self.entry(index)
    }

    #[cold]
    #[inline(never)]
    fn read_undecided(&self) -> &T {
        if let Some(target) = self.target() {
            return target.__read();
        }
        if self.head.index.get() == UNREAD {
            self.head.activate();
        }
        match self.head.index.get() {
            SPLIT => split::whole(self),
            // SAFETY: the heap sets these indices only for slots that linking has marked, after it had given the cell
            // leaked values for them, one or one per pattern (see `Builder::attach` and `link::keys`).
            index @ FIRST_LAZY..=LAZY => unsafe { &*self.lazy.get().add((LAZY - index) as usize) },
            index => self.entry(index),
        }
    }

    /// The cell that this one is an alias of, if it is one.
    pub(crate) fn target(&self) -> Option<&Tracked<T>> {
        // SAFETY: null, or set by `contents::alias` to a cell of a heap; these are leaked.
        unsafe { self.target.get().as_ref() }
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
    pub(crate) fn value_of(&self, choice: Choice) -> &T {
        let slot = self.head.slot.get();
        let len = self.head.heap.get().map_or(0, |heap| heap.table_len(slot));
        assert!((choice as usize) < len, "smallscope internal error: no such choice");
        self.entry(choice)
    }

    /// The same, for variables that a pattern has bound to a cell.
    #[inline(always)]
    pub fn __bind(&self) -> &T {
        self.__read()
    }

    /// Whether the cell has cells for the components of its value.
    #[inline(always)]
    pub(crate) fn is_split(&self) -> bool {
        self.head.index.get() == SPLIT
    }
}

/// The cells of the components of a tuple.
macro_rules! tuples {
    ($(($($t:ident $i:tt),+))*) => { $(
        impl<$($t),+> Tracked<($($t,)+)> {
            /// The cells of the components.
            #[inline]
            pub fn __parts(&self) -> &($(Tracked<$t>,)+) {
                // SAFETY: `link` and this function make parts of this type only.
                unsafe { split::parts(self, |value| ($(split::holding(&value.$i),)+)) }
            }

            /// The same, for variables that a pattern has bound to the cell.
            #[inline]
            pub fn __bind_parts(&self) -> &($(Tracked<$t>,)+) {
                self.__parts()
            }
        }

        impl<$($t),+> split::Components<($($t,)+)> for ($(Tracked<$t>,)+) {
            fn places(&self) -> [usize; 6] {
                let mut places = [0; 6];
                $( places[$i] = split::place(&self.$i); )+
                places
            }
            fn assemble(&self) -> ManuallyDrop<($($t,)+)> {
                ManuallyDrop::new(($(ManuallyDrop::into_inner(split::copy_of(&self.$i)),)+))
            }
            fn release(&self) {
                $( split::release(std::slice::from_ref(&self.$i)); )+
            }
            fn heads<'a>(&'a self, heads: &mut Vec<&'a Head>) -> bool {
                $( split::add_heads(&self.$i, heads) )&&+
            }
        }

        impl<$($t),+> Tracked<Option<($($t,)+)>> {
            /// The cells of the components, if there are some.
            pub fn __option(&self) -> Option<&($(Tracked<$t>,)+)> {
                // SAFETY: tuples are split, and so are their `Option`s: see `Value for Option`.
                unsafe { split::some(self) }.map(|cell| cell.__parts())
            }
        }
    )* };
}
tuples!((A 0)(A 0, B 1)(A 0, B 1, C 2)(A 0, B 1, C 2, D 3)(A 0, B 1, C 2, D 3, E 4)(A 0, B 1, C 2, D 3, E 4, F 5));

/// The cells of a range.
pub struct RangeParts<T> {
    /// That of its start.
    pub start: Tracked<T>,
    /// That of its end.
    pub end: Tracked<T>,
}

impl<T> Tracked<std::ops::Range<T>> {
    /// The cells of both ends.
    pub fn __parts(&self) -> &RangeParts<T> {
        let hold = |value: &std::ops::Range<T>| RangeParts {
            start: split::holding(&value.start),
            end: split::holding(&value.end),
        };
        // SAFETY: `link` and this function make parts of this type only.
        unsafe { split::parts(self, hold) }
    }
}

impl<T> Tracked<std::ops::RangeInclusive<T>> {
    /// The cells of both ends.
    pub fn __parts(&self) -> &RangeParts<T> {
        let hold = |value: &std::ops::RangeInclusive<T>| RangeParts {
            start: split::holding(value.start()),
            end: split::holding(value.end()),
        };
        // SAFETY: `link` and this function make parts of this type only.
        unsafe { split::parts(self, hold) }
    }
}

/// A tracked read, for code that no macro has rewritten.
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

/// `.__read()` and `.__bind()` on everything that is not a cell, where they do nothing. The inherent methods of
/// [`Tracked`] take precedence, so the macros need not know types.
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
    /// The place itself, whose components are no cells or are seen as they are.
    #[inline(always)]
    fn __parts(&self) -> &Self {
        self
    }
    /// The variable itself, for the pattern of a tuple.
    #[inline(always)]
    fn __bind_parts(self) -> Self
    where
        Self: Sized,
    {
        self
    }
    /// The `Option` itself, for a pattern.
    #[inline(always)]
    fn __option(&self) -> &Self {
        self
    }
    /// The slice itself, for a pattern.
    #[inline(always)]
    fn __cells(&self) -> &Self {
        self
    }
    /// The iterator itself, or what can be made into one.
    #[inline(always)]
    fn __items(self) -> Self
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
    /// The place itself, of which keys are looked up.
    #[inline(always)]
    fn __look(&self) -> &Self {
        self
    }
    /// The same, where two sets are compared.
    #[inline(always)]
    fn __pairwise(&self) -> &Self {
        self
    }
    /// The same, where the value of a key is bound to a variable.
    #[inline(always)]
    fn __entries(&self) -> &Self {
        self
    }
    /// The place itself; the promise is of no use.
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

/// `.__at(i)` and `.__some_at(i)` on values whose elements are no cells. A separate trait, so that the compiler looks for
/// it where it looks for indexing: behind a `Box`, too.
pub trait PlainIndex<I>: Index<I> {
    /// An element, in a comparison.
    #[inline(always)]
    fn __at(&self, index: I) -> &Self::Output {
        &self[index]
    }
    /// An element, whose components are needed.
    #[inline(always)]
    fn __cell_at(&self, index: I) -> &Self::Output {
        &self[index]
    }
    /// An element, of which a promise says what `None` means.
    #[inline(always)]
    fn __some_at(&self, index: I, _: Promise) -> &Self::Output {
        &self[index]
    }
}

impl<T: ?Sized + Index<I>, I> PlainIndex<I> for T {}
