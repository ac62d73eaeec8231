//! Tests that outlive what they test: a flight recorder in every test, and a process of its own for a test that asks for one.
//! It is compiled with the feature `isolate`.
//!
//! An isolated test is executed again by [`child`], as a process that runs exactly this test. If that process dies, the
//! recorder says on which case, and the process is started again with this *death*: the case is not run, but counts as
//! failed. So the report, records, clusters and the search for smaller values are those of any other failure.
//!
//! Cases are counted: the search finds the same values in the same order, so the number of a case is enough to find it
//! again. That needs one thread.

mod child;
mod recorded;
mod run;

#[cfg(feature = "sequences")]
pub(crate) use child::Ended;
pub(crate) use child::Isolated;
use recorded::{Recorded, deaths};
pub(crate) use run::run;

use crate::attribute::TestSite;
use crate::settings::Settings;
use smallscope_support::flight::{Flight, Record};
use smallscope_support::hash::Fnv;
use smallscope_support::miri;
use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The variable that tells a process that it is the child of a test: the path of the recorder's file. It is not a
/// setting, so its name does not begin with `SMALLSCOPE_`.
const CHILD: &str = "CARGO_SMALLSCOPE_ISOLATED";
/// The variable with the deaths that are known, one per line.
const DEATHS: &str = "CARGO_SMALLSCOPE_DEATHS";

/// The time that a case may take without another limit. Most take less than a microsecond.
pub(crate) const CASE_LIMIT: Duration = Duration::from_secs(10);

/// The age from which a file is removed, whatever it is about.
const OLD: Duration = Duration::from_secs(86_400);

/// How far a case is. The numbers are stored in records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The search looks for the next value.
    Searching,
    /// The value is built, and the invariant checks it.
    Building,
    /// The test runs.
    Running,
    /// Several threads have taken over, and cases are no longer counted.
    OnThreads,
}

impl Phase {
    fn of(stored: u64) -> Phase {
        match stored & 3 {
            0 => Phase::Searching,
            1 => Phase::Building,
            2 => Phase::Running,
            _ => Phase::OnThreads,
        }
    }
}

/// A case in which a process died.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Death {
    /// The number of the case, from 1. While the search looks for the next value, that of the last case.
    pub(crate) number: u64,
    pub(crate) phase: Phase,
    /// How the process ended, in words.
    pub(crate) how: String,
}

impl Death {
    fn to_line(&self) -> String {
        let how = self.how.replace('\\', "\\\\").replace('\n', "\\n");
        format!("{} {} {how}", self.number, self.phase as u64)
    }

    fn from_line(line: &str) -> Option<Death> {
        let (number, rest) = line.split_once(' ')?;
        let (phase, how) = rest.split_once(' ')?;
        let how = how.replace("\\n", "\n").replace("\\\\", "\\");
        Some(Death { number: number.parse().ok()?, phase: Phase::of(phase.parse().ok()?), how })
    }
}

/// What a child hands over to its parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    Passed(String),
    Failed(String),
    /// Nothing was tested, or the test could not be run.
    NotRun(String),
}

impl Verdict {
    fn write(&self, flight: &Path) -> std::io::Result<()> {
        let (word, text) = match self {
            Verdict::Passed(text) => ("passed", text),
            Verdict::Failed(text) => ("failed", text),
            Verdict::NotRun(text) => ("not run", text),
        };
        let unfinished = beside(flight, "unfinished");
        fs::write(&unfinished, format!("{word}\n{text}"))?;
        fs::rename(unfinished, beside(flight, "verdict"))
    }

    fn read(flight: &Path) -> Option<Verdict> {
        let text = fs::read_to_string(beside(flight, "verdict")).ok()?;
        let (word, text) = text.split_once('\n')?;
        let text = text.to_owned();
        match word {
            "passed" => Some(Verdict::Passed(text)),
            "failed" => Some(Verdict::Failed(text)),
            _ => Some(Verdict::NotRun(text)),
        }
    }
}

/// The file beside that of a recorder with another ending.
fn beside(flight: &Path, ending: &str) -> PathBuf {
    let mut name = flight.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

/// What a process records of a test that it runs.
#[derive(Default)]
pub(crate) struct Watch {
    /// None if nothing can be recorded here.
    pub(crate) flight: Option<Arc<Flight>>,
    is_child: bool,
    /// The records of earlier processes that died in this test, under the same circumstances.
    pub(crate) earlier: Vec<Flight>,
}

impl Watch {
    /// Begins to record a test.
    pub(crate) fn begin(site: &TestSite) -> Watch {
        if let Some(path) = std::env::var_os(CHILD) {
            child::mark_begin();
            let flight = Flight::open(path.into()).ok().map(Arc::new);
            return Watch { flight, is_child: true, earlier: vec![] };
        }
        let Some(folder) = folder() else { return Watch::default() };
        let circumstances = circumstances(site);
        let earlier = left_behind(&folder, site, circumstances);
        let path = folder.join(format!("{}-{}", file_name(site), std::process::id()));
        let flight = Flight::create(path.clone()).or_else(|_| {
            fs::create_dir_all(&folder)?;
            Flight::create(path)
        });
        let flight = flight.ok().map(Arc::new);
        if let Some(flight) = &flight {
            flight.circumstances().store(circumstances, Ordering::Relaxed);
        }
        Watch { flight, is_child: false, earlier }
    }

    /// Begins to count cases, if they can be recorded.
    pub(crate) fn tally(&self) -> Option<Tally<'_>> {
        let flight = self.flight.as_ref()?;
        let record = flight.record(flight.take()?);
        Some(Tally { record, number: Cell::new(0), fatal_after: Cell::new(u64::MAX) })
    }

    /// In the child of a test, hands over the verdict and ends the process.
    pub(crate) fn hand_over(&self, verdict: impl FnOnce() -> Verdict) {
        let Some(flight) = self.flight.as_ref().filter(|_| self.is_child) else { return };
        match verdict().write(flight.path()) {
            Ok(()) => std::process::exit(0),
            Err(error) => panic!("{} cannot be written: {error}", flight.path().display()),
        }
    }
}

/// Counts the cases of a run on one thread, and records the current one.
pub(crate) struct Tally<'a> {
    record: &'a Record,
    /// The number of the current case, from 1.
    number: Cell<u64>,
    /// The search may not go on behind this case: an earlier process died there.
    fatal_after: Cell<u64>,
}

impl Tally<'_> {
    #[inline]
    fn note(&self, phase: Phase) {
        self.record.number.store((self.number.get() << 2) | phase as u64, Ordering::Relaxed);
    }

    /// A case begins: its value is built.
    #[inline]
    pub(crate) fn begin(&self) {
        self.number.set(self.number.get() + 1);
        self.note(Phase::Building);
    }

    /// The test runs.
    #[inline]
    pub(crate) fn run(&self) {
        self.note(Phase::Running);
    }

    /// The case has ended, and the search goes on.
    #[inline]
    pub(crate) fn end(&self) {
        self.note(Phase::Searching);
    }

    /// Several threads take over.
    pub(crate) fn leave(&self) {
        self.note(Phase::OnThreads);
    }

    /// Notes that the search goes on. Whether it must not.
    #[inline]
    pub(crate) fn beat(&self) -> bool {
        self.record.beat();
        self.number.get() == self.fatal_after.get()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // A thread that was abandoned may keep it open.
        if let Some(flight) = self.flight.as_ref().filter(|_| !self.is_child) {
            let _ = fs::remove_file(flight.path());
        }
    }
}

/// The records of earlier processes that ran this test under the same circumstances. Their files are removed, and old ones.
fn left_behind(folder: &Path, site: &TestSite, circumstances: u64) -> Vec<Flight> {
    let mut left = vec![];
    let prefix = format!("{}-", file_name(site));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(process) = name.to_str().and_then(|name| name.strip_prefix(&prefix)) else { continue };
        // Where there is no such folder, every process counts as dead: at worst, its records are lost.
        if Path::new("/proc").join(process).exists() {
            continue;
        }
        let Ok(flight) = Flight::open(entry.path()) else { continue };
        let is_meant = flight.circumstances().load(Ordering::Relaxed) == circumstances;
        let age = entry.metadata().and_then(|about| about.modified()).map(|time| time.elapsed());
        if is_meant || age.is_ok_and(|age| age.is_ok_and(|age| age > OLD)) {
            let _ = fs::remove_file(entry.path());
        }
        if is_meant {
            left.push(flight);
        }
    }
    left
}

/// Whether this process is the child of a test.
pub(crate) fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}

/// The folder for the files of recorders: beside the test binary.
fn folder() -> Option<PathBuf> {
    if miri::IS_RUNNING {
        return None;
    }
    Some(std::env::current_exe().ok()?.parent()?.join("smallscope-running"))
}

/// The beginning of the names of the files of a test.
fn file_name(site: &TestSite) -> String {
    let hash = Fnv::new().add_text(site.directory.unwrap_or_default()).add_text(site.module);
    format!("{:016x}", hash.add_text(site.function).value())
}

/// A number for what decides which case has which number: the binary, the variables, and recorded failures.
fn circumstances(site: &TestSite) -> u64 {
    let mut hash = Fnv::new().add_text(&format!("{:?}", Settings::of_process()));
    if let Ok(about) = std::env::current_exe().and_then(fs::metadata) {
        hash = hash.add_text(&format!("{} {:?}", about.len(), about.modified().ok()));
    }
    if let Some(records) = site.identity().regressions {
        hash = hash.add_bytes(&fs::read(records.path()).unwrap_or_default());
    }
    hash.value()
}
