//! Tests that run on a saved suite instead of a search.

use super::failure::Origin;
use super::replay::suite_layout;
use super::report::Pass;
use super::trial::{Wrong, caught_lay_out};
use super::{Ended, Runner, SuiteProvenance};
use crate::order;
use smallscope_core::{AnySearch, Disjoint, Limit, Outcome, Stop, Summaries};
use smallscope_suite::{Ending, Reader};
use smallscope_support::panics;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Returns how a suite was made.
pub(crate) fn suite_provenance(path: &Path) -> Result<SuiteProvenance, String> {
    SavedSuite::open(path)?.provenance()
}

/// A suite that a test runs on.
struct SavedSuite {
    path: PathBuf,
    reader: Reader<BufReader<File>>,
}

impl SavedSuite {
    fn open(path: &Path) -> Result<SavedSuite, String> {
        let wrong = |error: &dyn std::fmt::Display| format!("the suite {}: {error}", path.display());
        let file = File::open(path).map_err(|e| {
            let hint = "save one with `cargo smallscope run .. --save FILE`";
            wrong(&format!("it cannot be read: {e}; {hint}"))
        })?;
        let reader = Reader::open(BufReader::new(file)).map_err(|e| wrong(&e))?;
        Ok(SavedSuite { path: path.to_owned(), reader })
    }

    fn provenance(&self) -> Result<SuiteProvenance, String> {
        let text =
            |key: &str| self.reader.header().get(key).ok_or_else(|| self.wrong(format!("it has no {key}")));
        let bounds = text("bounds")?.parse().map_err(|e| self.wrong(e))?;
        let engine = text("engine")?.parse().map_err(|e| self.wrong(e))?;
        let header = self.reader.header();
        let classes = header.get("classes").map(str::parse).transpose().map_err(|e| self.wrong(e))?;
        let disjoint = header.get("disjoint").map_or(Ok(Disjoint::Off), str::parse);
        let disjoint = disjoint.map_err(|e| self.wrong(e))?;
        let summaries = header.get("summaries").map_or(Ok(Summaries::Off), str::parse);
        let summaries = summaries.map_err(|e| self.wrong(e))?;
        Ok(SuiteProvenance { bounds, engine, classes: classes.unwrap_or_default(), disjoint, summaries })
    }

    fn wrong(&self, error: impl std::fmt::Display) -> String {
        format!("the suite {}: {error}", self.path.display())
    }

    /// Compares a suite of another order with a search of today.
    fn check_order(&mut self, runner: &Runner<'_>) -> Result<(), Ended> {
        if !order::is_another(self.reader.header()) {
            return Ok(());
        }
        let search = caught_lay_out(runner.body.lay_out, &runner.plan.bounds, None, runner.plan.options);
        let mut search = search.map_err(Ended::Error)?;
        let paths = order::read_paths(&mut self.reader, u64::MAX);
        let paths = paths.map_err(|error| Ended::Error(self.wrong(error)))?;
        // What goes wrong in a search of today is reported by the test itself.
        match panics::catch(|| order::finds_all(&mut search, paths)) {
            Ok(Ok(true)) => Ok(()),
            Ok(Ok(false)) => Err(Ended::Error(self.wrong(order::WHY))),
            Ok(Err(failure)) => Err(Ended::Error(self.wrong(failure))),
            Err(caught) => Err(Ended::Error(self.wrong(caught.message))),
        }
    }

    fn stale(&self, why: impl std::fmt::Display) -> Ended {
        Ended::Error(self.wrong(format!(
            "{why}; the type or the invariant has changed since it was saved, so save it again"
        )))
    }
}

/// Runs the test on every value of a suite.
pub(super) fn run(runner: &mut Runner<'_>, search: &mut AnySearch, path: &Path) -> Result<(), Ended> {
    let mut suite = SavedSuite::open(path).map_err(Ended::Error)?;
    let then = suite.reader.header().get("layout").unwrap_or_default();
    let now = suite_layout(search.type_name(), &search.slots(), &runner.plan.bounds);
    if then != now {
        return Err(suite.stale("its values are of another type"));
    }
    suite.check_order(runner)?;
    let mut pass = Pass::new(None, search.outcome());
    let stop = loop {
        let index = pass.outcome.valid;
        if index == suite.reader.len() {
            break end_of(&suite);
        }
        if let Some(stop) =
            runner.budget.check(&runner.meter).or_else(|| runner.budget.check_count(pass.tested))
        {
            break stop;
        }
        go_to(search, &mut suite, index)?;
        pass.outcome.valid += 1;
        pass.outcome.explored += 1;
        if runner.plan.settings.shard.is_some_and(|shard| !shard.contains(index)) {
            continue;
        }
        pass.tested += 1;
        runner.progress.tick(runner.plan.name(), None, pass.tested, &pass.outcome);
        let origin = Origin::Suite { number: index + 1 };
        if let Err(wrong) = runner.try_or_note(search, origin) {
            pass.outcome.stop = Stop::FirstFailure;
            runner.report.add(pass);
            return Err(suite_failed(runner, search, *wrong, index));
        }
    };
    pass.outcome = Outcome { stop, ..pass.outcome };
    runner.report.add(pass);
    Ok(())
}

/// Returns why the run that made the suite stopped.
fn end_of(suite: &SavedSuite) -> Stop {
    match suite.reader.ending() {
        Some(ending) if ending.outcome == "exhausted" => Stop::Exhausted,
        Some(ending) if ending.outcome == Ending::ONE_PER_PATH => Stop::LimitReached(Limit::OnePerPath),
        Some(ending) if ending.outcome == "classes" => Stop::ClassesCovered,
        _ => Stop::LimitReached(Limit::Suite),
    }
}

fn go_to(search: &mut AnySearch, suite: &mut SavedSuite, index: u64) -> Result<(), Ended> {
    let read = suite.reader.anchor_at(index).and_then(|anchor| Ok((anchor, suite.reader.get(index)?)));
    let (anchor, path) = match read {
        Ok(read) => read,
        Err(error) => return Err(Ended::Error(suite.wrong(error))),
    };
    let number = index + 1;
    if let Err(error) = search.restore(0, path) {
        return Err(suite.stale(format!("value {number}: {error}")));
    }
    if anchor.is_some_and(|anchor| anchor != search.reads()) {
        return Err(suite.stale(format!("value {number}: the invariant reads the fields in another order")));
    }
    Ok(())
}

fn suite_failed(runner: &Runner<'_>, search: &mut AnySearch, wrong: Wrong, index: u64) -> Ended {
    let position = runner.failures.position(search, None, &wrong);
    runner.failures.failed(search, wrong, &position, Origin::Suite { number: index + 1 })
}
