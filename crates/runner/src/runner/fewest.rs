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
use smallscope_core::{AnySearch, Candidate, Disjoint, Found, Limit, Options, Outcome, Stop};
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
        && plan.is_plain()
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
    let mut has_begun = false;
    for total in 0..all {
        let Ok(mut few) = at_most(layout, total).lay_out() else {
            // At first there are too few objects for any value. Later, something else is wrong.
            if has_begun {
                return None;
            }
            continue;
        };
        has_begun = true;
        match first_failure(runner, &mut few, total, &mut left) {
            Ok(None) => {}
            Ok(Some((candidate, wrong))) => {
                let is_there = go_to(search, &candidate);
                if !is_there {
                    go_to(search, &failing);
                }
                return is_there.then_some(Fewer { wrong, total });
            }
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
) -> Result<Option<(Candidate, Box<Wrong>)>, ()> {
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
        match try_value(search, runner.body.case, runner.body.tally) {
            Ok(()) => {}
            Err(wrong) if matches!(wrong.blame, Blame::Test | Blame::Destructor) => {
                let candidate = panics::catch(|| search.candidate()).map_err(|_| ())?;
                return Ok(Some((candidate, wrong)));
            }
            Err(_) => return Err(()),
        }
    }
    *left = left.saturating_sub(search.outcome().explored + tried);
    Ok(None)
}

/// Goes to a value of the pass. Whether it is one.
fn go_to(search: &mut AnySearch, candidate: &Candidate) -> bool {
    let is_there = panics::catch(|| search.go_to(candidate).is_ok() && search.accepts().is_ok_and(|yes| yes));
    is_there.is_ok_and(|is_there| is_there)
}
