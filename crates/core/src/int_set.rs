//! Finite sets of integers, as bounds and attributes give them.

use std::ops::RangeInclusive;

/// A finite set of integers, in the order in which they are tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IntSet {
    /// All of a range; empty when the end is below the start.
    Range(i128, i128),
    /// A list.
    List(Vec<i128>),
}

impl IntSet {
    /// How many there are.
    pub fn len(&self) -> u128 {
        match self {
            IntSet::Range(lo, hi) if lo > hi => 0,
            IntSet::Range(lo, hi) => hi.abs_diff(*lo).saturating_add(1),
            IntSet::List(v) => v.len() as u128,
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn contains(&self, x: i128) -> bool {
        match self {
            IntSet::Range(lo, hi) => (*lo..=*hi).contains(&x),
            IntSet::List(v) => v.contains(&x),
        }
    }

    /// Makes every number that is greater than this one equal to it. Equal neighbours in a list become one.
    pub(crate) fn cap(&mut self, most: i128) {
        match self {
            IntSet::Range(lo, hi) => (*lo, *hi) = ((*lo).min(most), (*hi).min(most)),
            IntSet::List(list) => {
                for n in &mut *list {
                    *n = (*n).min(most);
                }
                list.dedup();
            }
        }
    }

    /// Removes every number that is greater than this one, except the least.
    pub(crate) fn keep_up_to(&mut self, most: i128) {
        match self {
            IntSet::Range(lo, hi) => *hi = (*hi).min(most.max(*lo)),
            IntSet::List(list) => {
                let all = std::mem::take(list);
                let mut least = i128::MAX;
                for n in &all {
                    least = least.min(*n);
                }
                for n in all {
                    if n <= most.max(least) {
                        list.push(n);
                    }
                }
            }
        }
    }

    pub(crate) fn to_vec(&self) -> Vec<i128> {
        match self {
            IntSet::Range(lo, hi) => {
                let mut all = vec![];
                for n in *lo..=*hi {
                    all.push(n);
                }
                all
            }
            IntSet::List(v) => v.clone(),
        }
    }
}

macro_rules! int_set_from {
    ($($t:ty)*) => { $(
        impl From<RangeInclusive<$t>> for IntSet {
            #[inline]
            fn from(r: RangeInclusive<$t>) -> IntSet { IntSet::Range(*r.start() as i128, *r.end() as i128) }
        }
        impl From<std::ops::Range<$t>> for IntSet {
            #[inline]
            fn from(r: std::ops::Range<$t>) -> IntSet {
                if r.is_empty() { IntSet::Range(1, 0) } else { IntSet::Range(r.start as i128, r.end as i128 - 1) }
            }
        }
        impl<const N: usize> From<[$t; N]> for IntSet {
            #[inline]
            fn from(v: [$t; N]) -> IntSet { IntSet::List(v.map(|x| x as i128).to_vec()) }
        }
        impl From<Vec<$t>> for IntSet {
            #[inline]
            fn from(v: Vec<$t>) -> IntSet { IntSet::List(v.into_iter().map(|x| x as i128).collect()) }
        }
    )* };
}
int_set_from!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize);
