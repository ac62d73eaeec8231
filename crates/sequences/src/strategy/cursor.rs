//! A position in a strategy, and its test.

use std::sync::Arc;

use num_bigint::BigUint;
use smallscope_support::random::SplitMix;

use super::permutation::{Bits, Digits, Pairs, SMALL};
use super::{Drawn, Strategy, Traversal};
use crate::context::CallId;
use crate::index::digits_of;
use crate::test::Test;

/// Goes through the tests of a strategy, or through a range of them.
pub(crate) struct Cursor {
    calls: u32,
    place: Counter,
    /// The number of remaining tests; `None` if it does not fit.
    left: Option<u64>,
    test: Vec<CallId>,
}

/// How the cursor advances.
enum Counter {
    /// The test itself, its last call varying fastest.
    Tree { is_fresh: bool },
    /// The number of the test in the sample.
    Sample { seed: u64, drawn: Drawn, next: u64 },
    /// The position as a number, and the permutation of a few numbers.
    Pairs { next: u64, permutation: Pairs },
    /// The position as a number, and the permutation of numbers.
    Bits { next: u128, permutation: Bits },
    /// The position as digits, and the permutation of digits.
    Digits { next: Vec<CallId>, permutation: Digits },
    /// The index as digits, the first one varying fastest, and what is added to it.
    Linear { index: Vec<CallId>, step: u64 },
    /// The place in a list.
    Listed { tests: Arc<[Test]>, next: usize },
}

impl Cursor {
    /// A cursor that begins a number of tests after the beginning of the strategy's range.
    pub(crate) fn new(strategy: &Strategy, offset: u64) -> Cursor {
        let position = &strategy.range.start + offset;
        let left = (&strategy.range.end).checked_sub_u64(&position);
        let (calls, length) = (strategy.calls, strategy.length);
        let mut test = vec![0; length];
        let has_some = position < strategy.range.end;
        let place = match &strategy.order {
            Traversal::Tree => {
                if has_some {
                    test = digits_of(&position, u64::from(calls), length);
                    test.reverse();
                }
                Counter::Tree { is_fresh: true }
            }
            Traversal::Sample { seed, drawn } => {
                let next = position.iter_u64_digits().next().unwrap_or(0);
                Counter::Sample { seed: *seed, drawn: drawn.clone(), next }
            }
            Traversal::Listed { tests } => {
                // No list is longer.
                let next = usize::try_from(&position).unwrap_or(usize::MAX);
                Counter::Listed { tests: tests.clone(), next }
            }
            Traversal::Linear { step } => {
                let index = position * *step % strategy.tests_in_all();
                Counter::Linear { index: digits_of(&index, u64::from(calls), length), step: *step }
            }
            Traversal::Permuted { seed } => match u128::try_from(strategy.tests_in_all().clone()) {
                Ok(tests) if tests <= u128::from(SMALL) => {
                    let next = u64::try_from(position).expect("positions are at most the number of tests");
                    Counter::Pairs { next, permutation: Pairs::new(tests as u64, *seed) }
                }
                Ok(tests) if tests <= 1 << 127 => {
                    let next = u128::try_from(position).expect("positions are at most the number of tests");
                    Counter::Bits { next, permutation: Bits::new(tests, *seed) }
                }
                _ => {
                    let digits =
                        if has_some { digits_of(&position, u64::from(calls), length) } else { vec![] };
                    Counter::Digits { next: digits, permutation: Digits::new(calls, *seed) }
                }
            },
        };
        Cursor { calls, place, left, test }
    }

    /// The next test.
    pub(crate) fn next(&mut self) -> Option<&[CallId]> {
        match &mut self.left {
            Some(0) => return None,
            Some(left) => *left -= 1,
            None => {}
        }
        match &mut self.place {
            Counter::Tree { is_fresh } => {
                if !std::mem::replace(is_fresh, false) {
                    count_up(self.test.iter_mut().rev(), self.calls);
                }
            }
            Counter::Sample { seed, drawn, next } => {
                let mut random = SplitMix::stream(*seed, *next);
                *next += 1;
                match drawn {
                    Drawn::Calls => self.test.fill_with(|| random.below(self.calls)),
                    Drawn::Methods(methods) => self.test.fill_with(|| methods.draw(&mut random)),
                    Drawn::Weighted { first, others, .. } => {
                        self.test.fill_with(|| others.draw(&mut random));
                        self.test[0] = first.draw(&mut random);
                    }
                }
            }
            Counter::Pairs { next, permutation } => {
                write_digits(permutation.apply(*next).into(), self.calls, &mut self.test);
                *next += 1;
            }
            Counter::Bits { next, permutation } => {
                write_digits(permutation.apply(*next), self.calls, &mut self.test);
                *next += 1;
            }
            Counter::Digits { next, permutation } => {
                self.test.copy_from_slice(next);
                permutation.apply(&mut self.test);
                count_up(next.iter_mut(), self.calls);
            }
            Counter::Linear { index, step } => {
                self.test.copy_from_slice(index);
                add(index, *step, self.calls);
            }
            Counter::Listed { tests, next } => {
                self.test.clear();
                self.test.extend_from_slice(tests[*next].calls());
                *next += 1;
            }
        }
        Some(&self.test)
    }
}

/// The next number whose digits these are, the first one varying fastest.
fn count_up<'d>(digits: impl Iterator<Item = &'d mut CallId>, base: u32) {
    for digit in digits {
        *digit += 1;
        if *digit < base {
            return;
        }
        *digit = 0;
    }
}

/// Adds to the number whose digits these are, modulo the numbers with so many digits.
fn add(digits: &mut [CallId], step: u64, base: u32) {
    let (mut carried, base) = (u128::from(step), u128::from(base));
    for digit in digits {
        if carried == 0 {
            return;
        }
        carried += u128::from(*digit);
        *digit = (carried % base) as CallId;
        carried /= base;
    }
}

fn write_digits(number: u128, base: u32, digits: &mut [CallId]) {
    let mut rest = number;
    let mut digits = digits.iter_mut();
    while rest > u128::from(u64::MAX) {
        let Some(digit) = digits.next() else { return };
        *digit = (rest % u128::from(base)) as CallId;
        rest /= u128::from(base);
    }
    let mut rest = rest as u64;
    for digit in digits {
        *digit = (rest % u64::from(base)) as CallId;
        rest /= u64::from(base);
    }
}

trait CheckedSub {
    /// The difference: zero if it is negative, `None` if it does not fit.
    fn checked_sub_u64(&self, other: &BigUint) -> Option<u64>;
}

impl CheckedSub for &BigUint {
    fn checked_sub_u64(&self, other: &BigUint) -> Option<u64> {
        if *self <= other {
            return Some(0);
        }
        u64::try_from(*self - other).ok()
    }
}
