//! Hashes whose values are the same on every machine and in every version: they are in suites, records and replay lines.

use std::hash::Hasher;

use crate::random::SplitMix;

/// FNV-1a with 64 bits.
///
/// As a [`Hasher`] it sees what `Hash` implementations write, which may differ between compilers. For values that are
/// saved, use [`Fnv::add_bytes`] and [`Fnv::add_text`].
///
/// ```
/// use smallscope_support::hash::Fnv;
///
/// assert_eq!(Fnv::new().add_bytes(b"a").value(), 0xaf63_dc4c_8601_ec8c);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fnv(u64);

impl Fnv {
    /// The hash of no bytes.
    pub const fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    /// Adds bytes. No end is marked: `ab` and `c` give the same as `a` and `bc`.
    #[must_use]
    pub fn add_bytes(self, bytes: &[u8]) -> Fnv {
        let mut hash = self.0;
        for &byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Fnv(hash)
    }

    /// Adds a text and a mark for its end, so that a sequence of texts is hashed without ambiguity.
    #[must_use]
    pub fn add_text(self, text: &str) -> Fnv {
        self.add_bytes(text.as_bytes()).add_bytes(&[0xff])
    }

    /// The hash of all bytes so far.
    pub const fn value(self) -> u64 {
        self.0
    }
}

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv::new()
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        *self = self.add_bytes(bytes);
    }
}

/// Returns a hash of a text with 128 bits (FNV-1a).
///
/// ```
/// use smallscope_support::hash::text;
///
/// assert_eq!(text("a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
/// ```
pub fn text(text: &str) -> u128 {
    text.bytes().fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, |hash: u128, byte| {
        (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
    })
}

/// Spreads the bits of a number over 64 bits. Different numbers have different results.
#[inline]
pub fn spread(x: u64) -> u64 {
    SplitMix::new(x).next()
}

/// Returns a hash of two hashes, in this order.
pub fn pair(a: u128, b: u128) -> u128 {
    let half = |a: u64, b: u64, salt: u64| spread(spread(a ^ salt).wrapping_add(b));
    let low = half(a as u64, b as u64, 0);
    let high = half((a >> 64) as u64, (b >> 64) as u64, 0x5851_f42d_4c95_7f2d);
    // Either half of the result depends on all bits of both arguments.
    let (low, high) = (low ^ high.rotate_left(23), high ^ low.rotate_left(41));
    (u128::from(spread(high)) << 64) | u128::from(spread(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of the first version, which files hold.
    #[test]
    fn values_stay_the_same() {
        assert_eq!(Fnv::new().add_text("node").add_text("").value(), 0xe5fa_bac2_1ff3_e22b);
        assert_eq!(spread(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(pair(1, 2), 0x8503_1889_ed97_e687_9511_45bf_c142_be0e);
    }

    #[test]
    fn a_hasher_is_the_same_hash() {
        let mut hasher = Fnv::new();
        hasher.write(b"foo");
        hasher.write(b"bar");
        assert_eq!(hasher.finish(), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn the_order_of_a_pair_matters() {
        assert_ne!(pair(1, 2), pair(2, 1));
    }
}
