//! The result of a shard, as its file has it.

use super::plan::{Place, Plan};
use crate::session::wire::{escape, unescape};
use smallscope_core::{ClassTable, CoveredClass};
use smallscope_suite::Header;
use std::fmt::Write;

/// How a shard ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Done {
    /// Everything in its range was searched.
    Whole,
    /// Something ended it early; it has to be run again. In words, such as "stopped by the memory limit".
    Stopped(String),
    /// The test failed on a value, or the invariant misbehaved.
    Failed {
        /// The description of the value.
        text: String,
        /// The line that runs it again.
        replay: String,
        /// Its number among the values of its pass in this shard; 0 if it is not valid.
        number: u64,
    },
}

/// The counts of a pass in a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PassCounts {
    /// The number of the pass, from 0.
    pub pass: u32,
    /// Runs of the invariant.
    pub explored: u64,
    /// Valid values.
    pub valid: u64,
    /// Candidates that were cut short.
    pub pruned: u64,
}

/// The result of a shard.
#[derive(Debug, Clone)]
pub struct Record {
    /// What the run is: the same pairs as in the plan.
    pub identity: Header,
    /// The number of the shard, from 1.
    pub number: usize,
    /// Where it begins, and where it ends.
    pub range: (Place, Option<Place>),
    /// How it ended.
    pub done: Done,
    /// The counts of its passes, in order.
    pub passes: Vec<PassCounts>,
    /// The classes of its values.
    pub classes: ClassTable,
    /// More about shards of tests and of call sequences.
    pub notes: Header,
}

/// The fingerprint of the states that its level begins with, as in the plan.
pub(crate) const FRONTIER: &str = "frontier";
/// The key of the note with the result of a shard of call sequences, or of mutants.
pub const PART: &str = "part";
/// The report of a failure as JSON, if the failure is the whole report of a run.
pub(crate) const REPORT: &str = "report";
/// The result of the shard with edge values of a test.
pub(crate) const EDGES: &str = "edges";
/// The result of values with long lengths, in the same shard.
pub(crate) const FILLED: &str = "filled";
/// How the failing value of a test was found, if not by the search: `record`, `edges`, or `filled` and how.
pub(crate) const FOUND: &str = "found";
/// The keys of notes.
const NOTES: [&str; 6] = [FRONTIER, PART, REPORT, EDGES, FILLED, FOUND];

/// The keys of the record that are not part of the identity.
const OWN: [&str; 11] =
    ["shard", "from", "to", "outcome", "why", "failure", "replay", "failing", "passes", "covered", "values"];

impl Record {
    /// Makes the record of a shard; none if the plan has no such shard.
    pub fn new(plan: &Plan, number: usize, done: Done) -> Option<Record> {
        let (from, to) = plan.range(number)?;
        let notes = match plan.frontier(number) {
            Some(frontier) => Header::new().with(FRONTIER, frontier),
            None => Header::new(),
        };
        Some(Record {
            identity: plan.identity.clone(),
            number,
            range: (from.clone(), to.cloned()),
            done,
            passes: vec![],
            classes: ClassTable::default(),
            notes,
        })
    }

    /// Returns the sums over its passes.
    pub fn sums(&self) -> PassCounts {
        let mut sum = PassCounts::default();
        for pass in &self.passes {
            sum.explored += pass.explored;
            sum.valid += pass.valid;
            sum.pruned += pass.pruned;
        }
        sum
    }

    /// Returns the pairs of the file.
    pub(super) fn to_pairs(&self) -> Header {
        let mut pairs = self.identity.clone();
        pairs = pairs.with("shard", self.number.to_string()).with("from", self.range.0.to_string());
        if let Some(to) = &self.range.1 {
            pairs = pairs.with("to", to.to_string());
        }
        pairs = match &self.done {
            Done::Whole => pairs.with("outcome", "whole"),
            Done::Stopped(why) => pairs.with("outcome", "stopped").with("why", why),
            Done::Failed { text, replay, number } => pairs
                .with("outcome", "failed")
                .with("failure", text)
                .with("replay", replay)
                .with("failing", number.to_string()),
        };
        let mut passes = String::new();
        for PassCounts { pass, explored, valid, pruned } in &self.passes {
            let _ = write!(passes, "{pass} {explored} {valid} {pruned};");
        }
        pairs = pairs.with("passes", passes);
        for (key, value) in self.notes.iter() {
            pairs = pairs.with(key, value);
        }
        match self.classes.is_empty() {
            true => pairs,
            false => pairs.with("covered", classes_to_text(&self.classes)),
        }
    }

    /// Reads the pairs of a file. None if they are not those of a shard.
    pub(super) fn from_pairs(pairs: &Header) -> Option<Record> {
        let mut identity = Header::new();
        let mut notes = Header::new();
        for (key, value) in pairs.iter().filter(|(key, _)| !OWN.contains(key)) {
            match NOTES.contains(&key) {
                true => notes = notes.with(key, value),
                false => identity = identity.with(key, value),
            }
        }
        let done = match pairs.get("outcome")? {
            "whole" => Done::Whole,
            "stopped" => Done::Stopped(pairs.get("why")?.to_owned()),
            "failed" => Done::Failed {
                text: pairs.get("failure")?.to_owned(),
                replay: pairs.get("replay")?.to_owned(),
                number: pairs.get("failing")?.parse().ok()?,
            },
            _ => return None,
        };
        let mut passes = vec![];
        for text in pairs.get("passes")?.split_terminator(';') {
            let mut numbers = text.split(' ').map(str::parse::<u64>);
            let mut next = || numbers.next()?.ok();
            let pass = u32::try_from(next()?).ok()?;
            passes.push(PassCounts { pass, explored: next()?, valid: next()?, pruned: next()? });
        }
        let to = match pairs.get("to") {
            Some(to) => Some(to.parse().ok()?),
            None => None,
        };
        let classes = match pairs.get("covered") {
            Some(text) => classes_from_text(text)?,
            None => ClassTable::default(),
        };
        Some(Record {
            identity,
            number: pairs.get("shard")?.parse().ok()?,
            range: (pairs.get("from")?.parse().ok()?, to),
            done,
            passes,
            classes,
            notes,
        })
    }
}

/// A line per class: fingerprint, number of values, number of the first one, its candidate, and the label.
fn classes_to_text(classes: &ClassTable) -> String {
    let mut text = format!("{}\n", classes.runs());
    for (fingerprint, row) in classes.fingerprints().iter().zip(classes.rows()) {
        let CoveredClass { label, count, first, witness, scope, .. } = row;
        let scope = scope.map_or("-".to_owned(), |scope| scope.to_string());
        let _ = writeln!(text, "{fingerprint:x} {count} {first} {scope} {witness} {}", escape(label));
    }
    text
}

fn classes_from_text(text: &str) -> Option<ClassTable> {
    let mut lines = text.lines();
    let runs = lines.next()?.parse().ok()?;
    let mut rows = vec![];
    for line in lines {
        let mut fields = line.splitn(6, ' ');
        let fingerprint = u128::from_str_radix(fields.next()?, 16).ok()?;
        let (count, first) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        let scope = match fields.next()? {
            "-" => None,
            scope => Some(scope.parse().ok()?),
        };
        let witness = fields.next()?.parse().ok()?;
        let label = unescape(fields.next()?);
        rows.push((fingerprint, CoveredClass::new(label, (count, first), witness, scope)));
    }
    Some(ClassTable::from_rows(rows, runs))
}
