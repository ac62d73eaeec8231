//! Without the feature `filled`, long lengths are an error.

use super::super::{Ended, Runner};
use super::Filled;
use smallscope_core::Stop;

/// Says which feature is needed.
pub(super) fn run(_: &mut Runner<'_>, _: Filled, _: Stop, _: &[u32]) -> Result<(), Ended> {
    let why =
        "long lengths need a feature: write `smallscope = { .., features = [\"filled\"] }` in Cargo.toml";
    Err(Ended::Error(why.into()))
}
