//! How many values digits stand for, and the number of a value among them, without counting up.
//!
//! Slots without a connection vary independently, so their numbers are multiplied. Where the differences connect slots like
//! a tree (a sorted list, a heap), the number of solutions for each value of a slot follows from those of its neighbours,
//! from the outside inwards. Other connections are left to counting up.

use super::ValueSet;
use super::digits::{Bounds, Digits};

/// A difference between two digits: the first plus `by` is at most the second.
#[derive(Clone, Copy)]
struct Link {
    low: usize,
    high: usize,
    by: i64,
}

/// The digits as a graph, with the first ones held at a value each.
struct Graph<'a> {
    digits: &'a Digits,
    neighbours: Vec<Vec<Link>>,
    held: &'a [u32],
}

impl<'a> Graph<'a> {
    #[inline]
    fn new(digits: &'a Digits, held: &'a [u32]) -> Graph<'a> {
        let mut neighbours: Vec<Vec<Link>> = vec![vec![]; digits.bounds.len()];
        for (i, bounds) in digits.bounds.iter().enumerate() {
            let lower =
                bounds.lower.iter().map(|limit| Link { low: limit.digit as usize, high: i, by: limit.by });
            let upper =
                bounds.upper.iter().map(|limit| Link { low: i, high: limit.digit as usize, by: -limit.by });
            for link in lower.chain(upper) {
                neighbours[link.low].push(link);
                neighbours[link.high].push(link);
            }
        }
        Graph { digits, neighbours, held }
    }

    /// Returns the number of values; none if it takes counting up, or more than fits into the result.
    #[inline]
    fn total(&self) -> Option<u64> {
        let n = self.neighbours.len();
        let mut seen = vec![false; n];
        let mut total = 1u64;
        for root in 0..n {
            if !seen[root] {
                let ways = self.ways(root, None, &mut seen)?;
                let sum = ways.iter().try_fold(0u64, |sum, &w| sum.checked_add(w))?;
                total = total.checked_mul(sum)?;
            }
        }
        Some(total)
    }

    #[inline]
    fn range(&self, digit: usize) -> (i64, i64) {
        match self.held.get(digit) {
            Some(&value) => (i64::from(value), i64::from(value)),
            None => (i64::from(self.digits.bounds[digit].lo), i64::from(self.digits.bounds[digit].hi)),
        }
    }

    /// Returns, for each value of a digit, the number of solutions for the digits behind it; none if two ways lead to one.
    #[inline]
    fn ways(&self, digit: usize, from: Option<usize>, seen: &mut [bool]) -> Option<Vec<u64>> {
        if std::mem::replace(&mut seen[digit], true) {
            return None;
        }
        let (lo, hi) = self.range(digit);
        let mut ways = vec![1u64; (hi - lo + 1) as usize];
        let mut is_left = false;
        for link in &self.neighbours[digit] {
            let other = if link.low == digit { link.high } else { link.low };
            // The way here, once.
            if from == Some(other) && !is_left {
                is_left = true;
                continue;
            }
            let theirs = self.ways(other, Some(digit), seen)?;
            let (first, _) = self.range(other);
            let mut sums = vec![0u64];
            for &w in &theirs {
                sums.push(sums[sums.len() - 1].checked_add(w)?);
            }
            let at = |value: i64| sums[(value - first).clamp(0, theirs.len() as i64) as usize];
            for (value, ways) in (lo..).zip(&mut ways) {
                let fitting = if link.low == digit {
                    sums[theirs.len()] - at(value + link.by)
                } else {
                    at(value - link.by + 1)
                };
                *ways = ways.checked_mul(fitting)?;
            }
        }
        Some(ways)
    }
}

/// Counts the values that begin with some digits.
#[inline]
fn count(digits: &Digits, held: &[u32]) -> Option<u64> {
    Graph::new(digits, held).total()
}

impl ValueSet for Digits {
    #[inline]
    fn len(&self) -> Option<u128> {
        count(self, &[]).map(u128::from)
    }

    #[inline]
    fn position(&self) -> Option<u128> {
        let current = self.current();
        let mut before = 0;
        for (i, &value) in current.iter().enumerate() {
            let mut held = current[..=i].to_vec();
            for lower in self.bounds[i].lo..value {
                held[i] = lower;
                before += u128::from(count(self, &held)?);
            }
        }
        Some(before)
    }

    fn next(&mut self) -> Option<usize> {
        self.raise_next()
    }

    #[inline]
    fn nth(&mut self, number: u128) -> bool {
        let (mut rest, mut held) = (number, vec![]);
        while held.len() < self.bounds.len() {
            let Bounds { lo, hi, .. } = self.bounds[held.len()];
            held.push(lo);
            let last = held.len() - 1;
            loop {
                let Some(here) = count(self, &held).map(u128::from) else { return false };
                if rest < here {
                    break;
                }
                rest -= here;
                if held[last] == hi {
                    return false;
                }
                held[last] += 1;
            }
        }
        self.set(&held);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::digits::Limit;
    use super::*;

    /// Digits with the given bounds; `(i, by, j)` means that digit `i` plus `by` is at most digit `j`.
    fn digits(bounds: &[(u32, u32)], differences: &[(usize, i64, usize)]) -> Digits {
        let mut all: Vec<Bounds> =
            bounds.iter().map(|&(lo, hi)| Bounds { lo, hi, lower: vec![], upper: vec![] }).collect();
        for &(low, by, high) in differences {
            if low < high {
                all[high].lower.push(Limit { digit: low as u32, by });
            } else {
                all[low].upper.push(Limit { digit: high as u32, by: -by });
            }
        }
        let lowest: Vec<u32> = all.iter().map(|bounds| bounds.lo).collect();
        let mut set = Digits::of(all);
        set.set(&lowest);
        set
    }

    /// All values, by counting up.
    fn values(mut set: Digits) -> Vec<Vec<u32>> {
        let mut values = vec![set.current()];
        while set.next().is_some() {
            values.push(set.current());
        }
        values
    }

    fn examples() -> Vec<Digits> {
        vec![
            digits(&[(0, 4)], &[]),
            digits(&[(1, 3), (0, 2), (5, 6)], &[]),
            // An increasing sequence.
            digits(&[(0, 2), (1, 3), (2, 4)], &[(0, 1, 1), (1, 1, 2)]),
            // A heap: the first is at least each of the others.
            digits(&[(0, 3), (0, 3), (0, 3)], &[(1, 0, 0), (2, 0, 0)]),
        ]
    }

    #[test]
    fn the_length_is_the_number_of_values() {
        for set in examples() {
            let len = set.len().unwrap();
            assert_eq!(len, values(set).len() as u128);
        }
        assert_eq!(digits(&[(0, 2), (1, 3), (2, 4)], &[(0, 1, 1), (1, 1, 2)]).len(), Some(10));
    }

    #[test]
    fn values_come_in_order_and_once() {
        for set in examples() {
            let values = values(set);
            assert!(values.is_sorted_by(|a, b| a < b), "{values:?}");
        }
    }

    #[test]
    fn each_value_is_found_by_its_number() {
        for (example, set) in examples().into_iter().enumerate() {
            for (n, value) in values(set).into_iter().enumerate() {
                let mut set = examples().swap_remove(example);
                assert!(set.nth(n as u128));
                assert_eq!((set.current(), set.position()), (value, Some(n as u128)));
            }
            let mut set = examples().swap_remove(example);
            let len = set.len().unwrap();
            assert!(!set.nth(len));
        }
    }

    #[test]
    fn counting_goes_on_behind_a_value_found_by_its_number() {
        let mut set = examples().swap_remove(2);
        assert!(set.nth(4));
        assert_eq!(values(set), values(examples().swap_remove(2))[4..]);
    }

    #[test]
    fn skipping_counts_what_is_left() {
        for (n, left) in [(0, 9), (3, 6), (9, 0)] {
            let mut set = examples().swap_remove(2);
            assert!(set.nth(n));
            assert_eq!(set.skip(), Some(left));
            assert_eq!(set.next(), None);
        }
    }

    #[test]
    fn a_set_is_split_in_the_middle_of_the_rest() {
        let mut set = examples().swap_remove(2);
        assert_eq!(set.split(10), Some(5));
        assert!(set.nth(8));
        assert_eq!(set.split(10), Some(9));
        assert!(set.nth(9));
        assert_eq!(set.split(10), None);
    }

    #[test]
    fn connections_that_are_no_tree_are_left_to_counting_up() {
        let set = digits(&[(0, 2), (0, 2), (0, 2)], &[(0, 0, 1), (0, 0, 2), (1, 0, 2)]);
        assert_eq!(set.len(), None);
        assert_eq!(values(set).len(), 10);
    }
}
