//! Cells without a slot: the value of a tuple is put together from the cells of its components.
//!
//! Code that looks at one component reads the cell of that component. Code that needs the whole reads all of them, and gets
//! a copy that is made once for each content and never freed, as the entries of tables are.

use super::{Asks, Copied, Head, SPLIT, Tracked, contents};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

/// The most components of a tuple.
const MOST: usize = 6;

/// Where the components of a value are. Values in cells never move, so these tell values apart.
type Places = [usize; MOST];

/// Cells that a value can be put together from.
pub trait Components<T> {
    /// Reads the cells. Returns where their values are.
    fn places(&self) -> Places;
    /// A bitwise copy of the values, as one.
    fn assemble(&self) -> ManuallyDrop<T>;
    /// Frees what belongs to cells of no heap.
    fn release(&self) {}
    /// The cell of what an `Option` holds, if there is one.
    fn some(&self) -> Option<NonNull<()>> {
        unreachable!("{NO_OPTION}")
    }
    /// The heads of the components, and those of components that are tuples. Returns whether the order of the values is that
    /// of their components, one after the other.
    fn heads<'a>(&'a self, heads: &mut Vec<&'a Head>) -> bool {
        let _ = heads;
        false
    }
}

const NO_OPTION: &str = "smallscope internal error: not an option";

/// The address of what a cell holds, which is read.
pub(crate) fn place<T>(cell: &Tracked<T>) -> usize {
    std::ptr::from_ref(cell.__read()) as usize
}

/// A copy of what a cell holds.
pub(crate) fn copy_of<T>(cell: &Tracked<T>) -> ManuallyDrop<T> {
    // SAFETY: a bitwise copy of a value that is never freed, in `ManuallyDrop`, so that its content is never dropped. Values
    // with cells inside are not copied: see `Wholes`.
    ManuallyDrop::new(unsafe { std::ptr::read(cell.__read()) })
}

/// What a split cell has in place of a table.
pub(crate) struct Split {
    /// The cells of the components, and for cells of a heap what lies behind them.
    parts: NonNull<()>,
    /// Returns the value of the cell.
    whole: unsafe fn(NonNull<()>) -> NonNull<()>,
    some: unsafe fn(NonNull<()>) -> Option<NonNull<()>>,
    heads: for<'a> unsafe fn(NonNull<()>, &mut Vec<&'a Head>) -> bool,
    free: unsafe fn(NonNull<()>),
}

/// The values that were put together for the cells of one field.
pub(crate) struct Wholes<T> {
    by_place: RefCell<HashMap<Places, NonNull<T>>>,
    /// Components have cells inside, so a copy of them would be something else.
    has_cells: bool,
}

impl<T> Wholes<T> {
    pub(crate) fn new(has_cells: bool) -> Wholes<T> {
        Wholes { by_place: RefCell::default(), has_cells }
    }
}

/// The parts of a cell of a heap. Never freed.
#[repr(C)]
struct Linked<P, T: 'static> {
    parts: P,
    wholes: &'static Wholes<T>,
    last: Cell<(Places, Option<NonNull<T>>)>,
}

/// Splits a cell into parts.
pub(crate) fn attach<P: Components<T> + 'static, T>(
    cell: &'static Tracked<T>,
    parts: P,
    wholes: &'static Wholes<T>,
) -> &'static P {
    let linked: &'static Linked<P, T> =
        Box::leak(Box::new(Linked { parts, wholes, last: Cell::new(([0; MOST], None)) }));
    let split = Split {
        parts: NonNull::from(linked).cast(),
        whole: whole_of::<P, T>,
        // SAFETY: as for `whole_of`; the parts come first.
        some: |linked| unsafe { linked.cast::<P>().as_ref() }.some(),
        // SAFETY: the same; the heads are never freed.
        heads: |linked, heads| unsafe { linked.cast::<P>().as_ref() }.heads(heads),
        free: |_| {},
    };
    set(cell, split);
    // Tells the slices of different fields apart.
    cell.table.set(std::ptr::from_ref(wholes).cast());
    cell.head.index.set(SPLIT);
    cell.head.asks.set(Asks::Components);
    cell.head.copied.set(if wholes.has_cells { Copied::Never } else { Copied::Once });
    &linked.parts
}

/// # Safety
///
/// The pointer leads to a leaked `Linked<P, T>`.
unsafe fn whole_of<P: Components<T>, T: 'static>(linked: NonNull<()>) -> NonNull<()> {
    // SAFETY: the caller vouches for it.
    let Linked { parts, wholes, last } = unsafe { linked.cast::<Linked<P, T>>().as_ref() };
    assert!(
        !wholes.has_cells,
        "smallscope: a tuple that holds a structure by value cannot be read as a whole in an invariant; take it apart \
         with a pattern, `for (a, b) in &self.field`, or with `.0`"
    );
    let places = parts.places();
    if let (known, Some(whole)) = last.get() {
        if known == places {
            return whole.cast();
        }
    }
    let mut known = wholes.by_place.borrow_mut();
    let whole = *known.entry(places).or_insert_with(|| {
        let whole = NonNull::from(Box::leak(Box::new(parts.assemble())));
        whole.cast()
    });
    last.set((places, Some(whole)));
    whole.cast()
}

fn set<T>(cell: &Tracked<T>, split: Split) {
    let split = Box::into_raw(Box::new(split));
    cell.lazy.set(split.cast_const().cast());
    if let Some(made) = &cell.made {
        made.parts.0.set(split);
    }
}

/// The parts of a cell that an invariant has made: null, or what [`set`] has made.
pub(crate) struct OwnedParts(Cell<*mut Split>);

impl Default for OwnedParts {
    fn default() -> Self {
        OwnedParts(Cell::new(std::ptr::null_mut()))
    }
}

impl Drop for OwnedParts {
    fn drop(&mut self) {
        // SAFETY: null, or made by `set` for the cell that is dropped with this.
        unsafe { free(self.0.get()) };
    }
}

/// Frees what a cell has in place of a table.
///
/// # Safety
///
/// The pointer is null or made by [`set`], and not used any more.
unsafe fn free(split: *mut Split) {
    if !split.is_null() {
        // SAFETY: made by `set` from a box; the caller vouches that nothing else uses the pointer.
        let split = unsafe { Box::from_raw(split) };
        // SAFETY: the function belongs to the parts.
        unsafe { (split.free)(split.parts) };
    }
}

/// What a cell has in place of a table, if it is split or holds a value that was taken apart.
fn split_of<T>(cell: &Tracked<T>) -> Option<&Split> {
    let cell = match cell.target() {
        Some(target) => target,
        None => cell,
    };
    // SAFETY: what the cell has.
    unsafe { split_at(&cell.head, cell.lazy.get().cast()) }
}

/// # Safety
///
/// The pointer is what the cell with this head has in place of a value that stands for an undecided key.
unsafe fn split_at(head: &Head, lazy: *const Split) -> Option<&Split> {
    let is_split = head.index.get() == SPLIT || head.copied.get().is_local();
    // SAFETY: cells that are split, and those that hold a value, have such a pointer here, or null.
    if is_split { unsafe { lazy.as_ref() } } else { None }
}

/// The value of a split cell, whose components are read.
pub(super) fn whole<T>(cell: &Tracked<T>) -> &T {
    // SAFETY: what the cell has; the function for the whole makes values of this type, which are never freed.
    unsafe { whole_at(&cell.head, cell.lazy.get().cast()).cast().as_ref() }
}

/// # Safety
///
/// As for [`split_at`].
unsafe fn whole_at(head: &Head, lazy: *const Split) -> NonNull<()> {
    // SAFETY: the caller vouches for it.
    let split = unsafe { split_at(head, lazy) }.expect("smallscope internal error: the cell is not split");
    // SAFETY: the function belongs to the parts.
    unsafe { (split.whole)(split.parts) }
}

/// Whether a split cell of an `Option` holds nothing.
pub(crate) fn is_none<T>(cell: &Tracked<T>) -> bool {
    split_of(cell).is_some_and(Split::is_none)
}

impl Split {
    fn is_none(&self) -> bool {
        // SAFETY: the function belongs to the parts.
        unsafe { (self.some)(self.parts) }.is_none()
    }

    /// The heads of the components, if their order is that of the values; none otherwise.
    fn heads(&self) -> Vec<&Head> {
        let mut heads = vec![];
        // SAFETY: the function belongs to the parts, which live as long as the cell.
        let is_ordered = unsafe { (self.heads)(self.parts, &mut heads) };
        if is_ordered { heads } else { vec![] }
    }
}

/// The cell of what an `Option` of a split value holds.
///
/// # Safety
///
/// Cells of `Option<T>` are split, with a `Tracked<T>` inside.
pub(super) unsafe fn some<T>(cell: &Tracked<Option<T>>) -> Option<&Tracked<T>> {
    if let Some(split) = split_of(cell).filter(|_| cell.head.asks.get() == Asks::Components) {
        // SAFETY: the function belongs to the parts, and the caller vouches for the type of what they have inside.
        return unsafe { (split.some)(split.parts).map(|some| some.cast().as_ref()) };
    }
    cell.__read().as_ref()?;
    let hold = |value: &Option<T>| HeldSome(value.as_ref().map(holding));
    // SAFETY: cells that hold an `Option` get parts of this type only.
    unsafe { parts(cell, hold) }.0.as_ref()
}

/// The cell of what an `Option` holds, of a type whose `Option`s are split: sets and maps.
pub(crate) fn optional<T>(cell: &Tracked<Option<T>>) -> Option<&Tracked<T>> {
    // SAFETY: a cell of an `Option<T>` that has parts has a `Tracked<T>` inside (`Maybe` and `HeldSome`); one without ends in
    // an assertion.
    unsafe { some(cell) }
}

/// The part of a cell that holds an `Option`.
struct HeldSome<T>(Option<Tracked<T>>);

impl<T> Components<Option<T>> for HeldSome<T> {
    fn places(&self) -> Places {
        unreachable!("the cell holds its value")
    }
    fn assemble(&self) -> ManuallyDrop<Option<T>> {
        unreachable!("the cell holds its value")
    }
    fn release(&self) {
        release(self.0.as_slice());
    }
}

/// The heads of the components of a split cell, if its order is that of its components; none otherwise.
pub(crate) fn heads<T>(cell: &Tracked<T>) -> Vec<&Head> {
    match split_of(cell) {
        Some(split) => split.heads(),
        None => vec![],
    }
}

/// Adds the head of a component, or those of its components.
pub(super) fn add_heads<'a, T>(cell: &'a Tracked<T>, all: &mut Vec<&'a Head>) -> bool {
    if !cell.is_split() {
        all.push(&cell.head);
        return true;
    }
    let mut heads = heads(cell);
    let is_ordered = !heads.is_empty();
    all.append(&mut heads);
    is_ordered
}

/// The parts of a cell. A cell that holds a value gets parts that hold its components: `hold` makes them.
///
/// # Safety
///
/// All parts of cells of this type have the type `P`.
pub(super) unsafe fn parts<P: Components<T>, T>(cell: &Tracked<T>, hold: impl FnOnce(&T) -> P) -> &P {
    let split = split_of(cell).unwrap_or_else(|| {
        assert!(cell.head.copied.get().is_local(), "smallscope internal error: a tuple with a table");
        let parts = Box::into_raw(Box::new(hold(cell.__read())));
        let split = Split {
            parts: NonNull::new(parts).expect("a box").cast(),
            whole: |_| unreachable!("the cell holds its value"),
            // SAFETY: made above.
            some: |parts| unsafe { parts.cast::<P>().as_ref() }.some(),
            heads: |_, _| false,
            // SAFETY: made above from a box of this type, and freed once, by `release`.
            free: |parts| unsafe { Box::from_raw(parts.cast::<P>().as_ptr()) }.release(),
        };
        set(cell, split);
        split_of(cell).expect("it was set")
    });
    // SAFETY: the parts come first in what the pointer leads to.
    unsafe { split.parts.cast::<P>().as_ref() }
}

/// The parts of a cell of a heap that is split.
///
/// # Safety
///
/// All parts of cells of this type have the type `P`.
pub(crate) unsafe fn only_part<P, T>(cell: &Tracked<T>) -> &P {
    let split = split_of(cell).expect("smallscope internal error: the cell is not split");
    // SAFETY: the parts come first in what the pointer leads to.
    unsafe { split.parts.cast::<P>().as_ref() }
}

/// A cell that holds a component of a value that a cell holds.
pub(super) fn holding<T>(value: &T) -> Tracked<T> {
    contents::holding(value, Copied::Always)
}

/// Frees the parts of cells that hold values. These cells are not used any more.
pub(crate) fn release<T>(cells: &[Tracked<T>]) {
    for cell in cells.iter().filter(|cell| cell.head.copied.get().is_local() && cell.target().is_none()) {
        if cell.made.is_none() {
            let split = cell.lazy.replace(std::ptr::null()).cast::<Split>().cast_mut();
            // SAFETY: made by `set`; nothing else has the pointer.
            unsafe { free(split) };
        }
    }
}
