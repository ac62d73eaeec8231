//! Fingerprints and pseudo-random numbers that are the same everywhere and for ever: they decide what is in files.

/// Spreads the bits of a number (the finalizer of SplitMix64).
pub(crate) fn spread(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A number for two numbers, in this order.
pub(crate) fn pair(a: u128, b: u128) -> u128 {
    let half = |a: u64, b: u64, salt: u64| spread(spread(a ^ salt).wrapping_add(b));
    let low = half(a as u64, b as u64, 0);
    let high = half((a >> 64) as u64, (b >> 64) as u64, 0x5851_f42d_4c95_7f2d);
    // Either half depends on all of both.
    let (low, high) = (low ^ high.rotate_left(23), high ^ low.rotate_left(41));
    u128::from(spread(high)) << 64 | u128::from(spread(low))
}

/// A number for a text.
pub(crate) fn text(text: &str) -> u128 {
    text.bytes().fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, |hash: u128, byte| {
        (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
    })
}

/// The place of a value among those of its class, for a random choice: the ones with the least numbers are kept. It
/// depends on the seed and the value's path alone, so whoever sees the values, in whichever pieces, makes the same choice.
///
/// ```
/// use smallscope_runner::criteria::priority;
/// assert_eq!(priority(7, &[1, 0, 2]), priority(7, &[1, 0, 2]));
/// assert_ne!(priority(7, &[1, 0, 2]), priority(8, &[1, 0, 2]));
/// assert_ne!(priority(7, &[1, 0, 2]), priority(7, &[1, 0, 3]));
/// ```
pub fn priority(seed: u64, path: &[u32]) -> u64 {
    let start = spread(seed ^ spread(path.len() as u64));
    path.iter().fold(start, |hash, &choice| spread(hash ^ u64::from(choice)))
}
