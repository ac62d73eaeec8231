//! Runs that test nothing fail: which conjunct rejects, and the smallest bounds that have a value.
//!
//! What is looked for here is limited by a number of runs of the invariant, so that the words are the same every time. The
//! time limit is for slow invariants only.

use super::plan::Plan;
use super::report::plural;
use super::trial::{caught_lay_out, find_next};
use super::{Ended, LayOut, Runner};
use crate::forced::short;
use smallscope_core::bounds::relax::{Relaxed, raised, without};
use smallscope_core::conjuncts::ConjunctSite;
use smallscope_core::{AnySearch, Bounds, Found, Limit, Options, Stop};
use smallscope_support::duration::describe_default;
use std::fmt::Write;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How many runs of the invariant the rejections are counted in.
const COUNTED_RUNS: u64 = 1 << 16;
/// How many runs of the invariant the search for larger bounds may take.
const TRIED_RUNS: u64 = 1 << 14;
/// How long both may take together.
const PATIENCE: Duration = Duration::from_secs(2);
/// How many larger scopes are tried.
const MOST_SCOPES: u32 = 64;
/// By how much single bounds are raised.
const MOST_RAISED: u32 = 8;
/// Scopes whose slots have more choices than this together are not left for larger ones, which would take memory.
const MOST_CHOICES: u64 = 1 << 14;
/// How many conjuncts are listed.
const LISTED: usize = 5;

pub(crate) const OPT_OUT: &str = "`allow_empty` lets a run that tests nothing pass";

/// Fails if the run has tested nothing, unless that is allowed or the values are those of other shards.
pub(super) fn check(runner: &Runner<'_>) -> Result<(), Ended> {
    let (plan, report) = (runner.plan, &runner.report);
    if plan.settings.allow_empty == Some(true) || report.tested + report.sparse > 0 {
        return Ok(());
    }
    let stop = report.outcome.stop;
    let is_end = matches!(
        stop,
        Stop::Exhausted
            | Stop::ClassesCovered
            | Stop::OrdersCovered
            | Stop::LimitReached(Limit::Suite | Limit::OnePerPath)
    );
    let text = match (is_end, &plan.settings.suite) {
        (true, _) if report.outcome.valid > 0 => return Ok(()),
        (true, Some(path)) => format!("the suite {} has no values\n\n{OPT_OUT}", path.display()),
        (true, None) => Diagnosis::new(plan, runner.body.lay_out).describe(),
        (false, _) => {
            let explored = plural(report.outcome.explored, "candidate");
            let shard = if report.shard.is_some() { " of this shard" } else { "" };
            let memory = runner.budget.exceeded().map_or_else(String::new, |exceeded| {
                format!("; {exceeded}, which `memory = \"2 GB\"` or SMALLSCOPE_MEMORY sets")
            });
            let time = report.default_budget.filter(|_| stop == Stop::LimitReached(Limit::Time));
            let time = time.map_or_else(String::new, |time| format!("; {}", describe_default(time)));
            format!(
                "{stop} before the test ran on the first value{shard}, after {explored}{memory}{time}\n\n\
                 raise the limit, or lower the bounds; {OPT_OUT}"
            )
        }
    };
    Err(Ended::NothingTested(text))
}

/// Finds out why no value is valid.
struct Diagnosis<'a> {
    plan: &'a Plan,
    new: LayOut,
    deadline: Instant,
    /// Runs of the invariant that are left for larger bounds.
    runs: u64,
}

/// What a search within a limit has shown.
enum Seen {
    Valid,
    Nothing,
    /// The limit was reached first, or the invariant misbehaves.
    Unknown,
}

/// Rejected candidates, by the conjunct that was false; none where that is not known.
#[derive(Default)]
struct Rejected {
    rows: Vec<(Option<&'static ConjunctSite>, u64)>,
    /// Candidates that were cut short because no object was left.
    pruned: u64,
    runs: u64,
    is_all: bool,
}

impl Rejected {
    fn add(&mut self, conjunct: Option<&'static ConjunctSite>) {
        let is_same = |row: &&mut (Option<&'static ConjunctSite>, u64)| match (row.0, conjunct) {
            (Some(a), Some(b)) => std::ptr::eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        match self.rows.iter_mut().find(is_same) {
            Some(row) => row.1 += 1,
            None => self.rows.push((conjunct, 1)),
        }
    }

    /// Returns the conjunct that no candidate gets past. As the conjuncts run in the order of the source, it is the last
    /// one that was false; a candidate for which it held would have been rejected by another one. None if invariants of
    /// parts reject candidates, too: a conjunct behind them may have run on few values only.
    fn barrier(&self) -> Option<&'static ConjunctSite> {
        if !self.is_all || self.pruned > 0 {
            return None;
        }
        let mut last: Option<&'static ConjunctSite> = None;
        for (site, _) in &self.rows {
            let site = (*site)?;
            // The invariant of a part has no line of its own.
            if self.rows.len() > 1 && site.line == 0 {
                return None;
            }
            if last.is_none_or(|last| std::ptr::from_ref(last) < std::ptr::from_ref(site)) {
                last = Some(site);
            }
        }
        last
    }

    fn describe(&self, whose: &str) -> String {
        let which = if self.is_all { "every candidate" } else { "the first candidates" };
        let mut text = format!("{whose} rejects {which}, in {}", plural(self.runs, "run"));
        let mut rows: Vec<(String, u64)> = vec![];
        let barrier = self.barrier();
        for (site, count) in &self.rows {
            let row = match site {
                Some(site) if barrier.is_some_and(|barrier| std::ptr::eq(*site, barrier)) => {
                    format!("`{}`, which was never true", short(site.text))
                }
                Some(site) => format!("`{}`", short(site.text)),
                None => "outside of its conjuncts".to_owned(),
            };
            insert(&mut rows, row, *count);
        }
        if self.pruned > 0 {
            insert(&mut rows, "cut short, because the bounds leave no object".to_owned(), self.pruned);
        }
        if self.rows.iter().any(|row| row.0.is_some()) || self.pruned > 0 {
            text.push(':');
            for (row, count) in rows.iter().take(LISTED) {
                let _ = write!(text, "\n  {count:>8}  {row}");
            }
            if rows.len() > LISTED {
                let _ = write!(text, "\n            and {} more", rows.len() - LISTED);
            }
        }
        text
    }
}

/// Inserts a row behind those that count as much or more.
fn insert(rows: &mut Vec<(String, u64)>, row: String, count: u64) {
    let mut at = rows.len();
    while at > 0 && rows[at - 1].1 < count {
        at -= 1;
    }
    rows.insert(at, (row, count));
}

impl Diagnosis<'_> {
    fn new(plan: &Plan, new: LayOut) -> Diagnosis<'_> {
        Diagnosis { plan, new, deadline: Instant::now() + PATIENCE, runs: TRIED_RUNS }
    }

    fn describe(mut self) -> String {
        let bounds = self.plan.bounds.clone();
        let names = self.lay_out(&bounds, None).map(|search| search.inputs().to_vec()).unwrap_or_default();
        let mut text = "no value within the bounds is valid".to_owned();
        let mut empty = vec![];
        let mut reasons = vec![];
        for input in inputs(&names) {
            let mut rejected = Rejected::default();
            if let Seen::Nothing | Seen::Unknown = self.count(&bounds, input, &mut rejected) {
                if !rejected.is_all && names.len() > 1 {
                    // Another argument may be the empty one.
                    continue;
                }
                let whose = match input {
                    Some(input) if names.len() > 1 => {
                        format!("the invariant of the argument `{}`", names[input])
                    }
                    _ => "the invariant".to_owned(),
                };
                reasons.push(rejected.describe(&whose));
                empty.push(input);
            }
        }
        if names.len() > 1 && !empty.is_empty() {
            let mut named = vec![];
            for input in empty.iter().flatten() {
                named.push(format!("`{}`", names[*input]));
            }
            let s = if named.len() == 1 { "" } else { "s" };
            text = format!("no value of the argument{s} {} within the bounds is valid", named.join(" and "));
        }
        if !empty.is_empty() {
            reasons.push(self.larger(&empty));
        }
        reasons.push(OPT_OUT.to_owned());
        format!("{text}\n\n{}", reasons.join("\n"))
    }

    /// Says which larger bounds have a value for each of these inputs.
    fn larger(&mut self, empty: &[Option<usize>]) -> String {
        let bounds = self.plan.bounds.clone();
        let mut tried = None;
        if let Some(scope) = bounds.scope_number() {
            for larger in scope + 1..=scope.saturating_add(MOST_SCOPES) {
                match self.have_values(&bounds.with_scope(larger), empty) {
                    Some(true) => {
                        let number = bounds.number_name();
                        return format!("{number} {larger} is the smallest {number} with a valid value");
                    }
                    Some(false) => tried = Some(larger),
                    None => break,
                }
            }
        }
        for by in 1..=MOST_RAISED {
            for Relaxed { text, bounds } in raised(&bounds, by) {
                if self.have_values(&bounds, empty) == Some(true) {
                    return format!("with `{text}` there is a valid value");
                }
            }
        }
        for Relaxed { text, bounds } in without(&bounds) {
            if self.have_values(&bounds, empty) == Some(true) {
                return format!("without `{text}` there is a valid value");
            }
        }
        match tried {
            Some(tried) => format!("no {} up to {tried} has a valid value either", bounds.number_name()),
            None => "a short search of larger bounds has found no valid value".to_owned(),
        }
    }

    /// Whether each of these inputs has a value within other bounds; none if that is not found out quickly.
    fn have_values(&mut self, bounds: &Bounds, inputs: &[Option<usize>]) -> Option<bool> {
        for &input in inputs {
            // A domain may be empty, or a table too large.
            let mut search = self.lay_out(bounds, input)?;
            let mut all = 0;
            for (_, choices) in search.slots() {
                all += choices;
            }
            if all > MOST_CHOICES {
                return None;
            }
            let left = self.runs;
            let seen = self.look(&mut search, left, &mut |_| {});
            self.runs = left.saturating_sub(search.outcome().explored.max(1));
            match seen {
                Seen::Valid => {}
                Seen::Nothing => return Some(false),
                Seen::Unknown => return None,
            }
        }
        (!inputs.is_empty()).then_some(true)
    }

    /// Counts the rejections of an input, or of the whole.
    fn count(&self, bounds: &Bounds, input: Option<usize>, rejected: &mut Rejected) -> Seen {
        let Some(mut search) = self.lay_out(bounds, input) else { return Seen::Unknown };
        search.in_source_order();
        search.take_rejections();
        let seen = self.look(&mut search, COUNTED_RUNS, &mut |search| {
            search.take_rejections().iter().for_each(|rejection| rejected.add(rejection.conjunct));
        });
        let outcome = search.outcome();
        (rejected.pruned, rejected.runs) = (outcome.pruned, outcome.explored);
        rejected.is_all = matches!(seen, Seen::Nothing);
        seen
    }

    fn lay_out(&self, bounds: &Bounds, input: Option<usize>) -> Option<AnySearch> {
        // The default engine knows the conjuncts, and one search needs no parts.
        let options = Options { recheck_every: 0, ..Options::default() };
        let mut search = caught_lay_out(self.new, bounds, None, options).ok()?;
        input.into_iter().for_each(|input| search.only_input(input));
        Some(search)
    }

    /// Searches for a valid candidate with a limit on the runs of the invariant.
    fn look(&self, search: &mut AnySearch, runs: u64, note: &mut dyn FnMut(&mut AnySearch)) -> Seen {
        while search.outcome().explored < runs && Instant::now() < self.deadline {
            let found = find_next(search, &mut |_| ControlFlow::Break(Stop::Interrupted));
            note(search);
            match found {
                Ok(Ok(Found::Valid)) => return Seen::Valid,
                Ok(Ok(Found::End)) => return Seen::Nothing,
                Ok(Ok(Found::Paused)) => {}
                Ok(Err(_)) | Err(_) => return Seen::Unknown,
            }
        }
        Seen::Unknown
    }
}

/// The inputs to look at: each one, or the whole value if there are not several.
fn inputs(names: &[String]) -> Vec<Option<usize>> {
    match names.len() {
        0 => vec![None],
        n => (0..n).map(Some).collect(),
    }
}
