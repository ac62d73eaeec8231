//! Fields that the invariant does not look at: one value of each first, and more later.
//!
//! Such fields multiply the values of every structure, and say nothing about its shape. If a scope has many values for
//! each run of the invariant, the scopes behind it are searched twice: with the first value of these fields, and then
//! without what that has found. Which fields these are is observed in some runs of the invariant. If that is wrong, the
//! order of the values is another one, and nothing else.

use super::threads::PassSetup;
use super::{Ended, Runner};
use smallscope_core::bounds::FIRST_PAYLOAD;
use smallscope_core::site::FieldSite;
use smallscope_core::{Disjoint, Options, Stop};
use smallscope_support::panics;

/// A pass with fewer values for each run of the invariant is no reason to search the next ones twice.
const VALUES_PER_RUN: u64 = 16;
/// And neither is one with fewer values.
const VALUES: u64 = 500;
/// How many runs of the invariant are observed.
const OBSERVED: u64 = 256;

/// Returns the fields that the invariant does not look at, if the last pass had many values because of them. `rest` are
/// the passes behind it, except the last one.
pub(super) fn fields(runner: &Runner<'_>, layout: &PassSetup, rest: &[u32]) -> Vec<&'static FieldSite> {
    let plan = runner.plan;
    let is_many = |valid: u64, explored: u64| valid >= VALUES && valid >= VALUES_PER_RUN * explored;
    let last = runner.report.passes.last().map(|pass| pass.outcome);
    let fits = rest.iter().all(|pass| *pass < FIRST_PAYLOAD);
    if !plan.is_plain() || !fits || !last.is_some_and(|outcome| is_many(outcome.valid, outcome.explored)) {
        return vec![];
    }
    let options = Options { disjoint: Disjoint::Off, recheck_every: 0, ..plan.options };
    let Ok(mut search) = (PassSetup { options, covered: vec![], ..layout.clone() }).lay_out() else {
        return vec![];
    };
    panics::catch(|| search.unread_fields(OBSERVED)).ok().and_then(Result::ok).unwrap_or_default()
}

/// Runs the passes that are left, first with one value of each of these fields. Returns why it stopped.
pub(super) fn run(
    runner: &mut Runner<'_>,
    layout: &mut PassSetup,
    fields: &[&'static FieldSite],
    rest: &[u32],
) -> Result<Stop, Ended> {
    let (bounds, before) = (layout.bounds.clone(), layout.covered.clone());
    runner.report.payload.clear();
    for field in fields {
        runner.report.payload.push(field.to_string());
    }
    for is_first in [true, false] {
        layout.bounds = bounds.with_payload(fields, is_first);
        layout.covered.clone_from(&before);
        if !is_first {
            layout.covered.push(FIRST_PAYLOAD);
        }
        for &pass in rest {
            if !runner.search_smaller(layout, pass)? {
                return Ok(runner.report.outcome.stop);
            }
        }
        layout.within = None;
        let mut whole = layout.lay_out().map_err(Ended::Error)?;
        let stop = runner.pass(&mut whole, layout, bounds.scope_number())?;
        if stop != Stop::Exhausted {
            return Ok(stop);
        }
    }
    layout.covered.retain(|scope| *scope != FIRST_PAYLOAD);
    layout.bounds = bounds;
    Ok(Stop::Exhausted)
}
