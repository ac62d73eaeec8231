//! A test on every valid value: recorded failures first, then the scopes from 0 to the bound.

#[cfg_attr(not(feature = "summaries"), path = "runner/not_adaptive.rs")]
mod adaptive;
#[cfg(feature = "suites")]
mod beside;
pub(crate) mod budget;
pub(crate) mod candidates;
mod case;
pub(crate) mod clusters;
pub(crate) mod edges;
mod empty;
pub(crate) mod estimate;
pub(crate) mod failure;
mod failures;
mod fewest;
mod given;
pub(crate) mod json;
#[cfg_attr(not(feature = "html"), path = "runner/no_page.rs")]
pub(crate) mod page;
mod payload;
pub(crate) mod plan;
pub(crate) mod progress;
#[cfg(feature = "suites")]
pub(crate) mod ranged;
#[cfg_attr(not(feature = "reduce"), path = "runner/no_reduced.rs")]
mod reduced;
pub(crate) mod regressions;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod sampled;
#[cfg_attr(not(feature = "suites"), path = "runner/no_suites.rs")]
mod saved;
mod sparse;
mod threads;
pub(crate) mod trial;

use crate::criteria::Reduction;
use crate::isolate::Tally;
use budget::{Budget, Gauge, Glances};
pub(crate) use case::{Case, Held, LayOut, Shared, SharedCase, lay_out, show};
use clusters::Clusters;
#[cfg(feature = "sequences")]
pub(crate) use empty::OPT_OUT;
use failure::{FailedCase, Origin};
use failures::Failures;
use plan::{Order, Plan, SuiteProvenance};
pub(crate) use progress::say;
use progress::{ProgressLines, Work};
use report::{Pass, Report, Verdict};
pub(crate) use saved::suite_provenance;
use smallscope_core::bounds::MAX_DEEPENING;
use smallscope_core::{AnySearch, Classes, Found, Outcome, Stop};
use smallscope_support::memory;
use smallscope_support::panics;
use std::cell::Cell;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;
use threads::PassSetup;
pub(crate) use trial::describe_panic;
use trial::{Wrong, find_next, try_value};

/// A test: how to search for its values, run it on one, and show one.
pub(crate) struct TestBody<'a> {
    /// Lays out a search for its values.
    pub(crate) lay_out: LayOut,
    /// The test on this thread.
    pub(crate) case: &'a mut dyn Case,
    /// The test for any thread, if several threads may run it.
    pub(crate) shared: Option<&'a dyn SharedCase>,
    /// Shows the value of the current, valid candidate, if it can be built.
    pub(crate) show: &'a Show<'a>,
    /// Counts and records the cases, if they are recorded.
    pub(crate) tally: Option<&'a Tally<'a>>,
}

/// Shows the arguments of the current, valid candidate, if it can be built.
pub(crate) type Show<'a> = dyn Fn(&mut AnySearch) -> Option<Arguments> + 'a;

/// The arguments of a test with their texts. The text is none if the type is not `Debug`.
pub(crate) type Arguments = Vec<(String, Option<String>)>;

/// Runs a test, and prints on stderr what the user should know. Never panics.
pub(crate) fn run<'a>(plan: &'a Plan, body: TestBody<'a>) -> Report {
    let unwritable =
        |path: &Path, e: io::Error| format!("SMALLSCOPE_REPORT: {} cannot be written: {e}", path.display());
    let report_file = plan.settings.report.as_deref();
    if let Some(Err(error)) = report_file.map(|path| json::open(path).map_err(|e| unwritable(path, e))) {
        return plan.identity.error(error);
    }
    let is_talkative = plan.settings.progress == Some(true);
    let limit = memory::Limit::new(plan.settings.memory.map(|memory::Bytes(bytes)| bytes));
    limit.announce_if_ignored();
    if is_talkative {
        limit.announce();
    }
    let budget = Budget::start(plan.time(), plan.settings.budget.is_none(), plan.settings.max, limit);
    let (meter, _guard) = budget.gauge();
    let mut runner = Runner::new(plan, body, budget, meter);
    let verdict = runner.verdict();
    let (clusters, verdict) = runner.failures.end(verdict);
    runner.report.clusters = clusters;
    runner.report.verdict = match verdict {
        Ok(()) => Verdict::Passed,
        Err(Ended::Failed(case)) => Verdict::Failed(case),
        Err(Ended::Error(error)) => Verdict::Error(error),
        Err(Ended::NothingTested(why)) => Verdict::NothingTested(why),
    };
    if let Some(why) = runner.body.case.fatal().filter(|_| runner.report.is_ok()) {
        runner.report.verdict = Verdict::Error(why);
    }
    let many_candidates = candidates::explain(&runner);
    let dropped = panics::catch(|| runner.body.case.clear());
    let mut report = runner.report;
    if let (Err(caught), true) = (dropped, report.is_ok()) {
        report.verdict = Verdict::Error(describe_panic(&caught, "when a value was dropped"));
    }
    report.exceeded = runner.budget.exceeded();
    report.elapsed = runner.budget.elapsed();
    // A replay says itself that nothing else was run.
    let is_worth_saying = is_talkative
        || plan.options.classes != Classes::Ignored
        || !report.is_exhaustive() && !report.passes.is_empty();
    if report.is_ok() && is_worth_saying {
        say(&report.to_string());
    }
    for why in [plan.unsummarised(&report), many_candidates].into_iter().flatten() {
        say(&why);
        report.warnings.push(why);
    }
    let written = report_file.map(|path| json::append(path, &report).map_err(|e| unwritable(path, e)));
    if let Some(Err(error)) = written {
        if report.is_ok() {
            report.verdict = Verdict::Error(error);
        } else {
            say(&error);
            report.warnings.push(error);
        }
    }
    report
}

struct Runner<'a> {
    plan: &'a Plan,
    body: TestBody<'a>,
    budget: Budget,
    /// Time and memory, for the thread of the run.
    meter: Gauge,
    /// Whether a warning was printed that the time will not suffice.
    has_warned: bool,
    progress: ProgressLines,
    report: Report,
    /// Valid values so far, of all shards.
    delivered: u64,
    failures: Failures<'a>,
}

/// Why a run ended early, other than by a limit.
enum Ended {
    Failed(Box<FailedCase>),
    Error(String),
    /// There was no value to run the test on.
    NothingTested(String),
}

impl<'a> Runner<'a> {
    fn new(plan: &'a Plan, body: TestBody<'a>, budget: Budget, meter: Gauge) -> Runner<'a> {
        Runner {
            plan,
            budget,
            meter,
            has_warned: false,
            progress: ProgressLines::new(plan.settings.progress),
            report: Report {
                scope: plan.bounds.scope_number(),
                number: plan.bounds.number_name(),
                shard: plan.settings.shard,
                order_types: plan.options.order_types,
                classes: plan.options.classes,
                default_budget: plan.settings.budget.is_none().then_some(plan.default_budget),
                ..Report::new(plan.name())
            },
            delivered: 0,
            failures: Failures {
                plan,
                show: body.show,
                lay_out: body.lay_out,
                clusters: Clusters::default(),
            },
            body,
        }
    }

    fn verdict(&mut self) -> Result<(), Ended> {
        let whole = match self.layout().lay_out() {
            Ok(whole) => whole,
            Err(error) => return Err(self.search_what_fits(error)),
        };
        self.report.space_bits = whole.space_bits();
        if let Some(position) = &self.plan.replay {
            return given::replay(self, position);
        }
        given::try_records(self)?;
        let reduction = Reduction::of(&self.plan.settings).map_err(Ended::Error)?;
        match (&self.plan.settings.suite, reduction) {
            (Some(path), None) => saved::run(self, &mut { whole }, path)?,
            (None, Some(reduction)) => reduced::run(self, &mut { whole }, reduction)?,
            (None, None) => self.search(whole).and_then(|()| sampled::run(self))?,
            (Some(_), Some(_)) => {
                return Err(Ended::Error(
                    "a suite is run as it is; `cargo smallscope reduce` makes a smaller one of it".into(),
                ));
            }
        }
        empty::check(self)
    }

    /// Runs the passes. Each delivers only values that no pass before it has delivered.
    fn search(&mut self, mut whole: AnySearch) -> Result<(), Ended> {
        let plan = self.plan;
        let deepening = plan.bounds.scope_number().filter(|_| plan.order == Order::Smallest);
        let mut layout = self.layout();
        sparse::run_first(self, &layout)?;
        let smaller = if plan.order == Order::Smallest { whole.smaller_passes() } else { vec![] };
        let (mut smaller, mut payload) = (smaller.into_iter(), vec![]);
        while payload.is_empty() {
            let Some(pass) = smaller.next() else { break };
            if !self.search_smaller(&mut layout, pass)? {
                return Ok(());
            }
            adaptive::consider(self, &mut layout);
            payload = payload::fields(self, &layout, smaller.as_slice());
        }
        let stop = if payload.is_empty() {
            layout.within = None;
            whole = layout.lay_out_last(whole).map_err(Ended::Error)?;
            self.pass(&mut whole, &layout, deepening)?
        } else {
            payload::run(self, &mut layout, &payload, smaller.as_slice())?
        };
        if let (Stop::Exhausted, Some(scope)) = (stop, plan.bounds.scope_number()) {
            layout.covered.retain(|covered| *covered < scope);
            layout.covered.push(scope.min(MAX_DEEPENING));
            edges::run(self, &layout.covered)?;
        }
        Ok(())
    }

    /// Runs a pass that is not the last one. Whether it has ended.
    fn search_smaller(&mut self, layout: &mut PassSetup, pass: u32) -> Result<bool, Ended> {
        layout.within = Some(pass);
        // If a domain is empty in a small scope, its values come in a later one.
        let Ok(mut search) = layout.lay_out() else { return Ok(true) };
        // Behind the scope number, only numbers grow that do not depend on it.
        let scope = self.plan.bounds.scope_number().map(|last| last.min(pass));
        let stop = self.pass(&mut search, layout, scope)?;
        let has_ended = matches!(stop, Stop::Exhausted | Stop::ClassesCovered | Stop::OrdersCovered);
        if has_ended {
            layout.covered.push(pass);
        }
        Ok(has_ended)
    }

    /// Runs the smaller scopes if the last one cannot be laid out: a failure in them says more than that. Otherwise returns
    /// the error.
    fn search_what_fits(&mut self, error: String) -> Ended {
        let plan = self.plan;
        let settings = &plan.settings;
        let is_plain = plan.replay.is_none() && settings.suite.is_none() && settings.criterion.is_none();
        let last = plan.bounds.scope_number().filter(|_| is_plain && plan.order == Order::Smallest);
        let (mut layout, last) = (self.layout(), last.unwrap_or(0));
        let can_be_laid_out = |scope| PassSetup { within: Some(scope), ..layout.clone() }.lay_out().is_ok();
        if !(0..last.min(MAX_DEEPENING + 1)).any(can_be_laid_out) {
            return Ended::Error(error);
        }
        let number = self.report.number;
        say(&format!("`{}`: {number} {last} cannot be laid out, smaller ones are run: {error}", plan.name()));
        for pass in 0..last.min(MAX_DEEPENING + 1) {
            match self.search_smaller(&mut layout, pass) {
                Ok(true) => {}
                Ok(false) => break,
                Err(ended) => return ended,
            }
        }
        match layout.covered.last() {
            Some(covered) => Ended::Error(format!(
                "{error}\n\n{number} {covered} passes; the test was run on {} up to there",
                report::plural(self.report.tested, "value")
            )),
            None => Ended::Error(error),
        }
    }

    /// Returns the layout of a search of everything within the bounds.
    fn layout(&self) -> PassSetup {
        let (bounds, options) = (self.plan.bounds.clone(), self.plan.options);
        PassSetup { new: self.body.lay_out, bounds, options, within: None, covered: vec![], trial_runs: None }
    }

    /// Runs one pass. Returns why it stopped, unless it failed.
    fn pass(
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

    /// Runs the test on the current value. Notes a failure if failures do not end the run.
    fn try_or_note(&mut self, search: &mut AnySearch, origin: Origin) -> Result<(), Box<Wrong>> {
        match try_value(search, self.body.case, self.body.tally) {
            Err(wrong) if self.failures.continues_after(&wrong) => {
                let position = self.failures.position(search, origin.scope(), &wrong);
                self.failures.note(search, *wrong, origin, position, 1);
                Ok(())
            }
            result => result,
        }
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

    /// Prints progress if it is due, and ends the run if the time is up or the memory is used.
    fn tick(&self, pass: &Pass, outcome: &Outcome) -> ControlFlow<Stop> {
        self.progress.tick(self.plan.name(), pass.scope, self.report.tested + pass.tested, outcome);
        if self.body.tally.is_some_and(Tally::beat) {
            return ControlFlow::Break(Stop::Interrupted);
        }
        self.budget.check(&self.meter).map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }
}
