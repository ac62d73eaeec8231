//! One value: running the test on it, going to it, describing and recording its failure.

use super::failure::{Blame, FailedCase, Origin};
use super::replay::{ReplayCandidate, bounds_at, fingerprint};
use super::{Case, Ended, LayOut, Runner, describe_panic, say};
use smallscope_core::error::FailureKind;
use smallscope_core::{AnySearch, Bounds, Candidate, Disjoint, Failure, Options, Stop};
use smallscope_support::panics::{self, Panic};

/// A failure on one value.
pub(super) struct Wrong {
    pub(super) blame: Blame,
    pub(super) caught: Panic,
}

impl Wrong {
    /// A panic while a value was searched or built.
    pub(super) fn construction(caught: Panic) -> Box<Wrong> {
        Box::new(Wrong { blame: Blame::Construction, caught })
    }

    pub(super) fn invariant(failure: Failure) -> Box<Wrong> {
        let panicked =
            matches!(failure.kind, FailureKind::PredicatePanicked { .. } | FailureKind::ClassPanicked { .. });
        let place = panics::last_place().filter(|_| panicked);
        let caught = Panic { message: failure.kind.to_string(), place };
        Box::new(Wrong { blame: Blame::Invariant(failure), caught })
    }

    fn test(caught: Panic) -> Box<Wrong> {
        Box::new(Wrong { blame: Blame::Test, caught })
    }
}

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

/// Lays out a search. The user code that gives ranges and values may panic there.
pub(super) fn caught_lay_out(
    new: LayOut,
    bounds: &Bounds,
    within: Option<u32>,
    options: Options,
) -> Result<AnySearch, String> {
    match panics::catch(|| new(bounds, within, options)) {
        Ok(result) => result.map_err(|e| e.to_string()),
        Err(caught) => Err(describe_panic(&caught, "while the bounds were laid out")),
    }
}

/// Runs a test on the current, valid candidate.
pub(super) fn try_value(search: &mut AnySearch, case: &mut dyn Case) -> Result<(), Box<Wrong>> {
    match panics::catch(|| case.prepare(search)) {
        Ok(Ok(())) => {}
        Ok(Err(failure)) => return Err(Wrong::invariant(failure)),
        Err(caught) => return Err(Wrong::construction(caught)),
    }
    match panics::catch(|| case.run()) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(message)) => Err(Wrong::test(Panic { message, place: None })),
        Err(caught) => Err(Wrong::test(caught)),
    }
}

impl Runner<'_> {
    /// Runs the test on the current, valid candidate.
    pub(super) fn try_value(&mut self, search: &mut AnySearch) -> Result<(), Box<Wrong>> {
        try_value(search, self.job.case)
    }

    /// Goes to a given candidate, with its own scope number and engine, and runs the test there.
    fn try_position(&mut self, position: &ReplayCandidate) -> Tried {
        let bounds: Bounds = bounds_at(&self.plan.bounds, position.scope);
        // One value needs no combined search.
        let options = Options { engine: position.engine, disjoint: Disjoint::Off, ..self.plan.options };
        let mut search = match caught_lay_out(self.job.lay_out, &bounds, None, options) {
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
                Ok(Ok(_)) => match self.try_value(&mut search) {
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
    pub(super) fn replay(&mut self, position: &ReplayCandidate) -> Result<(), Ended> {
        let name = self.plan.name();
        let error = match self.try_position(position) {
            Tried::Passed => {
                self.report.tested = 1;
                say(&format!("`{name}`: the replayed value passes; nothing else was run"));
                return Ok(());
            }
            Tried::Failed(mut search, wrong) => {
                self.report.tested = 1;
                self.report.outcome.stop = Stop::FirstFailure;
                return Err(self.failed(&mut search, *wrong, position, Origin::Replay));
            }
            Tried::Mismatch if self.plan.identity.is_anonymous => {
                say(&format!("SMALLSCOPE_REPLAY is for another check than `{name}`, which was not run"));
                return Ok(());
            }
            Tried::Mismatch => {
                "it belongs to another test, or the type or the bounds have changed since it was printed"
                    .into()
            }
            Tried::Rejected => "the invariant rejects this value, so it was not tested".into(),
            Tried::Impossible(error) => error,
        };
        Err(Ended::Error(format!("SMALLSCOPE_REPLAY={position}: {error}")))
    }

    /// Runs the test on recorded values. A value that another engine has found may not exist for this one (boxes that
    /// alias), so it is left to runs with that engine.
    pub(super) fn try_records(&mut self) -> Result<(), Ended> {
        let Some(regressions) = &self.plan.identity.regressions else { return Ok(()) };
        let name = self.plan.name();
        for record in regressions.load(name).map_err(Ended::Error)? {
            if record.position.engine != self.plan.options.engine {
                continue;
            }
            let stale = match self.try_position(&record.position) {
                Tried::Passed => continue,
                Tried::Failed(mut search, wrong) => {
                    let place = format!("{}:{}", regressions.short_path(), record.line);
                    if self.continues_after(&wrong) {
                        self.note(&mut search, *wrong, Origin::Record(place), record.position, 0);
                        continue;
                    }
                    self.report.outcome.stop = Stop::FirstFailure;
                    return Err(self.failed(&mut search, *wrong, &record.position, Origin::Record(place)));
                }
                Tried::Mismatch => "the type or the bounds have changed since it was recorded".into(),
                Tried::Rejected => "the invariant now rejects the value".into(),
                Tried::Impossible(error) => error,
            };
            let warning = format!(
                "warning: {}:{}: the recorded failure of `{name}` is stale and was not tried: {stale}; \
                 delete the line if that is intended",
                regressions.path().display(),
                record.line,
            );
            say(&warning);
            self.report.warnings.push(warning);
        }
        Ok(())
    }

    /// Returns the current candidate as replay lines write it.
    pub(super) fn position(&self, search: &AnySearch, scope: Option<u32>, wrong: &Wrong) -> ReplayCandidate {
        let scope = scope.or(self.plan.bounds.scope_number());
        let candidate = match &wrong.blame {
            Blame::Invariant(failure) => failure.candidate.clone(),
            _ => panics::catch(|| search.candidate()).unwrap_or(Candidate(vec![])),
        };
        let fingerprint = fingerprint(search, &bounds_at(&self.plan.bounds, scope));
        ReplayCandidate { engine: self.plan.options.engine, scope, candidate, fingerprint: Some(fingerprint) }
    }

    /// Describes a failure, and records it if it is new.
    pub(super) fn failed(
        &self,
        search: &mut AnySearch,
        wrong: Wrong,
        position: &ReplayCandidate,
        origin: Origin,
    ) -> Ended {
        let recorded = match origin {
            Origin::Record(_) | Origin::Replay => None,
            _ => self.record(&wrong, position),
        };
        let case = self.describe(search, wrong, position, origin);
        Ended::Failed(Box::new(FailedCase { recorded, ..case }))
    }

    /// Describes a failure.
    pub(super) fn describe(
        &self,
        search: &mut AnySearch,
        wrong: Wrong,
        position: &ReplayCandidate,
        origin: Origin,
    ) -> FailedCase {
        let graph = panics::catch(|| search.graph()).unwrap_or_else(|_| "(it cannot be drawn)".to_owned());
        let arguments = match wrong.blame {
            // The value is built again from the same candidate, because the test has consumed it.
            Blame::Test => panics::catch(|| (self.job.show)(search)),
            _ => Ok(None),
        };
        let Wrong { blame, caught: Panic { message, place } } = wrong;
        let (location, backtrace) = place.map(|p| (p.location, p.backtrace)).unzip();
        FailedCase {
            blame,
            message,
            location,
            backtrace: backtrace.flatten(),
            arguments: arguments.ok().flatten().unwrap_or_default(),
            graph,
            origin,
            replay: position.to_string(),
            command: self.plan.command(position),
            recorded: None,
        }
    }

    fn record(&self, wrong: &Wrong, position: &ReplayCandidate) -> Option<Result<String, String>> {
        if let Blame::Invariant(Failure {
            kind: FailureKind::NonDeterministic { .. } | FailureKind::ClassUnstable { .. },
            ..
        }) = &wrong.blame
        {
            self.plan.identity.regressions.as_ref()?;
            return Some(Err("a result that is not deterministic cannot be replayed reliably".to_owned()));
        }
        self.record_message(&wrong.caught.message, position)
    }

    /// Records a failure, if failures of this test are recorded.
    pub(super) fn record_message(
        &self,
        message: &str,
        position: &ReplayCandidate,
    ) -> Option<Result<String, String>> {
        let regressions = self.plan.identity.regressions.as_ref()?;
        Some(match regressions.add(self.plan.name(), position, message) {
            Ok(()) => Ok(regressions.short_path()),
            Err(e) => Err(format!("{} cannot be written: {e}", regressions.path().display())),
        })
    }
}
