//! Takes the place of `page.rs` without the feature `html`.

use super::failure::FailedCase;
use super::plan::Plan;
use super::replay::ReplayCandidate;
use smallscope_core::AnySearch;

pub(super) fn write(_: &Plan, _: &AnySearch, _: &FailedCase, _: &ReplayCandidate) -> Result<String, String> {
    Err("pages need a feature: write `smallscope = { .., features = [\"html\"] }` in Cargo.toml, or run \
         `cargo smallscope view` with the test"
        .into())
}
