//! What `#[smallscope::sequences]` expands to a call of: a campaign on the user's context, with the variables over it.

mod campaign;
mod isolated;
mod mixed;
mod observed;
mod report;
mod watched;

pub use campaign::with_settings;
pub(crate) use campaign::with_variables;
pub use report::{describe, describe_empty, describe_one, json, json_of_one, outcome};

use crate::attribute::TestSite;
use crate::isolate::Watch;
use crate::runner::plan::Identity;
use crate::runner::regressions::Regressions;
use crate::runner::{json as reports, say};
use crate::settings::Settings;
use smallscope_sequences::{Campaign, Conclusion, Context, Error, Fault, IntoContext, Limit, Stop, Test};
use smallscope_support::memory;
use std::path::Path;
use std::sync::Arc;
use watched::Watched;

/// Runs the tests of a campaign, and panics with a report if one fails.
#[track_caller]
pub fn run_sequences<C: IntoContext>(site: &TestSite, campaign: Campaign, make: fn() -> C) {
    // Keeps the mark in the binary.
    std::hint::black_box(site.mark);
    #[cfg(feature = "suites")]
    if let Some(request) = crate::session::request_of_process() {
        return crate::session::sequences::serve(site, campaign, make().into_context(), &request);
    }
    let identity = site.identity();
    let verdict = Settings::of_process().map_err(NotPassed::Error).and_then(|variables| {
        let isolate = variables.isolate.unwrap_or(campaign.isolate);
        if isolate && !crate::isolate::is_child() {
            return isolated::run(site, &identity, &campaign, make().into_context(), &variables);
        }
        let watch = Watch::begin(site);
        let context = make().into_context().map(isolated::without_crashes);
        let verdict = run(&identity, campaign, context, &variables, &watch);
        watch.hand_over(|| isolated::to_parent(&identity, &verdict));
        verdict
    });
    match verdict {
        Ok(Passed { text, is_loud: true }) => say(&text),
        Ok(Passed { text, .. }) => println!("{text}"),
        Err(NotPassed::Failure(text)) => {
            site.annotate(None, &text);
            panic!("{text}")
        }
        Err(NotPassed::NothingTested(text)) => panic_unless_expected(site, &text),
        Err(NotPassed::Error(text)) => {
            panic_unless_expected(site, &cannot_be_run(&identity, &text));
        }
    }
}

fn cannot_be_run(identity: &Identity, why: &str) -> String {
    format!("`{}` cannot be run: {why}", identity.name)
}

/// Panics with a report that is about no sequence of calls. With `#[should_panic]`, the harness would take that for the
/// panic of a call, so the report is only printed.
#[track_caller]
fn panic_unless_expected(site: &TestSite, text: &str) {
    match site.should_panic {
        true => say(text),
        false => panic!("{text}"),
    }
}

/// The coverage of a run in which a call does not return.
pub const GIVEN_UP: &str =
    "nothing more is known: the run was abandoned, and the call continues until the process ends";

/// The text for the output of a test that has passed.
#[derive(Debug)]
struct Passed {
    text: String,
    /// Whether the user sees it even if the output of the test is captured.
    is_loud: bool,
}

/// Why a test has not passed.
#[derive(Debug)]
enum NotPassed {
    /// Some of its sequences failed; the report.
    Failure(String),
    /// No call could be made that tests something; the report.
    NothingTested(String),
    /// Nothing could be run.
    Error(String),
}

impl From<String> for NotPassed {
    fn from(error: String) -> NotPassed {
        NotPassed::Error(error)
    }
}

/// Runs a test, and returns the text for its output.
fn run(
    identity: &Identity,
    campaign: Campaign,
    context: Result<Context, Error>,
    variables: &Settings,
    watch: &Watch,
) -> Result<Passed, NotPassed> {
    let name = &identity.name;
    let is_talkative = variables.progress == Some(true);
    let context = context.map_err(|error| format!("the context is wrong: {error}"))?;
    let campaign = with_variables(&campaign, variables).map_err(|error| error.to_string())?;
    let (context, flight) = (Arc::new(context), watch.flight.clone());
    let observe = variables.observe.clone();
    let subject = Watched { context, limit: campaign.call_limit(), flight, observe };
    let context = &*subject.context;
    isolated::announce_earlier(name, &campaign, context, watch);
    if let Some(replay) = &variables.replay {
        return replay_one(identity, &subject, &replay.text);
    }
    if let Some(path) = &variables.report {
        reports::open(path).map_err(unwritable(path))?;
    }
    let records = identity.regressions.as_ref().map(Regressions::of_sequences);
    if let Some(records) = &records {
        try_records(name, &subject, records, variables)?;
    }
    if is_talkative {
        memory::Limit::new(campaign.memory).announce();
    }
    let mixed::Found { conclusion, before } = mixed::run(&subject, name, campaign, variables.progress)?;
    let found = match conclusion {
        Ok(found) => found,
        Err((test, fault)) => {
            if let Some(path) = &variables.report {
                let line = json_of_one(name, context, &test, &fault, GIVEN_UP);
                reports::append_line(path, line).map_err(unwritable(path))?;
            }
            let mut text = describe_one(name, context, &test, &fault, GIVEN_UP);
            text += &format!("\nreplay:   {}", identity.replay(&test.to_line(context)));
            if let Some(records) = &records {
                text += &format!("\nrecorded: {}", record(name, context, records, [(&test, &fault)]));
            }
            return Err(NotPassed::Failure(text));
        }
    };
    if let Some(path) = &variables.report {
        reports::append_line(path, json(name, context, &found)).map_err(unwritable(path))?;
    }
    if let Some(why) = found.why_empty(context) {
        return Err(NotPassed::NothingTested(describe_empty(name, &found, &why)));
    }
    if !found.clusters().is_empty() {
        let mut text = describe(name, context, &found, |calls| Some(identity.replay(calls)));
        if let Some(records) = &records {
            let failures =
                found.clusters().iter().map(|cluster| (&cluster.first.shrunk, &cluster.first.fault));
            text += &format!("\nrecorded: {}", record(name, context, records, failures));
        }
        return Err(NotPassed::Failure(text));
    }
    let mut text = format!("`{name}`: {}", found.covered());
    if let Some(before) = before {
        text += &format!("; {before}");
    }
    if cfg!(debug_assertions) && found.stop() == Stop::LimitReached(Limit::Time) {
        text += "; this is a debug build: with `--release`, or with `opt-level = 1` in \
                 `[profile.dev.package.\"*\"]`, more calls fit into the time";
    }
    if let Some(reached) = found.reached() {
        text += &format!("\n{reached}");
    }
    Ok(Passed { text, is_loud: is_talkative || is_cut_short(&found) })
}

fn unwritable(path: &Path) -> impl Fn(std::io::Error) -> NotPassed {
    move |error| NotPassed::Error(format!("SMALLSCOPE_REPORT: {} cannot be written: {error}", path.display()))
}

/// Runs the recorded sequences.
fn try_records(
    name: &str,
    subject: &Watched,
    records: &Regressions,
    variables: &Settings,
) -> Result<(), NotPassed> {
    let context = &*subject.context;
    for (line, text) in records.load_texts(name)? {
        let place = format!("{}:{line}", records.short_path());
        let test = match Test::find(context, &text) {
            Ok(test) => test,
            Err(stale) => {
                say(&format!(
                    "warning: {place}: the recorded failure of `{name}` is stale and was not tried: {stale}; delete the line if \
                     that is intended"
                ));
                continue;
            }
        };
        let is_avoided =
            test.calls().split_last().is_some_and(|(last, before)| context.avoids(before, *last));
        if is_avoided {
            continue;
        }
        if let Some((test, fault)) = subject.replay(&test)? {
            let covered = recorded_covered(&place);
            if let Some(path) = &variables.report {
                let line = json_of_one(name, context, &test, &fault, &covered);
                reports::append_line(path, line).map_err(unwritable(path))?;
            }
            return Err(NotPassed::Failure(describe_one(name, context, &test, &fault, &covered)));
        }
    }
    Ok(())
}

/// Describes what was run if a recorded failure still fails.
pub(crate) fn recorded_covered(place: &str) -> String {
    format!("recorded in {place}, and tried first; nothing else was run")
}

/// Records failures. Returns the file, or why it cannot be written.
fn record<'f>(
    name: &str,
    context: &Context,
    records: &Regressions,
    failures: impl IntoIterator<Item = (&'f Test, &'f Fault)>,
) -> String {
    for (test, fault) in failures {
        if let Err(error) = records.add_text(name, &test.to_line(context), &fault.to_string()) {
            return format!("no, {} cannot be written: {error}", records.short_path());
        }
    }
    records.short_path()
}

/// Whether a limit ended the run early. The size of a sample is not such a limit.
fn is_cut_short(found: &Conclusion) -> bool {
    matches!(found.stop(), Stop::LimitReached(limit) if limit != Limit::Sample)
}

/// Runs only one test, given by its calls or by its index.
fn replay_one(identity: &Identity, subject: &Watched, text: &str) -> Result<Passed, NotPassed> {
    let context = &*subject.context;
    let name = &identity.name;
    let test = Test::find(context, text).map_err(|error| format!("SMALLSCOPE_REPLAY: {error}"))?;
    match subject.replay(&test)? {
        None => {
            let text = format!("`{name}`: the replayed sequence passes; nothing else was run");
            Ok(Passed { text, is_loud: true })
        }
        Some((test, fault)) => {
            Err(NotPassed::Failure(describe_one(name, context, &test, &fault, "nothing else was run")))
        }
    }
}

#[cfg(test)]
mod tests;
