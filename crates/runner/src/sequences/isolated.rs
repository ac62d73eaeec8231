//! Tests of call sequences in a process of their own. If it dies, the sequence is made smaller, with a process for each try.

use super::mixed::interrupted;
use super::{
    NotPassed, Passed, cannot_be_run, describe_one, json_of_one, record, reports, unwritable, with_variables,
};
use crate::attribute::TestSite;
use crate::isolate::{Ended, Isolated, Verdict, Watch};
use crate::runner::plan::Identity;
use crate::runner::regressions::Regressions;
use crate::runner::say;
use crate::settings::Settings;
use smallscope_sequences::{Campaign, Context, Error, Fault, Test};
use std::time::{Duration, Instant};

/// The most processes that are started to make a sequence smaller, and the most time that they may take together.
const MOST_PROCESSES: usize = 300;
const MOST_TIME: Duration = Duration::from_secs(20);

const COVERED: &str = "nothing more is known: the process of the test has died";

/// What a child tells its parent.
pub(super) fn to_parent(identity: &Identity, verdict: &Result<Passed, NotPassed>) -> Verdict {
    match verdict {
        // The parent passes on what is said here.
        Ok(Passed { text, is_loud: true }) => {
            say(text);
            Verdict::Passed(String::new())
        }
        Ok(Passed { text, .. }) => Verdict::Passed(text.clone()),
        Err(NotPassed::Failure(text)) => Verdict::Failed(text.clone()),
        Err(NotPassed::NothingTested(text)) => Verdict::NotRun(text.clone()),
        Err(NotPassed::Error(text)) => Verdict::NotRun(cannot_be_run(identity, text)),
    }
}

/// Says in which sequences earlier processes ended, which did not report anything.
pub(super) fn announce_earlier(name: &str, campaign: &Campaign, context: &Context, watch: &Watch) {
    let tests = watch.earlier.iter().flat_map(|flight| interrupted(campaign, context, flight));
    let lines: Vec<String> = tests.map(|test| format!("\n  {}", test.to_line(context))).collect();
    let which = match lines.len() {
        0 => return,
        1 => "in this sequence",
        _ => "in one of these sequences",
    };
    say(&format!(
        "`{name}`: an earlier run ended, or was stopped, {which}:{}\nwith `isolate = true` or SMALLSCOPE_ISOLATE=1, a crash is reported \
         as a failure",
        lines.concat()
    ));
}

/// Runs a test in a process of its own, and returns the text for its output.
pub(super) fn run(
    site: &TestSite,
    identity: &Identity,
    own: &Campaign,
    context: Result<Context, Error>,
    variables: &Settings,
) -> Result<Passed, NotPassed> {
    let name = &identity.name;
    // Calls that do not return are found by the process itself.
    let isolated = Isolated { site, case_limit: Some(Duration::MAX), budget: Duration::MAX };
    let (how, flight) = match isolated.execute(&[]) {
        Ended::Verdict(Verdict::Passed(text)) => return Ok(Passed { text, is_loud: false }),
        Ended::Verdict(Verdict::Failed(text)) => return Err(NotPassed::Failure(text)),
        Ended::Verdict(Verdict::NotRun(text)) => return Err(NotPassed::NothingTested(text)),
        Ended::NotStarted(why) => {
            return Err(NotPassed::Error(format!("no process of its own can be started: {why}")));
        }
        Ended::Died(how, flight) => (how, flight),
    };
    let context = context.map_err(|error| format!("the context is wrong: {error}"))?;
    let campaign = with_variables(own, variables).map_err(|error| error.to_string())?;
    let Some(found) = interrupted(&campaign, &context, &flight).into_iter().next() else {
        return Err(NotPassed::Failure(format!("`{name}`: {how}\n\nit was not in a call")));
    };
    let begun = Instant::now();
    let way = |how: &str| how.lines().next().unwrap_or_default().to_owned();
    let method = |test: &Test| test.calls().last().map(|call| context.method_of(*call));
    let mut last_words = how.clone();
    let mut dies = |test: &Test| {
        if begun.elapsed() > MOST_TIME {
            return None;
        }
        match isolated.execute(&[("SMALLSCOPE_REPLAY", &test.to_line(&context))]) {
            Ended::Died(other, flight) if way(&other) == way(&how) => {
                let reached = interrupted(&campaign, &context, &flight).into_iter().next()?;
                let is_same = method(&reached) == method(&found);
                if is_same {
                    last_words = other;
                }
                is_same.then(|| reached.len() - 1)
            }
            _ => None,
        }
    };
    let shrunk = match variables.replay {
        Some(_) => found.clone(),
        None => context.shrink_by(&found, MOST_PROCESSES, &mut dies),
    };
    let fault = Fault::Died { how: last_words.replace('\n', "\n    // ") };
    let mut text = describe_one(name, &context, &shrunk, &fault, COVERED);
    if shrunk != found {
        text += &format!("\nfound:    in a sequence of {}, made smaller", super::report::calls(found.len()));
    }
    text += &format!("\nreplay:   {}", identity.replay(&shrunk.to_line(&context)));
    if let Some(path) = &variables.report {
        let line = json_of_one(name, &context, &shrunk, &fault, COVERED);
        reports::append_line(path, line).map_err(unwritable(path))?;
    }
    if let (Some(records), None) =
        (identity.regressions.as_ref().map(Regressions::of_sequences), &variables.replay)
    {
        text += &format!("\nrecorded: {}", record(name, &context, &records, [(&shrunk, &fault)]));
    }
    Err(NotPassed::Failure(text))
}
