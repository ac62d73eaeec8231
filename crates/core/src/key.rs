//! The key type that stands for "some ordered values".

use std::fmt;

/// An ordered value with no other meaning, for type parameters: `SearchTree<Key>`.
///
/// Code that only compares keys cannot tell which type it has, so a small number per key is enough.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(u32);

impl Key {
    /// The key with this rank.
    pub const fn new(rank: u32) -> Key {
        Key(rank)
    }

    /// Its place in the order, from 0.
    pub const fn rank(self) -> u32 {
        self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
