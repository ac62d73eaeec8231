//! The result of a run, in numbers and in words.

use super::budget::Shard;
use super::clusters::Cluster;
use super::edges::Edges;
use super::failure::FailedCase;
use super::filled::Filled;
use super::sampled::Sampled;
use smallscope_core::{ClassTable, Classes, Limit, Outcome, Skipped, Stop};
use smallscope_support::duration;
use smallscope_support::memory::Exceeded;
use std::fmt;
use std::time::Duration;

/// The result of a run. Its text says what was covered and what was not, and describes the failure, if any.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Report {
    /// The name of the test.
    pub name: String,
    /// Whether it passed.
    pub verdict: Verdict,
    /// Why the run stopped, and the counts over all passes.
    pub outcome: Outcome,
    /// Values that the test ran on, without recorded failures.
    pub tested: u64,
    /// The fields that the invariant does not look at and that had one value first; empty if there was no need for that.
    pub payload: Vec<String>,
    /// The pass with edge values, after the search; none if there was none.
    pub edges: Option<Edges>,
    /// The values with long sequences after the search; none if there were none.
    pub filled: Option<Filled>,
    /// The random values after the search; none if there were none.
    pub sampled: Option<Sampled>,
    /// Values from all over the bounds that the test ran on before the search. The search finds them again.
    pub sparse: u64,
    /// The scope number, if the bounds have one.
    pub scope: Option<u32>,
    /// What this number is: "scope" or "size".
    pub number: &'static str,
    /// The shard, if the run was one.
    pub shard: Option<Shard>,
    /// Whether one value per order type of the keys was tested.
    pub order_types: bool,
    /// The treatment of classes. If values were skipped because of it, the run is not exhaustive.
    pub classes: Classes,
    /// The classes of the values that the search has delivered.
    pub class_table: ClassTable,
    /// The passes over the search space, one per scope. Empty if there was no search.
    pub passes: Vec<Pass>,
    /// The reduction, if only some values of each class were tested.
    pub reduced: Option<ReducedTo>,
    /// The failures in groups, if they did not end the run.
    pub clusters: Vec<Cluster>,
    /// log2 of the number of candidate vectors within the bounds.
    pub space_bits: f64,
    /// What the user should know, such as stale records. Also printed on stderr.
    pub warnings: Vec<String>,
    /// Why disjoint parts were not searched separately, if they were not.
    pub why_direct: Option<String>,
    /// Why helpers were not summarised in the last pass, if that was requested and they were not.
    pub why_not_summarised: Option<String>,
    /// The time budget, if the run has the default one.
    pub(crate) default_budget: Option<Duration>,
    /// The measurement of memory that has ended the run, if one has.
    pub(crate) exceeded: Option<Exceeded>,
    /// How long it took.
    pub elapsed: Duration,
}

/// The result of a reduction.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ReducedTo {
    /// The criterion, by its name.
    pub criterion: String,
    /// The criterion, the number of values per class, and the choice.
    pub reduction: String,
    /// Valid values within the bounds.
    pub values: u64,
    /// How many of them were kept.
    pub kept: u64,
    /// How many classes there are.
    pub classes: u64,
    /// The largest number of values that was kept of one class.
    pub most: u64,
}

#[cfg(feature = "reduce")]
impl ReducedTo {
    pub(crate) fn new<V>(
        reduction: crate::criteria::Reduction,
        reduced: &crate::criteria::Reduced<V>,
    ) -> ReducedTo {
        ReducedTo {
            criterion: reduction.criterion.to_string(),
            reduction: reduction.to_string(),
            values: reduced.values,
            kept: reduced.kept.len() as u64,
            classes: reduced.classes.len() as u64,
            most: reduced.most,
        }
    }
}

/// Whether a test passed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Verdict {
    /// No value made it fail. [`Report::is_exhaustive`] says whether all values were tried.
    Passed,
    /// A value made it fail, or the invariant misbehaved.
    Failed(Box<FailedCase>),
    /// The run could not begin: invalid bounds, a malformed variable or record.
    Error(String),
    /// The test ran on nothing, and why: no value within the bounds is valid, or the run was stopped before the first.
    NothingTested(String),
}

/// One pass over the search space.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Pass {
    /// The scope. Only values that no smaller scope contains were delivered. None if there was only one pass.
    pub scope: Option<u32>,
    /// How it ended.
    pub outcome: Outcome,
    /// Values that the test ran on.
    pub tested: u64,
    /// Whether fields that the invariant does not look at had their first value only. The scope comes again then.
    pub is_first: bool,
}

impl Pass {
    pub(crate) fn new(scope: Option<u32>, outcome: Outcome) -> Pass {
        Pass { scope, outcome, tested: 0, is_first: false }
    }
}

impl Report {
    pub(crate) fn new(name: &str) -> Report {
        Report {
            name: name.to_owned(),
            verdict: Verdict::Passed,
            outcome: Outcome { stop: Stop::Interrupted, explored: 0, valid: 0, pruned: 0, audited: 0 },
            tested: 0,
            payload: vec![],
            edges: None,
            filled: None,
            sampled: None,
            sparse: 0,
            scope: None,
            number: "scope",
            shard: None,
            order_types: false,
            classes: Classes::Ignored,
            class_table: ClassTable::default(),
            passes: vec![],
            reduced: None,
            clusters: vec![],
            space_bits: 0.0,
            warnings: vec![],
            why_direct: None,
            why_not_summarised: None,
            default_budget: None,
            exceeded: None,
            elapsed: Duration::ZERO,
        }
    }

    /// Adds the counts of a pass.
    pub(crate) fn add(&mut self, pass: Pass) {
        let (sum, new) = (&mut self.outcome, pass.outcome);
        sum.stop = new.stop;
        sum.explored += new.explored;
        sum.valid += new.valid;
        sum.pruned += new.pruned;
        sum.audited += new.audited;
        self.tested += pass.tested;
        self.passes.push(pass);
    }

    /// Whether the test ran on a value, and no value made it fail. With `allow_empty`, it need not run on any.
    pub fn is_ok(&self) -> bool {
        matches!(self.verdict, Verdict::Passed)
    }

    /// Whether the verdict is that of a value, and not about the bounds or settings.
    pub(crate) fn is_about_a_value(&self) -> bool {
        matches!(self.verdict, Verdict::Passed | Verdict::Failed(_))
    }

    /// Returns the failure, if there was one.
    #[inline]
    pub fn failure(&self) -> Option<&FailedCase> {
        match &self.verdict {
            Verdict::Failed(case) => Some(case),
            _ => None,
        }
    }

    /// Returns why the run could not begin, if it could not.
    pub fn error(&self) -> Option<&str> {
        match &self.verdict {
            Verdict::Error(error) => Some(error),
            _ => None,
        }
    }

    /// Returns why the test ran on nothing, if that has made it fail.
    pub fn nothing_tested(&self) -> Option<&str> {
        match &self.verdict {
            Verdict::NothingTested(why) => Some(why),
            _ => None,
        }
    }

    /// Whether the test passed on every valid value within the bounds.
    pub fn is_exhaustive(&self) -> bool {
        let is_whole = self.shard.is_none() && self.reduced.is_none() && !self.order_types;
        self.is_ok() && self.outcome.is_exhaustive() && is_whole
    }

    /// Whether values are skipped because of their class.
    fn skips_values(&self) -> bool {
        !matches!(self.classes, Classes::Ignored | Classes::All)
    }

    /// Describes what was covered and what was not, in one sentence.
    pub fn coverage(&self) -> String {
        let coverage = self.coverage_up_to_stop();
        match (self.outcome.stop, &self.exceeded, self.default_budget) {
            (Stop::LimitReached(Limit::Memory), Some(exceeded), _) => format!(
                "{coverage}; {exceeded}: lower the bounds, or raise the limit with `memory = \"2 GB\"` or SMALLSCOPE_MEMORY"
            ),
            (Stop::LimitReached(Limit::Time), _, Some(budget)) => {
                format!("{coverage}; {}", duration::describe_default(budget))
            }
            _ => coverage,
        }
    }

    fn coverage_up_to_stop(&self) -> String {
        let how = if self.skips_values() { " by class" } else { " exhaustively" };
        let done = match self.shard {
            None if self.order_types => "covered, with one value for each order of keys".to_owned(),
            None => format!("covered{how}"),
            Some(shard) => {
                let how = if self.skips_values() { how } else { "" };
                format!("covered{how} for shard {shard} (one value in {})", shard.count())
            }
        };
        let mut values = plural(self.tested, "value");
        if !self.class_table.is_empty() {
            let classes = if self.class_table.len() == 1 { "class" } else { "classes" };
            values.push_str(&format!(" of {} {classes}", self.class_table.len()));
        }
        let Some(last) = self.passes.last() else {
            return "the search was not begun".to_owned();
        };
        let stop = match last.outcome.stop {
            // `done` says it already.
            Stop::OrdersCovered => Stop::Exhausted,
            stop => stop,
        };
        if let Some(reduced) = &self.reduced {
            return self.reduced_coverage(reduced, stop);
        }
        match (last.scope, stop) {
            (None, Stop::ClassesCovered) => {
                format!("the bounds are {done}: {values}; {}", skipped(&self.class_table, "value"))
            }
            (Some(_), Stop::ClassesCovered) => {
                let all = Scopes(self.number, 0, self.scope.unwrap_or(0));
                let verb = all.verb("is", "are");
                format!("{all} {verb} {done}: {values}; {}", skipped(&self.class_table, "value"))
            }
            (None, Stop::Exhausted) => format!("the bounds are {done}: {values}"),
            (None, _) => format!("{stop} after {values}: the bounds are not {done}"),
            (Some(_), Stop::Exhausted) => {
                let all = Scopes(self.number, 0, self.scope.unwrap_or(0));
                format!("{all} {} {done}: {values}", all.verb("is", "are"))
            }
            (Some(scope), _) => {
                let number = self.number;
                // A scope that could not be laid out has no pass; its values come in this one.
                let mut previous = None;
                for pass in &self.passes {
                    if !pass.is_first && pass.scope.is_some_and(|before| before < scope) {
                        previous = pass.scope;
                    }
                }
                if let (Some(end), false) = (previous, self.payload.is_empty()) {
                    let covered = self.coverage_of_payload(*last, scope, end, &done);
                    return format!("{stop} in {number} {scope}, after {values} in all: {covered}");
                }
                let before = match previous {
                    None => format!("no {number} is {done}"),
                    Some(end) => {
                        let before = Scopes(number, 0, end);
                        format!("{before} {} {done}, {number} {scope} is not", before.verb("is", "are"))
                    }
                };
                let after = match self.scope {
                    Some(end) if end > scope => {
                        let after = Scopes(number, scope + 1, end);
                        format!(", {after} {} not begun", after.verb("was", "were"))
                    }
                    _ => String::new(),
                };
                format!("{stop} in {number} {scope}, after {values} in all: {before}{after}")
            }
        }
    }

    /// Describes what was covered if the run stopped in a scope, all scopes up to `end` are done, and fields that the
    /// invariant does not look at had one value first.
    fn coverage_of_payload(&self, last: Pass, scope: u32, end: u32, done: &str) -> String {
        let number = self.number;
        let bound = self.scope.unwrap_or(scope);
        let before = Scopes(number, 0, end);
        let mut text = format!("{before} {} {done}", before.verb("is", "are"));
        let first = if last.is_first { scope.saturating_sub(1) } else { bound };
        if first > end {
            let with = Scopes(number, end + 1, first);
            let (verb, fields) = (with.verb("is", "are"), self.payload.join("`, `"));
            text += &format!(
                ", {with} {verb} covered with one value of `{fields}`, which the invariant does not look at"
            );
        }
        if last.is_first {
            text += &format!(", {number} {scope} is not");
            if bound > scope {
                let after = Scopes(number, scope + 1, bound);
                text += &format!(", {after} {} not begun", after.verb("was", "were"));
            }
        }
        text
    }

    fn reduced_coverage(&self, reduced: &ReducedTo, stop: Stop) -> String {
        let ReducedTo { reduction, values, kept, classes, most, .. } = reduced;
        let es = if *classes == 1 { "" } else { "es" };
        let of = format!(
            "{kept} of {} that the bounds allow, at most {most} of each of {classes} class{es} (`{reduction}`)",
            plural(*values, "value")
        );
        let share = self.shard.map(|shard| format!("shard {shard} of ")).unwrap_or_default();
        match stop {
            Stop::Exhausted => format!("{share}a reduced suite was run: {of}"),
            stop => {
                format!("{stop} after {}: of {share}a reduced suite of {of}", plural(self.tested, "value"))
            }
        }
    }

    /// Panics if the test failed or could not be run.
    #[track_caller]
    pub fn expect_ok(&self) {
        if !self.is_ok() {
            smallscope_support::panics::throw(self.to_string());
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.verdict {
            Verdict::Passed => {
                write!(f, "`{}`: {}", self.name, self.coverage())?;
                self.edges.iter().try_for_each(|edges| write!(f, "\n{edges}"))?;
                self.filled.iter().try_for_each(|filled| write!(f, "\n{filled}"))?;
                self.sampled.iter().try_for_each(|sampled| write!(f, "\n{sampled}"))?;
                if self.class_table.is_empty() { Ok(()) } else { write!(f, "\n{}", self.class_table) }
            }
            Verdict::Failed(case) => case.describe(f, self),
            Verdict::Error(error) => write!(f, "`{}` cannot be run: {error}", self.name),
            Verdict::NothingTested(why) => write!(f, "`{}` has tested nothing: {why}", self.name),
        }
    }
}

/// Says whether values were skipped because of their class.
pub(crate) fn skipped(classes: &ClassTable, noun: &str) -> String {
    match classes.skipped() {
        Skipped::Values => format!("other {noun}s of these classes were skipped"),
        Skipped::Candidates => format!("other {noun}s of these classes may have been skipped"),
        Skipped::Nothing => format!("no {noun} was skipped"),
    }
}

/// A range of scopes or sizes, in words.
struct Scopes(&'static str, u32, u32);

impl Scopes {
    fn verb(&self, one: &'static str, many: &'static str) -> &'static str {
        if self.1 == self.2 { one } else { many }
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scopes(number, a, b) if a == b => write!(f, "{number} {a}"),
            Scopes(number, a, b) => write!(f, "{number}s {a} to {b}"),
        }
    }
}

pub(crate) fn plural(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(scope: Option<u32>, passes: &[(Option<u32>, Stop)]) -> Report {
        let mut report = Report { scope, ..Report::new("t") };
        for &(scope, stop) in passes {
            let outcome = Outcome { stop, explored: 5, valid: 2, pruned: 0, audited: 0 };
            report.add(Pass { tested: 2, ..Pass::new(scope, outcome) });
        }
        report
    }

    const DONE: Stop = Stop::Exhausted;
    const TIME: Stop = Stop::LimitReached(Limit::Time);

    #[test]
    fn only_what_was_finished_is_called_exhaustive() {
        let cases = [
            (report(None, &[(None, DONE)]), "the bounds are covered exhaustively: 2 values"),
            (
                report(None, &[(None, TIME)]),
                "stopped by the time budget after 2 values: the bounds are not covered exhaustively",
            ),
            (
                report(Some(1), &[(Some(0), DONE), (Some(1), DONE)]),
                "scopes 0 to 1 are covered exhaustively: 4 values",
            ),
            (report(Some(0), &[(Some(0), DONE)]), "scope 0 is covered exhaustively: 2 values"),
            (
                report(Some(2), &[(Some(0), DONE), (Some(1), DONE), (Some(2), TIME)]),
                "stopped by the time budget in scope 2, after 6 values in all: \
                 scopes 0 to 1 are covered exhaustively, scope 2 is not",
            ),
            (
                report(Some(5), &[(Some(0), DONE), (Some(1), Stop::FirstFailure)]),
                "stopped at the first failure in scope 1, after 4 values in all: \
                 scope 0 is covered exhaustively, scope 1 is not, scopes 2 to 5 were not begun",
            ),
            (
                report(Some(1), &[(Some(0), TIME)]),
                "stopped by the time budget in scope 0, after 2 values in all: \
                 no scope is covered exhaustively, scope 1 was not begun",
            ),
            (
                // Scope 0 could not be laid out.
                report(Some(2), &[(Some(1), TIME)]),
                "stopped by the time budget in scope 1, after 2 values in all: \
                 no scope is covered exhaustively, scope 2 was not begun",
            ),
            (report(Some(1), &[]), "the search was not begun"),
        ];
        for (report, words) in cases {
            assert_eq!(report.coverage(), words);
        }
    }

    #[test]
    fn what_was_passed_over_is_not_called_exhaustive() {
        let mut done = report(Some(1), &[(Some(0), Stop::ClassesCovered), (Some(1), Stop::ClassesCovered)]);
        done.classes = Classes::One;
        assert!(done.is_ok() && !done.is_exhaustive());
        assert_eq!(done.coverage(), "scopes 0 to 1 are covered by class: 4 values; no value was skipped");
        let mut cut = report(Some(2), &[(Some(0), Stop::ClassesCovered), (Some(1), TIME)]);
        cut.classes = Classes::Pruned;
        assert_eq!(
            cut.coverage(),
            "stopped by the time budget in scope 1, after 4 values in all: \
             scope 0 is covered by class, scope 1 is not, scope 2 was not begun"
        );
    }

    #[test]
    fn a_shard_is_not_everything() {
        let mut report = report(None, &[(None, DONE)]);
        assert!(report.is_exhaustive());
        report.order_types = true;
        assert!(!report.is_exhaustive());
        assert_eq!(
            report.coverage(),
            "the bounds are covered, with one value for each order of keys: 2 values"
        );
        report.shard = Shard::new(2, 3);
        assert!(!report.is_exhaustive());
        assert_eq!(report.coverage(), "the bounds are covered for shard 2/3 (one value in 3): 2 values");
    }
}
