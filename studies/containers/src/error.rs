//! Errors of callers.

use std::fmt;

/// An index is out of bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfBounds {
    /// The index.
    pub index: usize,
    /// How many elements there are.
    pub len: usize,
}

impl fmt::Display for OutOfBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no place {} in a container of length {}", self.index, self.len)
    }
}

impl std::error::Error for OutOfBounds {}

/// The stack is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmptyStack;

impl fmt::Display for EmptyStack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the stack is empty")
    }
}

impl std::error::Error for EmptyStack {}

/// Returns an error if an index is not below a limit.
#[cfg_attr(feature = "mutate", smallscope::mutate)]
pub(crate) fn check(index: usize, limit: usize, len: usize) -> Result<(), OutOfBounds> {
    if index < limit { Ok(()) } else { Err(OutOfBounds { index, len }) }
}
