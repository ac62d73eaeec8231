//! Pseudo-random numbers that are the same on every machine and in every version, so that seeds can be saved.

/// SplitMix64: a counter and a mixer.
///
/// ```
/// use smallscope_support::random::SplitMix;
///
/// let mut random = SplitMix::new(1_234_567);
/// assert_eq!(random.next(), 6_457_827_717_110_365_317);
/// ```
#[derive(Debug, Clone)]
pub struct SplitMix {
    state: u64,
}

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl SplitMix {
    /// The generator with this seed.
    pub fn new(seed: u64) -> SplitMix {
        SplitMix { state: seed }
    }

    /// One of many independent generators with the same seed. Streams can be created in any order.
    pub fn stream(seed: u64, stream: u64) -> SplitMix {
        SplitMix {
            state: mix(mix(seed.wrapping_add(STEP)) ^ mix(stream.wrapping_mul(STEP) ^ 0xd1b5_4a32_d192_ed03)),
        }
    }

    /// Returns the next number.
    #[expect(clippy::should_implement_trait, reason = "there is no end, so `Option` would only be unwrapped")]
    #[inline]
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mix(self.state)
    }

    /// Returns a number below a bound; all have the same probability.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        // The upper half of the product is the result; the lower half tells when it would be biased.
        let bound = u64::from(bound);
        loop {
            let product = (self.next() >> 32) * bound;
            let low = product as u32;
            if u64::from(low) >= bound || low >= (bound as u32).wrapping_neg() % bound as u32 {
                return (product >> 32) as u32;
            }
        }
    }
}

/// The finalizer of SplitMix64: every bit of the result depends on every bit of the argument.
#[inline]
pub fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_sequence() {
        let mut random = SplitMix::new(1_234_567);
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(expected, [random.next(), random.next(), random.next()]);
    }

    #[test]
    fn all_numbers_below_a_bound_are_equally_frequent() {
        let mut random = SplitMix::stream(7, 3);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[random.below(7) as usize] += 1;
        }
        let chi: f64 = counts.iter().map(|c| (f64::from(*c) - 10_000.0).powi(2) / 10_000.0).sum();
        // With six degrees of freedom, the probability of more than 27.9 is 0.0001.
        assert!(chi < 27.9, "{counts:?}");
    }
}
