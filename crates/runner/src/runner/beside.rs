//! What shards of a test run besides ranges of its passes: recorded failures, edge values, and long lengths. After a failure,
//! the merge looks for a value with fewer objects.

use super::budget::Budget;
use super::edges::{self, Edges};
use super::failure::{FailedCase, Origin, WithOrigin, WithoutOrigin};
use super::fewest::{self, Fewer};
use super::filled::{self, Filled};
use super::given::{self, Recorded};
use super::ranged::{End, Ranged};
use super::replay::ReplayCandidate;
use super::report::Report;
use super::trial::try_value;
use super::{Ended, Runner, TestBody};
use smallscope_core::bounds::MAX_DEEPENING;
use smallscope_core::{Outcome, Stop};
use smallscope_support::memory;
use std::time::Duration;

/// How a failing value was found: among edge values.
pub(crate) const FOUND_IN_EDGES: &str = "edges";

/// The same: among values with long lengths. How elements are filled follows.
pub(crate) const FOUND_FILLED: &str = "filled ";

/// The result of what comes after the passes.
pub(crate) struct Last {
    pub(crate) edges: Option<Edges>,
    pub(crate) filled: Option<Filled>,
    pub(crate) end: End,
    /// How the failing value was found.
    pub(crate) found: Option<String>,
}

impl Ranged<'_> {
    /// Runs the test on recorded failures: the place and the position of each. Returns the first that still fails.
    pub(crate) fn try_records(&mut self, records: Vec<(String, String)>) -> Result<Option<End>, String> {
        let mut recorded = vec![];
        for (place, position) in records {
            let position = position.parse().map_err(|error| format!("{place}: {error}"))?;
            recorded.push(Recorded { path: place.clone(), place, position });
        }
        let (budget, plan) =
            (Budget::start(Duration::MAX, false, None, memory::Limit::new(None)), &self.plan);
        let (meter, _guard) = budget.gauge();
        let body = TestBody { case: &mut *self.body.case, shared: None, ..self.body };
        let mut runner = Runner::new(plan, body, budget, meter);
        match given::try_all(&mut runner, recorded) {
            Ok(()) => Ok(None),
            Err(Ended::Failed(case)) => {
                let text = WithOrigin(&case, &runner.report).to_string();
                Ok(Some(End::Failed { text, command: case.command, number: 0 }))
            }
            Err(Ended::Error(error) | Ended::NothingTested(error)) => Err(error),
        }
    }

    /// What a run tries after its passes, in words; none if nothing.
    pub(crate) fn after_passes(&self) -> Option<&'static str> {
        let has_edges = edges::are_wanted(&self.plan) && self.plan.bounds.scope_number().is_some();
        match (has_edges, !self.long.is_empty()) {
            (true, true) => Some("edge values and long lengths"),
            (true, false) => Some("edge values"),
            (false, true) => Some("long lengths"),
            (false, false) => None,
        }
    }

    /// Runs the test on edge values, and on values with long lengths. `limit` is the number of candidates and values of all
    /// passes.
    pub(crate) fn run_last(
        &mut self,
        limit: u64,
        time: Option<Duration>,
        memory: memory::Limit,
    ) -> Result<Last, String> {
        let plan = &self.plan;
        let mut covered: Vec<u32> = self.passes.iter().flatten().copied().collect();
        if let Some(scope) = plan.bounds.scope_number() {
            covered.retain(|pass| *pass < scope);
            covered.push(scope.min(MAX_DEEPENING));
        }
        let budget = Budget::start(time.unwrap_or(Duration::MAX), false, None, memory);
        let (meter, _guard) = budget.gauge();
        let body = TestBody { case: &mut *self.body.case, shared: None, ..self.body };
        let mut runner = Runner::new(plan, body, budget, meter);
        // As after the passes, of which other shards know more.
        let explored = limit.saturating_sub(1);
        runner.report.outcome = Outcome { stop: Stop::Exhausted, explored, valid: 1, pruned: 0, audited: 0 };
        runner.report.tested = 1;
        let ran = edges::run(&mut runner, &covered)
            .and_then(|()| filled::run(&mut runner, self.long.clone(), Stop::Exhausted, &covered));
        let (end, found) = match ran {
            Ok(()) => match runner.budget.check(&runner.meter) {
                Some(stop) => (End::Stopped(stop), None),
                None => (End::Done, None),
            },
            Err(Ended::Failed(case)) => {
                let found = match &case.origin {
                    Origin::Filled { how, .. } => format!("{FOUND_FILLED}{how}"),
                    _ => FOUND_IN_EDGES.to_owned(),
                };
                (failed(*case, plan.name()), Some(found))
            }
            Err(Ended::Error(error) | Ended::NothingTested(error)) => return Err(error),
        };
        Ok(Last { edges: runner.report.edges, filled: runner.report.filled, end, found })
    }

    /// Looks for a value with fewer objects than one that fails, as a run on one machine does. `report` is that of all passes
    /// up to the failure. Returns what failed, for which value, and the command that runs it again.
    pub(crate) fn find_fewer(
        &mut self,
        pass: u32,
        failing: &ReplayCandidate,
        report: Report,
    ) -> Result<Option<(String, String)>, String> {
        let Some(scope) = self.scopes().get(pass as usize).copied() else { return Ok(None) };
        let layout = self.setup_of(pass as usize);
        let mut search = layout.lay_out()?;
        search.go_to(&failing.candidate).map_err(|error| error.to_string())?;
        let plan = &self.plan;
        let budget = Budget::start(plan.time(), true, None, memory::Limit::new(None));
        let (meter, _guard) = budget.gauge();
        let body = TestBody { case: &mut *self.body.case, shared: None, ..self.body };
        let mut runner = Runner { report, ..Runner::new(plan, body, budget, meter) };
        let Err(wrong) = try_value(&mut search, runner.body.case, runner.body.tally) else { return Ok(None) };
        let Some(Fewer { wrong, total }) = fewest::find(&mut runner, &layout, &mut search, &wrong) else {
            return Ok(None);
        };
        let position = runner.failures.position(&search, scope, &wrong);
        let case = runner.failures.describe(&mut search, *wrong, &position, Origin::Fewest { scope, total });
        Ok(Some((WithOrigin(&case, &runner.report).to_string(), case.command)))
    }
}

fn failed(case: FailedCase, name: &str) -> End {
    let number = match case.origin {
        Origin::Edges { number, .. } | Origin::Filled { number, .. } => number,
        _ => 0,
    };
    End::Failed { text: WithoutOrigin(&case, name).to_string(), command: case.command, number }
}
