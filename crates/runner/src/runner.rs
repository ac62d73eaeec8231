//! A test on every valid value: recorded failures first, then the scopes from 0 to the bound.

#[cfg_attr(not(feature = "summaries"), path = "runner/not_adaptive.rs")]
mod adaptive;
#[cfg(feature = "suites")]
pub(crate) mod beside;
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
pub(crate) mod filled;
mod given;
pub(crate) mod json;
#[cfg_attr(not(feature = "html"), path = "runner/no_page.rs")]
pub(crate) mod page;
mod pass;
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
use budget::{Budget, Gauge};
pub(crate) use case::{Case, Held, LayOut, Shared, SharedCase, lay_out, show};
use clusters::Clusters;
#[cfg(feature = "sequences")]
pub(crate) use empty::OPT_OUT;
use failure::{FailedCase, Origin};
use failures::Failures;
use plan::{Order, Plan, SuiteProvenance};
use progress::ProgressLines;
pub(crate) use progress::say;
use report::{Pass, Report, Verdict};
pub(crate) use saved::suite_provenance;
use smallscope_core::bounds::MAX_DEEPENING;
use smallscope_core::{AnySearch, Classes, Outcome, Stop};
use smallscope_support::memory;
use smallscope_support::panics;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use threads::PassSetup;
pub(crate) use trial::describe_panic;
use trial::{Wrong, try_value};

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
        plan.say(&report.to_string());
    }
    for why in [plan.unsummarised(&report), many_candidates].into_iter().flatten() {
        plan.say(&why);
        report.warnings.push(why);
    }
    let written = report_file.map(|path| json::append(path, &report).map_err(|e| unwritable(path, e)));
    if let Some(Err(error)) = written {
        if report.is_ok() {
            report.verdict = Verdict::Error(error);
        } else {
            plan.say(&error);
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
            progress: ProgressLines::new(if plan.identity.is_quiet {
                Some(false)
            } else {
                plan.settings.progress
            }),
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
        let is_seeded = self.plan.settings.sample.is_some() || !whole.long_lengths().is_empty();
        let reduction = Reduction::unless_seeded(&self.plan.settings, is_seeded).map_err(Ended::Error)?;
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
        let long = whole.long_lengths().to_vec();
        sparse::run_first(self, &layout)?;
        let smaller = if plan.order == Order::Smallest { whole.smaller_passes() } else { vec![] };
        let (mut smaller, mut payload) = (smaller.into_iter(), vec![]);
        while payload.is_empty() {
            let Some(pass) = smaller.next() else { break };
            if !self.search_smaller(&mut layout, pass)? {
                return filled::run(self, long, self.report.outcome.stop, &[]);
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
        filled::run(self, long, stop, &layout.covered)
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
        plan.say(&format!(
            "`{}`: {number} {last} cannot be laid out, smaller ones are run: {error}",
            plan.name()
        ));
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

    /// Prints progress if it is due, and ends the run if the time is up or the memory is used.
    fn tick(&self, pass: &Pass, outcome: &Outcome) -> ControlFlow<Stop> {
        self.progress.tick(self.plan.name(), pass.scope, self.report.tested + pass.tested, outcome);
        if self.body.tally.is_some_and(Tally::beat) {
            return ControlFlow::Break(Stop::Interrupted);
        }
        self.budget.check(&self.meter).map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }
}
