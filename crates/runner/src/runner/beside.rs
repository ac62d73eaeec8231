//! What shards of a test run besides ranges of its passes: recorded failures, and edge values. After a failure, the merge
//! looks for a value with fewer objects.

use super::budget::Budget;
use super::edges::{self, Edges};
use super::failure::{FailedCase, Origin, WithOrigin, WithoutOrigin};
use super::fewest::{self, Fewer};
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

    /// Whether a run tries edge values after its passes.
    pub(crate) fn has_edges(&self) -> bool {
        edges::are_wanted(&self.plan) && self.plan.bounds.scope_number().is_some()
    }

    /// Runs the test on edge values. `limit` is the number of candidates and values of all passes.
    pub(crate) fn run_edges(
        &mut self,
        limit: u64,
        time: Option<Duration>,
        memory: memory::Limit,
    ) -> Result<(Option<Edges>, End), String> {
        let plan = &self.plan;
        let Some(scope) = plan.bounds.scope_number() else { return Ok((None, End::Done)) };
        let mut covered: Vec<u32> = self.passes.iter().flatten().copied().collect();
        covered.retain(|pass| *pass < scope);
        covered.push(scope.min(MAX_DEEPENING));
        let budget = Budget::start(time.unwrap_or(Duration::MAX), false, None, memory);
        let (meter, _guard) = budget.gauge();
        let body = TestBody { case: &mut *self.body.case, shared: None, ..self.body };
        let mut runner = Runner::new(plan, body, budget, meter);
        // As after the passes, of which other shards know more.
        let explored = limit.saturating_sub(1);
        runner.report.outcome = Outcome { stop: Stop::Exhausted, explored, valid: 1, pruned: 0, audited: 0 };
        runner.report.tested = 1;
        let end = match edges::run(&mut runner, &covered) {
            Ok(()) => match runner.budget.check(&runner.meter) {
                Some(stop) => End::Stopped(stop),
                None => End::Done,
            },
            Err(Ended::Failed(case)) => failed(*case, plan.name()),
            Err(Ended::Error(error) | Ended::NothingTested(error)) => return Err(error),
        };
        Ok((runner.report.edges, end))
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
        Origin::Edges { number, .. } => number,
        _ => 0,
    };
    End::Failed { text: WithoutOrigin(&case, name).to_string(), command: case.command, number }
}
