//! The plan of a search in shards: what is searched, and where it is cut.

use super::cut::Cut;
use crate::session::error::Error;
use crate::session::paths;
use crate::session::wire::{escape, unescape};
use smallscope_core::Position;
use smallscope_suite::{Header, PlanFile};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A place in the order of a run: a pass, and a position in its search. A run for values has one pass; a test has one for
/// each scope.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The number of the pass, from 0.
    pub pass: u32,
    /// The position in the search of the pass.
    pub position: Position,
}

impl Place {
    /// The beginning of everything.
    pub(crate) const START: Place = Place { pass: 0, position: Position::START };
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.pass, self.position)
    }
}

impl FromStr for Place {
    type Err = String;
    fn from_str(s: &str) -> Result<Place, String> {
        let (pass, position) = s.split_once(':').ok_or_else(|| format!("`{s}` is no place"))?;
        let pass = pass.parse().map_err(|_| format!("`{pass}` is no pass"))?;
        Ok(Place { pass, position: position.parse()? })
    }
}

/// How a run is divided into shards.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What the run is: the binary, the structure, the bounds, the engine. The same pairs are in the file of each shard.
    pub identity: Header,
    /// Where the shards begin, in order. The first one begins at the beginning.
    pub starts: Vec<Place>,
    /// The estimate of all work, in runs of the invariant and, if they count, values.
    pub total: f64,
    /// Runs of the invariant that planning took.
    pub runs: u64,
    /// The test binary that has made the plan, and the directory of its package; none for the catalogue.
    pub program: Option<(PathBuf, PathBuf)>,
    /// Where the last shard ends, if more may follow it.
    pub end: Option<Place>,
    /// For explorations of call sequences, the states before each level that was planned.
    pub levels: Vec<Level>,
    /// The recorded failures of the test, which the first shard tries before anything else.
    pub records: String,
}

/// The states of an exploration before a level, as the file with all states has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level {
    /// How many states there are.
    pub states: usize,
    /// How many bytes they take in the file.
    pub bytes: usize,
    /// The fingerprint of these bytes.
    pub fingerprint: String,
}

/// Returns recorded failures as a plan has them: a line with the place and the text of each.
pub(crate) fn records_to_text(records: Vec<(String, String)>) -> String {
    records.iter().map(|(place, text)| format!("{}\t{}\n", escape(place), escape(text))).collect()
}

/// Reads the recorded failures of a plan.
pub(crate) fn records_from_text(text: &str) -> Vec<(String, String)> {
    let pair = |line: &str| line.split_once('\t').map(|(place, text)| (unescape(place), unescape(text)));
    text.lines().filter_map(pair).collect()
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.states, self.bytes, self.fingerprint)
    }
}

impl FromStr for Level {
    type Err = String;
    fn from_str(s: &str) -> Result<Level, String> {
        let mut words = s.split(' ');
        let mut number = || words.next()?.parse().ok();
        let level = number().zip(number());
        match (level, words.next()) {
            (Some((states, bytes)), Some(word)) => Ok(Level { states, bytes, fingerprint: word.to_owned() }),
            _ => Err(format!("`{s}` is no level")),
        }
    }
}

/// The keys that a plan has besides the identity.
const CUTS: &str = "cuts";
const TOTAL: &str = "estimate";
const RUNS: &str = "measured";
const PROGRAM: &str = "program";
const DIRECTORY: &str = "directory";
const END: &str = "end";
const LEVELS: &str = "levels";
const RECORDS: &str = "records";

impl Plan {
    pub(crate) fn new(identity: Header, cut: Cut) -> Plan {
        let program = identity.get("package").and_then(|_| {
            Some((std::env::current_exe().ok()?, std::env::var_os("CARGO_MANIFEST_DIR")?.into()))
        });
        Plan {
            identity,
            starts: cut.starts,
            total: cut.total,
            runs: cut.runs,
            program,
            end: None,
            levels: vec![],
            records: String::new(),
        }
    }

    /// Returns the number of shards.
    pub fn parts(&self) -> usize {
        self.starts.len()
    }

    /// Returns where a shard begins and ends; the last one has no end. Shards are counted from 1.
    pub fn range(&self, number: usize) -> Option<(&Place, Option<&Place>)> {
        let start = self.starts.get(number.checked_sub(1)?)?;
        Some((start, self.starts.get(number).or(self.end.as_ref())))
    }

    /// Returns the fingerprint of the states that the level of a shard begins with.
    pub(super) fn frontier(&self, number: usize) -> Option<&str> {
        let (start, _) = self.range(number)?;
        Some(&self.levels.get(start.pass as usize)?.fingerprint)
    }

    /// Whether the shards run a test on the values.
    pub fn is_test(&self) -> bool {
        self.identity.get("kind") == Some("test")
    }

    /// Whether the shards run call sequences.
    pub fn is_sequences(&self) -> bool {
        self.identity.get("kind") == Some("sequences")
    }

    /// Whether the shards run mutants.
    pub fn is_mutants(&self) -> bool {
        self.identity.get("kind") == Some("mutants")
    }

    /// Writes the plan to a file.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let cuts: Vec<String> = self.starts[1..].iter().map(Place::to_string).collect();
        let pairs = self.identity.clone().with(CUTS, cuts.join(" "));
        let mut pairs = pairs.with(TOTAL, format!("{:.0}", self.total)).with(RUNS, self.runs.to_string());
        if let Some((program, directory)) = &self.program {
            pairs = pairs.with(PROGRAM, paths::to_text(program)).with(DIRECTORY, paths::to_text(directory));
        }
        if let Some(end) = &self.end {
            pairs = pairs.with(END, end.to_string());
        }
        if !self.levels.is_empty() {
            let levels: Vec<String> = self.levels.iter().map(Level::to_string).collect();
            pairs = pairs.with(LEVELS, levels.join(";"));
        }
        if !self.records.is_empty() {
            pairs = pairs.with(RECORDS, &self.records);
        }
        PlanFile { pairs }.save(path).map_err(Error::suite(path))
    }

    /// Reads a plan.
    pub fn load(path: &Path) -> Result<Plan, Error> {
        let pairs = PlanFile::load(path).map_err(Error::suite(path))?.pairs;
        let mut identity = Header::new();
        let own = [CUTS, TOTAL, RUNS, PROGRAM, DIRECTORY, END, LEVELS, RECORDS];
        for (key, value) in pairs.iter().filter(|(key, _)| !own.contains(key)) {
            identity = identity.with(key, value);
        }
        let wrong = |error: String| Error::Suite { path: path.to_owned(), error };
        let number = |key: &str| pairs.get(key).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
        let mut starts = vec![Place::START];
        for text in pairs.get(CUTS).unwrap_or_default().split(' ').filter(|text| !text.is_empty()) {
            let place: Place = text.parse().map_err(wrong)?;
            if starts.last() >= Some(&place) {
                return Err(wrong(format!(
                    "the cut {place} is not behind the one before it; make the plan again"
                )));
            }
            starts.push(place);
        }
        let end: Option<Place> = pairs.get(END).map(str::parse).transpose().map_err(wrong)?;
        if end.as_ref().is_some_and(|end| starts.last() >= Some(end)) {
            return Err(wrong("its end is not behind the last cut; make the plan again".to_owned()));
        }
        let levels = pairs.get(LEVELS).unwrap_or_default().split_terminator(';').map(str::parse);
        let levels = levels.collect::<Result<Vec<Level>, String>>().map_err(wrong)?;
        let path = |key: &str| pairs.get(key).and_then(|text| paths::from_text(text).ok());
        let program = path(PROGRAM).zip(path(DIRECTORY));
        Ok(Plan {
            total: number(TOTAL),
            runs: number(RUNS) as u64,
            records: pairs.get(RECORDS).unwrap_or_default().to_owned(),
            identity,
            starts,
            program,
            end,
            levels,
        })
    }
}

/// Returns the path of the result of a shard.
pub fn shard_path(directory: &Path, number: usize) -> PathBuf {
    directory.join(format!("{number:05}.shard"))
}

/// Refuses a plan without shards, and a file that exists, unless it is to be replaced.
pub fn check_new(parts: usize, file: &Path, force: bool) -> Result<(), Error> {
    if parts == 0 {
        return Err(Error::Usage("a plan has at least one shard: give `--parts 256`".into()));
    }
    if file.exists() && !force {
        return Err(Error::Usage(format!(
            "{} exists already and was not changed; give another name, or `--force` to replace it",
            file.display()
        )));
    }
    Ok(())
}

/// Returns a fingerprint of a program.
pub fn fingerprint_of(path: &Path) -> Result<String, Error> {
    let bytes = std::fs::read(path).map_err(Error::unreadable(path))?;
    Ok(smallscope_suite::fingerprint(&bytes))
}

/// Returns a fingerprint of the program that this process runs: its length and two checksums.
pub(crate) fn binary() -> Result<String, Error> {
    fingerprint_of(&std::env::current_exe().unwrap_or_default())
}
