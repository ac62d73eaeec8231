//! The exact number of failing tests of any length, if one sequence of calls fails.
//!
//! The model: of *j* distinct calls, one sequence of *k* calls fails wherever it occurs in a test, and it does not overlap
//! with itself (no proper beginning of it is also its end). With one distinct call, only a sequence of one call is such a
//! sequence. Then the number of failing tests of length *n* follows a
//! recurrence: those that fail before the last call, and those that fail with it.

mod fraction;
mod measure;
mod table;

pub use fraction::Fraction;
pub use measure::{Measurement, Sample, measure};
pub use smallscope_viewer::plot::{Axis, Chart, Point, Scale, Series};
pub use table::{Calculation, Row, calculate};

pub(crate) use table::short;

use std::collections::VecDeque;

use num_bigint::BigUint;

use crate::context::Error;
use crate::index::power;

/// The number of tests of length `n` that contain a failing sequence of `k` of `j` calls.
///
/// ```
/// use smallscope_sequences::density::phi;
///
/// // Of the tests `aab`, `abb`, `aba` and so on over two calls, those with `ab` in them.
/// assert_eq!(phi(2, 2, 3).to_string(), "4");
/// ```
///
/// # Panics
///
/// If `j` or `k` is zero, or [`is_possible`] is false.
pub fn phi(j: u64, k: usize, n: usize) -> BigUint {
    let mut counts = Phi::new(j, k);
    (0..n).for_each(|_| counts.step());
    counts.current().clone()
}

/// The failure density: the share of the tests of length `n` that fails.
///
/// # Panics
///
/// If `j` or `k` is zero, or [`is_possible`] is false.
pub fn density(j: u64, k: usize, n: usize) -> Fraction {
    Fraction::new(phi(j, k, n), power(j, n))
}

/// The failure density divided by the number of calls.
///
/// # Panics
///
/// If `j`, `k` or `n` is zero, or [`is_possible`] is false.
pub fn density_per_call(j: u64, k: usize, n: usize) -> Fraction {
    Fraction::new(phi(j, k, n), power(j, n) * n)
}

/// The length with the first local maximum of [`density_per_call`]. An error if it is above a limit.
///
/// ```
/// use smallscope_sequences::density::best_length;
///
/// assert_eq!(best_length(10, 1, 100)?, 1);
/// assert_eq!(best_length(2, 2, 100)?, 4);
/// # Ok::<(), smallscope_sequences::Error>(())
/// ```
///
/// # Panics
///
/// If `j` or `k` is zero, or [`is_possible`] is false.
pub fn best_length(j: u64, k: usize, limit: usize) -> Result<usize, Error> {
    let mut counts = Phi::new(j, k);
    (0..k).for_each(|_| counts.step());
    for n in k..=limit {
        // The number of failing tests with one more call for which the density per call stays the same.
        let same = counts.current() * j * (n + 1);
        counts.step();
        if counts.current() * n <= same {
            return Ok(n);
        }
    }
    Err(Error::BadRequest {
        what: format!(
            "for {j} calls and a failing sequence of {k}, the best length is above {limit}; raise the limit"
        ),
    })
}

/// Why there is no result for one distinct call and a longer sequence.
pub const OVERLAPS: &str = "with one distinct call, every sequence of two or more calls overlaps with itself, and the model is for a failing \
                            sequence that does not: give at least 2 distinct calls, or a failing sequence of 1";

/// Whether the model has a result for `j` distinct calls and a failing sequence of `k`: whether a sequence of `k` calls
/// can be without overlap with itself.
pub fn is_possible(j: u64, k: usize) -> bool {
    j > 1 || k <= 1
}

/// The counts for lengths 0, 1, 2 and so on.
struct Phi {
    j: u64,
    k: usize,
    /// Those of the last `k` lengths, the current one last.
    last: VecDeque<BigUint>,
    n: usize,
    /// `j` to the power of `n - k`.
    free: BigUint,
}

impl Phi {
    fn new(j: u64, k: usize) -> Phi {
        assert!(j > 0, "there has to be something to call");
        assert!(k > 0, "a failing sequence has at least one call");
        assert!(is_possible(j, k), "{OVERLAPS}");
        Phi { j, k, last: VecDeque::from([BigUint::ZERO]), n: 0, free: BigUint::from(1u8) }
    }

    fn current(&self) -> &BigUint {
        self.last.back().expect("smallscope internal error: there is a current count")
    }

    fn step(&mut self) {
        self.n += 1;
        let mut next = self.current() * self.j;
        if self.n >= self.k {
            // Tests that end with the failing sequence and did not fail before.
            next += &self.free;
            // The count for `n - k`.
            next -= &self.last[0];
            self.free *= self.j;
        }
        self.last.push_back(next);
        if self.last.len() > self.k {
            self.last.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All sequences of a length.
    fn sequences(j: u64, n: usize) -> impl Iterator<Item = Vec<u64>> {
        (0..j.pow(n as u32)).map(move |index| (0..n).map(|i| index / j.pow(i as u32) % j).collect())
    }

    fn overlaps_with_itself(sequence: &[u64]) -> bool {
        (1..sequence.len()).any(|i| sequence[..i] == sequence[sequence.len() - i..])
    }

    #[test]
    fn phi_is_what_counting_gives() {
        let mut compared = 0;
        for j in 1..=4u64 {
            for k in 1..=4usize {
                let failing: Vec<_> = sequences(j, k).filter(|s| !overlaps_with_itself(s)).take(5).collect();
                for n in 0..=(if j > 3 { 6 } else { 8 }) {
                    for sequence in &failing {
                        let contains =
                            |test: &Vec<u64>| test.windows(k).any(|window| window == &sequence[..]);
                        let counted = sequences(j, n).filter(contains).count();
                        assert_eq!(phi(j, k, n), BigUint::from(counted), "{j} {k} {n} {sequence:?}");
                        compared += 1;
                    }
                }
            }
        }
        assert!(compared > 300, "{compared}");
    }

    /// The same number without a recurrence: all tests minus those in which the sequence does not occur, by inclusion
    /// and exclusion over `i` places for it that do not overlap.
    fn phi_by_inclusion_and_exclusion(j: u64, k: usize, n: usize) -> BigUint {
        let (mut more, mut less) = (BigUint::ZERO, BigUint::ZERO);
        for i in 1..=n / k {
            let (choices, free) = (n - i * (k - 1), n - i * k);
            let places = (0..i).fold(BigUint::from(1u8), |places, m| places * (choices - m) / (m + 1));
            let term = places * power(j, free);
            if i % 2 == 1 { more += term } else { less += term }
        }
        more - less
    }

    #[test]
    fn phi_is_what_inclusion_and_exclusion_gives() {
        for (j, k) in [(1, 1), (2, 2), (2, 5), (3, 1), (10, 3), (57, 2), (300, 4), (1000, 10)] {
            for n in [1, 2, 9, 10, 11, 64, 257, 500] {
                assert_eq!(phi(j, k, n), phi_by_inclusion_and_exclusion(j, k, n), "{j} {k} {n}");
            }
        }
    }

    #[test]
    fn the_best_length_is_the_first_maximum_of_what_counting_gives() {
        // Failing sequences that do not overlap with themselves: 0, 01, 001.
        for (j, k) in [(1u64, 1usize), (2, 1), (2, 2), (2, 3), (3, 2)] {
            let sequence: Vec<u64> =
                if k == 1 { vec![0] } else { (0..k).map(|i| u64::from(i + 1 == k)).collect() };
            let failing = |n| {
                let contains = |test: &Vec<u64>| test.windows(k).any(|window| window == &sequence[..]);
                sequences(j, n).filter(contains).count() as u64
            };
            let worth = |n: usize| Fraction::new(failing(n).into(), power(j, n) * n);
            let best = best_length(j, k, 100).unwrap();
            let counted = (k..).find(|n| worth(n + 1) <= worth(*n)).unwrap();
            assert_eq!(best, counted, "{j} {k}");
        }
    }

    #[test]
    fn the_best_length_is_the_first_maximum_of_exact_fractions() {
        for (j, k) in [(1, 1), (2, 1), (2, 2), (2, 3), (3, 2), (3, 3), (5, 2), (10, 2), (4, 4)] {
            let best = best_length(j, k, 500).unwrap();
            let worth = |n| density_per_call(j, k, n);
            assert!((k..best).all(|n| worth(n) < worth(n + 1)), "{j} {k}");
            assert!(worth(best + 1) <= worth(best));
        }
        assert!(best_length(10, 3, 20).unwrap_err().to_string().contains("above 20"));
    }

    /// What the paper says about best lengths, which it gives no numbers for.
    #[test]
    fn best_lengths_are_as_the_paper_says() {
        for j in [2, 5, 10, 20, 50] {
            let best: Vec<usize> = (1..=3).map(|k| best_length(j, k, 10_000).unwrap()).collect();
            // Above the number of calls, except for failing sequences of one call.
            assert_eq!(best[0], 1);
            assert!(best[1..].iter().all(|best| *best as u64 > j), "{j} {best:?}");
            // They grow with the failing sequence, and the more so the more calls there are.
            assert!(best.is_sorted_by(|a, b| a < b));
        }
        // For realistic numbers of calls, they are above 1000.
        assert!(best_length(100, 3, 10_000).unwrap() > 1000);
    }

    /// The rule of thumb that the book gives.
    #[test]
    fn best_lengths_are_near_a_square_root() {
        for (j, k) in [(10, 2), (50, 2), (100, 2), (400, 2), (20, 3), (50, 3), (20, 4)] {
            let best = best_length(j, k, 10_000).unwrap() as f64;
            let root = (2.0 * (k as f64 - 1.0) * (j as f64).powi(k as i32)).sqrt();
            assert!((best - root).abs() < 3.0, "{j} {k} {best} {root}");
        }
    }

    #[test]
    fn densities_grow_to_one() {
        let densities: Vec<_> = (3..60).map(|n| density(3, 2, n)).collect();
        assert!(densities.is_sorted());
        assert!(densities.last().unwrap().to_f64() > 0.99);
        assert!(*densities.last().unwrap() < Fraction::new(BigUint::from(1u8), BigUint::from(1u8)));
        let large = density(10, 4, 2000).to_f64();
        assert!((large - 0.181).abs() < 0.001, "{large}");
    }
}
