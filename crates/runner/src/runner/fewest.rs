//! After a failure: a value that fails, too, and has fewer objects and elements.
//!
//! A scope bounds objects and data alike, so within a scope, a value with more objects may come before one with fewer objects
//! and larger data. Tests that pass do not pay for another order: values with few objects are searched for when a test
//! has failed. What is reported is the first failure in that order.

use super::Runner;
use super::failure::Blame;
use super::plan::{Order, Plan};
use super::report::Pass;
use super::threads::PassSetup;
use super::trial::{Wrong, find_next, try_value};
use smallscope_core::{
    AnySearch, Candidate, Classes, Disjoint, Engine, Found, Limit, Options, Outcome, Stop,
};
use smallscope_support::panics;
use std::ops::ControlFlow;

/// So many candidates and values may be tried, if the run has taken less.
const LEAST: u64 = 100_000;

/// Values with more objects and elements are taken as they are.
const MOST: u32 = 1 << 12;

/// A failure with fewer objects and elements.
pub(super) struct Fewer {
    pub(super) wrong: Box<Wrong>,
    /// How many objects and elements the value has.
    pub(super) total: u32,
}

/// Whether a failure may not be the smallest one of its pass: nothing selects, counts or sizes values.
fn is_due(plan: &Plan, wrong: &Wrong) -> bool {
    let settings = &plan.settings;
    matches!(wrong.blame, Blame::Test | Blame::Destructor)
        && plan.order == Order::Smallest
        && plan.options.classes == Classes::Ignored
        && plan.options.engine != Engine::Korat
        && !plan.options.order_types
        && plan.bounds.size_number().is_none()
        && settings.max.is_none()
        && settings.shard.is_none()
}

/// Looks for a failure in the pass that has fewer objects and elements than the current value of a search, which fails. If
/// there is one, goes there. None also if it takes too long to find out.
pub(super) fn find(
    runner: &mut Runner<'_>,
    layout: &PassSetup,
    search: &mut AnySearch,
    wrong: &Wrong,
) -> Option<Fewer> {
    if !is_due(runner.plan, wrong) {
        return None;
    }
    let failing = panics::catch(|| search.candidate()).ok()?;
    let all = total_of(layout, &failing)?;
    let mut left = (runner.report.outcome.explored + runner.report.tested).max(LEAST);
    for total in 0..all {
        // Few objects may not be enough for a value.
        let Ok(mut few) = at_most(layout, total).lay_out() else { continue };
        match first_failure(runner, &mut few, total, &mut left) {
            Ok(None) => {}
            Ok(Some(candidate)) => return go_to(runner, search, &candidate, total, &failing),
            Err(()) => return None,
        }
    }
    None
}

/// How many objects and elements a value has.
fn total_of(layout: &PassSetup, candidate: &Candidate) -> Option<u32> {
    let mut search = at_most(layout, MOST).lay_out().ok()?;
    panics::catch(|| search.go_to(candidate)).ok()?.ok()?;
    search.total()
}

/// The part of a pass with at most so many objects and elements.
fn at_most(layout: &PassSetup, total: u32) -> PassSetup {
    // Disjoint parts would be searched without a limit before the whole.
    let options = Options { disjoint: Disjoint::Off, ..layout.options };
    PassSetup { bounds: layout.bounds.at_most(total), options, ..layout.clone() }
}

/// Returns the first value with so many objects and elements that fails; an error if it takes too long to find out, or if
/// something else goes wrong.
fn first_failure(
    runner: &mut Runner<'_>,
    search: &mut AnySearch,
    total: u32,
    left: &mut u64,
) -> Result<Option<Candidate>, ()> {
    let pass = Pass::new(None, search.outcome());
    let mut tried = 0;
    loop {
        let tick = |outcome: &Outcome, tried: u64| match runner.tick(&pass, outcome) {
            ControlFlow::Continue(()) if outcome.explored + tried >= *left => {
                ControlFlow::Break(Stop::LimitReached(Limit::Explored))
            }
            tick => tick,
        };
        if tick(&search.outcome(), tried).is_break() {
            return Err(());
        }
        match find_next(search, &mut |outcome| tick(outcome, tried)) {
            Ok(Ok(Found::Valid)) => tried += 1,
            Ok(Ok(Found::End)) => break,
            _ => return Err(()),
        }
        if search.total() != Some(total) {
            continue;
        }
        match try_value(search, runner.body.case) {
            Ok(()) => {}
            Err(wrong) if matches!(wrong.blame, Blame::Test | Blame::Destructor) => {
                return panics::catch(|| search.candidate()).map(Some).map_err(|_| ());
            }
            Err(_) => return Err(()),
        }
    }
    *left = left.saturating_sub(search.outcome().explored + tried);
    Ok(None)
}

/// Goes to a value of the pass and runs the test on it. If it does not fail again, goes back.
fn go_to(
    runner: &mut Runner<'_>,
    search: &mut AnySearch,
    candidate: &Candidate,
    total: u32,
    back: &Candidate,
) -> Option<Fewer> {
    let accepted = panics::catch(|| search.go_to(candidate).is_ok() && search.accepts().is_ok_and(|yes| yes));
    if accepted.is_ok_and(|accepted| accepted) {
        if let Err(wrong) = try_value(search, runner.body.case) {
            return Some(Fewer { wrong, total });
        }
    }
    let _ = panics::catch(|| search.go_to(back));
    None
}
