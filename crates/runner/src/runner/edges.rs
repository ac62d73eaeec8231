//! The pass after the scopes: values at the ends of their types, in small structures.

use super::failure::{Blame, Origin};
use super::failures::Failures;
use super::plan::Plan;
use super::replay::ReplayCandidate;
use super::report::{Pass, plural};
use super::threads::PassSetup;
use super::trial::{Wrong, find_next, try_value};
use super::{Ended, Runner};
use smallscope_core::bounds::FIRST_EDGES;
use smallscope_core::error::FailureKind;
use smallscope_core::{AnySearch, Disjoint, Failure, Found, Limit, Options, Outcome, Stop};
use std::fmt;
use std::ops::ControlFlow;

/// The scopes of the structures. In the first one, each field has many edge values; in the second, fewer.
const SCOPES: [u32; 2] = [1, 2];

/// So many candidates and values may be tried in each scope, if the scopes of the test took less.
const LEAST: u64 = 10_000;

/// A panic of the invariant counts as this many candidates.
const PANIC: u64 = 20;

/// The pass with edge values: those at the ends of their types, and others where code breaks.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Edges {
    /// Values that the test ran on.
    pub tested: u64,
    /// Candidates that were decided.
    pub explored: u64,
    /// Candidates that were left out, because the invariant panics on them.
    pub panics: u64,
    /// The scopes of the structures whose edge values were all tried.
    pub whole: Vec<u32>,
    /// Scopes that were tried in part, and why.
    pub part: Vec<(u32, String)>,
}

impl fmt::Display for Edges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "edge values: {}", plural(self.tested, "value"))?;
        let scopes = |scopes: &[u32]| {
            let mut numbers = vec![];
            for scope in scopes {
                numbers.push(scope.to_string());
            }
            format!("scope{} {}", if scopes.len() == 1 { "" } else { "s" }, numbers.join(" and "))
        };
        if !self.whole.is_empty() {
            write!(f, ", all of those in structures of {}", scopes(&self.whole))?;
        }
        for (scope, why) in &self.part {
            write!(f, ", some of those in structures of {} ({why})", scopes(&[*scope]))?;
        }
        match self.panics {
            0 => Ok(()),
            n => write!(f, "; {} on which the invariant panics left out", plural(n, "candidate")),
        }
    }
}

/// Whether a run has the pass: all values of its scopes were tried, and nothing selects or counts values.
fn is_due(plan: &Plan, report: &super::Report) -> bool {
    are_wanted(plan) && report.outcome.stop == Stop::Exhausted && report.tested > 0
}

/// Whether a run may have the pass.
pub(super) fn are_wanted(plan: &Plan) -> bool {
    let settings = &plan.settings;
    // An invariant may panic on edge values, which must not end the process.
    settings.edges == Some(true)
        && cfg!(panic = "unwind")
        && plan.is_plain()
        && settings.max.is_none()
        && settings.shard.is_none()
}

/// Runs the test on values with edge values, after the scopes, which are left out.
pub(super) fn run(runner: &mut Runner<'_>, covered: &[u32]) -> Result<(), Ended> {
    let plan = runner.plan;
    let Some(scope) = plan.bounds.scope_number().filter(|_| is_due(plan, &runner.report)) else {
        return Ok(());
    };
    let limit = (runner.report.outcome.explored + runner.report.tested).max(LEAST);
    let mut edges = Edges::default();
    let mut ended = Ok(());
    for small in SCOPES {
        if small != SCOPES[0] && small > scope {
            continue;
        }
        let small = small.min(scope);
        // The limit is for the search of the whole, so that the parts are not searched without one before.
        let options = Options { disjoint: Disjoint::Off, ..plan.options };
        let bounds = plan.bounds.edges_at(small);
        let mut layout = PassSetup { bounds, options, ..runner.layout() };
        for &scope in covered {
            if scope < FIRST_EDGES {
                layout.covered.push(scope);
            }
        }
        if !edges.whole.is_empty() {
            layout.covered.push(FIRST_EDGES);
        }
        match layout.lay_out() {
            Ok(mut search) => {
                search.tolerate_panics();
                let values = Values {
                    scope: small,
                    limit,
                    position: &|failures, search, wrong| failures.position_of_edges(search, small, wrong),
                    origin: &|number| Origin::Edges { scope: small, number },
                };
                let before = edges.tested;
                let end = try_values(runner, &mut search, &values, &mut edges.tested);
                let is_new = edges.tested > before;
                match &end {
                    Ok(None) if is_new => edges.whole.push(small),
                    Ok(None) => {}
                    Ok(Some(why)) => edges.part.push((small, why.clone())),
                    Err(_) => edges.part.push((small, "up to the first failure".to_owned())),
                }
                ended = end.map(|_| ());
                edges.explored += search.outcome().explored;
                edges.panics += search.tolerated_panics();
            }
            Err(_) => edges.part.push((small, "there are too many".to_owned())),
        }
        if ended.is_err() {
            break;
        }
    }
    if edges.tested > 0 || !edges.part.is_empty() {
        runner.report.edges = Some(edges);
    }
    ended
}

/// Values beyond the scopes.
pub(super) struct Values<'a> {
    pub(super) scope: u32,
    /// So many candidates and values may be tried.
    pub(super) limit: u64,
    /// The current candidate as replay lines write it.
    pub(super) position: &'a dyn Fn(&Failures<'_>, &AnySearch, &Wrong) -> ReplayCandidate,
    /// How a value was found, by its number; 0 if it is not valid.
    pub(super) origin: &'a dyn Fn(u64) -> Origin,
}

/// Runs the test on them, and counts them. Returns why some were left out, if so.
pub(super) fn try_values(
    runner: &mut Runner<'_>,
    search: &mut AnySearch,
    values: &Values<'_>,
    tested: &mut u64,
) -> Result<Option<String>, Ended> {
    let pass = Pass::new(Some(values.scope), search.outcome());
    let tested_before = *tested;
    loop {
        let tried = *tested - tested_before;
        let stop = |outcome: &Outcome, panics: u64| match runner.tick(&pass, outcome) {
            ControlFlow::Continue(()) if outcome.explored + tried + PANIC * panics >= values.limit => {
                ControlFlow::Break(Stop::LimitReached(Limit::Explored))
            }
            tick => tick,
        };
        if let ControlFlow::Break(stop) = stop(&search.outcome(), search.tolerated_panics()) {
            return Ok(Some(reason(stop)));
        }
        let wrong = match find_next(search, &mut |outcome| stop(outcome, 0)) {
            Ok(Ok(Found::Valid)) => {
                *tested += 1;
                match try_value(search, runner.body.case, runner.body.tally) {
                    Ok(()) => continue,
                    Err(wrong) => wrong,
                }
            }
            Ok(Ok(Found::End)) => return Ok(None),
            Ok(Ok(Found::Paused)) => return Ok(Some(reason(search.outcome().stop))),
            Ok(Err(Failure { kind: FailureKind::Endless { .. }, .. })) => {
                return Ok(Some("the invariant does not end on one of them".to_owned()));
            }
            Ok(Err(failure)) => Wrong::invariant(failure),
            Err(caught) => Wrong::construction(caught),
        };
        let number = if matches!(wrong.blame, Blame::Invariant(_)) { 0 } else { *tested };
        let origin = (values.origin)(number);
        let position = (values.position)(&runner.failures, search, &wrong);
        if runner.failures.continues_after(&wrong) {
            runner.failures.note(search, *wrong, origin, position, 1);
            continue;
        }
        runner.report.outcome.stop = Stop::FirstFailure;
        return Err(runner.failures.failed(search, *wrong, &position, origin));
    }
}

fn reason(stop: Stop) -> String {
    match stop {
        Stop::LimitReached(Limit::Explored) => "as many as the scopes took".to_owned(),
        stop => stop.to_string(),
    }
}
