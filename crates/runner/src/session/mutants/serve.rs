//! The side of the test binary: runs its test on the original and on mutants.

use super::{ListedMutant, MutantAnswer, MutantQuery, MutantRun, MutantValue, OriginalRun, rows};
use crate::attribute::TestSite;
use crate::forms::Snippet;
use crate::internal::ReplayCandidate;
use crate::runner::failure::{FailedCase, Origin};
use crate::runner::report::Pass;
use crate::runner::{Arguments, Case, LayOut, TestBody};
use crate::session::browse::{Next, Queries};
use crate::session::error::Error;
use crate::session::request::Mutants;
use crate::session::serve::Lines;
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
    request: &Mutants,
    lines: &mut Lines,
) -> Result<(), Error> {
    let mut check = check.on_mutants(request.settings.clone()).map_err(Error::Usage)?;
    if let Some(suite) = &request.suite {
        check = check.suite(suite);
    }
    let within = check.within_bounds();
    watch(lines);
    loop {
        let Next::Query(line) = lines.next(true) else { return Ok(()) };
        match MutantQuery::from_line(&line).map_err(Error::version)? {
            MutantQuery::Original(()) => original(&check, &mut body, lines)?,
            MutantQuery::Mutant(request) => {
                mutation::activate(Some(&request.id));
                let lines = RefCell::new(&mut *lines);
                let tell = |number: u64, value: String| {
                    lines.borrow_mut().tell(&MutantAnswer::Value(MutantValue { number, value }));
                };
                let tell = request.tells_values.then_some(&tell as &dyn Fn(u64, String));
                let mut counted = Counted::new(&mut body, request.step_limit, tell);
                let report = run(&check, &mut counted);
                mutation::activate(None);
                let answer = of_mutant(site, &check, &body, &request.id, &report);
                lines.borrow_mut().tell(&MutantAnswer::Mutant(answer));
            }
            MutantQuery::Row(request) => rows::row(&within, &mut body, &request, lines),
            MutantQuery::Suites(request) => rows::suites(&within, &mut body, &request, lines)?,
            MutantQuery::Values(request) => rows::values(&within, &mut body, &request, lines),
        }
    }
}

/// Ends the process with the tool: a mutant that does not end must not outlive it.
pub(super) fn watch(lines: &Lines) {
    let is_stopped = lines.stop_flag();
    std::thread::spawn(move || {
        while !is_stopped() {
            std::thread::sleep(WATCH);
        }
        std::process::exit(0);
    });
}

fn original(check: &Check, body: &mut TestBody<'_>, lines: &mut Lines) -> Result<(), Error> {
    mutation::record();
    let mut counted = Counted { records: true, ..Counted::new(body, u64::MAX, None) };
    let report = run(check, &mut counted);
    let Counted { most, reached, .. } = counted;
    mutation::activate(None);
    if let Verdict::Error(error) = report.verdict {
        return Err(Error::Usage(error));
    }
    for known in mutation::mutants().into_iter().filter(|known| known.is_suitable) {
        lines.tell(&MutantAnswer::Listed(listed(known)));
    }
    let pass = |pass: &Pass| match pass.scope {
        Some(scope) => format!("{scope} {}", pass.tested),
        None => format!("- {}", pass.tested),
    };
    lines.tell(&MutantAnswer::Original(OriginalRun {
        is_ok: report.is_ok(),
        report: if report.is_ok() { String::new() } else { report.to_string() },
        is_exhaustive: report.is_exhaustive(),
        coverage: report.coverage(),
        bound: bound(&report),
        tested: report.tested,
        steps: most,
        values: report.sparse + report.passes.iter().map(|pass| pass.tested).sum::<u64>(),
        sparse: report.sparse,
        passes: report.passes.iter().map(pass).collect(),
        reached: reached.iter().map(|(number, count)| format!("{number} {count}")).collect(),
    }));
    Ok(())
}

fn bound(report: &Report) -> String {
    match report.scope {
        Some(scope) => format!("{} {scope}", report.number),
        None => "the bounds of the test".to_owned(),
    }
}

pub(super) fn listed(Known { id, file, mutant, is_reached, .. }: Known) -> ListedMutant {
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

/// Runs the test.
fn run(check: &Check, counted: &mut Counted<'_>) -> Report {
    let report = run_case(check, counted.lay_out, counted.show, counted);
    mutation::begin_case(u64::MAX);
    report
}

/// Runs a test whose values are visited by `case`.
pub(super) fn run_case(
    check: &Check,
    lay_out: LayOut,
    show: &dyn Fn(&mut AnySearch) -> Option<Arguments>,
    case: &mut dyn Case,
) -> Report {
    check.clone().run_body(TestBody { lay_out, case, shared: None, show, tally: None })
}

/// A test that counts and limits its steps.
struct Counted<'a> {
    case: &'a mut dyn Case,
    lay_out: LayOut,
    show: &'a dyn Fn(&mut AnySearch) -> Option<Arguments>,
    step_limit: u64,
    /// The most steps on one value.
    most: u64,
    /// The number of the current value.
    number: u64,
    /// Receives each value before the test runs on it.
    tell: Option<&'a dyn Fn(u64, String)>,
    /// Whether mutants that are reached are counted.
    records: bool,
    /// The numbers of values that reach more mutants than those before, and how many are reached then.
    reached: Vec<(u64, usize)>,
}

impl<'a> Counted<'a> {
    fn new(
        body: &'a mut TestBody<'_>,
        step_limit: u64,
        tell: Option<&'a dyn Fn(u64, String)>,
    ) -> Counted<'a> {
        let (lay_out, show) = (body.lay_out, body.show);
        let case = &mut *body.case;
        Counted { case, lay_out, show, step_limit, most: 0, number: 0, tell, records: false, reached: vec![] }
    }
}

impl Case for Counted<'_> {
    fn prepare(&mut self, search: &mut AnySearch) -> Result<(), Failure> {
        mutation::begin_case(self.step_limit);
        self.number += 1;
        if let Some(tell) = self.tell {
            let arguments = (self.show)(search).unwrap_or_default();
            tell(self.number, shown(&arguments, || search.graph()));
        }
        self.case.prepare(search)
    }

    fn run(&mut self) -> Result<(), String> {
        mutation::begin_case(self.step_limit);
        let result = self.case.run();
        self.most = self.most.max(mutation::begin_case(self.step_limit));
        if self.records {
            let count = mutation::reached();
            if self.reached.last().is_none_or(|(_, before)| *before < count) {
                self.reached.push((self.number, count));
            }
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
}

/// The arguments of a test as text, or its object graph if some are not `Debug`.
pub(super) fn shown(arguments: &Arguments, graph: impl FnOnce() -> String) -> String {
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
        scope: String::new(),
        failure: String::new(),
        value: String::new(),
        replay: String::new(),
        rust: String::new(),
    };
    match &report.verdict {
        Verdict::Failed(case) => {
            run.failure.clone_from(&case.message);
            run.scope = match case.origin {
                Origin::Search { scope: Some(scope), .. } | Origin::Fewest { scope: Some(scope), .. } => {
                    scope.to_string()
                }
                Origin::Edges { .. } => "edges".to_owned(),
                _ => String::new(),
            };
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
    let of_test = check.bounds_with_variables();
    let bounds = position.bounds(&of_test);
    let options = smallscope_core::Options { engine: position.engine, ..smallscope_core::Options::default() };
    let search = (body.lay_out)(&bounds, None, options).ok()?;
    let name: String =
        id.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    let mut parts = name.split('_').filter(|part| !part.is_empty()).collect::<Vec<_>>();
    parts.insert(0, "kills");
    let about =
        format!("Value on which `{}` tells the mutant `{id}` from the original.", site.harness_name());
    Some(Snippet::at(&position, &of_test, search.type_name()).test(&parts.join("_"), &about))
}
