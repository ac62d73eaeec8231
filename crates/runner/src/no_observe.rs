//! Takes the place of `observe.rs` without the feature `neighbours`.

use crate::runner::plan::Plan;
use crate::runner::report::Report;
use crate::runner::{self, TestBody};

pub(crate) fn run<'a>(plan: &'a Plan, body: TestBody<'a>) -> Report {
    if plan.settings.observe.is_some() || plan.settings.source.is_some() {
        return plan.identity.error(
            "SMALLSCOPE_OBSERVE and SMALLSCOPE_SOURCE need a feature: write `smallscope = { .., features = [\"neighbours\"] }` in Cargo.toml"
                .into(),
        );
    }
    runner::run(plan, body)
}
