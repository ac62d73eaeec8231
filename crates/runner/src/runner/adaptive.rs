//! Whether the next pass is tried with summaries of helpers, if nothing says so.
//!
//! A pass that took many runs for few values shows that the next one may gain from summaries. Numbers of runs and values
//! decide, never the clock, so the order of values is the same every time. The trial may take a small part of the runs that
//! the pass has taken, so a search that gains nothing does not lose much. Small searches are never tried.

use super::Runner;
use super::threads::PassSetup;
use crate::planning;
use smallscope_core::groups::{Limits, with_limits};
use smallscope_core::{AnySearch, Engine, Failure, Outcome, Summaries};

/// A pass with fewer runs is followed by one without summaries.
const MANY_RUNS: u64 = 100_000;

/// The same for one with fewer runs for each value.
const RUNS_PER_VALUE: u64 = 50;

/// The summaries may take one run for so many of the last pass.
const SHARE: u64 = 100;

/// Lets the next pass be tried with summaries, if the last one took too many runs.
pub(super) fn consider(runner: &Runner<'_>, layout: &mut PassSetup) {
    let plan = runner.plan;
    let is_open = plan.settings.summaries.is_none()
        && plan.options.summaries == Summaries::Off
        && plan.options.engine == Engine::Lazy
        && plan.settings.criterion.is_none()
        && plan.settings.shard.is_none()
        && plan.is_plain();
    let last = runner.report.passes.last().map(|pass| pass.outcome);
    if let Some(outcome) = last.filter(|outcome| is_open && took_too_many(outcome)) {
        layout.options.summaries = Summaries::Auto;
        layout.trial_runs = Some(outcome.explored / SHARE);
    }
}

fn took_too_many(Outcome { explored, valid, .. }: &Outcome) -> bool {
    *explored >= MANY_RUNS && *explored / RUNS_PER_VALUE >= *valid
}

/// Plans a search, within the limits of its pass.
pub(super) fn plan(
    layout: &PassSetup,
    search: &mut AnySearch,
    threads: usize,
    is_over: &mut dyn FnMut() -> bool,
) -> Result<(), Failure> {
    let mut plan = || planning::plan_once(layout.key(search), search, threads, is_over);
    match layout.trial_runs {
        None => plan(),
        Some(runs) => {
            let rules = usize::try_from(2 * runs).unwrap_or(usize::MAX);
            with_limits(Limits { answers: 2_000, reads: 100, rules, runs, audited: 0 }, plan)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallscope_core::Stop;

    #[test]
    fn only_many_runs_for_few_values_are_too_many() {
        let outcome =
            |explored, valid| Outcome { stop: Stop::Exhausted, explored, valid, pruned: 0, audited: 0 };
        assert!(took_too_many(&outcome(100_000, 2_000)));
        assert!(took_too_many(&outcome(100_000, 0)));
        assert!(!took_too_many(&outcome(100_000, 2_001)));
        assert!(!took_too_many(&outcome(99_999, 1)));
    }
}
