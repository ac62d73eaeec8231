//! Runs that look at many candidates for few values end with a line that says why.

use super::Runner;
use super::report::{Report, Verdict, plural};
use super::threads::PassSetup;
use crate::{forced, planning};
use smallscope_core::{AnySearch, Classes, Disjoint, Engine, Options, Stop};
use smallscope_support::panics;
use std::time::{Duration, Instant};

/// More candidates per value are many.
pub(crate) const MANY: u64 = 1000;
/// A shorter run is fast enough.
pub(crate) const LONG: Duration = Duration::from_secs(1);

/// Says why a run has looked at so many candidates, if it has.
pub(super) fn explain(runner: &Runner<'_>) -> Option<String> {
    let report = &runner.report;
    let is_long = runner.budget.elapsed() >= LONG;
    if !is_long || !has_many(report) || runner.plan.options.engine != Engine::Lazy {
        return None;
    }
    let reason = forced::find(&|| lay_out(runner))?;
    let (explored, valid) =
        (plural(report.outcome.explored, "candidate"), plural(report.outcome.valid, "value"));
    Some(format!("`{}`: {explored} for {valid}: {reason}", report.name))
}

/// Whether the search has looked at many candidates for few values. A failure says more than that, and so does the
/// diagnosis of a search without values.
fn has_many(report: &Report) -> bool {
    let is_stopped = matches!(report.outcome.stop, Stop::LimitReached(_));
    let is_answered = match report.verdict {
        Verdict::Passed => false,
        Verdict::NothingTested(_) => !is_stopped,
        Verdict::Failed(_) | Verdict::Error(_) => true,
    };
    !is_answered && report.outcome.explored > MANY * report.outcome.valid.max(1)
}

/// Lays out the search of the pass with the most candidates, without anything that would change its order.
fn lay_out(runner: &Runner<'_>) -> Option<AnySearch> {
    let mut pass = runner.report.passes.first()?;
    for other in &runner.report.passes {
        if other.outcome.explored >= pass.outcome.explored {
            pass = other;
        }
    }
    let setup = runner.layout();
    let options = Options {
        audit: false,
        classes: Classes::Ignored,
        disjoint: Disjoint::Off,
        order_types: false,
        ..setup.options
    };
    let within = pass.scope.filter(|scope| Some(*scope) != setup.bounds.scope_number());
    let setup = PassSetup { options, within, ..setup };
    let mut search = setup.lay_out().ok()?;
    let begin = Instant::now();
    let mut is_over = || begin.elapsed() >= LONG;
    let _ = panics::catch(|| planning::plan_once(setup.key(&search), &mut search, 1, &mut is_over));
    Some(search)
}
