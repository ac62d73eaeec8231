//! Slices of cells as std's slices, for code that needs one: all cells are read, and their values are copied side by side.
//!
//! A copy is never freed, because what an invariant borrows may live as long as the mirrors do. The heap keeps the copies
//! by content, so that a content is copied once.

use super::{LAZY, Tracked};
use std::cell::RefCell;
use std::collections::HashMap;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

/// The copies of one heap, by table and by what the cells hold.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    copies: RefCell<HashMap<Content, NonNull<u8>>>,
}

/// The table of the first cell, and the index or the open slot of each cell.
type Content = (*const u8, Box<[u64]>);

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

/// Another cell that holds what a cell holds. It is neither opened nor closed by the heap: it asks in the name of the
/// other cell, and reads that.
pub(crate) fn alias<T>(of: &Tracked<T>) -> Tracked<T> {
    let cell = Tracked::blank();
    let target = of.target().unwrap_or(of);
    assert!(target.head.heap.get().is_some(), "smallscope internal error: an alias of a cell of no search");
    cell.head.slot.set(target.head.slot.get());
    cell.head.heap.set(target.head.heap.get());
    cell.head.asks.set(target.head.asks.get());
    cell.head.copied.set(Copied::Always);
    cell.table.set(target.table.get());
    cell.target.set(target);
    #[cfg(debug_assertions)]
    cell.table_len.set(target.table_len.get());
    cell
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
    match (first.head.copied.get(), first.head.heap.get()) {
        // SAFETY: these cells hold neighbours in a slice, and borrow them for as long as they live (`Slice::__slice`).
        (Copied::Not, _) => unsafe { std::slice::from_raw_parts(first.table.get(), cells.len()) },
        // SAFETY: made by `copy`, with as many elements.
        (Copied::Always, _) => unsafe { slice(copy(cells), cells.len()) },
        (Copied::Once, Some(heap)) => {
            let copy = heap.contents().copy(first.table.get().cast(), cells);
            // SAFETY: made by `copy`, with as many elements, for a table at the same address and so for the same type.
            unsafe { slice(copy, cells.len()) }
        }
        _ => panic!(
            "smallscope: vectors of structures by value, of vectors or of arrays are no slices in an invariant; use `iter()` or an index"
        ),
    }
}

/// Copies what cells hold to a place that is never freed. The values have no cells inside.
fn copy<T>(cells: &[Tracked<T>]) -> NonNull<u8> {
    // SAFETY: a bitwise copy of a value without interior mutability (`Value::SHARED`, or numbers and the like in local
    // vectors) that is leaked in `ManuallyDrop`, so the content is never dropped.
    let copy = cells.iter().map(|cell| ManuallyDrop::new(unsafe { std::ptr::read(cell.__read()) }));
    NonNull::from(Box::leak(copy.collect::<Box<[_]>>())).cast()
}

/// # Safety
///
/// The pointer is a result of `copy` for this type and so many cells.
unsafe fn slice<'a, T>(copy: NonNull<u8>, len: usize) -> &'a [T] {
    // SAFETY: leaked by `copy`; `ManuallyDrop<T>` has the layout of `T`.
    unsafe { std::slice::from_raw_parts(copy.as_ptr().cast(), len) }
}

impl Contents {
    /// The copy of what cells hold.
    fn copy<T>(&self, table: *const u8, cells: &[Tracked<T>]) -> NonNull<u8> {
        let held = |cell: &Tracked<T>| match cell.head.index.get() {
            LAZY => OPEN | u64::from(cell.head.slot.get().number()),
            index => u64::from(index),
        };
        let content: Content = (table, cells.iter().map(held).collect());
        *self.copies.borrow_mut().entry(content).or_insert_with(|| copy(cells))
    }
}
