//! Takes the place of `page.rs` without the feature `html`.

use super::failure::FailedCase;
use super::plan::Plan;
use super::replay::ReplayCandidate;
use smallscope_core::{AnySearch, Bounded};

const NO_PAGES: &str = "pages need a feature: write `smallscope = { .., features = [\"html\"] }` in Cargo.toml, or run \
                        `cargo smallscope view` with the test";

pub(super) struct Noted;

pub(crate) fn prepare(_: &Plan) {}

pub(super) fn forget() {}

pub(super) fn noted() -> Noted {
    Noted
}

/// Notes a value for the page of a failing test: what it is after a call, for example. It needs the feature `html`, and does
/// nothing without it.
pub fn snapshot<T: Bounded>(_: &str, _: &T) {}

#[cfg(feature = "sequences")]
#[expect(dead_code, reason = "there are no pages")]
pub(crate) struct Disagreement {
    pub title: String,
    pub message: String,
    /// The command that finds the first example again.
    pub command: String,
}

#[cfg(feature = "sequences")]
pub(crate) fn write_examples(
    _: &str,
    _: &Disagreement,
    _: &[&crate::agree::Example],
) -> Result<String, String> {
    Err(NO_PAGES.into())
}

pub(super) fn write(
    _: &Plan,
    _: &AnySearch,
    _: &FailedCase,
    _: &ReplayCandidate,
    _: Noted,
) -> Result<String, String> {
    Err(NO_PAGES.into())
}
