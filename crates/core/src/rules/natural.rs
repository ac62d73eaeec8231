//! Natural numbers of any size: there are more red-black trees with 80 nodes than fit into 64 bits.
//!
//! Core has no dependencies, and only four operations are needed, so they are written here.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A natural number of any size.
///
/// ```
/// use smallscope_core::groups::Natural;
/// let number: Natural = "340282366920938463463374607431768211456".parse().unwrap();
/// assert_eq!(number.to_string(), "340282366920938463463374607431768211456");
/// assert!(number > Natural::from(u64::MAX) && number.to_u64().is_none());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Natural {
    /// Digits to the base 2^32, the least significant one first; the last one is not 0.
    digits: Vec<u32>,
}

const TEN_POWER_9: u32 = 1_000_000_000;

impl Natural {
    /// Zero.
    pub const ZERO: Natural = Natural { digits: vec![] };

    /// Returns the number, if it fits.
    pub fn to_u64(&self) -> Option<u64> {
        match self.digits[..] {
            [] => Some(0),
            [low] => Some(low.into()),
            [low, high] => Some(u64::from(high) << 32 | u64::from(low)),
            _ => None,
        }
    }

    /// Returns the number before this one; none for zero.
    pub fn before(&self) -> Option<Natural> {
        let mut before = self.clone();
        (!self.is_zero()).then(|| {
            before.subtract(&Natural::from(1));
            before
        })
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    fn trim(&mut self) {
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
    }

    pub(crate) fn add(&mut self, other: &Natural) {
        let mut carry = 0;
        let length = self.digits.len().max(other.digits.len());
        self.digits.resize(length, 0);
        for (i, digit) in self.digits.iter_mut().enumerate() {
            let sum = u64::from(*digit) + u64::from(other.digits.get(i).copied().unwrap_or(0)) + carry;
            (*digit, carry) = (sum as u32, sum >> 32);
        }
        if carry > 0 {
            self.digits.push(carry as u32);
        }
    }

    /// Subtracts a number that is not greater.
    pub(crate) fn subtract(&mut self, other: &Natural) {
        debug_assert!(*self >= *other, "smallscope internal error: the difference is negative");
        let mut borrow = 0;
        for (i, digit) in self.digits.iter_mut().enumerate() {
            let less = u64::from(other.digits.get(i).copied().unwrap_or(0)) + borrow;
            borrow = u64::from(u64::from(*digit) < less);
            *digit = (u64::from(*digit) + (borrow << 32) - less) as u32;
        }
        self.trim();
    }

    pub(crate) fn multiply(&self, other: &Natural) -> Natural {
        let mut digits = vec![0; self.digits.len() + other.digits.len()];
        for (i, a) in self.digits.iter().enumerate() {
            let mut carry = 0;
            for (j, b) in other.digits.iter().enumerate() {
                let sum = u64::from(*a) * u64::from(*b) + u64::from(digits[i + j]) + carry;
                (digits[i + j], carry) = (sum as u32, sum >> 32);
            }
            digits[i + other.digits.len()] = carry as u32;
        }
        let mut product = Natural { digits };
        product.trim();
        product
    }

    /// Multiplies with a power of 2^32.
    pub(crate) fn shifted(&self, digits: usize) -> Natural {
        let mut shifted = Natural { digits: [&vec![0; digits], &self.digits[..]].concat() };
        shifted.trim();
        shifted
    }

    /// Divides by one digit, and returns the rest.
    fn divide_by_digit(&mut self, by: u32) -> u32 {
        let mut rest = 0;
        for digit in self.digits.iter_mut().rev() {
            let left = rest << 32 | u64::from(*digit);
            (*digit, rest) = ((left / u64::from(by)) as u32, left % u64::from(by));
        }
        self.trim();
        rest as u32
    }

    /// Returns quotient and rest of a division by a number that is not 0.
    pub(crate) fn divide(&self, by: &Natural) -> (Natural, Natural) {
        if let (Some(a), Some(b)) = (self.to_u64(), by.to_u64()) {
            return (Natural::from(a / b), Natural::from(a % b));
        }
        if self < by {
            return (Natural::ZERO, self.clone());
        }
        if let [by] = by.digits[..] {
            let mut quotient = self.clone();
            let rest = quotient.divide_by_digit(by);
            return (quotient, Natural::from(u64::from(rest)));
        }
        // Long division. The first digit of the divisor is made large, so that a digit of the quotient that is estimated
        // from two digits is at most two too large.
        let factor = Natural::from((1_u64 << 32) / (u64::from(by.digits[by.digits.len() - 1]) + 1));
        let (mut left, by) = (self.multiply(&factor), by.multiply(&factor));
        let length = by.digits.len();
        let first = u64::from(by.digits[length - 1]);
        let mut quotient = vec![0; left.digits.len() - length + 1];
        for place in (0..quotient.len()).rev() {
            let at = |i: usize| u64::from(left.digits.get(i).copied().unwrap_or(0));
            let high = at(place + length) << 32 | at(place + length - 1);
            let mut digit = (high / first).min(u64::from(u32::MAX));
            let mut product = by.multiply(&Natural::from(digit)).shifted(place);
            while product > left {
                digit -= 1;
                product.subtract(&by.shifted(place));
            }
            left.subtract(&product);
            quotient[place] = digit as u32;
        }
        let mut quotient = Natural { digits: quotient };
        quotient.trim();
        // The rest was multiplied, too.
        if let [factor] = factor.digits[..] {
            left.divide_by_digit(factor);
        }
        (quotient, left)
    }
}

impl From<u64> for Natural {
    fn from(number: u64) -> Natural {
        let mut natural = Natural { digits: vec![number as u32, (number >> 32) as u32] };
        natural.trim();
        natural
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Natural) -> Ordering {
        let by_length = self.digits.len().cmp(&other.digits.len());
        by_length.then_with(|| self.digits.iter().rev().cmp(other.digits.iter().rev()))
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Natural) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut left, mut parts) = (self.clone(), vec![]);
        while !left.is_zero() {
            parts.push(left.divide_by_digit(TEN_POWER_9));
        }
        let mut text = parts.pop().unwrap_or(0).to_string();
        for part in parts.iter().rev() {
            text += &format!("{part:09}");
        }
        f.pad_integral(true, "", &text)
    }
}

impl FromStr for Natural {
    type Err = String;
    fn from_str(text: &str) -> Result<Natural, String> {
        let mut number = Natural::ZERO;
        for digit in text.chars() {
            let Some(digit) = digit.to_digit(10) else {
                return Err(format!("`{text}` is not a whole number"));
            };
            number = number.multiply(&Natural::from(10));
            number.add(&Natural::from(u64::from(digit)));
        }
        match text {
            "" => Err("a number is missing".into()),
            _ => Ok(number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn natural(number: u128) -> Natural {
        number.to_string().parse().unwrap()
    }

    /// Numbers with few and with many bits set, of all lengths.
    fn numbers() -> Vec<u128> {
        let mut numbers = vec![0, 1, 2, 3, 10, 999_999_999, 1_000_000_000];
        for bits in [31, 32, 33, 63, 64, 65, 95, 96, 97, 127] {
            let power = 1_u128 << bits;
            numbers.extend([power - 1, power, power + 1, power / 3, power / 7 * 5, power | power >> 1]);
        }
        let mut state = 1_u128;
        for i in 0..50 {
            state = state.wrapping_mul(0xda94_2042_e4dd_58b5_9fb2_1c65_1e98_df25).wrapping_add(0x5851_f42d);
            numbers.push(state >> (i % 128));
        }
        numbers
    }

    #[test]
    fn arithmetic_is_that_of_machine_numbers() {
        for &a in &numbers() {
            assert_eq!(natural(a).to_string(), a.to_string());
            assert_eq!(natural(a).to_u64(), u64::try_from(a).ok());
            for &b in &numbers() {
                assert_eq!(natural(a).cmp(&natural(b)), a.cmp(&b));
                let (small, large) = (natural(a.min(b)), natural(a.max(b)));
                let mut difference = large.clone();
                difference.subtract(&small);
                assert_eq!(difference, natural(a.abs_diff(b)));
                difference.add(&small);
                assert_eq!(difference, large);
                let product = natural(a >> 64).multiply(&natural(b >> 64));
                assert_eq!(product, natural((a >> 64) * (b >> 64)));
                if b > 0 {
                    assert_eq!(natural(a).divide(&natural(b)), (natural(a / b), natural(a % b)), "{a} / {b}");
                    // Beyond 128 bits: what is multiplied and added is there again.
                    let mut large = natural(a).multiply(&natural(b)).multiply(&natural(b));
                    large.add(&natural(b - 1));
                    assert_eq!(large.divide(&natural(b)), (natural(a).multiply(&natural(b)), natural(b - 1)));
                    let square = natural(b).multiply(&natural(b));
                    assert_eq!(large.divide(&square), (natural(a), natural(b - 1)), "{a} {b}");
                }
            }
        }
        assert_eq!(natural(5).shifted(2), natural(5 << 64));
    }

    #[test]
    fn what_is_no_number_is_an_error() {
        assert!("".parse::<Natural>().unwrap_err().contains("missing"));
        assert!("12x".parse::<Natural>().unwrap_err().contains("`12x`"));
        assert_eq!(format!("{:>5}", Natural::from(12)), "   12");
    }
}
