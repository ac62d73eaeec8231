//! Exact fractions.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigUint;

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

    /// The nearest floating-point number, or one next to it.
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
    use crate::index::power;

    #[test]
    fn fractions_as_floats() {
        let fraction = |a: u64, b: u64| Fraction::new(BigUint::from(a), BigUint::from(b)).to_f64();
        assert_eq!(fraction(1, 4), 0.25);
        assert_eq!(fraction(1, 3), 1.0 / 3.0);
        assert_eq!(fraction(u64::MAX, 1), u64::MAX as f64);
        assert_eq!(fraction(0, 3), 0.0);
        let tiny = Fraction::new(BigUint::from(3u8), power(2, 1020));
        assert_eq!(tiny.to_f64(), 3.0 * 2f64.powi(-1020));
    }
}
