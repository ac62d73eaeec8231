//! Describes and records failures.

use super::clusters::Clusters;
use super::failure::{Blame, FailedCase, Origin};
use super::page;
use super::plan::Plan;
use super::replay::{ReplayCandidate, fingerprint};
use super::trial::{Wrong, caught_lay_out};
use super::{Ended, LayOut, Show};
use smallscope_core::error::FailureKind;
use smallscope_core::{AnySearch, Candidate, Disjoint, Failure, Options};
use smallscope_support::panics::{self, Panic};

/// The failures of a run.
pub(super) struct Failures<'a> {
    pub(super) plan: &'a Plan,
    /// Shows the value of the current, valid candidate.
    pub(super) show: &'a Show<'a>,
    /// Lays out a search for the values of the test.
    pub(super) lay_out: LayOut,
    /// The failures that did not end the run.
    pub(super) clusters: Clusters,
}

impl Failures<'_> {
    /// Returns the current candidate as replay lines write it.
    pub(super) fn position(&self, search: &AnySearch, scope: Option<u32>, wrong: &Wrong) -> ReplayCandidate {
        self.position_at(search, scope.or(self.plan.bounds.scope_number()), false, wrong)
    }

    /// The same for a search for values of another size than that of the bounds.
    #[cfg(feature = "summaries")]
    pub(super) fn position_of_sample(&self, search: &AnySearch, size: u32, wrong: &Wrong) -> ReplayCandidate {
        let position = self.position_at(search, Some(size), false, wrong);
        let position = ReplayCandidate { scope: Some(size), is_size: false, within: false, ..position };
        let bounds = position.bounds(&self.plan.bounds);
        ReplayCandidate { fingerprint: Some(fingerprint(search, &bounds)), ..position }
    }

    /// The same for a search with long sequences, which a rule fills.
    #[cfg(feature = "filled")]
    pub(super) fn position_of_filled(&self, search: &AnySearch, rule: u64, wrong: &Wrong) -> ReplayCandidate {
        let position = self.position_at(search, self.plan.bounds.scope_number(), false, wrong);
        let position = ReplayCandidate { fill: Some(rule), ..position };
        let bounds = position.bounds(&self.plan.bounds);
        ReplayCandidate { fingerprint: Some(fingerprint(search, &bounds)), ..position }
    }

    /// The same for a search with edge values.
    pub(super) fn position_of_edges(&self, search: &AnySearch, scope: u32, wrong: &Wrong) -> ReplayCandidate {
        self.position_at(search, Some(scope), true, wrong)
    }

    fn position_at(
        &self,
        search: &AnySearch,
        scope: Option<u32>,
        edges: bool,
        wrong: &Wrong,
    ) -> ReplayCandidate {
        let candidate = match &wrong.blame {
            Blame::Invariant(failure) => failure.candidate.clone(),
            _ => panics::catch(|| search.candidate()).unwrap_or(Candidate(vec![])),
        };
        let engine = self.plan.options.engine;
        let is_size = !edges && self.plan.bounds.size_number().is_some();
        let pass = search.pass_of_smaller_numbers();
        let (scope, within) = (pass.or(scope), pass.is_some());
        let position = ReplayCandidate {
            engine,
            scope,
            is_size,
            edges,
            within,
            fill: None,
            candidate,
            fingerprint: None,
        };
        let bounds = position.bounds(&self.plan.bounds);
        // Fields with their first value only have more values where the candidate is replayed. It means the same there.
        let replayed = search.has_first_payload().then(|| {
            let options = Options { disjoint: Disjoint::Off, ..self.plan.options };
            caught_lay_out(self.lay_out, &bounds, None, options).ok()
        });
        let fingerprint = fingerprint(replayed.flatten().as_ref().unwrap_or(search), &bounds);
        ReplayCandidate { fingerprint: Some(fingerprint), ..position }
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
            Blame::Test | Blame::Destructor => panics::catch(|| (self.show)(search)),
            _ => Ok(None),
        };
        let Wrong { blame, caught: Panic { message, place }, noted } = wrong;
        let (location, backtrace) = place.map(|p| (p.location, p.backtrace)).unzip();
        let case = FailedCase {
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
            page: None,
        };
        let wants_page = self.plan.settings.html.unwrap_or(false);
        let page = wants_page.then(|| page::write(self.plan, search, &case, position, noted));
        FailedCase { page, ..case }
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
