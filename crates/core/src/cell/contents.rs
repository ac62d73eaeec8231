//! Slices of cells as std's slices, for code that needs one: all cells are read, and their values are copied side by side. Maps
//! of cells as std's maps, in the same way.
//!
//! What an invariant borrows ends with its run, so copies are freed between runs, when there are many. Only a shared pointer
//! that the invariant has cloned may live longer, and lead to a slice then; from the first clone on, nothing is freed on
//! that thread.

use super::{LAZY, Made, SPLIT, Tracked, split};
use crate::guard;
use std::alloc::{Layout, dealloc};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::rc::Rc;

/// The copies that runs on this thread have made.
#[derive(Default)]
struct Copies {
    /// By content: the table of the first cell, and the index or the open slot of each cell. Tables are never freed.
    by_content: HashMap<Content, Copy>,
    /// Of local vectors.
    others: Vec<Copy>,
}

type Content = (*const u8, Box<[u64]>);

/// Memory that holds a copy.
#[derive(Clone, Copy)]
struct Copy {
    at: NonNull<u8>,
    layout: Layout,
    /// Drops what it holds, if that has memory of its own.
    drop: Option<unsafe fn(NonNull<u8>)>,
}

/// More bytes than these are freed before the next run.
const MOST: usize = 1 << 22;

thread_local! {
    static COPIES: RefCell<Copies> = RefCell::default();
    /// How many bytes there are, with what it takes to find them.
    static BYTES: Cell<usize> = const { Cell::new(0) };
    /// Whether an invariant has cloned a shared pointer.
    static MAY_ESCAPE: Cell<bool> = const { Cell::new(false) };
}

/// Notes that a mirror may outlive the run of the invariant.
#[inline]
pub(crate) fn may_escape() {
    MAY_ESCAPE.set(true);
}

/// Frees the copies of earlier runs if there are many.
#[inline]
pub(crate) fn begin_run() {
    if BYTES.get() > MOST {
        free();
    }
}

#[cold]
fn free() {
    // An invariant may search, too, and its own run still borrows.
    if MAY_ESCAPE.get() || guard::is_armed() {
        return;
    }
    BYTES.set(0);
    let Copies { by_content, others: mut copies } = COPIES.take();
    for copy in by_content.into_values() {
        copies.push(copy);
    }
    for Copy { at, layout, drop } in copies {
        if let Some(drop) = drop {
            // SAFETY: `collected` gives the function for what it has stored there.
            unsafe { drop(at) };
        }
        if layout.size() > 0 {
            // SAFETY: allocated by `copy` with this layout. A run borrows a copy through a mirror, which it borrows for
            // less than the run itself, unless it has cloned a shared pointer.
            unsafe { dealloc(at.as_ptr(), layout) };
        }
    }
}

/// Tells the slots of undecided keys from indices.
const OPEN: u64 = 1 << 32;

/// How the content of neighbouring cells becomes a slice of std.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Copied {
    /// Not at all: the values have cells inside.
    Never,
    /// Cells of a heap: a content is copied once.
    Once,
    /// The cells hold the elements of a slice, in order.
    Not,
    /// Cells of a local vector: copied each time.
    Always,
}

impl Copied {
    /// Whether the cell is part of no heap.
    pub(crate) fn is_local(self) -> bool {
        matches!(self, Copied::Not | Copied::Always)
    }
}

/// A cell that is part of no heap and holds a value. `copied` is `Not` if its neighbours hold the neighbours of the
/// value, and `Always` if not.
pub(crate) fn holding<T>(value: &T, copied: Copied) -> Tracked<T> {
    let cell = Tracked::blank();
    cell.head.index.set(0);
    cell.head.copied.set(copied);
    cell.table.set(value);
    #[cfg(debug_assertions)]
    cell.table_len.set(1);
    cell
}

/// A cell that is part of no heap and owns its value.
pub(crate) fn made<T>(value: Rc<T>) -> Tracked<T> {
    let mut cell = holding(&*value, Copied::Always);
    cell.made = Some(Made { value, parts: split::OwnedParts::default() });
    cell
}

/// Another cell that holds what a cell holds. It is neither opened nor closed by the heap: it asks in the name of the
/// other cell, and reads that.
pub(crate) fn alias<T>(of: &Tracked<T>) -> Tracked<T> {
    let cell = Tracked::blank();
    let target = of.target().unwrap_or(of);
    let is_in_search = target.head.heap.get().is_some() || target.head.index.get() == SPLIT;
    assert!(is_in_search, "smallscope internal error: an alias of a cell of no search");
    cell.head.slot.set(target.head.slot.get());
    cell.head.heap.set(target.head.heap.get());
    cell.head.asks.set(target.head.asks.get());
    let has_cells = target.head.copied.get() == Copied::Never;
    cell.head.copied.set(if has_cells { Copied::Never } else { Copied::Always });
    cell.table.set(target.table.get());
    cell.target.set(target);
    #[cfg(debug_assertions)]
    cell.table_len.set(target.table_len.get());
    cell
}

/// Another cell with the same table, which is part of no heap yet.
#[cfg(feature = "summaries")]
pub(crate) fn like<T>(of: &Tracked<T>) -> Tracked<T> {
    let cell = Tracked::blank();
    cell.head.asks.set(of.head.asks.get());
    cell.table.set(of.table.get());
    cell.lazy.set(of.lazy.get());
    #[cfg(debug_assertions)]
    cell.table_len.set(of.table_len.get());
    cell
}

/// Another cell that holds what a cell holds, which is part of a heap or was made.
pub(crate) fn again<T>(of: &Tracked<T>) -> Tracked<T> {
    match &of.made {
        Some(made) => self::made(made.value.clone()),
        None => alias(of),
    }
}

/// What these cells hold, as a slice. They are read. All of them belong to one sequence.
///
/// The bound that the elements have no cells inside would end up in users' impls (`T: Ord` is all that these have), so
/// it is checked here.
pub(crate) fn as_slice<T>(cells: &[Tracked<T>]) -> &[T] {
    cells.iter().for_each(|cell| {
        cell.__read();
    });
    let Some(first) = cells.first() else { return &[] };
    let is_in_search = first.head.heap.get().is_some() || first.is_split();
    match (first.head.copied.get(), is_in_search) {
        // SAFETY: these cells hold neighbours in a slice, and borrow them for as long as they live (`Slice::__slice`).
        (Copied::Not, _) => unsafe { std::slice::from_raw_parts(first.table.get(), cells.len()) },
        // SAFETY: made by `copy`, with as many elements.
        (Copied::Always, _) => unsafe { slice(copy_other(cells), cells.len()) },
        // SAFETY: made by `copy`, with as many elements, for a table at the same address and so for the same type.
        (Copied::Once, true) => unsafe { slice(copy_once(first.table.get().cast(), cells), cells.len()) },
        _ => panic!(
            "smallscope: vectors of structures by value, of vectors or of arrays are no slices in an invariant; use `iter()` or an index"
        ),
    }
}

/// Copies what cells hold. The values have no cells inside.
fn copy<T>(cells: &[Tracked<T>]) -> Copy {
    // SAFETY: a bitwise copy of a value without interior mutability (`Value::SHARED`, or numbers and the like in local
    // vectors) in `ManuallyDrop`, so the content is never dropped.
    let copy = cells.iter().map(|cell| ManuallyDrop::new(unsafe { std::ptr::read(cell.__read()) }));
    let copy: &mut [ManuallyDrop<T>] = Box::leak(copy.collect());
    let layout = Layout::for_value(copy);
    BYTES.set(BYTES.get() + layout.size() + cells.len() * size_of::<u64>() + size_of::<(Content, Copy)>());
    Copy { at: NonNull::from(copy).cast(), layout, drop: None }
}

/// What a cell holds: its index, or the slot of a key that is not decided.
fn held<T>(cell: &Tracked<T>) -> u64 {
    match cell.head.index.get() {
        LAZY => OPEN | u64::from(cell.head.slot.get().number()),
        SPLIT => split::place(cell) as u64,
        index => u64::from(index),
    }
}

/// Tells the contents of a mirror from those of the table that begins with it.
const COLLECTION: u64 = u64::MAX;

/// What a mirror that stands in a table holds, as a collection of std's that `make` makes. The cells of the mirror are read.
pub(crate) fn collected<'a, M, T: 'a, C>(
    mirror: &'a M,
    cells: impl Iterator<Item = &'a Tracked<T>>,
    make: impl FnOnce() -> C,
) -> &'a C {
    let read = cells.map(|cell| {
        cell.__read();
        held(cell)
    });
    let content: Content =
        (std::ptr::from_ref(mirror).cast(), [COLLECTION].into_iter().chain(read).collect());
    let known = COPIES.with_borrow(|copies| copies.by_content.get(&content).map(|copy| copy.at));
    let at = known.unwrap_or_else(|| {
        // Runs code of users, which may come back here.
        let made: &mut C = Box::leak(Box::new(make()));
        let (layout, at) = (Layout::for_value(made), NonNull::from(made).cast());
        // A guess: what the collection has allocated is not known.
        BYTES.set(BYTES.get() + 2 * layout.size() + content.1.len() * 64 + size_of::<(Content, Copy)>());
        // SAFETY: `free` calls this once, with the address of this `C`.
        let drop = |at: NonNull<u8>| unsafe { std::ptr::drop_in_place(at.cast::<C>().as_ptr()) };
        COPIES.with_borrow_mut(|copies| {
            copies.by_content.insert(content, Copy { at, layout, drop: Some(drop) })
        });
        at
    });
    // SAFETY: made here for the same mirror, and so for the same type; see `slice`.
    unsafe { at.cast().as_ref() }
}

/// Keeps a collection as long as copies of its content are kept, which are found by its address. What is freed between runs
/// must not borrow.
pub(crate) fn keep<'a, C: 'static>(collection: C) -> &'a C {
    let kept: &mut C = Box::leak(Box::new(collection));
    let (layout, at) = (Layout::for_value(kept), NonNull::from(kept).cast());
    BYTES.set(BYTES.get() + 4 * layout.size() + size_of::<Copy>());
    // SAFETY: `free` calls this once, with the address of this `C`.
    let drop = |at: NonNull<u8>| unsafe { std::ptr::drop_in_place(at.cast::<C>().as_ptr()) };
    COPIES.with_borrow_mut(|copies| copies.others.push(Copy { at, layout, drop: Some(drop) }));
    // SAFETY: made here; see `slice`.
    unsafe { at.cast().as_ref() }
}

/// The copy of what cells of a table hold.
fn copy_once<T>(table: *const u8, cells: &[Tracked<T>]) -> NonNull<u8> {
    let content: Content = (table, cells.iter().map(held).collect());
    COPIES.with_borrow_mut(|copies| copies.by_content.entry(content).or_insert_with(|| copy(cells)).at)
}

/// A new copy.
fn copy_other<T>(cells: &[Tracked<T>]) -> NonNull<u8> {
    let copy = copy(cells);
    COPIES.with_borrow_mut(|copies| copies.others.push(copy));
    copy.at
}

/// # Safety
///
/// The pointer is a result of `copy` for this type and so many cells.
unsafe fn slice<'a, T>(copy: NonNull<u8>, len: usize) -> &'a [T] {
    // SAFETY: `free` runs only when no run of the invariant borrows it; `ManuallyDrop<T>` has the layout of `T`.
    unsafe { std::slice::from_raw_parts(copy.as_ptr().cast(), len) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Copies a local vector as often as many runs do. Returns the largest number of bytes that were kept.
    fn run_often() -> usize {
        let values: Vec<u64> = (0..100).collect();
        let mut most = 0;
        for _ in 0..20_000 {
            begin_run();
            let outer = guard::arm();
            let cells: Vec<Tracked<u64>> = values.iter().map(|v| holding(v, Copied::Always)).collect();
            assert_eq!(as_slice(&cells), values);
            guard::disarm(outer);
            most = most.max(BYTES.get());
        }
        most
    }

    #[test]
    fn copies_do_not_pile_up() {
        assert!((MOST..MOST + 10_000).contains(&run_often()));
    }

    #[test]
    fn collections_are_dropped() {
        let (mirrors, counted, value) = (vec![0u64; 40_000], Rc::new(()), 7);
        for mirror in &mirrors {
            begin_run();
            let outer = guard::arm();
            let cells = [holding(&value, Copied::Always)];
            let make = || vec![Rc::clone(&counted)];
            let first = std::ptr::from_ref(collected(mirror, cells.iter(), make));
            assert!(std::ptr::eq(first, collected(mirror, cells.iter(), make)), "a content is copied once");
            guard::disarm(outer);
        }
        assert!(Rc::strong_count(&counted) < mirrors.len());
    }

    #[test]
    fn copies_stay_if_a_mirror_may_outlive_the_run() {
        may_escape();
        assert!(run_often() > 4 * MOST);
    }

    #[test]
    fn copies_of_a_run_around_a_search_stay() {
        let outer = guard::arm();
        let value = 7;
        let cells = [holding(&value, Copied::Always)];
        let slice = as_slice(&cells);
        assert!(run_often() > 4 * MOST);
        assert_eq!(slice, [7]);
        guard::disarm(outer);
    }
}
