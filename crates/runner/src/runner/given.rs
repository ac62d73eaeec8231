//! Values that are given: one to replay, and recorded failures, which are tried first.

use super::failure::Origin;
use super::replay::{ReplayCandidate, fingerprint};
use super::trial::{Wrong, caught_lay_out, try_value};
use super::{Ended, Runner, say};
use smallscope_core::{AnySearch, Bounds, Disjoint, Options, Stop};
use smallscope_support::panics;

/// The result for a given value.
enum Tried {
    Passed,
    Failed(Box<AnySearch>, Box<Wrong>),
    /// The invariant rejects it.
    Rejected,
    /// It was found under another type or other bounds.
    Mismatch,
    /// The value does not exist.
    Impossible(String),
}

/// Goes to a given candidate, with its own scope number and engine, and runs the test there.
fn try_candidate(runner: &mut Runner<'_>, position: &ReplayCandidate) -> Tried {
    let bounds: Bounds = position.bounds(&runner.plan.bounds);
    // One value needs no combined search.
    let options = Options { engine: position.engine, disjoint: Disjoint::Off, ..runner.plan.options };
    let mut search = match caught_lay_out(runner.body.lay_out, &bounds, None, options) {
        Ok(search) => search,
        Err(error) => return Tried::Impossible(error),
    };
    if position.fingerprint.is_some_and(|then| then != fingerprint(&search, &bounds)) {
        return Tried::Mismatch;
    }
    if let Err(error) = search.go_to(&position.candidate) {
        return Tried::Impossible(error.to_string());
    }
    let wrong = match panics::catch(|| search.accepts()) {
        Ok(Ok(true)) => match panics::catch(|| search.class()) {
            Ok(Ok(_)) => match try_value(&mut search, runner.body.case, runner.body.tally) {
                Ok(()) => return Tried::Passed,
                Err(wrong) => wrong,
            },
            Ok(Err(failure)) => Wrong::invariant(failure),
            Err(caught) => Wrong::construction(caught),
        },
        Ok(Ok(false)) => return Tried::Rejected,
        Ok(Err(failure)) => Wrong::invariant(failure),
        Err(caught) => Wrong::construction(caught),
    };
    Tried::Failed(Box::new(search), wrong)
}

/// Runs the test on one given value only.
pub(super) fn replay(runner: &mut Runner<'_>, position: &ReplayCandidate) -> Result<(), Ended> {
    let name = runner.plan.name();
    let error = match try_candidate(runner, position) {
        Tried::Passed => {
            runner.report.tested = 1;
            say(&format!("`{name}`: the replayed value passes; nothing else was run"));
            return Ok(());
        }
        Tried::Failed(mut search, wrong) => {
            runner.report.tested = 1;
            runner.report.outcome.stop = Stop::FirstFailure;
            return Err(runner.failures.failed(&mut search, *wrong, position, Origin::Replay));
        }
        Tried::Mismatch if runner.plan.identity.is_anonymous => {
            say(&format!("SMALLSCOPE_REPLAY is for another check than `{name}`, which was not run"));
            return Ok(());
        }
        Tried::Mismatch => {
            "it belongs to another test, or the type or the bounds have changed since it was printed".into()
        }
        Tried::Rejected => "the invariant rejects this value, so it was not tested".into(),
        Tried::Impossible(error) => error,
    };
    Err(Ended::Error(format!(
        "SMALLSCOPE_REPLAY={position}: {error}; run the test without it to search again"
    )))
}

/// Runs the test on recorded values. A value that another engine has found may not exist for this one (boxes that
/// alias), so it is left to runs with that engine.
pub(super) fn try_records(runner: &mut Runner<'_>) -> Result<(), Ended> {
    let Some(regressions) = &runner.plan.identity.regressions else { return Ok(()) };
    let mut records = vec![];
    for record in regressions.load(runner.plan.name()).map_err(Ended::Error)? {
        let place = format!("{}:{}", regressions.short_path(), record.line);
        let path = format!("{}:{}", regressions.path().display(), record.line);
        records.push(Recorded { place, path, position: record.position });
    }
    try_all(runner, records)
}

/// A recorded value.
pub(super) struct Recorded {
    /// The file and the line.
    pub(super) place: String,
    /// The same, with the whole path.
    pub(super) path: String,
    pub(super) position: ReplayCandidate,
}

/// Runs the test on recorded values.
pub(super) fn try_all(runner: &mut Runner<'_>, records: Vec<Recorded>) -> Result<(), Ended> {
    let name = runner.plan.name();
    for record in records {
        if record.position.engine != runner.plan.options.engine {
            continue;
        }
        let Recorded { place, path, position } = record;
        let stale = match try_candidate(runner, &position) {
            Tried::Passed => continue,
            Tried::Failed(mut search, wrong) => {
                if runner.failures.continues_after(&wrong) {
                    runner.failures.note(&mut search, *wrong, Origin::Record(place), position, 0);
                    continue;
                }
                runner.report.outcome.stop = Stop::FirstFailure;
                return Err(runner.failures.failed(&mut search, *wrong, &position, Origin::Record(place)));
            }
            Tried::Mismatch => "the type or the bounds have changed since it was recorded".into(),
            Tried::Rejected => "the invariant now rejects the value".into(),
            Tried::Impossible(error) => error,
        };
        let warning = format!(
            "warning: {path}: the recorded failure of `{name}` is stale and was not tried: {stale}; \
             delete the line if that is intended"
        );
        say(&warning);
        runner.report.warnings.push(warning);
    }
    Ok(())
}
