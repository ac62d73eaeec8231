//! Mirrors of `Vec`, `VecDeque`, `Box<[T]>` and arrays.

use crate::ask::{Asked, Promise};
use crate::cell::Tracked;
use crate::shape::Value;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::iter::Map;
use std::mem::ManuallyDrop;
use std::ops::{Deref, Index, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};
use std::ptr::NonNull;
use std::slice::{self, SliceIndex};

/// A slice that is never freed. Not a `&'static [T]`, which would force `T: 'static` into users' impls.
pub(crate) struct Leaked<T>(NonNull<[T]>);

impl<T> Clone for Leaked<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Leaked<T> {}

impl<T: 'static> Leaked<T> {
    pub(crate) fn new(slice: &'static [T]) -> Self {
        Leaked(NonNull::from(slice))
    }

    pub(crate) fn slice(self) -> &'static [T] {
        // SAFETY: made from a `&'static`.
        unsafe { self.0.as_ref() }
    }
}

impl<T> Deref for Leaked<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: made from a `&'static` in `new`, the only constructor.
        unsafe { self.0.as_ref() }
    }
}

/// Mirror of a sequence of values or pointers: one cell per element. Indexing and iterating read one
/// element at a time; using it as a slice, or a range of it, reads all of that.
pub struct Seq<T> {
    /// The cells of this length; sequences of other lengths in the same table share them.
    pub(crate) cells: Leaked<Tracked<T>>,
    /// How many of the cells belong to a shorter sequence too.
    pub(crate) shorter: usize,
    /// The elements have no cells inside, so they can be copied.
    is_flat: bool,
    /// Contiguous copies of contents that were once asked for as a slice.
    slices: RefCell<Slices<T>>,
}

/// Leaked copies, by the indices of their elements.
type Slices<T> = HashMap<Vec<u32>, NonNull<[ManuallyDrop<T>]>>;

/// Iterator over the elements of a sequence.
pub type Elements<'a, T> = Map<slice::Iter<'a, Tracked<T>>, fn(&Tracked<T>) -> &T>;

impl<T: Value> Seq<T> {
    pub(crate) fn new(cells: &'static [Tracked<T>], shorter: usize) -> Self {
        Seq { cells: Leaked::new(cells), shorter, is_flat: T::SHARED, slices: RefCell::default() }
    }
}

impl<T> Seq<T> {
    /// Number of elements.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// One element.
    #[inline(always)]
    pub fn get(&self, i: usize) -> Option<&T> {
        self.cells.get(i).map(Tracked::__read)
    }

    /// The cell of an element, for a question.
    #[inline(always)]
    pub fn __at(&self, i: usize) -> Asked<'_, T> {
        self.cells[i].__ask()
    }

    /// An element of which the promise says what `None` means.
    #[inline(always)]
    pub fn __some_at(&self, i: usize, promise: Promise) -> &T {
        self.cells[i].__some(promise)
    }

    /// The first element.
    pub fn first(&self) -> Option<&T> {
        self.get(0)
    }

    /// The last element.
    pub fn last(&self) -> Option<&T> {
        self.cells.last().map(Tracked::__read)
    }

    /// The first element, as a `VecDeque` calls it.
    pub fn front(&self) -> Option<&T> {
        self.first()
    }

    /// The last element, as a `VecDeque` calls it.
    pub fn back(&self) -> Option<&T> {
        self.last()
    }

    /// The elements, each read when it is reached.
    #[inline(always)]
    pub fn iter(&self) -> Elements<'_, T> {
        self.cells.iter().map(Tracked::__read as fn(&Tracked<T>) -> &T)
    }
}

impl<T> Seq<T> {
    /// All elements, all read.
    pub fn as_slice(&self) -> &[T] {
        self
    }

    /// Some of the elements, which are read, as a slice. The bound that the elements have no cells inside would
    /// end up in users' impls (`T: Ord` is all that these have), so it is checked here.
    fn part(&self, range: impl SliceIndex<[Tracked<T>], Output = [Tracked<T>]>) -> &[T] {
        assert!(
            self.is_flat,
            "smallscope: vectors of structures by value, of vectors or of arrays are no slices in an invariant; use `iter()` or an index"
        );
        let cells = &self.cells[range];
        let read = |c: &Tracked<T>| {
            c.__read();
            c.head.index.get()
        };
        let key: Vec<u32> = cells.iter().map(read).collect();
        let copy = *self.slices.borrow_mut().entry(key).or_insert_with(|| {
            // SAFETY: a bitwise copy of an immutable table entry without interior mutability (`is_flat`) that is
            // leaked in `ManuallyDrop`, so the content is never dropped.
            let copy = cells.iter().map(|c| ManuallyDrop::new(unsafe { std::ptr::read(c.__read()) }));
            NonNull::from(Box::leak(copy.collect::<Box<[_]>>()))
        });
        // SAFETY: leaked above; `ManuallyDrop<T>` has the layout of `T`.
        unsafe { &*(copy.as_ptr() as *const [T]) }
    }
}

impl<T> Deref for Seq<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        self.part(..)
    }
}

impl<T> Index<usize> for Seq<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, i: usize) -> &T {
        self.cells[i].__read()
    }
}

/// Ranges read the elements within them only.
macro_rules! ranges {
    ($($range:ty)*) => { $(
        impl<T> Index<$range> for Seq<T> {
            type Output = [T];
            fn index(&self, range: $range) -> &[T] {
                self.part(range)
            }
        }

        impl<T, const N: usize> Index<$range> for Array<T, N> {
            type Output = [T];
            fn index(&self, range: $range) -> &[T] {
                self.seq().part(range)
            }
        }
    )* };
}
ranges!(Range<usize> RangeFrom<usize> RangeTo<usize> RangeInclusive<usize> RangeToInclusive<usize> RangeFull);

impl<'a, T> IntoIterator for &'a Seq<T> {
    type Item = &'a T;
    type IntoIter = Elements<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

macro_rules! comparisons {
    ($([$($g:tt)*] $other:ty;)*) => { $(
        impl<T: PartialEq, $($g)*> PartialEq<$other> for Seq<T> {
            fn eq(&self, other: &$other) -> bool {
                self.len() == other.len() && self.iter().eq(other.iter())
            }
        }
    )* };
}
comparisons! {
    [] Vec<T>;
    [] [T];
    [] &[T];
    [const N: usize] [T; N];
}

impl<T: PartialEq> PartialEq for Seq<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<T: fmt::Debug> fmt::Debug for Seq<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Mirror of `[T; N]`: a sequence of fixed length.
pub struct Array<T, const N: usize>(pub(crate) std::cell::OnceCell<Seq<T>>);

impl<T, const N: usize> Array<T, N> {
    fn seq(&self) -> &Seq<T> {
        self.0.get().expect("smallscope: a mirror array was read outside of a search")
    }

    /// The cell of an element, for a question.
    #[inline(always)]
    pub fn __at(&self, i: usize) -> Asked<'_, T> {
        self.seq().__at(i)
    }

    /// An element of which the promise says what `None` means.
    #[inline(always)]
    pub fn __some_at(&self, i: usize, promise: Promise) -> &T {
        self.seq().__some_at(i, promise)
    }
}

impl<T, const N: usize> Deref for Array<T, N> {
    type Target = Seq<T>;
    #[inline(always)]
    fn deref(&self) -> &Seq<T> {
        self.seq()
    }
}

impl<T, const N: usize> Index<usize> for Array<T, N> {
    type Output = T;
    #[inline(always)]
    fn index(&self, i: usize) -> &T {
        &self.seq()[i]
    }
}

impl<'a, T, const N: usize> IntoIterator for &'a Array<T, N> {
    type Item = &'a T;
    type IntoIter = Elements<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.seq().iter()
    }
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for Array<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.seq().fmt(f)
    }
}

/// Mirror of a vector of structs: consecutive objects of a pool. Derefs to a slice, so all of `[T]` works.
pub struct Items<T>(pub(crate) Leaked<T>);

impl<T> Deref for Items<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'a, T> IntoIterator for &'a Items<T> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T> Items<T> {
    /// The first element, as a `VecDeque` calls it.
    pub fn front(&self) -> Option<&T> {
        self.0.first()
    }

    /// The last element, as a `VecDeque` calls it.
    pub fn back(&self) -> Option<&T> {
        self.0.last()
    }

    /// All elements.
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }
}

impl<T: fmt::Debug> fmt::Debug for Items<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: PartialEq> PartialEq for Items<T> {
    fn eq(&self, other: &Self) -> bool {
        *self.0 == *other.0
    }
}

/// Mirror of a vector of enums with payload: reading an element chooses its variant.
pub struct EnumItems<T>(pub(crate) Leaked<Tracked<T>>);

impl<T> EnumItems<T> {
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// One element.
    pub fn get(&self, i: usize) -> Option<&T> {
        self.0.get(i).map(Tracked::__read)
    }

    /// The first element.
    pub fn first(&self) -> Option<&T> {
        self.get(0)
    }

    /// The last element.
    pub fn last(&self) -> Option<&T> {
        self.0.last().map(Tracked::__read)
    }

    /// The first element, as a `VecDeque` calls it.
    pub fn front(&self) -> Option<&T> {
        self.first()
    }

    /// The last element, as a `VecDeque` calls it.
    pub fn back(&self) -> Option<&T> {
        self.last()
    }

    /// The elements, each read when it is reached.
    pub fn iter(&self) -> Elements<'_, T> {
        self.0.iter().map(Tracked::__read as fn(&Tracked<T>) -> &T)
    }
}

impl<T> Index<usize> for EnumItems<T> {
    type Output = T;
    fn index(&self, i: usize) -> &T {
        self.0[i].__read()
    }
}

impl<'a, T> IntoIterator for &'a EnumItems<T> {
    type Item = &'a T;
    type IntoIter = Elements<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: fmt::Debug> fmt::Debug for EnumItems<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
