//! Takes the place of `page.rs` without the feature `html`.

use super::failure::FailedCase;
use super::plan::Plan;
use super::replay::ReplayCandidate;
use smallscope_core::{AnySearch, Bounded};

pub(super) struct Noted;

pub(crate) fn prepare(_: &Plan) {}

pub(super) fn forget() {}

pub(super) fn noted() -> Noted {
    Noted
}

/// Notes a value for the page of a failing test: what it is after a call, for example. It needs the feature `html`, and does
/// nothing without it.
pub fn snapshot<T: Bounded>(_: &str, _: &T) {}

pub(super) fn write(
    _: &Plan,
    _: &AnySearch,
    _: &FailedCase,
    _: &ReplayCandidate,
    _: Noted,
) -> Result<String, String> {
    Err("pages need a feature: write `smallscope = { .., features = [\"html\"] }` in Cargo.toml, or run \
         `cargo smallscope view` with the test"
        .into())
}
