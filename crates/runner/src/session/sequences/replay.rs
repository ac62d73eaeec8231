//! Replays tests: their calls, their index, and what each call does.

use super::{Answer, Subject, save};
use crate::runner::json::Object;
use crate::session::error::Error;
use smallscope_sequences::{Context, Fault, Pulse, Replayed, Test};
use std::path::Path;
use std::sync::Arc;

/// Replays one test.
pub(super) fn replay(subject: &Subject<'_>, text: &str) -> Result<Answer, Error> {
    let test = Test::find(&subject.context, text).map_err(|error| Error::Usage(error.to_string()))?;
    if test.is_empty() {
        return Err(Error::Usage("the test has no calls; give some, or `LENGTH:INDEX`".to_owned()));
    }
    let replayed = watched(subject, &test)?;
    let outcome = if replayed.fault.is_some() { "failed" } else { "passed" };
    let text = in_words(&subject.context, &test, &replayed);
    let json = as_json(subject, &test, &replayed);
    Ok(Answer { text, json, outcome: outcome.to_owned() })
}

/// Replays the tests of a file.
pub(super) fn replay_file(subject: &Subject<'_>, path: &Path) -> Result<Answer, Error> {
    let tests = save::read(&subject.context, path)?;
    let mut failing = vec![];
    for test in &tests {
        let replayed = watched(subject, test)?;
        if replayed.fault.is_some() {
            failing.push((test, replayed));
        }
    }
    let mut text = String::new();
    for (test, replayed) in &failing {
        text += &format!("{}\n\n", in_words(&subject.context, test, replayed));
    }
    let outcome = if failing.is_empty() { "passed" } else { "failed" };
    text += &format!("{}: {} sequences, {} fail", subject.name, tests.len(), failing.len());
    let mut json = Object::default();
    json.text("test", subject.name);
    json.raw("sequences", tests.len());
    let of_failing: Vec<_> =
        failing.iter().map(|(test, replayed)| as_json(subject, test, replayed)).collect();
    json.raw("failing", format!("[{}]", of_failing.join(",")));
    Ok(Answer { text, json: json.close(), outcome: outcome.to_owned() })
}

/// Runs one test, and abandons it if a call does not return.
pub(super) fn watched(subject: &Subject<'_>, test: &Test) -> Result<Replayed, Error> {
    let (context, limit) = (&subject.context, subject.campaign.call_limit());
    let work = {
        let (context, test) = (Arc::clone(context), test.clone());
        move |pulse: &Pulse| context.replay_watched(&test, pulse)
    };
    Ok(match Pulse::watch(limit, work, || {}).map_err(Error::Output)? {
        Ok(replayed) => replayed,
        Err((stuck, fault)) => {
            let before = stuck.up_to(stuck.len() - 1);
            Replayed { steps: context.replay(&before).steps, fault: Some(fault) }
        }
    })
}

/// Returns the test in Rust, without the calls after one that does not return.
fn source(context: &Context, test: &Test, replayed: &Replayed) -> String {
    match &replayed.fault {
        Some(fault @ Fault::Endless { .. }) => {
            test.up_to(replayed.steps.len() + 1).to_source_with(context, fault)
        }
        _ => test.to_source(context),
    }
}

fn in_words(context: &Context, test: &Test, replayed: &Replayed) -> String {
    let mut text = format!("index:    {}:{}\n", test.len(), context.index_of(test));
    text += &format!("sequence: {}\n\n", test.to_line(context));
    for line in source(context, test, replayed).lines() {
        text += &format!("    {line}\n");
    }
    text.push('\n');
    let calls: Vec<String> = replayed.steps.iter().map(|step| context.canonical_call(step.call)).collect();
    let width = calls.iter().map(String::len).max().unwrap_or(0);
    for (call, step) in calls.iter().zip(&replayed.steps) {
        text += &format!("{call:width$}  {}\n", step.text);
    }
    let last = replayed.steps.last().map(|step| step.text.as_str());
    match replayed.fault.as_ref().map(ToString::to_string) {
        None => text + "passes",
        Some(fault) => {
            let so = if last == Some(fault.as_str()) { String::new() } else { format!(": {fault}") };
            text + &format!("fails after {} of {} calls{so}", replayed.steps.len(), test.len())
        }
    }
}

fn as_json(subject: &Subject<'_>, test: &Test, replayed: &Replayed) -> String {
    let context = &*subject.context;
    let mut json = Object::default();
    json.text("test", subject.name);
    json.text("result", if replayed.fault.is_some() { "failed" } else { "passed" });
    json.raw("length", test.len());
    json.text("index", &context.index_of(test).to_string());
    json.text("sequence", &test.to_line(context));
    json.text("source", &source(context, test, replayed));
    let steps = replayed.steps.iter().map(|step| {
        let mut out = Object::default();
        out.text("call", &context.canonical_call(step.call));
        out.text("reply", &step.text);
        out.close()
    });
    json.raw("steps", format!("[{}]", steps.collect::<Vec<_>>().join(",")));
    if let Some(fault) = &replayed.fault {
        json.text("fault", &fault.to_string());
    }
    json.close()
}
