//! Errors in what fills long sequences.

use super::{Planted, error};

pub(super) const ERRORS: &[Planted] = &[
    error(
        "long-lengths-in-no-pass",
        "crates/core/src/bounds/resolve.rs",
        "u64::from(self.fill.is_some()) << WHOLE",
        "0",
    ),
    error(
        "ascending-elements-start-again",
        "crates/core/src/mirror/link/fill.rs",
        "2 => element.min(last),",
        "2 => element % count,",
    ),
];
