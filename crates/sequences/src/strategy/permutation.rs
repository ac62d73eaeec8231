//! Keyed permutations of `0..size`, of three kinds, so that they look random at every size:
//!
//! * *Pairs*, for spaces of up to 2^16. A round pairs the numbers up, and decides for each pair whether it is swapped
//!   (the swap-or-not shuffle of Hoang, Morris and Rogaway). That is a permutation for any decisions, and with enough
//!   rounds all permutations are about equally frequent, even in spaces that are too small for halves.
//!
//! The others are Feistel networks: rounds, each of which changes one half by a function of the other half. They can be
//! undone step by step, so they are permutations for any function.
//!
//! * *Bits*, for spaces of up to 2^127: the halves are halves of the bits of an index. The power of two that contains
//!   the space is less than twice as large; an index that ends outside goes through the network again until it is
//!   inside (*cycle walking*), which keeps it a permutation.
//! * *Digits*, for larger spaces: the halves are the first and the last calls of the test, and a round adds to each call,
//!   modulo the number of calls. That is the space itself, so there is nothing to walk around, and no arithmetic on large
//!   numbers. These spaces have many digits.
//!
//! Nothing is stored, so any part of the order can be computed at any time.

use smallscope_support::random::{SplitMix, mix};

use crate::context::CallId;

/// More than the four that make a good permutation of large halves, since halves can be small.
const ROUNDS: usize = 10;

/// Up to this size, numbers are swapped in pairs.
pub(crate) const SMALL: u64 = 1 << 16;

/// A permutation of the numbers below a small size.
#[derive(Debug, Clone)]
pub(crate) struct Pairs {
    size: u64,
    /// The sum of the two numbers of a pair, and what decides about pairs.
    rounds: Vec<(u64, u64)>,
}

impl Pairs {
    /// # Panics
    ///
    /// If the size is zero or not small.
    pub(crate) fn new(size: u64, seed: u64) -> Pairs {
        assert!((1..=SMALL).contains(&size), "smallscope internal error: {size} indices");
        let mut random = SplitMix::stream(seed, size);
        // Six rounds for each bit are the usual advice; very small sizes get as many as a few bits do.
        let rounds = 6 * (u64::BITS - size.leading_zeros()).max(10);
        let round = |_| (u64::from(random.below(size as u32)), random.next());
        Pairs { size, rounds: (0..rounds).map(round).collect() }
    }

    pub(crate) fn apply(&self, index: u64) -> u64 {
        debug_assert!(index < self.size);
        self.rounds.iter().fold(index, |index, (sum, key)| {
            let other = (sum + self.size - index) % self.size;
            let is_swapped = mix(index.max(other) ^ key) & 1 == 1;
            if is_swapped { other } else { index }
        })
    }
}

/// A permutation of the numbers below a size.
#[derive(Debug, Clone)]
pub(crate) struct Bits {
    size: u128,
    /// Bits of the lower and of the upper half.
    low: u32,
    high: u32,
    keys: [u64; ROUNDS],
}

impl Bits {
    /// # Panics
    ///
    /// If the size is zero or above 2^127.
    pub(crate) fn new(size: u128, seed: u64) -> Bits {
        assert!(size > 0 && size <= 1 << 127, "smallscope internal error: {size} indices");
        // At least one bit for each half.
        let bits = (128 - (size - 1).leading_zeros()).max(2);
        Bits { size, low: bits / 2, high: bits - bits / 2, keys: keys(seed) }
    }

    pub(crate) fn apply(&self, index: u128) -> u128 {
        debug_assert!(index < self.size);
        let mut index = index;
        loop {
            index = self.network(index);
            if index < self.size {
                return index;
            }
        }
    }

    fn network(&self, index: u128) -> u128 {
        let (low_mask, high_mask) = ((1u64 << self.low) - 1, u64::MAX >> (64 - self.high));
        let mut low = index as u64 & low_mask;
        let mut high = (index >> self.low) as u64 & high_mask;
        for (round, key) in self.keys.iter().enumerate() {
            if round % 2 == 0 {
                low ^= mix(mix(high ^ key).wrapping_add(*key)) & low_mask;
            } else {
                high ^= mix(mix(low ^ key).wrapping_add(*key)) & high_mask;
            }
        }
        (u128::from(high) << self.low) | u128::from(low)
    }
}

/// A permutation of the sequences of calls of a length.
#[derive(Debug, Clone)]
pub(crate) struct Digits {
    calls: u32,
    keys: [u64; ROUNDS],
}

impl Digits {
    pub(crate) fn new(calls: u32, seed: u64) -> Digits {
        Digits { calls, keys: keys(seed) }
    }

    /// Changes the sequence into the one that takes its place. Sequences have at least two calls.
    pub(crate) fn apply(&self, digits: &mut [CallId]) {
        let (first, last) = digits.split_at_mut(digits.len() / 2);
        for (round, key) in self.keys.iter().enumerate() {
            if round % 2 == 0 {
                self.round(*key, last, first);
            } else {
                self.round(*key, first, last);
            }
        }
    }

    /// Adds a function of one half to the other half.
    fn round(&self, key: u64, from: &[CallId], to: &mut [CallId]) {
        let digest =
            from.iter().fold(mix(key), |digest, digit| mix(digest ^ u64::from(*digit)).wrapping_add(key));
        let mut random = SplitMix::stream(key, digest);
        for digit in to {
            let sum = u64::from(*digit) + u64::from(random.below(self.calls));
            let calls = u64::from(self.calls);
            *digit = (if sum < calls { sum } else { sum - calls }) as CallId;
        }
    }
}

fn keys(seed: u64) -> [u64; ROUNDS] {
    let mut random = SplitMix::new(seed);
    std::array::from_fn(|_| random.next())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_permutation(size: u64, apply: impl Fn(u64) -> u64) -> bool {
        let mut is_hit = vec![false; size as usize];
        (0..size).all(|index| !std::mem::replace(&mut is_hit[apply(index) as usize], true))
    }

    #[test]
    fn every_small_space_is_permuted() {
        for size in (1..=200).chain([SMALL]) {
            for seed in 0..if size > 200 { 1 } else { 3 } {
                let pairs = Pairs::new(size, seed);
                assert!(is_permutation(size, |index| pairs.apply(index)), "{size}");
                let bits = Bits::new(size.into(), seed);
                assert!(is_permutation(size, |index| bits.apply(index.into()) as u64), "{size}");
            }
        }
    }

    #[test]
    fn all_permutations_of_four_come_as_often() {
        let mut counts = std::collections::HashMap::new();
        for seed in 0..12_000 {
            let permutation = Pairs::new(4, seed);
            *counts.entry([0, 1, 2, 3].map(|index| permutation.apply(index))).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), 24);
        let chi: f64 = counts.values().map(|c| (f64::from(*c) - 500.0).powi(2) / 500.0).sum();
        // 23 degrees of freedom: beyond 58 with a probability of 0.0001.
        assert!(chi < 58.0, "{chi} {counts:?}");
    }

    #[test]
    fn large_spaces_stay_inside() {
        for size in
            [(1u128 << 127), (1 << 127) - 1, (1 << 64) + 1, 1 << 64, (1 << 64) - 1, (1 << 100) + 12345]
        {
            let permutation = Bits::new(size, 5);
            let images: std::collections::HashSet<_> =
                (0..1000).map(|i| permutation.apply(size - 1 - i)).collect();
            assert_eq!(images.len(), 1000);
            assert!(images.iter().all(|image| *image < size));
        }
    }

    #[test]
    fn digits_are_permutations() {
        for (calls, length) in [(1u32, 2usize), (2, 2), (2, 9), (3, 5), (10, 3), (31, 2)] {
            for seed in 0..3 {
                let permutation = Digits::new(calls, seed);
                let size = (calls as usize).pow(length as u32);
                let mut is_hit = vec![false; size];
                for index in 0..size {
                    let mut digits: Vec<_> = (0..length)
                        .map(|i| (index / (calls as usize).pow(i as u32)) as u32 % calls)
                        .collect();
                    permutation.apply(&mut digits);
                    let image = digits.iter().rev().fold(0, |n, digit| n * calls as usize + *digit as usize);
                    assert!(!std::mem::replace(&mut is_hit[image], true));
                }
            }
        }
    }

    #[test]
    fn a_flipped_bit_changes_half_of_the_bits() {
        let permutation = Bits::new(1 << 40, 11);
        let mut flips = 0;
        for index in 0..1000u128 {
            for bit in 0..40 {
                flips += (permutation.apply(index) ^ permutation.apply(index ^ (1 << bit))).count_ones();
            }
        }
        let mean = f64::from(flips) / 40_000.0;
        assert!((mean - 20.0).abs() < 0.1, "{mean}");
    }
}
