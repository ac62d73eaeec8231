//! FNV-1a over numbers. Its values stand in files, so they never change.

/// Where a hash begins.
pub(crate) const FNV: u64 = 0xcbf2_9ce4_8422_2325;

/// Continues a hash with numbers.
pub(crate) fn fnv(mut hash: u64, numbers: impl IntoIterator<Item = u32>) -> u64 {
    for number in numbers {
        for byte in number.to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_fnv_1a() {
        assert_eq!(fnv(FNV, []), FNV);
        // The published value for the bytes of "foob".
        assert_eq!(fnv(FNV, [u32::from_le_bytes(*b"foob")]), 0xdd12_0e79_0c25_12af);
    }
}
