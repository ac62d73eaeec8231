//! The mirror of slices: cells side by side, read one at a time.
//!
//! A sequence of the copy derefs to a [`Slice`], and so does everything that is cut out of one. Its methods have the names
//! of std's and read the elements that they need, when they need them. Everything else that std can do with a slice reads
//! all elements first: a `Slice` derefs to `[T]`.

use super::sequences::{Cells, Elements};
use crate::ask::{self, Asked, Late, Promise};
use crate::cell::{Tracked, contents};
use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::iter::Map;
use std::ops::{Deref, Index, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};
use std::slice;

/// Mirror of `[T]`: one cell per element.
#[repr(transparent)]
pub struct Slice<T>([Tracked<T>]);

/// Iterator over parts of a slice, such as windows.
pub type Slices<I, T> = Map<I, fn(&[Tracked<T>]) -> &Slice<T>>;

/// An index of one element, or a range of them.
pub trait SliceIndex<T> {
    /// An element, or a slice.
    type Output: ?Sized;
    /// Returns the element or the slice, if the index is within bounds.
    fn get(self, slice: &Slice<T>) -> Option<&Self::Output>;
}

impl<T> SliceIndex<T> for usize {
    type Output = T;
    #[inline(always)]
    fn get(self, slice: &Slice<T>) -> Option<&T> {
        slice.0.get(self).map(Tracked::__read)
    }
}

impl<T> Slice<T> {
    #[inline(always)]
    pub(super) fn of(cells: &[Tracked<T>]) -> &Slice<T> {
        // SAFETY: `Slice<T>` is a transparent wrapper of `[Tracked<T>]`.
        unsafe { &*(std::ptr::from_ref(cells) as *const Slice<T>) }
    }

    /// The cells, for patterns and closures of the copy.
    #[inline(always)]
    pub fn __cells(&self) -> &[Tracked<T>] {
        &self.0
    }

    /// The cells of the elements, for a loop of the copy.
    #[inline(always)]
    pub fn __items(&self) -> Cells<'_, T> {
        self.iter().__items()
    }

    /// The slice itself, as an argument of a function of the copy.
    #[inline(always)]
    pub fn __slice(&self) -> &Slice<T> {
        self
    }

    /// The cell of an element, for its components.
    #[inline(always)]
    #[track_caller]
    pub fn __cell_at(&self, i: usize) -> &Tracked<T> {
        &self.0[i]
    }

    /// The cell of an element, for a question.
    #[inline(always)]
    #[track_caller]
    pub fn __at(&self, i: usize) -> Asked<'_, T> {
        self.0[i].__ask()
    }

    /// A copy of an element, to be read when it is used.
    #[inline(always)]
    #[track_caller]
    pub fn __late_at(&self, i: usize) -> Late<'_, T>
    where
        T: Copy,
    {
        self.0[i].__late()
    }

    /// An element of which the promise says what `None` means.
    #[inline(always)]
    #[track_caller]
    pub fn __some_at(&self, i: usize, promise: Promise) -> &T {
        self.0[i].__some(promise)
    }

    /// Number of elements.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// One element, or a range of them.
    #[inline(always)]
    pub fn get<I: SliceIndex<T>>(&self, index: I) -> Option<&I::Output> {
        index.get(self)
    }

    /// The first element.
    pub fn first(&self) -> Option<&T> {
        self.get(0)
    }

    /// The last element.
    pub fn last(&self) -> Option<&T> {
        self.0.last().map(Tracked::__read)
    }

    /// The elements, each read when it is reached.
    #[inline(always)]
    pub fn iter(&self) -> Elements<'_, T> {
        Elements::new(&self.0)
    }

    /// The first element and the others.
    pub fn split_first(&self) -> Option<(&T, &Slice<T>)> {
        self.0.split_first().map(|(first, rest)| (first.__read(), Slice::of(rest)))
    }

    /// The last element and the others.
    pub fn split_last(&self) -> Option<(&T, &Slice<T>)> {
        self.0.split_last().map(|(last, rest)| (last.__read(), Slice::of(rest)))
    }

    /// The elements before a place, and those behind it.
    pub fn split_at(&self, mid: usize) -> (&Slice<T>, &Slice<T>) {
        let (left, right) = self.0.split_at(mid);
        (Slice::of(left), Slice::of(right))
    }

    /// The same, if there is such a place.
    pub fn split_at_checked(&self, mid: usize) -> Option<(&Slice<T>, &Slice<T>)> {
        (mid <= self.len()).then(|| self.split_at(mid))
    }

    /// Every so many neighbours.
    pub fn windows(&self, size: usize) -> Slices<slice::Windows<'_, Tracked<T>>, T> {
        self.0.windows(size).map(Slice::of as fn(&[Tracked<T>]) -> &Slice<T>)
    }

    /// Pieces of a size, the last one may be shorter.
    pub fn chunks(&self, size: usize) -> Slices<slice::Chunks<'_, Tracked<T>>, T> {
        self.0.chunks(size).map(Slice::of as fn(&[Tracked<T>]) -> &Slice<T>)
    }

    /// Pieces of a size, without what is left over.
    pub fn chunks_exact(&self, size: usize) -> Slices<slice::ChunksExact<'_, Tracked<T>>, T> {
        self.0.chunks_exact(size).map(Slice::of as fn(&[Tracked<T>]) -> &Slice<T>)
    }

    /// Pieces of a size from the end, the last one may be shorter.
    pub fn rchunks(&self, size: usize) -> Slices<slice::RChunks<'_, Tracked<T>>, T> {
        self.0.rchunks(size).map(Slice::of as fn(&[Tracked<T>]) -> &Slice<T>)
    }

    /// The longest pieces whose neighbours satisfy a predicate.
    pub fn chunk_by<'a>(
        &'a self,
        mut pred: impl FnMut(&T, &T) -> bool + 'a,
    ) -> impl DoubleEndedIterator<Item = &'a Slice<T>> {
        self.0.chunk_by(move |a, b| pred(a.__read(), b.__read())).map(Slice::of)
    }

    /// The pieces between the elements that satisfy a predicate.
    pub fn split<'a>(
        &'a self,
        mut pred: impl FnMut(&T) -> bool + 'a,
    ) -> impl DoubleEndedIterator<Item = &'a Slice<T>> {
        self.0.split(move |x| pred(x.__read())).map(Slice::of)
    }

    /// Whether the elements are in order.
    pub fn is_sorted(&self) -> bool
    where
        T: PartialOrd,
    {
        let promise = ask::enter();
        self.0
            .windows(2)
            .all(|w| ask::le(promise & ask::FALSE_REFUTES, w[0].__ask(), w[1].__ask(), |a, b| a <= b))
    }

    /// Whether each two neighbours satisfy a predicate.
    pub fn is_sorted_by<'a>(&'a self, mut compare: impl FnMut(&'a T, &'a T) -> bool) -> bool {
        self.0.windows(2).all(|w| compare(w[0].__read(), w[1].__read()))
    }

    /// Whether the elements are in the order of their keys.
    pub fn is_sorted_by_key<'a, K: PartialOrd>(&'a self, key: impl FnMut(&'a T) -> K) -> bool {
        self.iter().map(key).is_sorted()
    }

    /// Whether an element equals a value.
    pub fn contains(&self, value: &T) -> bool
    where
        T: PartialEq,
    {
        self.iter().any(|x| x == value)
    }

    /// Whether the slice begins with others.
    pub fn starts_with<S: ?Sized + AsElements<T>>(&self, needle: &S) -> bool
    where
        T: PartialEq,
    {
        let n = needle.__len();
        n <= self.len() && (0..n).all(|i| self[i] == *needle.__get(i))
    }

    /// Whether the slice ends with others.
    pub fn ends_with<S: ?Sized + AsElements<T>>(&self, needle: &S) -> bool
    where
        T: PartialEq,
    {
        let (n, len) = (needle.__len(), self.len());
        n <= len && (0..n).all(|i| self[len - n + i] == *needle.__get(i))
    }

    /// Searches a sorted slice. Reads the elements that std's search looks at.
    pub fn binary_search(&self, value: &T) -> Result<usize, usize>
    where
        T: Ord,
    {
        self.0.binary_search_by(|x| x.__read().cmp(value))
    }

    /// Searches a sorted slice by a comparison.
    pub fn binary_search_by<'a>(&'a self, mut f: impl FnMut(&'a T) -> Ordering) -> Result<usize, usize> {
        self.0.binary_search_by(|x| f(x.__read()))
    }

    /// Searches a slice that is sorted by a key.
    pub fn binary_search_by_key<'a, B: Ord>(
        &'a self,
        key: &B,
        mut f: impl FnMut(&'a T) -> B,
    ) -> Result<usize, usize> {
        self.0.binary_search_by(|x| f(x.__read()).cmp(key))
    }

    /// The place of the first element that does not satisfy a predicate, in a slice where those that do come first.
    pub fn partition_point(&self, mut pred: impl FnMut(&T) -> bool) -> usize {
        self.0.partition_point(|x| pred(x.__read()))
    }

    /// A vector of the elements, all read.
    pub fn to_vec(&self) -> Vec<T>
    where
        T: Clone,
    {
        self.iter().cloned().collect()
    }

    /// The same; a field that is cloned becomes an ordinary vector.
    #[expect(clippy::should_implement_trait, reason = "the copy of a mirror is not a mirror")]
    pub fn clone(&self) -> Vec<T>
    where
        T: Clone,
    {
        self.to_vec()
    }

    /// The same.
    pub fn to_owned(&self) -> Vec<T>
    where
        T: Clone,
    {
        self.to_vec()
    }

    /// The slice itself.
    pub fn as_slice(&self) -> &Slice<T> {
        self
    }
}

/// Something that a slice can be compared with, element by element.
pub trait AsElements<T> {
    /// Number of elements.
    fn __len(&self) -> usize;
    /// One of them.
    fn __get(&self, i: usize) -> &T;
}

impl<T> AsElements<T> for Slice<T> {
    fn __len(&self) -> usize {
        self.len()
    }
    fn __get(&self, i: usize) -> &T {
        &self[i]
    }
}

impl<T> AsElements<T> for super::Seq<T> {
    fn __len(&self) -> usize {
        self.len()
    }
    fn __get(&self, i: usize) -> &T {
        &self[i]
    }
}

macro_rules! plain_elements {
    ($([$($g:tt)*] $t:ty;)*) => { $(
        impl<T, $($g)*> AsElements<T> for $t {
            fn __len(&self) -> usize {
                let all: &[T] = self;
                all.len()
            }
            fn __get(&self, i: usize) -> &T {
                &self[i]
            }
        }
    )* };
}
plain_elements! {
    [] [T];
    [] Vec<T>;
    [const N: usize] [T; N];
}

/// The content as std knows it: all elements are read.
impl<T> Deref for Slice<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        contents::as_slice(&self.0)
    }
}

impl<T> AsRef<[T]> for Slice<T> {
    fn as_ref(&self) -> &[T] {
        self
    }
}

impl<T> Borrow<[T]> for Slice<T> {
    fn borrow(&self) -> &[T] {
        self
    }
}

impl<T> Index<usize> for Slice<T> {
    type Output = T;
    #[inline(always)]
    #[track_caller]
    fn index(&self, i: usize) -> &T {
        self.0[i].__read()
    }
}

/// A range reads nothing.
macro_rules! ranges {
    ($($range:ty)*) => { $(
        impl<T> SliceIndex<T> for $range {
            type Output = Slice<T>;
            fn get(self, slice: &Slice<T>) -> Option<&Slice<T>> {
                slice.0.get(self).map(Slice::of)
            }
        }

        impl<T> Index<$range> for Slice<T> {
            type Output = Slice<T>;
            #[track_caller]
            fn index(&self, range: $range) -> &Slice<T> {
                Slice::of(&self.0[range])
            }
        }

        impl<T> Index<$range> for super::Seq<T> {
            type Output = Slice<T>;
            #[track_caller]
            fn index(&self, range: $range) -> &Slice<T> {
                &(**self)[range]
            }
        }

        impl<T, const N: usize> Index<$range> for super::Array<T, N> {
            type Output = Slice<T>;
            #[track_caller]
            fn index(&self, range: $range) -> &Slice<T> {
                &(***self)[range]
            }
        }
    )* };
}
ranges!(Range<usize> RangeFrom<usize> RangeTo<usize> RangeInclusive<usize> RangeToInclusive<usize> RangeFull);

impl<'a, T> IntoIterator for &'a Slice<T> {
    type Item = &'a T;
    type IntoIter = Elements<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: PartialEq> PartialEq for Slice<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<T: Eq> Eq for Slice<T> {}

impl<T: PartialOrd> PartialOrd for Slice<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.iter().partial_cmp(other.iter())
    }
}

impl<T: Ord> Ord for Slice<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.iter().cmp(other.iter())
    }
}

impl<T: Hash> Hash for Slice<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<T: fmt::Debug> fmt::Debug for Slice<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

macro_rules! comparisons {
    ($([$($g:tt)*] $mirror:ty, $other:ty;)*) => { $(
        impl<$($g)*> PartialEq<$other> for $mirror {
            fn eq(&self, other: &$other) -> bool {
                self.len() == other.len() && self.iter().eq(other.iter())
            }
        }

        impl<$($g)*> PartialEq<$mirror> for $other {
            fn eq(&self, other: &$mirror) -> bool {
                other == self
            }
        }
    )* };
}
comparisons! {
    [T: PartialEq<U>, U] Slice<T>, Vec<U>;
    [T: PartialEq] Slice<T>, [T];
    ['a, T: PartialEq] Slice<T>, &'a [T];
    [T: PartialEq<U>, U, const N: usize] Slice<T>, [U; N];
    ['a, T: PartialEq, const N: usize] Slice<T>, &'a [T; N];
    [T: PartialEq<U>, U] super::Seq<T>, Vec<U>;
    [T: PartialEq] super::Seq<T>, [T];
    ['a, T: PartialEq] super::Seq<T>, &'a [T];
    [T: PartialEq<U>, U, const N: usize] super::Seq<T>, [U; N];
    ['a, T: PartialEq, const N: usize] super::Seq<T>, &'a [T; N];
    [T: PartialEq] super::Seq<T>, Slice<T>;
    ['a, T: PartialEq] super::Seq<T>, &'a Slice<T>;
}
