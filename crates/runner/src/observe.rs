//! Observations: a line of JSON for each case, as viewers of property-based tests read them.
//!
//! The lines have the format that Hypothesis writes and Tyche shows: `type`, `run_start`, `property`, `status`,
//! `status_reason`, `representation`, `arguments`, `how_generated`, `features`, `coverage` and `metadata`.

use crate::neighbours::source;
use crate::runner::json::{self, Object};
use crate::runner::plan::Plan;
use crate::runner::progress::say;
use crate::runner::report::Report;
use crate::runner::{self, Arguments, Case, Show, TestBody};
use smallscope_core::{AnySearch, Failure};
use std::fs::File;
use std::io::{self, BufWriter, Write};
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

/// Runs a test, and writes its cases. Such a run uses one thread.
fn observed<'a>(plan: &'a Plan, body: TestBody<'a>) -> Report {
    let Some(path) = plan.settings.observe.as_deref() else { return runner::run(plan, body) };
    let unwritable = |e: io::Error| format!("SMALLSCOPE_OBSERVE: {} cannot be written: {e}", path.display());
    let file = match json::open(path) {
        Ok(file) => BufWriter::new(file),
        Err(error) => return plan.identity.error(unwritable(error)),
    };
    let TestBody { lay_out, case, shared: _, show, tally } = body;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64());
    let mut observed = Observed {
        case,
        show,
        file,
        property: &plan.identity.name,
        run_start: now,
        arguments: vec![],
        objects: 0,
        candidate: String::new(),
        start: Instant::now(),
        problem: None,
    };
    let report = runner::run(plan, TestBody { lay_out, case: &mut observed, shared: None, show, tally });
    let flushed = observed.file.flush();
    match observed.problem.or(flushed.err()) {
        Some(error) => plan.identity.error(unwritable(error)),
        None => report,
    }
}

/// A test whose cases are written down.
struct Observed<'a> {
    case: &'a mut (dyn Case + 'a),
    show: &'a Show<'a>,
    file: BufWriter<File>,
    property: &'a str,
    /// Seconds since 1970.
    run_start: f64,
    /// The arguments of the current case, and what is known about it.
    arguments: Arguments,
    objects: usize,
    candidate: String,
    start: Instant,
    /// The first line that could not be written.
    problem: Option<io::Error>,
}

impl Observed<'_> {
    fn write(&mut self, status: &str, reason: &str) {
        let text = |text: &Option<String>| text.as_deref().unwrap_or("not `Debug`").to_owned();
        let arguments = self.arguments.iter();
        let shown: Vec<String> = arguments.map(|(name, value)| format!("{name} = {}", text(value))).collect();
        let mut arguments = Object::default();
        for (name, value) in &self.arguments {
            arguments.text(name, &text(value));
        }
        let mut features = Object::default();
        features.raw("objects", self.objects);
        features.raw("choices", self.candidate.split('.').filter(|choice| !choice.is_empty()).count());
        let mut timing = Object::default();
        timing.raw("execute:test", format!("{:.6}", self.start.elapsed().as_secs_f64()));
        let mut metadata = Object::default();
        metadata.text("candidate", &self.candidate);
        let mut out = Object::default();
        out.text("type", "test_case");
        out.raw("run_start", format!("{:.6}", self.run_start));
        out.text("property", self.property);
        out.text("status", status);
        out.text("status_reason", reason);
        out.text("representation", &shown.join("\n"));
        out.raw("arguments", arguments.close());
        out.text("how_generated", "bounded-exhaustive search");
        out.raw("features", features.close());
        out.raw("timing", timing.close());
        out.raw("coverage", "null");
        out.raw("metadata", metadata.close());
        if let Err(error) = self.file.write_all((out.close() + "\n").as_bytes()) {
            self.problem.get_or_insert(error);
        }
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
                    self.0.write("failed", "the test panicked");
                }
            }
        }
        self.start = Instant::now();
        let on_panic = OnPanic(self);
        let result = on_panic.0.case.run();
        drop(on_panic);
        match &result {
            Ok(()) => self.write("passed", ""),
            Err(why) => self.write("failed", why),
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
