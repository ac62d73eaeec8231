//! A test that knows of cases in which earlier processes died.

use super::{DEATHS, Death, Phase, Tally, Watch};
use crate::runner::{Case, Show, say};
use smallscope_core::{AnySearch, Failure};
use smallscope_support::flight::Record;
use smallscope_support::panics;
use std::sync::atomic::Ordering;

/// A test in which cases of known deaths are not run, and count as failed. If the earlier process was not the child of a
/// test, it may only have been stopped: then the case is announced and run.
pub(crate) struct Recorded<'a> {
    case: &'a mut dyn Case,
    name: String,
    show: &'a Show<'a>,
    tally: &'a Tally<'a>,
    deaths: Vec<Death>,
    /// The last case of a death.
    last_death: u64,
    is_child: bool,
    /// Whether cases before the last death must run again, because their failures count.
    repeats: bool,
    now: Now,
    /// The last value before the search died.
    last_value: Option<String>,
}

/// What becomes of the current case.
enum Now {
    Run,
    /// It passed in an earlier process.
    Pass,
    Fail(String),
}

/// The deaths that this process knows of.
pub(crate) fn deaths(watch: &Watch) -> Vec<Death> {
    if watch.is_child {
        let lines = std::env::var(DEATHS).unwrap_or_default();
        return lines.lines().filter_map(Death::from_line).collect();
    }
    let records = watch.earlier.iter().filter_map(|flight| flight.records().first());
    records.filter_map(of_earlier).collect()
}

/// The death that the record of an earlier process tells of.
fn of_earlier(record: &Record) -> Option<Death> {
    let stored = record.number.load(Ordering::Relaxed);
    let (number, phase) = (stored >> 2, Phase::of(stored));
    let how = match phase {
        Phase::Running => "ended, or was stopped, while the test ran on",
        Phase::Building => "ended, or was stopped, while it built",
        Phase::Searching => "ended, or was stopped, while it searched for values after",
        Phase::OnThreads => "ended, or was stopped, on several threads, some time after",
    };
    (number > 0).then(|| Death { number, phase, how: how.to_owned() })
}

impl<'a> Recorded<'a> {
    pub(crate) fn new(
        name: String,
        deaths: Vec<Death>,
        tally: &'a Tally<'a>,
        repeats: bool,
        case: &'a mut dyn Case,
        show: &'a Show<'a>,
    ) -> Recorded<'a> {
        let is_child = super::is_child();
        let last = deaths.last().filter(|death| is_child && death.phase == Phase::Searching);
        if let Some(death) = last {
            tally.fatal_after.set(death.number);
        }
        Recorded {
            case,
            name,
            show,
            tally,
            last_death: deaths.iter().map(|death| death.number).max().unwrap_or(0),
            deaths,
            is_child,
            repeats,
            now: Now::Run,
            last_value: None,
        }
    }

    /// Decides about a case that is not behind all deaths.
    fn decide(&mut self, search: &mut AnySearch) -> Now {
        let death = self.deaths.iter().find(|death| death.number == self.tally.number.get());
        match death {
            Some(death) if !self.is_child => {
                let shown = self.shown(search);
                say(&format!(
                    "`{}`: an earlier run {} this value:\n{shown}\nit is run again now; with `isolate = true` or \
                     SMALLSCOPE_ISOLATE=1, a crash is reported with a replay line",
                    self.name, death.how
                ));
                Now::Run
            }
            Some(Death { phase: Phase::Building, how, .. }) => panics::throw(how.clone()),
            Some(Death { phase: Phase::Searching, .. }) => {
                self.last_value = Some(self.shown(search));
                if self.repeats { Now::Run } else { Now::Pass }
            }
            Some(death) => Now::Fail(death.how.clone()),
            None if self.is_child && !self.repeats => Now::Pass,
            None => Now::Run,
        }
    }

    fn shown(&self, search: &mut AnySearch) -> String {
        let graph = panics::catch(|| search.graph()).unwrap_or_default();
        let mut out = vec![];
        for (name, text) in panics::catch(|| (self.show)(search)).ok().flatten().unwrap_or_default() {
            if let Some(text) = text {
                out.push(format!("{name} = {text}"));
            }
        }
        out.push(graph);
        format!("  {}", out.join("\n").trim_end().replace('\n', "\n  "))
    }
}

impl Case for Recorded<'_> {
    fn prepare(&mut self, search: &mut AnySearch) -> Result<(), Failure> {
        let is_behind = self.tally.number.get() > self.last_death;
        self.now = if is_behind { Now::Run } else { self.decide(search) };
        match self.now {
            Now::Run => self.case.prepare(search),
            Now::Pass | Now::Fail(_) => Ok(()),
        }
    }

    fn run(&mut self) -> Result<(), String> {
        match &self.now {
            Now::Run => self.case.run(),
            Now::Pass => Ok(()),
            Now::Fail(how) => Err(how.clone()),
        }
    }

    fn discard(&mut self) {
        self.case.discard();
    }

    fn has_dropped(&self) -> bool {
        self.case.has_dropped()
    }

    fn clear(&mut self) {
        self.case.clear();
    }

    fn fatal(&self) -> Option<String> {
        let is_fatal = self.tally.number.get() == self.tally.fatal_after.get();
        let death = self.deaths.last().filter(|_| is_fatal)?;
        let last = match &self.last_value {
            Some(value) => format!("after this value:\n{value}"),
            None => "before the first value".to_owned(),
        };
        Some(format!(
            "{}\n\nit was in the invariant, or in other code that the search runs, {last}",
            death.how
        ))
    }
}
