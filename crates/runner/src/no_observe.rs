//! Takes the place of `observe.rs` without the feature `neighbours`.

use crate::observation::Line;
use crate::runner::plan::Plan;
use crate::runner::report::Report;
use crate::runner::{self, TestBody};

const NO_OBSERVATIONS: &str = "SMALLSCOPE_OBSERVE and SMALLSCOPE_SOURCE need a feature: write `smallscope = { .., features = [\"neighbours\"] }` in Cargo.toml";

/// No observations.
pub(crate) struct Lines;

impl Lines {
    #[cfg(feature = "sequences")]
    pub(crate) fn open(_: &std::path::Path, _: &str) -> Result<Lines, String> {
        Err(NO_OBSERVATIONS.into())
    }

    pub(crate) fn of_process(_: &str) -> Result<Option<Lines>, String> {
        Ok(None)
    }

    pub(crate) fn write(&mut self, _: &Line<'_>) {}

    pub(crate) fn close(self) -> Result<(), String> {
        Ok(())
    }
}

pub(crate) fn run<'a>(plan: &'a Plan, body: TestBody<'a>) -> Report {
    if plan.settings.observe.is_some() || plan.settings.source.is_some() {
        return plan.identity.error(NO_OBSERVATIONS.into());
    }
    runner::run(plan, body)
}
