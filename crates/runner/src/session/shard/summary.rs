//! What the shards of a plan amount to, in words and as JSON.

use super::merge::{Collected, State};
use super::of_test::{edges_from_text, filled_from_text};
use super::plan::Plan;
use super::record::{Done, EDGES, FILLED, FOUND, PassCounts, Record};
use crate::runner::beside::{FOUND_FILLED, FOUND_IN_EDGES};
use crate::runner::failure::{Found, FoundInEdges, FoundInFilled};
use crate::runner::json::{Object, class_table, filled_object, quoted};
use crate::runner::report::{Pass, Report};
use crate::session::serve::Answer;
use smallscope_core::{Bounds, Outcome, Stop};

/// How many flaws are named. The JSON object has all of them.
const NAMED: usize = 20;

/// Returns what the shards of a plan amount to. It does not depend on how the work was divided, except for the line about the
/// shards.
pub fn answer(plan: &Plan, collected: &Collected) -> Answer {
    answer_with(plan, collected, None)
}

/// A failure of a test that is reported in place of the first one: the text, and the command that runs it again.
pub(super) type Instead<'a> = Option<&'a (String, String)>;

pub(super) fn answer_with(plan: &Plan, collected: &Collected, instead: Instead<'_>) -> Answer {
    let outcome = match &collected.state {
        State::Exhausted => "exhausted",
        State::Failed { .. } => "failed",
        State::Incomplete => "incomplete",
    };
    Answer {
        text: text(plan, collected, instead),
        json: json(plan, collected, outcome, instead),
        outcome: outcome.to_owned(),
    }
}

/// Returns the bounds in words: the arguments, the scope or the size.
fn bounds(plan: &Plan) -> String {
    let parsed = plan.identity.get("bounds").and_then(|text| text.parse::<Bounds>().ok());
    match (plan.identity.get("args"), parsed) {
        (Some(args), _) => format!(" ({args})"),
        (None, Some(bounds)) => match bounds.scope_number() {
            Some(number) => format!(" ({} {number})", bounds.number_name()),
            None => String::new(),
        },
        (None, None) => String::new(),
    }
}

fn engine(plan: &Plan) -> String {
    let engine = plan.identity.get("engine").unwrap_or_default();
    match plan.identity.get("disjoint") {
        Some("on") => format!("{engine}, disjoint parts"),
        _ => engine.to_owned(),
    }
}

/// Returns the first failure of a test, if a value with fewer objects may fail, too: the number of its pass, and the line that
/// runs it again.
pub(super) fn failing<'a>(plan: &Plan, collected: &'a Collected) -> Option<(u32, &'a str)> {
    let State::Failed { number, is_first: true } = collected.state else { return None };
    let record = collected.records.iter().find(|record| record.number == number)?;
    let Done::Failed { replay, number: 1.., .. } = &record.done else { return None };
    let is_found_by_search = plan.is_test() && record.notes.get(FOUND).is_none();
    is_found_by_search.then_some((record.passes.last()?.pass, replay))
}

/// Whether the test of a plan has failed on a value, and a value with fewer objects may fail, too.
pub fn may_have_fewer(plan: &Plan, collected: &Collected) -> bool {
    failing(plan, collected).is_some()
}

/// Returns the report of a test, as if it had run in one process.
pub(super) fn report(plan: &Plan, collected: &Collected) -> Report {
    let identity = &plan.identity;
    let bounds = identity.get("bounds").and_then(|text| text.parse::<Bounds>().ok()).unwrap_or_default();
    let mut report = Report::new(identity.get("structure").unwrap_or_default());
    (report.scope, report.number) = (bounds.scope_number(), bounds.number_name());
    report.space_bits = identity.get("space").and_then(|bits| bits.parse().ok()).unwrap_or(0.0);
    let mut passes: Vec<Pass> = vec![];
    let (mut current, mut is_over) = (None, false);
    for record in &collected.records {
        for counts in record.passes.iter().filter(|_| !is_over) {
            if current != Some(counts.pass) {
                current = Some(counts.pass);
                let nothing = Outcome { stop: Stop::Exhausted, explored: 0, valid: 0, pruned: 0, audited: 0 };
                passes.push(Pass::new(scope(plan, counts.pass), nothing));
            }
            let Some(pass) = passes.last_mut() else { continue };
            pass.outcome.explored += counts.explored;
            pass.outcome.valid += counts.valid;
            pass.outcome.pruned += counts.pruned;
            pass.tested += counts.valid;
        }
        report_last(&mut report, record, is_over);
        // In one process, the first failure would have ended the run.
        if matches!(record.done, Done::Failed { .. }) && record.notes.get(FOUND).is_none() && !is_over {
            is_over = true;
            passes.iter_mut().last().into_iter().for_each(|pass| pass.outcome.stop = Stop::FirstFailure);
        }
    }
    passes.into_iter().for_each(|pass| report.add(pass));
    if report.tested == 0 {
        // One run tries edge values only after others.
        report.edges = None;
    }
    report
}

/// Adds the result of the shard after the passes, unless the run would have ended before.
fn report_last(report: &mut Report, record: &Record, is_over: bool) {
    if let Some(edges) = record.notes.get(EDGES).filter(|_| !is_over) {
        report.edges = edges_from_text(edges);
    }
    if let Some(filled) = record.notes.get(FILLED).filter(|_| !is_over) {
        report.filled = filled_from_text(filled);
    }
}

/// Returns the scope of a pass, as reports name it.
fn scope(plan: &Plan, pass: u32) -> Option<u32> {
    plan.identity.get("scopes")?.split(' ').nth(pass as usize)?.parse().ok()
}

/// Returns the failure of a test, as if it had run in one process.
fn failure(plan: &Plan, collected: &Collected, failed: &Record) -> String {
    let Done::Failed { text, replay, number } = &failed.done else { return String::new() };
    match failed.notes.get(FOUND) {
        None => {}
        Some(found) => {
            let report = report(plan, collected);
            let found = match found.strip_prefix(FOUND_FILLED) {
                Some(how) => FoundInFilled(*number, how, &report).to_string(),
                None if found == FOUND_IN_EDGES => FoundInEdges(*number, &report).to_string(),
                None => String::new(),
            };
            return format!("{text}{found}replay:   {replay}\n");
        }
    }
    let Some(last) = failed.passes.last() else { return text.clone() };
    let earlier = collected.records.iter().take_while(|record| record.number < failed.number);
    let before = earlier.flat_map(|record| &record.passes).filter(|counts| counts.pass == last.pass);
    let before: u64 = before.map(|counts| counts.valid).sum();
    let number = if *number > 0 { before + number } else { 0 };
    let report = report(plan, collected);
    format!("{text}{}replay:   {replay}\n", Found(scope(plan, last.pass), number, &report))
}

/// Returns the text for a test.
fn test_text(plan: &Plan, collected: &Collected, instead: Instead<'_>) -> String {
    let all = plan.parts();
    let failed = match &collected.state {
        State::Failed { number, .. } => collected.records.iter().find(|record| record.number == *number),
        _ => None,
    };
    let mut text = match (&collected.state, failed) {
        (State::Exhausted, _) => format!(
            "{}\nshards: {all} of {all} are there and done; their ranges meet without a gap or an overlap",
            report(plan, collected)
        ),
        (State::Failed { number, is_first }, Some(record)) => {
            let failure = match instead {
                Some((text, command)) => format!("{text}replay:   {command}\n"),
                None => failure(plan, collected, record),
            };
            failure + &about_failure(*number, all, *is_first)
        }
        _ => format!(
            "`{}`: not everything within the bounds was covered: {} of {all} shards are done",
            plan.identity.get("structure").unwrap_or_default(),
            collected.records.len()
        ),
    };
    name_flaws(&mut text, collected);
    text
}

fn about_failure(number: usize, all: usize, is_first: bool) -> String {
    match is_first {
        true => format!("failed: shard {number} of {all} has the first failure in the order of the search"),
        false => format!(
            "failed: shard {number} of {all} has a failure; shards before it are not there, so it need not be the first one"
        ),
    }
}

/// Returns a line for each flaw, up to some.
pub fn named_flaws(collected: &Collected) -> String {
    let mut text = String::new();
    name_flaws(&mut text, collected);
    text
}

fn name_flaws(text: &mut String, collected: &Collected) {
    for flaw in collected.flaws.iter().take(NAMED) {
        *text += &format!("\n  {flaw}");
    }
    if collected.flaws.len() > NAMED {
        *text += &format!("\n  and {} more, which `--json` names", collected.flaws.len() - NAMED);
    }
}

fn text(plan: &Plan, collected: &Collected, instead: Instead<'_>) -> String {
    if plan.is_test() {
        return test_text(plan, collected, instead);
    }
    let (PassCounts { explored, valid, .. }, identity) = (collected.sums(), &plan.identity);
    let s = if valid == 1 { "" } else { "s" };
    let mut text = format!(
        "{}{}: {valid} structure{s}; {explored} candidates explored by `{}` in a space of 2^{:.1}\n",
        identity.get("structure").unwrap_or_default(),
        bounds(plan),
        engine(plan),
        identity.get("space").and_then(|bits| bits.parse::<f64>().ok()).unwrap_or(0.0),
    );
    let classes = collected.classes();
    if !classes.is_empty() {
        text += &format!("{classes}\n");
    }
    let (there, all) = (collected.records.len(), plan.parts());
    match &collected.state {
        State::Exhausted => {
            text += &format!(
                "shards: {all} of {all} are there and done; their ranges meet without a gap or an overlap\n\
                 exhausted: these are all structures within the bounds"
            );
            return text;
        }
        State::Failed { number, is_first } => {
            if let Some(Done::Failed { text: failure, replay, .. }) =
                collected.records.iter().find(|record| record.number == *number).map(|record| &record.done)
            {
                text += &format!("{}\nreplay: {replay}\n", failure.trim_end());
            }
            text += &about_failure(*number, all, *is_first);
        }
        State::Incomplete => {
            text +=
                &format!("not everything within the bounds was covered: {there} of {all} shards are done");
        }
    }
    name_flaws(&mut text, collected);
    text
}

fn json(plan: &Plan, collected: &Collected, outcome: &str, instead: Instead<'_>) -> String {
    let identity = &plan.identity;
    let PassCounts { explored, valid, pruned, .. } = collected.sums();
    let mut out = Object::default();
    out.text("structure", identity.get("structure").unwrap_or_default());
    out.raw("args", identity.get("args").map_or("null".to_owned(), |args| format!("[{args}]")));
    out.text("bounds", identity.get("bounds").unwrap_or_default());
    out.text("engine", &engine(plan));
    out.raw("explored", explored);
    out.raw("valid", valid);
    out.raw("pruned", pruned);
    out.text("outcome", outcome);
    out.raw("exhaustive", collected.state == State::Exhausted);
    out.raw("shards", plan.parts());
    out.raw("done", collected.records.len());
    let flaws: Vec<String> = collected.flaws.iter().map(|flaw| quoted(&flaw.to_string())).collect();
    out.raw("flaws", format!("[{}]", flaws.join(",")));
    let failed = match &collected.state {
        State::Failed { number, .. } => collected.records.iter().find(|record| record.number == *number),
        _ => None,
    };
    if let Some((record, Done::Failed { text, replay, .. })) = failed.map(|record| (record, &record.done)) {
        let (text, replay) = instead.map_or((text, replay), |(text, command)| (text, command));
        out.raw("failed", record.number);
        out.text("failure", text);
        out.text("replay", replay);
    }
    if let Some(filled) = report(plan, collected).filled {
        out.raw("filled", filled_object(&filled));
    }
    let classes = collected.classes();
    if !classes.is_empty() {
        out.raw("class_table", class_table(&classes));
    }
    out.close()
}
