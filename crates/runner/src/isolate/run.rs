//! A test with a recorder, or in a process of its own.

use super::{Isolated, Recorded, Verdict, Watch, deaths, is_child};
use crate::attribute::TestSite;
use crate::check::Check;
use crate::runner::report::Report;
use crate::runner::{Case, TestBody, say};
use smallscope_support::duration::DEFAULT_BUDGET;
use smallscope_support::panics;

/// Runs a test. Returns its report, unless it ran in a process of its own and passed.
pub(crate) fn run(site: &TestSite, check: Check, body: TestBody<'_>) -> Option<Report> {
    let settings = check.with_variables().unwrap_or_default();
    if settings.isolate == Some(true) && !is_child() {
        let budget = settings.budget.unwrap_or(DEFAULT_BUDGET);
        run_isolated(&Isolated { site, case_limit: settings.call_limit, budget });
        return None;
    }
    let TestBody { lay_out, case, shared, show, .. } = body;
    let watch = Watch::begin(site);
    let tally = watch.tally();
    let deaths = deaths(&watch);
    let mut recorded;
    let case: &mut dyn Case = match (&tally, deaths.is_empty()) {
        (Some(tally), false) => {
            let repeats = settings.clusters == Some(true);
            recorded = Recorded::new(site.harness_name(), deaths, tally, repeats, case, show);
            &mut recorded
        }
        _ => case,
    };
    let body = TestBody { lay_out, case, shared, show, tally: tally.as_ref() };
    let report = check.edges_by_default().run_body(body);
    watch.hand_over(|| match (report.is_ok(), report.is_about_a_value()) {
        (true, _) => Verdict::Passed(String::new()),
        (_, true) => Verdict::Failed(report.to_string()),
        (_, false) => Verdict::NotRun(report.to_string()),
    });
    // The file of the recorder is removed here, before the test fails.
    Some(report)
}

/// Runs a test in a process of its own, and panics if it fails.
fn run_isolated(isolated: &Isolated<'_>) {
    match isolated.run() {
        Verdict::Passed(_) => {}
        Verdict::Failed(text) => {
            isolated.site.annotate(None, &text);
            panics::throw(text)
        }
        Verdict::NotRun(text) if isolated.site.should_panic => say(&text),
        Verdict::NotRun(text) => panics::throw(text),
    }
}
