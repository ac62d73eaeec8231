//! The pass after the scopes with long sequences, whose elements are filled.
//!
//! A vector of 64 elements has too many contents to try them all. But code that changes its representation at 64 elements has to
//! be run there. So the lengths behind a gap are tried with some contents each, beside everything else within the bounds. The
//! report says apart what was exhaustive and what was filled.

#[cfg_attr(not(feature = "filled"), path = "filled/no_pass.rs")]
mod pass;

#[cfg(all(feature = "filled", feature = "suites"))]
pub(crate) use pass::{LEAST, rules};

use super::report::plural;
use super::{Ended, Runner};
use smallscope_core::Stop;
use std::fmt;

/// The values with long sequences that a test ran on, after the search.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Filled {
    /// Values that the test ran on.
    pub tested: u64,
    /// Candidates that were decided.
    pub explored: u64,
    /// The long lengths of each field that has some.
    pub lengths: Vec<(String, Vec<i128>)>,
    /// The first of the seeds of random elements.
    pub seed: u64,
    /// Why values were left out, if so.
    pub part: Option<String>,
}

impl fmt::Display for Filled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "filled: {} with long lengths", plural(self.tested, "value"))?;
        for (field, lengths) in &self.lengths {
            let mut texts = vec![];
            for length in lengths {
                texts.push(length.to_string());
            }
            write!(f, ", {} of `{field}`", texts.join(", "))?;
        }
        write!(f, "; some of them only: elements are filled by rules and at random (seed {})", self.seed)?;
        if self.tested == 0 && self.explored > 0 {
            write!(f, "; the invariant rejects {}", plural(self.explored, "candidate"))?;
        }
        self.part.iter().try_for_each(|why| write!(f, "; {why}"))
    }
}

/// Runs the test on values with long sequences, if there are some. `covered` are the scopes that the search has covered.
pub(super) fn run(
    runner: &mut Runner<'_>,
    lengths: Vec<(String, Vec<i128>)>,
    stop: Stop,
    covered: &[u32],
) -> Result<(), Ended> {
    match lengths.is_empty() {
        true => Ok(()),
        false => pass::run(runner, Filled { lengths, ..Filled::default() }, stop, covered),
    }
}
