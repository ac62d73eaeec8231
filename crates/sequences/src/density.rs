//! How many tests fail, if one sequence of calls does: exact, for any length.
//!
//! The model: of *j* distinct calls, one sequence of *k* calls fails wherever it occurs in a test, and it does not overlap
//! with itself (no proper beginning of it is also its end). Then the number of failing tests of length *n* follows a
//! recurrence: those that fail before the last call, and those that fail with it.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::fmt;

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
/// If `j` or `k` is zero.
pub fn phi(j: u64, k: usize, n: usize) -> BigUint {
    let mut counts = Phi::new(j, k);
    (0..n).for_each(|_| counts.step());
    counts.current().clone()
}

/// The failure density: the part of the tests of length `n` that fails.
///
/// # Panics
///
/// If `j` or `k` is zero.
pub fn density(j: u64, k: usize, n: usize) -> Fraction {
    Fraction::new(phi(j, k, n), power(j, n))
}

/// The failure density divided by the number of calls: what a call is worth.
///
/// # Panics
///
/// If `j`, `k` or `n` is zero.
pub fn density_per_call(j: u64, k: usize, n: usize) -> Fraction {
    Fraction::new(phi(j, k, n), power(j, n) * n)
}

/// The length with the first local maximum of [`density_per_call`]: the first from which one more call is not worth more.
/// An error if it is above a limit.
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
/// If `j` or `k` is zero.
pub fn best_length(j: u64, k: usize, limit: usize) -> Result<usize, Error> {
    let mut counts = Phi::new(j, k);
    (0..k).for_each(|_| counts.step());
    for n in k..=limit {
        // What one more call would have to find for the density per call to stay the same.
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
        Phi { j, k, last: VecDeque::from([BigUint::ZERO]), n: 0, free: BigUint::from(1u8) }
    }

    fn current(&self) -> &BigUint {
        self.last.back().expect("smallscope internal error: there is a current count")
    }

    fn step(&mut self) {
        self.n += 1;
        let mut next = self.current() * self.j;
        if self.n >= self.k {
            // It ends with the failing sequence, and did not fail before that.
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

/// An exact fraction.
#[derive(Debug, Clone)]
pub struct Fraction {
    /// Above the line.
    pub numerator: BigUint,
    /// Below the line; not zero.
    pub denominator: BigUint,
}

impl Fraction {
    /// # Panics
    ///
    /// If the denominator is zero.
    pub fn new(numerator: BigUint, denominator: BigUint) -> Fraction {
        assert!(denominator != BigUint::ZERO, "a fraction has a denominator that is not zero");
        Fraction { numerator, denominator }
    }

    /// The number nearest to it, or one next to that.
    pub fn to_f64(&self) -> f64 {
        if self.numerator == BigUint::ZERO {
            return 0.0;
        }
        // A quotient of 64 or 65 bits.
        let shift = 64 + self.denominator.bits() as i64 - self.numerator.bits() as i64;
        let quotient = match u64::try_from(shift) {
            Ok(shift) => (&self.numerator << shift) / &self.denominator,
            Err(_) => &self.numerator / (&self.denominator << shift.unsigned_abs()),
        };
        let quotient = u128::try_from(quotient).expect("smallscope internal error: a quotient of 65 bits");
        // In two steps, since the power alone can be below what a float holds.
        let half = -(shift / 2);
        quotient as f64 * 2f64.powi(half as i32) * 2f64.powi((-shift - half) as i32)
    }
}

impl PartialEq for Fraction {
    fn eq(&self, other: &Fraction) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Fraction {}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
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

    #[test]
    fn the_best_length_is_the_first_maximum_of_exact_fractions() {
        for (j, k) in [(1, 1), (2, 1), (2, 2), (2, 3), (3, 2), (3, 3), (5, 2), (10, 2), (4, 4)] {
            let best = best_length(j, k, 500).unwrap();
            let worth = |n| density_per_call(j, k, n);
            assert!((k..best).all(|n| worth(n) < worth(n + 1)), "{j} {k}");
            assert!(worth(best + 1) <= worth(best));
            // The paper: except for failing sequences of one call, it is above the number of calls.
            assert!(k == 1 || best as u64 > j, "{j} {k} {best}");
        }
        assert!(best_length(10, 3, 20).unwrap_err().to_string().contains("above 20"));
    }

    #[test]
    fn densities_grow_to_one() {
        let densities: Vec<_> = (3..60).map(|n| density(3, 2, n)).collect();
        assert!(densities.is_sorted());
        assert!(densities.last().unwrap().to_f64() > 0.99);
        assert!(*densities.last().unwrap() < Fraction::new(BigUint::from(1u8), BigUint::from(1u8)));
    }

    #[test]
    fn fractions_as_floats() {
        let fraction = |a: u64, b: u64| Fraction::new(BigUint::from(a), BigUint::from(b)).to_f64();
        assert_eq!(fraction(1, 4), 0.25);
        assert_eq!(fraction(1, 3), 1.0 / 3.0);
        assert_eq!(fraction(u64::MAX, 1), u64::MAX as f64);
        assert_eq!(fraction(0, 3), 0.0);
        let tiny = Fraction::new(BigUint::from(3u8), power(2, 1020));
        assert_eq!(tiny.to_f64(), 3.0 * 2f64.powi(-1020));
        let large = density(10, 4, 2000).to_f64();
        assert!((large - 0.181).abs() < 0.001, "{large}");
    }
}
