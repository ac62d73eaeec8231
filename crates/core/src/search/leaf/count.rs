//! How many values a plan stands for, without counting up.
//!
//! Slots that nothing connects vary independently, so their numbers are multiplied. Where the differences connect slots
//! like a tree (a sorted list, a heap), the number of solutions for each value of a slot follows from those of its
//! neighbours, from the outside inwards. Anything else is left to counting up.

use super::Plan;

/// A difference between two digits: the first plus `by` is at most the second.
#[derive(Clone, Copy)]
pub(super) struct Link {
    pub low: usize,
    pub high: usize,
    pub by: i64,
}

impl Plan {
    /// The number of values in all; none if it takes counting up, or more than fits into the result.
    pub(super) fn total(&self) -> Option<u64> {
        let n = self.bounds.len();
        let mut neighbours: Vec<Vec<Link>> = vec![vec![]; n];
        for (i, bounds) in self.bounds.iter().enumerate() {
            let lower =
                bounds.lower.iter().map(|limit| Link { low: limit.digit as usize, high: i, by: limit.by });
            let upper =
                bounds.upper.iter().map(|limit| Link { low: i, high: limit.digit as usize, by: -limit.by });
            for link in lower.chain(upper) {
                neighbours[link.low].push(link);
                neighbours[link.high].push(link);
            }
        }
        let mut seen = vec![false; n];
        let mut total = 1u64;
        for root in 0..n {
            if !seen[root] {
                let ways = self.ways(root, None, &neighbours, &mut seen)?;
                let sum = ways.iter().try_fold(0u64, |sum, &w| sum.checked_add(w))?;
                total = total.checked_mul(sum)?;
            }
        }
        Some(total)
    }

    /// For each value of a digit, the number of solutions for the digits behind it. None if two ways lead to one.
    fn ways(
        &self,
        digit: usize,
        from: Option<usize>,
        neighbours: &[Vec<Link>],
        seen: &mut [bool],
    ) -> Option<Vec<u64>> {
        if std::mem::replace(&mut seen[digit], true) {
            return None;
        }
        let (lo, hi) = (i64::from(self.bounds[digit].lo), i64::from(self.bounds[digit].hi));
        let mut ways = vec![1u64; (hi - lo + 1) as usize];
        let mut is_left = false;
        for link in &neighbours[digit] {
            let other = if link.low == digit { link.high } else { link.low };
            // The way that we came, once.
            if from == Some(other) && !is_left {
                is_left = true;
                continue;
            }
            let theirs = self.ways(other, Some(digit), neighbours, seen)?;
            let first = i64::from(self.bounds[other].lo);
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
