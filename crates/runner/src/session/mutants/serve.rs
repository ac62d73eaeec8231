//! The side of the test binary: runs its test on the original and on mutants.

use super::{ListedMutant, MutantAnswer, MutantQuery, MutantRun, MutantValue, OriginalRun};
use crate::attribute::TestSite;
use crate::internal::ReplayCandidate;
use crate::runner::failure::FailedCase;
use crate::runner::{Arguments, Case, TestBody};
use crate::session::browse::{Next, Queries};
use crate::session::error::Error;
use crate::session::export;
use crate::session::serve::Lines;
use crate::settings::Settings;
use crate::{Check, Report, Verdict};
use smallscope_core::{AnySearch, Failure};
use smallscope_support::mutation::{self, Known};
use std::cell::RefCell;
use std::time::Duration;

/// How often it is checked whether the tool is still there.
const WATCH: Duration = Duration::from_millis(200);

/// Answers queries until the tool has none.
pub(crate) fn serve(
    site: &TestSite,
    check: &Check,
    mut body: TestBody<'_>,
    settings: &Settings,
    lines: &mut Lines,
) -> Result<(), Error> {
    let check = check.on_mutants(settings.clone()).map_err(Error::Usage)?;
    // A mutant that does not end must not outlive the tool.
    let is_stopped = lines.stop_flag();
    std::thread::spawn(move || {
        while !is_stopped() {
            std::thread::sleep(WATCH);
        }
        std::process::exit(0);
    });
    loop {
        let Next::Query(line) = lines.next(true) else { return Ok(()) };
        match MutantQuery::from_line(&line).map_err(Error::version)? {
            MutantQuery::Original(()) => original(&check, &mut body, lines),
            MutantQuery::Mutant(request) => {
                mutation::activate(Some(&request.id));
                let lines = RefCell::new(&mut *lines);
                let tell =
                    |value: String| lines.borrow_mut().tell(&MutantAnswer::Value(MutantValue { value }));
                let (report, _) =
                    run(&check, &mut body, request.step_limit, request.tells_values.then_some(&tell));
                mutation::activate(None);
                let answer = of_mutant(site, &check, &body, &request.id, &report);
                lines.borrow_mut().tell(&MutantAnswer::Mutant(answer));
            }
        }
    }
}

fn original(check: &Check, body: &mut TestBody<'_>, lines: &mut Lines) {
    mutation::record();
    let (report, steps) = run(check, body, u64::MAX, None);
    mutation::activate(None);
    for known in mutation::mutants().into_iter().filter(|known| known.is_suitable) {
        lines.tell(&MutantAnswer::Listed(listed(known)));
    }
    lines.tell(&MutantAnswer::Original(OriginalRun {
        is_ok: report.is_ok(),
        report: if report.is_ok() { String::new() } else { report.to_string() },
        is_exhaustive: report.is_exhaustive(),
        coverage: report.coverage(),
        bound: bound(&report),
        tested: report.tested,
        steps,
    }));
}

fn bound(report: &Report) -> String {
    match report.scope {
        Some(scope) => format!("{} {scope}", report.number),
        None => "the bounds of the test".to_owned(),
    }
}

fn listed(Known { id, file, mutant, is_reached, .. }: Known) -> ListedMutant {
    ListedMutant {
        id,
        file: file.to_owned(),
        line: mutant.line.into(),
        column: mutant.column.into(),
        function: mutant.function.to_owned(),
        operator: mutant.operator.to_owned(),
        before: mutant.before.to_owned(),
        after: mutant.after.to_owned(),
        equivalent: mutant.equivalent.map(str::to_owned),
        is_reached,
    }
}

/// Runs the test. Returns its report, and the most steps on one value.
fn run(
    check: &Check,
    body: &mut TestBody<'_>,
    step_limit: u64,
    tell: Option<&dyn Fn(String)>,
) -> (Report, u64) {
    let mut counted = Counted { case: &mut *body.case, show: body.show, step_limit, most: 0, tell };
    let (lay_out, show) = (body.lay_out, body.show);
    let report = check.clone().run_body(TestBody { lay_out, case: &mut counted, shared: None, show });
    mutation::begin_case(u64::MAX);
    (report, counted.most)
}

/// A test that counts and limits its steps.
struct Counted<'a> {
    case: &'a mut dyn Case,
    show: &'a dyn Fn(&mut AnySearch) -> Option<Arguments>,
    step_limit: u64,
    most: u64,
    /// Receives each value before the test runs on it.
    tell: Option<&'a dyn Fn(String)>,
}

impl Case for Counted<'_> {
    fn prepare(&mut self, search: &mut AnySearch) -> Result<(), Failure> {
        mutation::begin_case(self.step_limit);
        if let Some(tell) = self.tell {
            let arguments = (self.show)(search).unwrap_or_default();
            tell(shown(&arguments, || search.graph()));
        }
        self.case.prepare(search)
    }

    fn run(&mut self) -> Result<(), String> {
        mutation::begin_case(self.step_limit);
        let result = self.case.run();
        self.most = self.most.max(mutation::begin_case(self.step_limit));
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
}

/// The arguments of a test as text, or its object graph if some are not `Debug`.
fn shown(arguments: &Arguments, graph: impl FnOnce() -> String) -> String {
    let text = |(name, text): &(String, Option<String>)| Some(format!("{name} = {}", text.as_ref()?));
    match arguments.iter().map(text).collect::<Option<Vec<_>>>() {
        Some(texts) if !texts.is_empty() => texts.join("\n"),
        _ => graph(),
    }
}

fn of_mutant(site: &TestSite, check: &Check, body: &TestBody<'_>, id: &str, report: &Report) -> MutantRun {
    let mut run = MutantRun {
        is_killed: !report.is_ok(),
        is_exhaustive: report.is_exhaustive(),
        coverage: report.coverage(),
        tested: report.tested,
        failure: String::new(),
        value: String::new(),
        replay: String::new(),
        rust: String::new(),
    };
    match &report.verdict {
        Verdict::Failed(case) => {
            run.failure.clone_from(&case.message);
            run.value = shown(&case.arguments, || case.graph.clone());
            run.replay.clone_from(&case.replay);
            run.rust = rust(site, check, body, id, case).unwrap_or_default();
        }
        Verdict::Error(error) | Verdict::NothingTested(error) => run.failure.clone_from(error),
        Verdict::Passed => {}
    }
    run
}

/// A test on the failing value, as Rust.
fn rust(site: &TestSite, check: &Check, body: &TestBody<'_>, id: &str, case: &FailedCase) -> Option<String> {
    let position: ReplayCandidate = case.replay.parse().ok()?;
    let bounds = position.bounds(&check.bounds_with_variables());
    let options = smallscope_core::Options { engine: position.engine, ..smallscope_core::Options::default() };
    let search = (body.lay_out)(&bounds, None, options).ok()?;
    let name: String =
        id.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    let mut parts = name.split('_').filter(|part| !part.is_empty()).collect::<Vec<_>>();
    parts.insert(0, "kills");
    Some(export::rust_test(
        &parts.join("_"),
        &format!("Value on which `{}` tells the mutant `{id}` from the original.", site.harness_name()),
        (&bounds, position.engine),
        &search,
        &position.candidate,
    ))
}
