//! Shards of a test: the test runs in them.

use super::merge::collect;
use super::plan::{Place, Plan, records_from_text, records_to_text};
use super::record::{Done, EDGES, FILLED, FOUND, PassCounts, Record};
use super::run::{Written, each, load};
use super::summary::{answer_with, failing, report};
use super::values::{Besides, check as check_request, write_plan};
use crate::Check;
use crate::order;
use crate::runner::TestBody;
use crate::runner::edges::Edges;
use crate::runner::filled::Filled;
use crate::runner::ranged::{End, Ranged};
use crate::runner::replay::suite_layout;
use crate::session::error::Error;
use crate::session::job::Limits;
use crate::session::lengths::with_lengths;
use crate::session::observer::Observer;
use crate::session::request::{ShardMerge, ShardPlan, ShardRun};
use crate::session::serve::Answer;
use crate::session::subject::{Subject, TestPlace};
use crate::session::wire::{Fields, Wire};
use crate::settings::Settings;
use smallscope_core::{AnySearch, Bounds, Summaries};
use smallscope_suite::{Header, fingerprint};
use smallscope_support::memory::Meter;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The key of the identity for the recorded failures.
const RECORDED: &str = "recorded";

/// Whether a request is for shards that run a test.
pub(crate) fn runs_test(request: &ShardRun) -> bool {
    Plan::load(&request.plan).is_ok_and(|plan| plan.is_test())
}

/// Measures the passes of a test, and writes a plan that divides them.
pub(crate) fn plan_test(
    subject: &Subject<'_>,
    check: &Check,
    body: TestBody<'_>,
    request: &ShardPlan,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    check_request(request)?;
    let bounds = request.space.bounds.clone().unwrap_or_else(|| check.bounds().clone());
    let bounds = match &request.space.settings.len {
        Some(lengths) => with_lengths(bounds, lengths).map_err(Error::Usage)?,
        None => bounds,
    };
    let how = check.in_shards(bounds, request.space.settings.clone()).map_err(Error::Usage)?;
    let ranged = Ranged::new(how, body).map_err(Error::Usage)?;
    let (mut passes, mut setups) = (vec![], vec![]);
    for pass in 0..ranged.passes.len() {
        let setup = ranged.setup_of(pass);
        passes.push(setup.lay_out().map_err(Error::Usage)?);
        setups.push(setup);
    }
    let Some(whole) = passes.last() else { return Ok(()) };
    let records = records_to_text(check.records().map_err(Error::Usage)?);
    let identity = identity(subject, &ranged, whole).with(RECORDED, fingerprint(records.as_bytes()));
    let limits = Limits::new(&request.space.settings, Duration::ZERO);
    // Each thread has its own copy of the bounds.
    let setups = Mutex::new(setups);
    let again = |pass: usize| {
        let setup = setups.lock().unwrap_or_else(PoisonError::into_inner)[pass].clone();
        let _guard = limits.guard_layouts();
        setup.lay_out().map_err(Error::Usage)
    };
    let besides = Besides { records, after: ranged.after_passes() };
    write_plan(request, identity, passes, true, &again, besides, observer)
}

/// Returns what a run of the test is.
fn identity(subject: &Subject<'_>, ranged: &Ranged<'_>, whole: &AnySearch) -> Header {
    let how = &ranged.plan;
    let mut identity = Header::new().with("structure", &subject.name);
    if let Some(package) = &subject.package {
        identity = identity.with("package", package);
    }
    if let Some(TestPlace { crate_name, file }) = &subject.place {
        identity = identity.with("crate", crate_name).with("file", file);
    }
    let scopes: Vec<String> =
        ranged.scopes().iter().map(|scope| scope.map_or("-".to_owned(), |scope| scope.to_string())).collect();
    if how.options.summaries != Summaries::Off {
        identity = identity.with("summaries", how.options.summaries.to_string());
    }
    identity
        .with("type", whole.type_name())
        .with("bounds", how.bounds.to_string())
        .with("engine", how.options.engine.to_string())
        .with("disjoint-parts", how.options.disjoint.to_string())
        .with("audit", how.options.audit.to_string())
        .with("layout", suite_layout(whole.type_name(), &whole.slots(), &how.bounds))
        .with(order::KEY, order::NOW)
        .with("scopes", scopes.join(" "))
        .with("kind", "test")
        .with("keep", "no")
}

/// Returns the plan in a file, and the test as its shards run it.
fn divided<'a>(
    subject: &Subject<'_>,
    check: &Check,
    body: TestBody<'a>,
    path: &Path,
) -> Result<(Plan, Ranged<'a>), Error> {
    let plan = load(path)?;
    let wrong = |error: String| Error::Suite { path: path.to_owned(), error };
    let text = |key: &str| plan.identity.get(key).unwrap_or_default();
    let bounds: Bounds = text("bounds").parse().map_err(wrong)?;
    let settings = Settings {
        engine: Some(text("engine").parse().map_err(wrong)?),
        disjoint: Some(text("disjoint-parts").parse().map_err(wrong)?),
        summaries: Some(
            plan.identity.get("summaries").map_or(Ok(Summaries::Off), str::parse).map_err(wrong)?,
        ),
        ..Settings::default()
    };
    let how = check.in_shards(bounds, settings).map_err(Error::Usage)?;
    let ranged = Ranged::new(how, body).map_err(Error::Usage)?;
    let whole = ranged.search(ranged.passes.len() - 1).map_err(Error::Usage)?;
    let now = identity(subject, &ranged, &whole);
    if let Some((key, _)) = now.iter().find(|(key, value)| plan.identity.get(key) != Some(value)) {
        return Err(wrong(format!(
            "the {key} of the test has changed since the plan was made; make it again"
        )));
    }
    drop(whole);
    Ok((plan, ranged))
}

/// Merges the shards of a test that has failed: looks for a value with fewer objects that fails, too.
pub(crate) fn merge_test(
    subject: &Subject<'_>,
    check: &Check,
    body: TestBody<'_>,
    request: &ShardMerge,
    observer: &mut dyn Observer,
) -> Result<Answer, Error> {
    let (plan, mut ranged) = divided(subject, check, body, &request.plan)?;
    let collected = collect(&plan, &request.directory, &|| observer.is_stopped())?;
    let mut fewer = None;
    if let Some((pass, command)) = failing(&plan, &collected) {
        // The command has the candidate in quotes.
        let candidate = command.split('\'').nth(1).unwrap_or_default();
        let candidate = candidate.parse().map_err(Error::Usage)?;
        let report = report(&plan, &collected);
        fewer = ranged.find_fewer(pass, &candidate, report).map_err(Error::Usage)?;
    }
    Ok(answer_with(&plan, &collected, fewer.as_ref()))
}

/// Runs shards of a test.
pub(crate) fn run_test(
    subject: &Subject<'_>,
    check: &Check,
    body: TestBody<'_>,
    request: &ShardRun,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    let (plan, mut ranged) = divided(subject, check, body, &request.plan)?;
    let (limits, begin) = (Limits::new(&request.settings, Duration::ZERO), Instant::now());
    each(&plan, request, observer, |number, observer| {
        let meter = Meter::new(limits.memory);
        let stop = || limits.stop(begin, &meter, observer);
        let Some(mut record) = Record::new(&plan, number, Done::Whole) else {
            return Err(Error::Usage(format!("the plan has no shard {number}")));
        };
        if number == 1 {
            let failed = ranged.try_records(records_from_text(&plan.records)).map_err(Error::Usage)?;
            if let Some(End::Failed { text, command, number }) = failed {
                record.notes = record.notes.with(FOUND, "record");
                record.done = Done::Failed { text, replay: command, number };
                return Ok(Written { record, values: None });
            }
        }
        if record.range.0.pass as usize == ranged.passes.len() {
            let limit = plan.total as u64;
            let last = ranged.run_last(limit, limits.budget, limits.memory).map_err(Error::Usage)?;
            record.notes = record.notes.with(EDGES, edges_to_text(&last.edges.unwrap_or_default()));
            if let Some(filled) = &last.filled {
                record.notes = record.notes.with(FILLED, filled_to_text(filled));
            }
            if let Some(found) = last.found {
                record.notes = record.notes.with(FOUND, found);
            }
            record.done = done(last.end);
            return Ok(Written { record, values: None });
        }
        let at = |place: &Place| (place.pass, place.position.clone());
        let (from, to) = (at(&record.range.0), record.range.1.as_ref().map(at));
        let to = to.as_ref().map(|(pass, position)| (*pass, position));
        let tested = ranged.run((from.0, &from.1), to, &stop).map_err(Error::Usage)?;
        for (pass, outcome) in tested.passes {
            let (explored, valid, pruned) = (outcome.explored, outcome.valid, outcome.pruned);
            record.passes.push(PassCounts { pass, explored, valid, pruned });
        }
        record.done = done(tested.end);
        Ok(Written { record, values: None })
    })
}

fn done(end: End) -> Done {
    match end {
        End::Done => Done::Whole,
        End::Stopped(stop) => Done::Stopped(stop.to_string()),
        End::Failed { text, command, number } => Done::Failed { text, replay: command, number },
    }
}

/// Writes the result of edge values.
fn edges_to_text(edges: &Edges) -> String {
    let mut fields = Fields::default();
    for (name, number) in [("tested", edges.tested), ("explored", edges.explored), ("panics", edges.panics)] {
        fields.put(name, number);
    }
    fields.put("whole", edges.whole.iter().map(|scope| format!("{scope};")).collect::<String>());
    fields.put("part", edges.part.iter().map(|(scope, why)| format!("{scope} {why}\n")).collect::<String>());
    fields.to_line()
}

/// Reads the result of edge values. None if nothing was tried.
pub(super) fn edges_from_text(text: &str) -> Option<Edges> {
    let fields = Fields::from_line(text);
    let number = |name: &str| u64::get(name, &fields).ok();
    let mut edges = Edges::default();
    (edges.tested, edges.explored, edges.panics) =
        (number("tested")?, number("explored")?, number("panics")?);
    for scope in fields.get("whole")?.split_terminator(';') {
        edges.whole.push(scope.parse().ok()?);
    }
    for line in fields.get("part")?.lines() {
        let (scope, why) = line.split_once(' ')?;
        edges.part.push((scope.parse().ok()?, why.to_owned()));
    }
    (edges.tested > 0 || !edges.part.is_empty()).then_some(edges)
}

/// Writes the result of values with long lengths.
fn filled_to_text(filled: &Filled) -> String {
    let mut fields = Fields::default();
    for (name, number) in [("tested", filled.tested), ("explored", filled.explored), ("seed", filled.seed)] {
        fields.put(name, number);
    }
    let mut lengths = String::new();
    for (field, long) in &filled.lengths {
        let long: Vec<String> = long.iter().map(i128::to_string).collect();
        lengths += &format!("{} {field}\n", long.join(","));
    }
    fields.put("lengths", lengths);
    fields.put("part", filled.part.as_deref().unwrap_or_default());
    fields.to_line()
}

/// Reads the result of values with long lengths.
pub(super) fn filled_from_text(text: &str) -> Option<Filled> {
    let fields = Fields::from_line(text);
    let number = |name: &str| u64::get(name, &fields).ok();
    let mut filled = Filled::default();
    (filled.tested, filled.explored, filled.seed) = (number("tested")?, number("explored")?, number("seed")?);
    for line in fields.get("lengths")?.lines() {
        let (long, field) = line.split_once(' ')?;
        let long: Result<Vec<i128>, _> = long.split(',').map(str::parse).collect();
        filled.lengths.push((field.to_owned(), long.ok()?));
    }
    filled.part = fields.get("part").filter(|part| !part.is_empty()).map(str::to_owned);
    Some(filled)
}
