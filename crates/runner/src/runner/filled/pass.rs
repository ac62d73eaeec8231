//! Running the test on values with long sequences.

use super::super::edges::{Values, try_values};
use super::super::failure::Origin;
use super::super::plan::Plan;
use super::super::threads::PassSetup;
use super::super::{Ended, Runner};
use super::Filled;
use smallscope_core::bounds::long::{RULES, rule_text};
use smallscope_core::{Disjoint, Options, Stop};

/// How often elements are filled at random.
const RANDOM: u64 = 3;

/// So many candidates and values may be tried with all rules together, if the scopes of the test took less.
pub(crate) const LEAST: u64 = 20_000;

/// Returns the rules by which elements are filled.
pub(crate) fn rules(seed: u64) -> Vec<u64> {
    let mut rules: Vec<u64> = (0..RULES).collect();
    for i in 0..RANDOM {
        rules.push(RULES + seed.saturating_add(i));
    }
    rules
}

/// Runs the test with each rule.
pub(super) fn run(
    runner: &mut Runner<'_>,
    mut filled: Filled,
    stop: Stop,
    covered: &[u32],
) -> Result<(), Ended> {
    let plan = runner.plan;
    let seed = plan.settings.seed.unwrap_or(0);
    filled.seed = seed;
    if let Some(why) = why_not(plan, stop) {
        filled.part = Some(why);
        runner.report.filled = Some(filled);
        return Ok(());
    }
    let rules = rules(seed);
    let limit = (runner.report.outcome.explored + runner.report.tested).max(LEAST) / rules.len() as u64;
    let mut ended = Ok(());
    for rule in rules {
        // The limit is for the search of the whole, so that the parts are not searched without one before.
        let options = Options { disjoint: Disjoint::Off, ..plan.options };
        let mut layout = PassSetup { bounds: plan.bounds.filled_by(rule), options, ..runner.layout() };
        layout.covered = covered.to_vec();
        if plan.bounds.scope_number().is_none() {
            // In exact bounds, everything that is not long belongs to the first scope.
            layout.covered = vec![0];
        }
        let mut search = layout.lay_out().map_err(Ended::Error)?;
        let values = Values {
            scope: plan.bounds.scope_number().unwrap_or(0),
            limit,
            position: &|failures, search, wrong| failures.position_of_filled(search, rule, wrong),
            origin: &|number| Origin::Filled { number, how: rule_text(rule) },
        };
        let end = try_values(runner, &mut search, &values, &mut filled.tested);
        filled.explored += search.outcome().explored;
        match end {
            Ok(None) => {}
            Ok(Some(why)) => filled.part = Some(why),
            Err(end) => {
                filled.part = Some("up to the first failure".to_owned());
                ended = Err(end);
                break;
            }
        }
    }
    runner.report.filled = Some(filled);
    ended
}

/// Why a run does not try long sequences, although there are some.
fn why_not(plan: &Plan, stop: Stop) -> Option<String> {
    let settings = &plan.settings;
    if stop != Stop::Exhausted {
        return Some(format!("none was tried, because the search was {stop}"));
    }
    let is_first = settings.shard.is_none_or(|shard| shard.contains(0));
    if settings.max.is_some() || !plan.is_plain() || !is_first {
        return Some("none was tried, because this run is about some of the values".to_owned());
    }
    None
}
