//! Values from all over the bounds, tried before the search visits all values in order.

use super::failure::Origin;
use super::report::Pass;
use super::threads::PassSetup;
use super::trial::{Wrong, try_value};
use super::{Ended, Runner};
use smallscope_core::{Found, Spread, Stop};
use smallscope_support::panics;

/// Runs the test on as many values as the settings say. Only the first shard does.
pub(super) fn run_first(runner: &mut Runner<'_>, layout: &PassSetup) -> Result<(), Ended> {
    let settings = &runner.plan.settings;
    let is_first = settings.shard.is_none_or(|shard| shard.contains(0));
    match settings.sparse.filter(|_| is_first) {
        Some(values) => run(runner, layout, settings.max.map_or(values, |max| values.min(max))),
        None => Ok(()),
    }
}

/// Runs the test on this many values, or fewer if the time is up. A failure is reported at once, though it need not
/// be the smallest.
fn run(runner: &mut Runner<'_>, layout: &PassSetup, values: u64) -> Result<(), Ended> {
    let mut search = layout.lay_out().map_err(Ended::Error)?;
    let mut spread = Spread::new();
    let pass = Pass::new(None, search.outcome());
    while runner.report.sparse < values && runner.tick(&pass, &search.outcome()).is_continue() {
        let found =
            panics::catch(|| spread.find_next(&mut search, &mut |outcome| runner.tick(&pass, outcome)));
        let tried = match found {
            Ok(Ok(Found::Valid)) => {
                runner.report.sparse += 1;
                try_value(&mut search, runner.body.case, runner.body.tally)
            }
            Ok(Ok(Found::End | Found::Paused)) => return Ok(()),
            Ok(Err(failure)) => Err(Wrong::invariant(failure)),
            Err(caught) => Err(Wrong::construction(caught)),
        };
        if let Err(wrong) = tried {
            runner.report.outcome.stop = Stop::FirstFailure;
            let position = runner.failures.position(&search, None, &wrong);
            let origin = Origin::Sparse { number: runner.report.sparse };
            return Err(runner.failures.failed(&mut search, *wrong, &position, origin));
        }
    }
    Ok(())
}
