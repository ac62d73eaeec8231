//! What can be asked about a set or the keys of a map in place of reading it: whether a key is in it, and how many there are.
//!
//! The content is one choice of a slot. Each question is about a part of the choices: those that contain a key, or those with
//! so many. The parts of a table are found once.

use crate::ids::Choice;

/// Choices of a slot, one bit for each.
pub(crate) type Bits = Box<[u64]>;

/// What the contents of a table have in common.
pub(crate) struct Found {
    /// The keys, in the order in which a loop gets them.
    pub keys: Vec<(Place, Bits)>,
    /// The numbers of keys, in ascending order, and which choices have so many.
    pub sizes: Vec<(usize, Bits)>,
}

/// The same, with the numbers that the heap has given to the parts.
#[derive(Debug)]
pub(crate) struct Members {
    pub keys: Vec<(Place, u32)>,
    pub sizes: Vec<(usize, u32)>,
    /// Under a bound on the size of the whole value: for each number of elements less than the largest one, the choices that
    /// take no more. Empty otherwise.
    pub lighter: Vec<u32>,
}

/// Where a key can be found: the content of a choice, and how many keys come before it there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub choice: Choice,
    pub nth: usize,
}
