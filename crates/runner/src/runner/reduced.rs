//! Tests on some values of each class. The whole search comes first, because it decides which values are kept.

use super::failure::Origin;
use super::report::{Pass, ReducedTo};
use super::trial::Wrong;
use super::{Ended, Runner};
use crate::criteria::{Collector, Reduction};
use smallscope_core::{AnySearch, Found, Outcome, Stop};
use smallscope_support::panics;

/// Searches for the values, keeps some of each class, and runs the test on them.
pub(super) fn run(
    runner: &mut Runner<'_>,
    search: &mut AnySearch,
    reduction: Reduction,
) -> Result<(), Ended> {
    let mut total = 0;
    let mut collector = Collector::new(reduction, total).map_err(Ended::Error)?;
    if reduction.quota.needs_total() {
        let mut counting = runner.layout().lay_out().map_err(Ended::Error)?;
        total = for_each(runner, &mut counting, &mut |search| Ok(1 + search.skip_rest()))?;
        if counting.outcome().stop != Stop::Exhausted {
            return nothing_tested(runner, counting.outcome());
        }
        collector = Collector::new(reduction, total).map_err(Ended::Error)?;
    }
    for_each(runner, search, &mut |search| collector.visit(search).map(|()| 0))?;
    let outcome = Outcome { valid: collector.seen(), ..search.outcome() };
    if outcome.stop != Stop::Exhausted {
        return nothing_tested(runner, outcome);
    }
    let mut reduced = collector.finish();
    runner.report.reduced = Some(ReducedTo::new(reduction, &reduced));
    // The first failure should be a small value.
    reduced.kept.sort_by_key(Vec::len);
    test_kept(runner, search, reduced.kept, outcome)
}

/// Visits the values of a search until the time is up or the memory is used.
fn for_each(
    runner: &mut Runner<'_>,
    search: &mut AnySearch,
    visit: &mut dyn FnMut(&mut AnySearch) -> Result<u64, smallscope_core::Failure>,
) -> Result<u64, Ended> {
    let mut sum = 0;
    let pass = Pass::new(None, search.outcome());
    let wrong = loop {
        let found = panics::catch(|| match search.find_next(&mut |outcome| runner.tick(&pass, outcome))? {
            Found::Valid => visit(search).map(Some),
            Found::End | Found::Paused => Ok(None),
        });
        match found {
            Ok(Ok(Some(n))) => sum += n,
            Ok(Ok(None)) => return Ok(sum),
            Ok(Err(failure)) => break Wrong::invariant(failure),
            Err(caught) => break Wrong::construction(caught),
        }
    };
    runner.report.add(Pass { outcome: Outcome { stop: Stop::FirstFailure, ..search.outcome() }, ..pass });
    let position = runner.failures.position(search, None, &wrong);
    Err(runner.failures.failed(search, *wrong, &position, Origin::Search { scope: None, number: 0 }))
}

/// Reports that a limit was reached before the values to test were known.
fn nothing_tested(runner: &mut Runner<'_>, outcome: Outcome) -> Result<(), Ended> {
    runner.report.add(Pass::new(None, outcome));
    Ok(())
}

fn test_kept(
    runner: &mut Runner<'_>,
    search: &mut AnySearch,
    kept: Vec<Vec<u32>>,
    outcome: Outcome,
) -> Result<(), Ended> {
    let mut pass = Pass::new(None, outcome);
    for (number, path) in (1..).zip(&kept) {
        if runner.plan.settings.shard.is_some_and(|shard| !shard.contains(number - 1)) {
            continue;
        }
        if let Some(stop) =
            runner.budget.check(&runner.meter).or_else(|| runner.budget.check_count(pass.tested))
        {
            pass.outcome.stop = stop;
            break;
        }
        runner.progress.tick(runner.plan.name(), None, pass.tested, &pass.outcome);
        search
            .restore(0, path)
            .map_err(|e| Ended::Error(format!("value {number} of those that were kept: {e}")))?;
        pass.tested += 1;
        if let Err(wrong) = runner.try_or_note(search, Origin::Reduced { number }) {
            pass.outcome.stop = Stop::FirstFailure;
            runner.report.add(pass);
            let position = runner.failures.position(search, None, &wrong);
            return Err(runner.failures.failed(search, *wrong, &position, Origin::Reduced { number }));
        }
    }
    runner.report.add(pass);
    Ok(())
}
