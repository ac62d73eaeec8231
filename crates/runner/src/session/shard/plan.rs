//! The plan of a search in shards: what is searched, and where it is cut.

use super::cut::Cut;
use crate::session::error::Error;
use crate::session::paths;
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
}

/// The keys that a plan has besides the identity.
const CUTS: &str = "cuts";
const TOTAL: &str = "estimate";
const RUNS: &str = "measured";
const PROGRAM: &str = "program";
const DIRECTORY: &str = "directory";

impl Plan {
    pub(super) fn new(identity: Header, cut: Cut) -> Plan {
        let program = identity.get("package").and_then(|_| {
            Some((std::env::current_exe().ok()?, std::env::var_os("CARGO_MANIFEST_DIR")?.into()))
        });
        Plan { identity, starts: cut.starts, total: cut.total, runs: cut.runs, program }
    }

    /// Returns the number of shards.
    pub fn parts(&self) -> usize {
        self.starts.len()
    }

    /// Returns where a shard begins and ends; the last one has no end. Shards are counted from 1.
    pub fn range(&self, number: usize) -> Option<(&Place, Option<&Place>)> {
        let start = self.starts.get(number.checked_sub(1)?)?;
        Some((start, self.starts.get(number)))
    }

    /// Whether the shards run a test on the values.
    pub fn is_test(&self) -> bool {
        self.identity.get("kind") == Some("test")
    }

    /// Writes the plan to a file.
    pub(super) fn save(&self, path: &Path) -> Result<(), Error> {
        let cuts: Vec<String> = self.starts[1..].iter().map(Place::to_string).collect();
        let pairs = self.identity.clone().with(CUTS, cuts.join(" "));
        let mut pairs = pairs.with(TOTAL, format!("{:.0}", self.total)).with(RUNS, self.runs.to_string());
        if let Some((program, directory)) = &self.program {
            pairs = pairs.with(PROGRAM, paths::to_text(program)).with(DIRECTORY, paths::to_text(directory));
        }
        PlanFile { pairs }.save(path).map_err(Error::suite(path))
    }

    /// Reads a plan.
    pub fn load(path: &Path) -> Result<Plan, Error> {
        let pairs = PlanFile::load(path).map_err(Error::suite(path))?.pairs;
        let mut identity = Header::new();
        let own = [CUTS, TOTAL, RUNS, PROGRAM, DIRECTORY];
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
        let path = |key: &str| pairs.get(key).and_then(|text| paths::from_text(text).ok());
        let program = path(PROGRAM).zip(path(DIRECTORY));
        Ok(Plan { identity, starts, total: number(TOTAL), runs: number(RUNS) as u64, program })
    }
}

/// Returns the path of the result of a shard.
pub fn shard_path(directory: &Path, number: usize) -> PathBuf {
    directory.join(format!("{number:05}.shard"))
}

/// Returns a fingerprint of the program that this process runs: its length and two checksums.
pub(super) fn binary() -> Result<String, Error> {
    let path = std::env::current_exe().unwrap_or_default();
    let bytes = std::fs::read(&path).map_err(Error::unreadable(&path))?;
    Ok(smallscope_suite::fingerprint(&bytes))
}
