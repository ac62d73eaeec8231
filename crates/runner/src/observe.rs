//! Observations: a line of JSON for each case, as viewers of property-based tests read them.
//!
//! The lines have the format that Hypothesis writes and Tyche shows: `type`, `run_start`, `property`, `status`,
//! `status_reason`, `representation`, `arguments`, `how_generated`, `features`, `coverage` and `metadata`.

use crate::neighbours::source;
use crate::observation::Line;
use crate::runner::json::{self, Object};
use crate::runner::plan::Plan;
use crate::runner::progress::say;
use crate::runner::report::Report;
use crate::runner::{self, Arguments, Case, Show, TestBody};
use crate::settings::Settings;
use smallscope_core::{AnySearch, Failure};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Runs a test, and writes its cases and the failing value into the files that the settings name.
pub(crate) fn run<'a>(plan: &'a Plan, body: TestBody<'a>) -> Report {
    let mut report = observed(plan, body);
    if let (Some(path), Some(case)) = (plan.settings.source.as_deref(), report.failure()) {
        let written = source::source(&plan.identity.name, case).and_then(|text| {
            let unwritable = |e| format!("{} cannot be written: {e}", path.display());
            json::open(path).and_then(|mut file| file.write_all(text.as_bytes())).map_err(unwritable)
        });
        if let Err(why) = written {
            let warning = format!("SMALLSCOPE_SOURCE: there is no source of this value: {why}");
            say(&format!("warning: {warning}"));
            report.warnings.push(warning);
        }
    }
    report
}

/// A file with observations of one test.
pub(crate) struct Lines {
    file: BufWriter<File>,
    path: PathBuf,
    property: String,
    /// Seconds since 1970.
    run_start: f64,
    /// The first line that could not be written.
    problem: Option<io::Error>,
}

impl Lines {
    /// Opens the file for the cases of a test. An error says why it cannot be written.
    pub(crate) fn open(path: &Path, property: &str) -> Result<Lines, String> {
        let file = json::open(path).map_err(|error| unwritable(path, &error))?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64());
        Ok(Lines {
            file: BufWriter::new(file),
            path: path.to_owned(),
            property: property.to_owned(),
            run_start: now,
            problem: None,
        })
    }

    /// Opens the file that the environment names, if it names one. The test is the one that this thread runs.
    pub(crate) fn of_process(law: &str) -> Result<Option<Lines>, String> {
        let Some(path) = Settings::of_process()?.observe else { return Ok(None) };
        let thread = std::thread::current();
        let property = thread.name().map_or(law.to_owned(), |test| format!("{test}: {law}"));
        Lines::open(&path, &property).map(Some)
    }

    /// Writes a case.
    pub(crate) fn write(&mut self, line: &Line<'_>) {
        let mut arguments = Object::default();
        for (name, value) in line.arguments {
            arguments.text(name, value);
        }
        let mut features = Object::default();
        for (name, number) in line.features {
            features.raw(name, number);
        }
        let mut timing = Object::default();
        if let Some(time) = line.time {
            timing.raw("execute:test", format!("{:.6}", time.as_secs_f64()));
        }
        let mut metadata = Object::default();
        metadata.text(line.metadata.0, line.metadata.1);
        let mut out = Object::default();
        out.text("type", "test_case");
        out.raw("run_start", format!("{:.6}", self.run_start));
        out.text("property", &self.property);
        out.text("status", if line.failure.is_some() { "failed" } else { "passed" });
        out.text("status_reason", line.failure.unwrap_or_default());
        out.text("representation", line.representation);
        out.raw("arguments", arguments.close());
        out.text("how_generated", line.how);
        out.raw("features", features.close());
        out.raw("timing", timing.close());
        out.raw("coverage", "null");
        out.raw("metadata", metadata.close());
        if let Err(error) = self.file.write_all((out.close() + "\n").as_bytes()) {
            self.problem.get_or_insert(error);
        }
    }

    /// Ends the file. An error says why some lines are missing.
    pub(crate) fn close(mut self) -> Result<(), String> {
        let flushed = self.file.flush();
        match self.problem.or(flushed.err()) {
            Some(error) => Err(unwritable(&self.path, &error)),
            None => Ok(()),
        }
    }
}

fn unwritable(path: &Path, error: &io::Error) -> String {
    format!("SMALLSCOPE_OBSERVE: {} cannot be written: {error}", path.display())
}

/// Runs a test, and writes its cases. Such a run uses one thread.
fn observed<'a>(plan: &'a Plan, body: TestBody<'a>) -> Report {
    let Some(path) = plan.settings.observe.as_deref() else { return runner::run(plan, body) };
    let lines = match Lines::open(path, &plan.identity.name) {
        Ok(lines) => lines,
        Err(error) => return plan.identity.error(error),
    };
    let TestBody { lay_out, case, shared: _, show, tally } = body;
    let mut observed = Observed {
        case,
        show,
        lines,
        arguments: vec![],
        objects: 0,
        candidate: String::new(),
        start: Instant::now(),
    };
    let report = runner::run(plan, TestBody { lay_out, case: &mut observed, shared: None, show, tally });
    match observed.lines.close() {
        Err(error) => plan.identity.error(error),
        Ok(()) => report,
    }
}

/// A test whose cases are written down.
struct Observed<'a> {
    case: &'a mut (dyn Case + 'a),
    show: &'a Show<'a>,
    lines: Lines,
    /// The arguments of the current case, and what is known about it.
    arguments: Arguments,
    objects: usize,
    candidate: String,
    start: Instant,
}

impl Observed<'_> {
    fn write(&mut self, failure: Option<&str>) {
        let text = |text: &Option<String>| text.as_deref().unwrap_or("not `Debug`").to_owned();
        let arguments: Vec<(String, String)> =
            self.arguments.iter().map(|(name, value)| (name.clone(), text(value))).collect();
        let shown: Vec<String> = arguments.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let choices = self.candidate.split('.').filter(|choice| !choice.is_empty()).count();
        self.lines.write(&Line {
            failure,
            representation: &shown.join("\n"),
            arguments: &arguments,
            how: "bounded-exhaustive search",
            features: &[("objects", self.objects as u64), ("choices", choices as u64)],
            time: Some(self.start.elapsed()),
            metadata: ("candidate", &self.candidate),
        });
    }
}

impl Case for Observed<'_> {
    fn prepare(&mut self, search: &mut AnySearch) -> Result<(), Failure> {
        self.arguments = (self.show)(search).unwrap_or_default();
        self.objects = search.drawing().nodes.len();
        self.candidate = search.candidate().to_string();
        self.case.prepare(search)
    }

    fn run(&mut self) -> Result<(), String> {
        /// Writes the case if the test panics.
        struct OnPanic<'a, 'b>(&'b mut Observed<'a>);
        impl Drop for OnPanic<'_, '_> {
            fn drop(&mut self) {
                if std::thread::panicking() {
                    self.0.write(Some("the test panicked"));
                }
            }
        }
        self.start = Instant::now();
        let on_panic = OnPanic(self);
        let result = on_panic.0.case.run();
        drop(on_panic);
        match &result {
            Ok(()) => self.write(None),
            Err(why) => self.write(Some(why)),
        }
        result
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
        self.case.fatal()
    }
}
