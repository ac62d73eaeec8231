//! Reads the results of all shards, and says whether they are everything.

use super::plan::{Plan, shard_path};
use super::record::{Done, FRONTIER, PassCounts, Record};
use crate::session::error::Error;
use smallscope_core::ClassTable;
use smallscope_suite::ShardFile;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

/// What is wrong with the results of a plan. The numbers are those of shards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// There is no file of the shard.
    Missing(usize),
    /// The shard was ended early, and why.
    Stopped(usize, String),
    /// Two files are of the same shard.
    Doubled(usize, PathBuf, PathBuf),
    /// The file is of another run or another plan, and what is different.
    Foreign(PathBuf, String),
    /// The file has the name of another shard than the one that it is of.
    Renamed(PathBuf, usize),
    /// The file cannot be read, and why.
    Damaged(PathBuf, String),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Missing(number) => write!(f, "shard {number} is missing: run it"),
            Flaw::Stopped(number, why) => write!(f, "shard {number} was {why}: run it again"),
            Flaw::Doubled(number, a, b) => {
                write!(f, "shard {number} is there twice, as {} and {}: remove one", a.display(), b.display())
            }
            Flaw::Foreign(path, what) => {
                write!(f, "{} does not belong to the plan: {what}; remove it", path.display())
            }
            Flaw::Renamed(path, number) => {
                write!(f, "{} is shard {number} under another name: rename or remove it", path.display())
            }
            Flaw::Damaged(path, why) => write!(f, "{} is damaged: {why}; run it again", path.display()),
        }
    }
}

/// Whether the results of a plan are everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Each shard is there once and done, so everything within the bounds was searched.
    Exhausted,
    /// A shard has failed.
    Failed {
        /// The number of the first one.
        number: usize,
        /// Whether all shards before it are there, so that its failure is the first one in the order of the search.
        is_first: bool,
    },
    /// Something is missing.
    Incomplete,
}

/// The results of the shards of a plan.
#[derive(Debug)]
pub struct Collected {
    /// The results that can be used, in order.
    pub records: Vec<Record>,
    /// What is wrong. Empty if everything is there.
    pub flaws: Vec<Flaw>,
    /// Whether the results are everything.
    pub state: State,
}

impl Collected {
    /// Returns the sums of the counts.
    pub fn sums(&self) -> PassCounts {
        let mut sum = PassCounts::default();
        for pass in self.records.iter().map(Record::sums) {
            sum.explored += pass.explored;
            sum.valid += pass.valid;
            sum.pruned += pass.pruned;
        }
        sum
    }

    /// Returns the classes of all values.
    pub fn classes(&self) -> ClassTable {
        let mut classes = ClassTable::default();
        for record in &self.records {
            classes.append(record.classes.clone());
        }
        classes
    }
}

/// Reads the results of the shards of a plan.
pub fn collect(plan: &Plan, directory: &Path, is_stopped: &dyn Fn() -> bool) -> Result<Collected, Error> {
    let mut flaws = vec![];
    let mut found: HashMap<usize, (PathBuf, Record)> = HashMap::new();
    for path in files(directory)? {
        if is_stopped() {
            return Err(Error::Usage("interrupted before all shards were read".into()));
        }
        let record = match read(&path) {
            Ok(record) => record,
            Err(why) => {
                flaws.push(Flaw::Damaged(path, why));
                continue;
            }
        };
        if let Some(what) = difference(plan, &record) {
            flaws.push(Flaw::Foreign(path, what));
            continue;
        }
        let number = record.number;
        if let Some((other, _)) = found.get(&number) {
            flaws.push(Flaw::Doubled(number, other.clone(), path));
            continue;
        }
        if path.file_name() != shard_path(directory, number).file_name() {
            flaws.push(Flaw::Renamed(path.clone(), number));
        }
        found.insert(number, (path, record));
    }
    let mut records = vec![];
    let mut failed = None;
    for number in 1..=plan.parts() {
        let Some((_, mut record)) = found.remove(&number) else {
            flaws.push(Flaw::Missing(number));
            continue;
        };
        match &record.done {
            Done::Whole => {}
            Done::Stopped(why) => {
                flaws.push(Flaw::Stopped(number, why.clone()));
                continue;
            }
            Done::Failed { .. } => {
                let is_first = flaws.is_empty();
                failed.get_or_insert(State::Failed { number, is_first });
            }
        }
        // It is the same as that of the plan.
        record.identity = smallscope_suite::Header::new();
        records.push(record);
    }
    let state = match failed {
        Some(failed) => failed,
        None if flaws.is_empty() => State::Exhausted,
        None => State::Incomplete,
    };
    Ok(Collected { records, flaws, state })
}

/// Returns the files of shards in a directory, by name. Files under construction have other names.
fn files(directory: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut files = vec![];
    let entries = match std::fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(files),
        Err(error) => return Err(Error::unreadable(directory)(error)),
    };
    for entry in entries {
        let path = entry.map_err(Error::unreadable(directory))?.path();
        if path.extension() == Some(OsStr::new("shard")) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Reads a shard, and checks its values.
fn read(path: &Path) -> Result<Record, String> {
    let file = ShardFile::load(path).map_err(|error| error.to_string())?;
    let record = Record::from_pairs(&file.record).ok_or("its record is not that of a shard")?;
    file.check_values(path).map_err(|error| error.to_string())?;
    let keeps = record.identity.get("keep") == Some("yes");
    if matches!(record.done, Done::Whole)
        && file.trail.map(|trail| trail.entries) != keeps.then(|| record.sums().valid)
    {
        return Err("it does not have the values that its record counts".into());
    }
    Ok(record)
}

/// Returns why a shard does not belong to a plan.
fn difference(plan: &Plan, record: &Record) -> Option<String> {
    let Record { identity, number, range, .. } = record;
    let keys = plan.identity.iter().chain(identity.iter()).map(|(key, _)| key);
    for key in keys {
        let (expected, has) = (plan.identity.get(key), identity.get(key));
        if expected != has {
            let text = |value: Option<&str>| match value {
                None => "nothing".to_owned(),
                Some(value) if value.len() > 60 || value.contains('\n') => "something else".to_owned(),
                Some(value) => format!("`{value}`"),
            };
            return Some(match key {
                "binary" => "another build of the program has run it".to_owned(),
                key => format!("its {key} is {}, and the plan says {}", text(has), text(expected)),
            });
        }
    }
    if plan.frontier(*number) != record.notes.get(FRONTIER) {
        return Some("the level of its states was another one, so it is of another plan".to_owned());
    }
    if plan.range(*number) != Some((&range.0, range.1.as_ref())) {
        return Some(format!("its range is not that of shard {number}, so it is of another plan"));
    }
    None
}
