//! A hash that is the same in every run, so that states and sequences can be compared between runs: FNV-1a. It is part
//! of the code under test: mutants change it, so it is written here.

use std::hash::{Hash, Hasher};

struct Fnv(u64);

#[cfg_attr(feature = "mutate", smallscope::mutate)]
impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// The hash of a key, as a number with all bits in use.
#[cfg_attr(feature = "mutate", smallscope::mutate)]
pub(crate) fn hash<K: Hash + ?Sized>(key: &K) -> usize {
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    key.hash(&mut hasher);
    let hash = hasher.finish();
    (hash ^ hash >> 32) as usize
}

/// The place of a key among this many, a power of two.
#[cfg_attr(feature = "mutate", smallscope::mutate)]
pub(crate) fn place<K: Hash + ?Sized>(key: &K, places: usize) -> usize {
    hash(key) & (places - 1)
}
