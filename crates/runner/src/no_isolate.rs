//! Takes the place of `isolate.rs` without the feature `isolate`: nothing is recorded, and a test that asks for a process
//! of its own is refused.

use crate::attribute::TestSite;
use crate::check::Check;
use crate::runner::TestBody;
use crate::runner::report::Report;
use std::convert::Infallible;
use std::marker::PhantomData;

const NEEDED: &str = "a test in a process of its own needs a feature: write `smallscope = { .., features = \
                      [\"isolate\"] }` in Cargo.toml";

/// Counts the cases of a run that is recorded. There is none.
pub(crate) struct Tally<'a>(Infallible, PhantomData<&'a ()>);

impl Tally<'_> {
    pub(crate) fn begin(&self) {}

    pub(crate) fn run(&self) {}

    pub(crate) fn end(&self) {}

    pub(crate) fn leave(&self) {}

    pub(crate) fn beat(&self) -> bool {
        match self.0 {}
    }
}

/// Runs a test in this process.
pub(crate) fn run(_: &TestSite, check: Check, body: TestBody<'_>) -> Option<Report> {
    let is_isolated = check.with_variables().is_some_and(|settings| settings.isolate == Some(true));
    let check = if is_isolated { check.refused(NEEDED) } else { check };
    Some(check.edges_by_default().run_body(body))
}
