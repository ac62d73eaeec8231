//! Takes the place of `saved.rs` without the feature `suites`.

use super::{Ended, Runner, SuiteProvenance};
use smallscope_core::AnySearch;
use std::path::Path;

const NEEDED: &str = "tests on saved suites need a feature: write `smallscope = { .., features = [\"suites\"] }` in \
                      Cargo.toml";

pub(crate) fn suite_provenance(_: &Path) -> Result<SuiteProvenance, String> {
    Err(NEEDED.into())
}

pub(super) fn run(_: &mut Runner<'_>, _: &mut AnySearch, _: &Path) -> Result<(), Ended> {
    Err(Ended::Error(NEEDED.into()))
}
