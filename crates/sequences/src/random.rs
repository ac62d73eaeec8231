//! Numbers that look random, the same on every machine and in every version.

/// SplitMix64: a counter and a mixer. Its numbers can be had in any order.
#[derive(Debug, Clone)]
pub(crate) struct SplitMix {
    state: u64,
}

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl SplitMix {
    pub(crate) fn new(seed: u64) -> SplitMix {
        SplitMix { state: seed }
    }

    /// A stream of its own for each pair of numbers.
    pub(crate) fn of(seed: u64, stream: u64) -> SplitMix {
        SplitMix {
            state: mix(mix(seed.wrapping_add(STEP)) ^ mix(stream.wrapping_mul(STEP) ^ 0xd1b5_4a32_d192_ed03)),
        }
    }

    #[inline]
    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mix(self.state)
    }

    /// A number below a bound, all with the same probability.
    #[inline]
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        // Multiply and look at the upper half; the lower half says when that would be unfair.
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

/// Every bit of the result depends on every bit of the argument.
#[inline]
pub(crate) fn mix(x: u64) -> u64 {
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
    fn all_numbers_below_a_bound_are_as_frequent() {
        let mut random = SplitMix::of(7, 3);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[random.below(7) as usize] += 1;
        }
        let chi: f64 = counts.iter().map(|c| (f64::from(*c) - 10_000.0).powi(2) / 10_000.0).sum();
        // Six degrees of freedom: beyond 27.9 with a probability of 0.0001.
        assert!(chi < 27.9, "{counts:?}");
    }
}
