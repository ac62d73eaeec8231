//! Converts tests to indices and back.
//!
//! A call's number counts methods, then slots: arguments first, the receiver next, the result last, the first one
//! varying fastest. A test's index has the numbers of its calls as digits, base *j*, the first call first. Indices have
//! any size. Both directions halve the digits, so they cost about as much as multiplying and dividing numbers of that
//! size.

use num_bigint::BigUint;

use crate::context::CallId;

/// For fewer digits, halving gains nothing.
const FEW: usize = 64;

/// A power of any size.
pub(crate) fn power(base: u64, exponent: usize) -> BigUint {
    BigUint::from(base).pow(u32::try_from(exponent).expect("tests have fewer than 2^32 calls"))
}

/// The number with some digits, the first one counting least.
pub(crate) fn value_of(digits: &[CallId], base: u64) -> BigUint {
    let powers = powers(base, digits.len());
    combine(digits, base, &powers)
}

/// The digits of a number below `base` to the power of `length`, the first one counting least.
pub(crate) fn digits_of(number: &BigUint, base: u64, length: usize) -> Vec<CallId> {
    let powers = powers(base, length);
    let mut digits = vec![0; length];
    split(number.clone(), base, &mut digits, &powers);
    digits
}

/// The `base` to the power of `FEW`, of twice that, and so on, as far as they are needed.
fn powers(base: u64, length: usize) -> Vec<BigUint> {
    let mut powers = vec![];
    let mut digits = FEW;
    while digits < length {
        let next = powers.last().map_or_else(|| power(base, FEW), |last| last * last);
        powers.push(next);
        digits *= 2;
    }
    powers
}

/// The number of digits in the lower part, and their power.
fn cut(length: usize, powers: &[BigUint]) -> (usize, &BigUint) {
    let level = (0..powers.len()).rev().find(|level| FEW << level < length);
    let level = level.expect("smallscope internal error: powers reach up to the length");
    (FEW << level, &powers[level])
}

fn combine(digits: &[CallId], base: u64, powers: &[BigUint]) -> BigUint {
    if digits.len() <= FEW {
        return digits.iter().rev().fold(BigUint::ZERO, |number, digit| number * base + *digit);
    }
    let (low, power) = cut(digits.len(), powers);
    let (low, high) = digits.split_at(low);
    combine(high, base, powers) * power + combine(low, base, powers)
}

fn split(mut number: BigUint, base: u64, digits: &mut [CallId], powers: &[BigUint]) {
    if digits.len() <= FEW {
        for digit in digits {
            let remainder = &number % base;
            *digit = remainder.iter_u32_digits().next().unwrap_or(0);
            number /= base;
        }
        return;
    }
    let (low, power) = cut(digits.len(), powers);
    let (low, high) = digits.split_at_mut(low);
    let quotient = &number / power;
    number -= &quotient * power;
    split(quotient, base, high, powers);
    split(number, base, low, powers);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_back_by_the_definition() {
        for (base, length) in [(1, 5), (2, 10), (7, 3), (300, 2)] {
            for index in 0..power(base, length).iter_u64_digits().next().unwrap() {
                let digits = digits_of(&BigUint::from(index), base, length);
                let sum: u64 =
                    digits.iter().enumerate().map(|(i, digit)| u64::from(*digit) * base.pow(i as u32)).sum();
                assert_eq!(sum, index);
                assert_eq!(value_of(&digits, base), BigUint::from(index));
            }
        }
    }

    #[test]
    fn long_numbers_agree_with_horner() {
        for length in [63, 64, 65, 127, 128, 129, 200, 1000] {
            let digits: Vec<CallId> = (0..length).map(|i| (i * i % 11) as u32).collect();
            let horner = digits.iter().rev().fold(BigUint::ZERO, |number, digit| number * 11u32 + *digit);
            assert_eq!(value_of(&digits, 11), horner);
            assert_eq!(digits_of(&horner, 11, length), digits);
            // One more digit, so that the same number is halved elsewhere.
            assert_eq!(digits_of(&horner, 11, length + 1)[..length], digits[..]);
        }
    }
}
