//! Mirrors of `Vec`, `VecDeque`, `Box<[T]>` and arrays.

use super::slices::Slice;
use crate::ask::{Asked, Late, Promise};
use crate::cell::Tracked;
use crate::shape::Value;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::iter::FusedIterator;
use std::ops::{Deref, Index};
use std::ptr::NonNull;
use std::rc::Rc;
use std::slice;

/// A slice that is never freed, or one that an invariant has made. Not a `&'static [T]`, which would force `T: 'static` into
/// users' impls.
pub(crate) struct Leaked<T>(NonNull<[T]>, Option<Rc<[T]>>);

impl<T> Clone for Leaked<T> {
    fn clone(&self) -> Self {
        Leaked(self.0, self.1.clone())
    }
}

impl<T: 'static> Leaked<T> {
    pub(crate) fn new(slice: &'static [T]) -> Self {
        Leaked(NonNull::from(slice), None)
    }

    /// The slice. One that an invariant has made lives as long as its owners.
    pub(crate) fn slice(&self) -> &'static [T] {
        // SAFETY: made from a `&'static` in `new`. Of slices that an invariant has made, only `Build::copy` needs them in
        // this way, while it borrows an owner.
        unsafe { self.0.as_ref() }
    }
}

impl<T> Leaked<T> {
    /// A slice that belongs to no heap.
    pub(super) fn made(values: impl Iterator<Item = T>) -> Self {
        let slice: Rc<[T]> = values.collect();
        Leaked(NonNull::from(&*slice), Some(slice))
    }
}

impl<T> Deref for Leaked<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: made from a `&'static` in `new`, or owned.
        unsafe { self.0.as_ref() }
    }
}

/// A value where it stands: `held(reference).value` is an operand that is no dereference.
#[repr(transparent)]
pub struct Held<T: ?Sized> {
    /// The value.
    pub value: T,
}

/// What a reference leads to.
#[inline(always)]
pub fn held<T: ?Sized>(reference: &T) -> &Held<T> {
    // SAFETY: `Held` has the layout of its only field.
    unsafe { &*(std::ptr::from_ref(reference) as *const Held<T>) }
}

/// Mirror of a sequence of values or pointers: one cell per element. Indexing and iterating read one element at a time.
pub struct Seq<T> {
    /// The cells of this length; sequences of other lengths in the same table share them.
    pub(crate) cells: Leaked<Tracked<T>>,
    /// How many of the cells belong to a shorter sequence too.
    pub(crate) shorter: usize,
}

/// Iterator over the elements of a sequence, each read when it is reached.
pub struct Elements<'a, T>(slice::Iter<'a, Tracked<T>>);

impl<'a, T> Elements<'a, T> {
    #[inline(always)]
    pub(super) fn new(cells: &'a [Tracked<T>]) -> Self {
        Elements(cells.iter())
    }

    /// The cells instead of the elements, for closures and loops of the copy.
    #[inline(always)]
    pub fn __items(self) -> Cells<'a, T> {
        Cells(self.0)
    }

    /// The elements that are left, as a slice.
    pub fn as_slice(&self) -> &'a Slice<T> {
        Slice::of(self.0.as_slice())
    }
}

/// Iterator over the cells of a sequence. Engines that decide values read each when it is reached, so that reads keep the
/// order of the code.
pub struct Cells<'a, T>(slice::Iter<'a, Tracked<T>>);

#[cfg(feature = "summaries")]
impl<'a, T> Cells<'a, T> {
    /// The cells that are left.
    pub(crate) fn __cells(&self) -> &'a [Tracked<T>] {
        self.0.as_slice()
    }
}

#[cfg(feature = "summaries")]
impl<'a, T> Elements<'a, T> {
    /// The cells of the elements that are left.
    pub(crate) fn __cells(&self) -> &'a [Tracked<T>] {
        self.0.as_slice()
    }
}

impl<'a, T> Iterator for Cells<'a, T> {
    type Item = &'a Tracked<T>;

    #[inline(always)]
    fn next(&mut self) -> Option<&'a Tracked<T>> {
        self.0.next().map(Tracked::__reached)
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<&'a Tracked<T>> {
        self.0.nth(n).map(Tracked::__reached)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<T> DoubleEndedIterator for Cells<'_, T> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(Tracked::__reached)
    }
}

impl<T> ExactSizeIterator for Cells<'_, T> {}

impl<T> Clone for Elements<'_, T> {
    fn clone(&self) -> Self {
        Elements(self.0.clone())
    }
}

impl<'a, T> Iterator for Elements<'a, T> {
    type Item = &'a T;

    #[inline(always)]
    fn next(&mut self) -> Option<&'a T> {
        self.0.next().map(Tracked::__read)
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<&'a T> {
        self.0.nth(n).map(Tracked::__read)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    #[inline]
    fn count(self) -> usize {
        self.0.count()
    }

    #[inline]
    fn last(mut self) -> Option<&'a T> {
        self.next_back()
    }
}

impl<T> DoubleEndedIterator for Elements<'_, T> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(Tracked::__read)
    }

    #[inline]
    fn nth_back(&mut self, n: usize) -> Option<Self::Item> {
        self.0.nth_back(n).map(Tracked::__read)
    }
}

impl<T> ExactSizeIterator for Elements<'_, T> {}

impl<T> FusedIterator for Elements<'_, T> {}

impl<T: Value> Seq<T> {
    pub(crate) fn new(cells: &'static [Tracked<T>], shorter: usize) -> Self {
        Seq { cells: Leaked::new(cells), shorter }
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

    /// The cell of an element, for its components.
    #[inline(always)]
    #[track_caller]
    pub fn __cell_at(&self, i: usize) -> &Tracked<T> {
        &self.cells[i]
    }

    /// The cell of an element, for a question.
    #[inline(always)]
    #[track_caller]
    pub fn __at(&self, i: usize) -> Asked<'_, T> {
        self.cells[i].__ask()
    }

    /// A copy of an element, to be read when it is used.
    #[inline(always)]
    #[track_caller]
    pub fn __late_at(&self, i: usize) -> Late<'_, T>
    where
        T: Copy,
    {
        self.cells[i].__late()
    }

    /// An element of which the promise says what `None` means.
    #[inline(always)]
    #[track_caller]
    pub fn __some_at(&self, i: usize, promise: Promise) -> &T {
        self.cells[i].__some(promise)
    }

    /// The cells of the elements, for a loop of the copy.
    #[inline(always)]
    pub fn __items(&self) -> Cells<'_, T> {
        self.iter().__items()
    }

    /// The cells, for a pattern of the copy.
    #[inline(always)]
    pub fn __cells(&self) -> &[Tracked<T>] {
        &self.cells
    }

    /// The elements as an ordinary vector, all read.
    #[expect(clippy::should_implement_trait, reason = "the copy of a mirror is not a mirror")]
    pub fn clone(&self) -> Vec<T>
    where
        T: Clone,
    {
        self.to_vec()
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
        Elements::new(&self.cells)
    }
}

impl<T> Deref for Seq<T> {
    type Target = Slice<T>;
    #[inline(always)]
    fn deref(&self) -> &Slice<T> {
        Slice::of(&self.cells)
    }
}

impl<T> Index<usize> for Seq<T> {
    type Output = T;
    #[inline(always)]
    #[track_caller]
    fn index(&self, i: usize) -> &T {
        self.cells[i].__read()
    }
}

impl<'a, T> IntoIterator for &'a Seq<T> {
    type Item = &'a T;
    type IntoIter = Elements<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: PartialEq> PartialEq for Seq<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for Seq<T> {}

impl<T: PartialOrd> PartialOrd for Seq<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (**self).partial_cmp(&**other)
    }
}

impl<T: Ord> Ord for Seq<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        (**self).cmp(&**other)
    }
}

impl<T: Hash> Hash for Seq<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<T: fmt::Debug> fmt::Debug for Seq<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// Mirror of `[T; N]`: a sequence of fixed length.
pub struct Array<T, const N: usize>(pub(crate) std::cell::OnceCell<Seq<T>>);

impl<T, const N: usize> Array<T, N> {
    fn seq(&self) -> &Seq<T> {
        self.0.get().expect("smallscope: a mirror array was read outside of a search")
    }

    /// The cell of an element, for its components.
    #[inline(always)]
    #[track_caller]
    pub fn __cell_at(&self, i: usize) -> &Tracked<T> {
        self.seq().__cell_at(i)
    }

    /// The cell of an element, for a question.
    #[inline(always)]
    #[track_caller]
    pub fn __at(&self, i: usize) -> Asked<'_, T> {
        self.seq().__at(i)
    }

    /// A copy of an element, to be read when it is used.
    #[inline(always)]
    #[track_caller]
    pub fn __late_at(&self, i: usize) -> Late<'_, T>
    where
        T: Copy,
    {
        self.seq().__late_at(i)
    }

    /// An element of which the promise says what `None` means.
    #[inline(always)]
    #[track_caller]
    pub fn __some_at(&self, i: usize, promise: Promise) -> &T {
        self.seq().__some_at(i, promise)
    }

    /// The cells of the elements, for a loop of the copy.
    #[inline(always)]
    pub fn __items(&self) -> Cells<'_, T> {
        self.seq().__items()
    }

    /// The cells, for a pattern of the copy.
    pub fn __cells(&self) -> &[Tracked<T>; N] {
        self.seq().__cells().try_into().expect("smallscope internal error: an array has its length")
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
    #[track_caller]
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
