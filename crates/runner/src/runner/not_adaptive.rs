//! Takes the place of `adaptive.rs` without the feature `summaries`.

use super::Runner;
use super::threads::PassSetup;
use crate::planning;
use smallscope_core::{AnySearch, Failure};

pub(super) fn consider(_: &Runner<'_>, _: &mut PassSetup) {}

pub(super) fn plan(
    layout: &PassSetup,
    search: &mut AnySearch,
    threads: usize,
    is_over: &mut dyn FnMut() -> bool,
) -> Result<(), Failure> {
    planning::plan_once(layout.key(search), search, threads, is_over)
}
