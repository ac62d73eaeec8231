//! Random values of a larger size, tried after the search.
//!
//! What was searched and what was drawn are reported apart: a run is exhaustive within its bounds, and the values that are drawn
//! are some of those beyond them.

#[cfg(feature = "summaries")]
mod draw;
#[cfg(feature = "summaries")]
mod smaller;

use super::report::plural;
use super::{Ended, Runner};
use std::fmt;

/// The values that were drawn at random, after the search.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Sampled {
    /// Values that the test ran on.
    pub tested: u64,
    /// How many objects each of them has; none if they differ.
    pub objects: Option<u32>,
    /// Whether each value was as likely as every other.
    pub is_uniform: bool,
    /// The seed.
    pub seed: u64,
    /// How they were drawn, in words.
    pub how: String,
    /// Why fewer values were drawn than requested, if so.
    pub stopped: Option<String>,
}

impl fmt::Display for Sampled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sampled { tested, objects, seed, how, stopped, .. } = self;
        write!(f, "sampled: {}", plural(*tested, "random value"))?;
        if let Some(objects) = objects {
            write!(f, " with {}", plural(u64::from(*objects), "object"))?;
        }
        write!(f, " (seed {seed}), {how}")?;
        stopped.iter().try_for_each(|why| write!(f, "; {why}"))
    }
}

/// Runs the test on random values, if the settings ask for that.
pub(super) fn run(runner: &mut Runner<'_>) -> Result<(), Ended> {
    let settings = &runner.plan.settings;
    // Only the first shard draws values.
    let is_first = settings.shard.is_none_or(|shard| shard.contains(0));
    match settings.sample.filter(|values| *values > 0 && is_first) {
        Some(values) => draw_values(runner, values),
        None => Ok(()),
    }
}

#[cfg(not(feature = "summaries"))]
fn draw_values(_: &mut Runner<'_>, _: u64) -> Result<(), Ended> {
    let why =
        "`sample` needs a feature: write `smallscope = { .., features = [\"summaries\"] }` in Cargo.toml";
    Err(Ended::Error(why.into()))
}

#[cfg(feature = "summaries")]
use draw::run as draw_values;
