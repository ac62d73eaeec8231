//! A pass: the values of one scope, on this thread or on several.

use super::budget::Glances;
use super::failure::Origin;
use super::progress::Work;
use super::report::Pass;
use super::threads::{self, PassSetup};
use super::trial::{Wrong, find_next};
use super::{Ended, Plan, Runner, SharedCase, adaptive, estimate, fewest};
use crate::isolate::Tally;
use smallscope_core::{AnySearch, Classes, Found, Outcome, Stop};
use smallscope_support::panics;
use std::cell::Cell;
use std::ops::ControlFlow;
use std::time::Duration;

impl<'a> Runner<'a> {
    /// Runs one pass. Returns why it stopped, unless it failed.
    pub(super) fn pass(
        &mut self,
        search: &mut AnySearch,
        layout: &PassSetup,
        scope: Option<u32>,
    ) -> Result<Stop, Ended> {
        search.go_on_with_classes(std::mem::take(&mut self.report.class_table));
        let end = self.search_pass(search, layout, scope);
        self.report.class_table.append(search.take_classes());
        self.report.class_table.set_scope(scope);
        end
    }

    fn search_pass(
        &mut self,
        search: &mut AnySearch,
        layout: &PassSetup,
        scope: Option<u32>,
    ) -> Result<Stop, Ended> {
        let mut pass = Pass { is_first: search.has_first_payload(), ..Pass::new(scope, search.outcome()) };
        let mut number = 0;
        let start = self.budget.elapsed();
        // If planning fails, the search fails in the same way.
        let _ = panics::catch(|| {
            let mut is_over = || self.budget.check(&self.meter).is_some();
            adaptive::plan(layout, search, self.plan.threads, &mut is_over)
        });
        let (mut glances, mut is_estimated) = (Glances::new(), false);
        // Only a search that pauses knows how far it is.
        let is_paused_to_draw = Cell::new(false);
        let end = loop {
            if let ControlFlow::Break(stop) = self.tick(&pass, &search.outcome()) {
                break Ok(stop);
            }
            if is_paused_to_draw.take() || self.progress.is_bar_due() {
                self.draw(search, scope, start);
            }
            if glances.is_due(number) {
                let elapsed = self.budget.elapsed() - start;
                let case = self.shared_case().filter(|_| elapsed >= threads::PATIENCE);
                if !is_estimated && (case.is_some() || elapsed >= estimate::SLICE) {
                    is_estimated = true;
                    let threads = if case.is_some() { self.plan.threads } else { 1 };
                    estimate::warn_if_too_long(self, search, scope, elapsed, threads);
                }
                if let Some(case) = case {
                    self.note_parts(search);
                    return self.pass_on_threads(search, layout, pass, case);
                }
                glances.seen(number, elapsed);
            }
            let mut tick = |outcome: &Outcome| match self.tick(&pass, outcome) {
                ControlFlow::Continue(()) if self.progress.is_bar_due() => {
                    is_paused_to_draw.set(true);
                    ControlFlow::Break(Stop::Interrupted)
                }
                flow => flow,
            };
            let wrong = match find_next(search, &mut tick) {
                Ok(Ok(Found::Valid)) => {
                    number += 1;
                    self.delivered += 1;
                    if self.plan.settings.shard.is_some_and(|shard| !shard.contains(self.delivered - 1)) {
                        continue;
                    }
                    if let Some(stop) = self.budget.check_count(self.report.tested + pass.tested) {
                        break Ok(stop);
                    }
                    pass.tested += 1;
                    match self.try_or_note(search, Origin::Search { scope, number }) {
                        Ok(()) => continue,
                        Err(wrong) => wrong,
                    }
                }
                Ok(Ok(Found::Paused)) if is_paused_to_draw.get() => continue,
                Ok(Ok(Found::End | Found::Paused)) => break Ok(search.outcome().stop),
                Ok(Err(failure)) => {
                    number = 0;
                    Wrong::invariant(failure)
                }
                Err(caught) => {
                    number = 0;
                    Wrong::construction(caught)
                }
            };
            break Err(wrong);
        };
        self.note_parts(search);
        let stop = *end.as_ref().unwrap_or(&Stop::FirstFailure);
        pass.outcome = Outcome { stop, ..search.outcome() };
        self.report.add(pass);
        end.map_err(|wrong| self.smallest_failure(search, layout, wrong, Origin::Search { scope, number }))
    }

    /// Ends the run with the failure on the current value, or with one that has fewer objects.
    fn smallest_failure(
        &mut self,
        search: &mut AnySearch,
        layout: &PassSetup,
        wrong: Box<Wrong>,
        origin: Origin,
    ) -> Ended {
        let scope = origin.scope();
        let (wrong, origin) = match fewest::find(self, layout, search, &wrong) {
            Some(fewest::Fewer { wrong, total }) => (wrong, Origin::Fewest { scope, total }),
            None => (wrong, origin),
        };
        let position = self.failures.position(search, scope, &wrong);
        self.failures.failed(search, *wrong, &position, origin)
    }

    /// Notes why disjoint parts are not searched separately in a pass, or helpers not summarised, if they are not.
    fn note_parts(&mut self, search: &AnySearch) {
        let before = self.report.why_direct.take();
        self.report.why_direct = search.why_direct().map(str::to_owned).or(before);
        self.report.why_not_summarised = search.why_not_summarised().map(str::to_owned);
    }

    /// Returns the test, if several threads may run it in this run. Threads do not count single values.
    fn shared_case(&self) -> Option<&'a dyn SharedCase> {
        let Plan { threads, settings, options, .. } = self.plan;
        // Whether a value is skipped depends on those before it.
        let are_independent = matches!(options.classes, Classes::Ignored | Classes::All);
        let is_counted = settings.max.is_some() || settings.shard.is_some();
        let goes_on = settings.clusters == Some(true);
        self.body.shared.filter(|_| *threads > 1 && !is_counted && !goes_on && are_independent)
    }

    /// Runs the rest of a pass on several threads.
    fn pass_on_threads(
        &mut self,
        search: &mut AnySearch,
        layout: &PassSetup,
        mut pass: Pass,
        case: &dyn SharedCase,
    ) -> Result<Stop, Ended> {
        let (threads, before) = (self.plan.threads, self.report.tested);
        self.body.tally.map(Tally::leave);
        let start = self.budget.elapsed();
        let tick = |search: &mut AnySearch| {
            let outcome = search.outcome();
            self.progress.tick(self.plan.name(), pass.scope, before + outcome.valid, &outcome);
            if self.progress.is_bar_due() {
                self.draw(search, pass.scope, start);
            }
        };
        let total = threads::run(threads, (&self.budget, &self.meter), layout, case, search, &tick);
        self.report.class_table = total.classes;
        let scope = pass.scope;
        pass.outcome = total.outcome;
        pass.tested = total.outcome.valid;
        let Some(failed) = total.failed else {
            self.report.add(pass);
            return Ok(pass.outcome.stop);
        };
        pass.outcome.stop = Stop::FirstFailure;
        self.report.add(pass);
        search.revisit(&failed.path);
        let number = if failed.is_valid { pass.tested } else { 0 };
        Err(self.smallest_failure(search, layout, failed.wrong, Origin::Search { scope, number }))
    }

    /// Draws the bar of a pass that began at a time.
    fn draw(&self, search: &mut AnySearch, scope: Option<u32>, start: Duration) {
        let elapsed = self.budget.elapsed();
        self.progress.draw(&Work {
            name: self.plan.name(),
            scope,
            share: panics::catch(|| search.fraction()).unwrap_or(0.0),
            elapsed: elapsed.saturating_sub(start),
            at_most: self.budget.time().saturating_sub(elapsed),
        });
    }
}
