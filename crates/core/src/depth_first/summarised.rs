//! Whether helpers are summarised: a small scope is searched with and without, to see whether it takes fewer runs.
//!
//! Only counts decide, never the clock, so the plan is the same every time, and so is every position. The number of values
//! must be the same with and without: if it is not, the answers of a helper depend on something that no type shows, such as
//! a counter in a `static`.

use super::DepthFirst;
use super::conjunct_order;
use super::find::Found;
use super::run::Run;
use crate::bounds::Bounds;
use crate::build::Build;
pub(crate) use crate::groups::DIFFERS;
pub(crate) use crate::groups::Summary;
use crate::groups::{self, Limits, TOO_MANY};
use crate::invariant::Structure;
use crate::options::{Classes, Disjoint, Options, Summaries};
use crate::outcome::{Outcome, Stop};
use std::ops::ControlFlow;

/// How many runs a small scope may take without summaries.
const TRIAL_RUNS: u64 = 1_000;
/// With more runs, the order of the conjuncts is chosen.
const FEW_RUNS: u64 = 2_000;
/// How many values a small scope may have.
const TRIAL_VALUES: u64 = 20_000;
/// Numbers in the bounds of a small scope are not greater than this.
const LARGEST_TRIAL: u32 = 24;
/// Candidates between two looks at the number of runs.
const TICK_OFTEN: u64 = 16;

/// What summaries may take if they were not requested.
const MODEST: Limits = Limits { answers: 2_000, reads: 100, rules: 500_000, runs: 500_000, audited: 0 };

/// Subtrees for each answer of a group that audit mode draws.
const AUDITED: usize = 4;

/// Summarises the helpers of an invariant, or says why not. None if that was not requested.
pub(crate) fn choose(
    structure: Structure,
    bounds: &Bounds,
    options: Options,
) -> Option<Result<Summary, String>> {
    if options.summaries == Summaries::Off {
        return None;
    }
    if let Err(why) = groups::are_possible(structure, options) {
        return Some(Err(why));
    }
    if options.audit {
        let limits = Limits { audited: AUDITED, ..groups::limits().unwrap_or_default() };
        let why = "audit mode looks at all that is rejected".to_owned();
        return Some(Err(match summarise(structure, bounds, options, limits) {
            Ok(summary) => {
                format!("{why}; {} answers of helpers are those of their groups", summary.report.audited)
            }
            Err(difference) if difference.starts_with(DIFFERS) => difference,
            Err(_) => why,
        }));
    }
    if options.summaries == Summaries::On {
        return Some(summarise(structure, bounds, options, groups::limits().unwrap_or_default()));
    }
    let limits = groups::limits().unwrap_or(MODEST);
    Some(try_small(structure, bounds, options).and_then(|()| summarise(structure, bounds, options, limits)))
}

/// Summarises the helpers of an invariant. If that takes many runs in the order of the source, the conjuncts run in the
/// order that takes the fewest in a small scope.
fn summarise(
    structure: Structure,
    bounds: &Bounds,
    options: Options,
    limits: Limits,
) -> Result<Summary, String> {
    let few = Limits { runs: limits.runs.min(FEW_RUNS), ..limits };
    let first = groups::summarise(structure, few, None);
    let is_given_up =
        |result: &Result<Summary, String>| result.as_ref().is_err_and(|why| why.starts_with(TOO_MANY));
    if !is_given_up(&first) {
        return first;
    }
    let ordered = match order(structure, bounds, options) {
        Some(order) => groups::summarise(structure, limits, Some(&order)),
        None => first,
    };
    let mut summary = match ordered {
        Ok(summary) => summary,
        Err(_) => groups::summarise(structure, limits, None)?,
    };
    summary.report.runs += few.runs;
    Ok(summary)
}

/// The order of conjuncts in which summaries take the fewest runs in a small scope; none for that of the source.
fn order(structure: Structure, bounds: &Bounds, options: Options) -> Option<Vec<u32>> {
    let orders = conjunct_order::orders(structure.separable_conjuncts().only()?);
    if orders.len() < 2 || !options.lazy.order || !conjunct_order::can_be_moved(structure.heap.layout) {
        return None;
    }
    let of = structure.of;
    let runs = |trial: &DepthFirst, most: u64, order: Option<&[u32]>| {
        let limits = Limits { runs: most, ..MODEST };
        groups::summarise(trial.structure, limits, order).ok().map(|summary| summary.report.runs)
    };
    let mut small = None;
    for most in 1..=LARGEST_TRIAL {
        let Ok(trial) = DepthFirst::new(of, (of.blank)(), &bounds.up_to(most), options) else { continue };
        match runs(&trial, TRIAL_RUNS, None) {
            Some(runs) => small = Some((trial, runs)),
            None if small.is_some() => break,
            None => {}
        }
    }
    let (trial, mut fewest) = small?;
    let mut best = None;
    for order in orders {
        if let Some(runs) = runs(&trial, fewest, Some(&order)).filter(|runs| *runs < fewest) {
            (fewest, best) = (runs, Some(order));
        }
    }
    best
}

/// Searches small scopes with and without summaries. Returns why summaries are not used, if they are not.
fn try_small(structure: Structure, bounds: &Bounds, mut options: Options) -> Result<(), String> {
    let of = structure.of;
    (options.audit, options.recheck_every) = (false, 0);
    (options.classes, options.disjoint) = (Classes::Ignored, Disjoint::Off);
    // Runs without and with summaries, in the last scope and in the one before.
    let mut seen = vec![];
    let mut why = "the bounds allow no object".to_owned();
    for most in 1..=LARGEST_TRIAL {
        let trial = || DepthFirst::new(of, (of.blank)(), &bounds.up_to(most), options);
        let (Ok(mut plain), Ok(mut summarised)) = (trial(), trial()) else { continue };
        let Some((runs, values)) = count(&mut plain) else { break };
        if plain.structure.heap.layout.slots.len() == structure.heap.layout.slots.len() {
            return Err(format!("it takes only {runs} runs without"));
        }
        let summary = match groups::summarise(summarised.structure, MODEST, None) {
            Ok(summary) => summary,
            Err(new) => {
                why = new;
                seen.clear();
                continue;
            }
        };
        summary.follow(&mut summarised.structure);
        match count(&mut summarised) {
            Some((left, found)) if found == values => seen.push((runs, summary.report.runs + left)),
            Some((_, found)) => {
                return Err(format!(
                    "in a small scope there are {found} values with them and {values} without, so the answer of a \
                     helper depends on more than its arguments; is there a counter in a `static`?"
                ));
            }
            None => return Err("they take more runs in a small scope".into()),
        }
    }
    let pays = match seen[..] {
        [] => return Err(why),
        [(runs, with)] => with < runs,
        [.., (runs, with), (next, next_with)] => {
            next_with < next || u128::from(next_with) * u128::from(runs) < u128::from(next) * u128::from(with)
        }
    };
    if pays { Ok(()) } else { Err("they take more runs in a small scope".into()) }
}

/// Counts runs and values; none if there are too many, or if the invariant misbehaves.
fn count(search: &mut DepthFirst) -> Option<(u64, u64)> {
    let (mut run, mut build) = (Run::new(), Build::within(search.structure.heap));
    run.until_tick = 1;
    let mut tick = |outcome: &Outcome| match outcome.explored < TRIAL_RUNS && outcome.valid < TRIAL_VALUES {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(Stop::Interrupted),
    };
    while search.find_next(&mut run, &mut build, &mut tick).ok()? == Found::Valid {
        run.outcome.valid += search.skip_set(&mut run);
        run.until_tick = run.until_tick.min(TICK_OFTEN);
    }
    (run.outcome.stop == Stop::Exhausted).then_some((run.outcome.explored, run.outcome.valid))
}
