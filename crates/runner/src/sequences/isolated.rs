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
use smallscope_sequences::{CallId, Campaign, Context, Error, Fault, Test};
use std::time::{Duration, Instant};

/// The most processes that are started to make a sequence smaller, and the most time that they may take together.
const MOST_PROCESSES: usize = 300;
const MOST_TIME: Duration = Duration::from_secs(20);

const COVERED: &str = "nothing more is known: the process of the test has died";
const BEHIND: &str = "the process of the test has died; what another one did without this call is below";

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

/// The variable with the crashes that are known, one per line: `sequence` and calls, or `call` and its number.
const CRASHES: &str = "CARGO_SMALLSCOPE_CRASHES";

/// More crashes than this end a run. Each one runs the test again.
const MOST_CRASHES: usize = 20;

/// A call that ends the process after so many sequences is not made any more.
const MOST_OF_ONE_CALL: usize = 3;

/// The sequence in which a process died, and how.
struct Crash {
    found: Test,
    how: String,
}

impl Crash {
    fn last(&self) -> Option<CallId> {
        self.found.calls().last().copied()
    }
}

/// The context of a child without the calls in which earlier children died.
pub(super) fn without_crashes(mut context: Context) -> Context {
    let Ok(lines) = std::env::var(CRASHES) else { return context };
    for line in lines.lines() {
        if let Some(test) = line.strip_prefix("sequence ").and_then(|text| Test::find(&context, text).ok()) {
            context.avoid(test.calls());
        } else if let Some(call) = line.strip_prefix("call ").and_then(|text| text.parse().ok()) {
            context.avoid_call(call);
        }
    }
    context
}

/// The lines that a child gets about crashes, and the calls that it leaves out altogether.
fn avoided(crashes: &[Crash], context: &Context) -> (String, Vec<CallId>) {
    let mut lines: Vec<String> =
        crashes.iter().map(|crash| format!("sequence {}", crash.found.to_line(context))).collect();
    let mut calls: Vec<CallId> = crashes.iter().filter_map(Crash::last).collect();
    calls.sort_unstable();
    let often = |calls: &[CallId]| (calls.len() >= MOST_OF_ONE_CALL).then(|| calls[0]);
    let left_out: Vec<CallId> = calls.chunk_by(|a, b| a == b).filter_map(often).collect();
    lines.extend(left_out.iter().map(|call| format!("call {call}")));
    (lines.join("\n"), left_out)
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
        Ended::Verdict(verdict) => return of_verdict(verdict),
        Ended::NotStarted(why) => return Err(not_started(&why)),
        Ended::Died(how, flight) => (how, flight),
    };
    let context = context.map_err(|error| format!("the context is wrong: {error}"))?;
    let campaign = with_variables(own, variables).map_err(|error| error.to_string())?;
    let not_in_a_call = |how: &str| NotPassed::Failure(format!("`{name}`: {how}\n\nit was not in a call"));
    let Some(found) = interrupted(&campaign, &context, &flight).into_iter().next() else {
        return Err(not_in_a_call(&how));
    };
    let mut crashes = vec![Crash { found, how }];
    let goes_on = campaign.clusters && variables.replay.is_none();
    let behind =
        if goes_on { run_behind(&isolated, &campaign, &context, &mut crashes)? } else { String::new() };
    let reporter =
        Reporter { isolated: &isolated, identity, campaign: &campaign, context: &context, variables };
    Err(NotPassed::Failure(reporter.describe(&crashes)? + &behind))
}

fn of_verdict(verdict: Verdict) -> Result<Passed, NotPassed> {
    match verdict {
        Verdict::Passed(text) => Ok(Passed { text, is_loud: false }),
        Verdict::Failed(text) => Err(NotPassed::Failure(text)),
        Verdict::NotRun(text) => Err(NotPassed::NothingTested(text)),
    }
}

fn not_started(why: &str) -> NotPassed {
    NotPassed::Error(format!("no process of its own can be started: {why}"))
}

/// Runs the test again without the calls in which it died, until it dies no more. Returns what became of it, in words.
fn run_behind(
    isolated: &Isolated<'_>,
    campaign: &Campaign,
    context: &Context,
    crashes: &mut Vec<Crash>,
) -> Result<String, NotPassed> {
    loop {
        let (lines, left_out) = avoided(crashes, context);
        let (how, flight) = match isolated.execute(&[(CRASHES, &lines)]) {
            Ended::Verdict(Verdict::Passed(text) | Verdict::Failed(text) | Verdict::NotRun(text)) => {
                let mut behind = "\n\nwithout these calls:".to_owned();
                for call in left_out {
                    let call =
                        Test::new(context, [call]).map(|call| call.to_line(context)).unwrap_or_default();
                    behind += &format!("\n(and without `{call}` everywhere: it ends the process often)");
                }
                return Ok(format!("{behind}\n\n{text}"));
            }
            Ended::NotStarted(why) => return Err(not_started(&why)),
            Ended::Died(how, flight) => (how, flight),
        };
        let Some(found) = interrupted(campaign, context, &flight).into_iter().next() else {
            return Ok(format!("\n\nwithout these calls: {how}; it was not in a call"));
        };
        if crashes.len() >= MOST_CRASHES || crashes.iter().any(|crash| crash.found == found) {
            return Ok("\n\nnothing more is known: too many processes died".to_owned());
        }
        crashes.push(Crash { found, how });
    }
}

/// What reports of crashes need.
struct Reporter<'r> {
    isolated: &'r Isolated<'r>,
    identity: &'r Identity,
    campaign: &'r Campaign,
    context: &'r Context,
    variables: &'r Settings,
}

/// The first line says how a process ended; the others are what it wrote.
fn way(how: &str) -> &str {
    how.lines().next().unwrap_or_default()
}

impl Reporter<'_> {
    fn method(&self, test: &Test) -> Option<usize> {
        test.calls().last().map(|call| self.context.method_of(*call))
    }

    /// Describes crashes. Those in the same method that end in the same way are described by the first one.
    fn describe(&self, crashes: &[Crash]) -> Result<String, NotPassed> {
        let key = |crash: &Crash| (self.method(&crash.found), way(&crash.how).to_owned());
        let mut known = vec![];
        let mut texts = vec![];
        for crash in crashes {
            let key_of_crash = key(crash);
            if known.contains(&key_of_crash) {
                continue;
            }
            let mut text = self.describe_one(crash)?;
            let like_it = crashes.iter().filter(|other| key(other) == key_of_crash).count();
            if like_it > 1 {
                text += &format!("\nlike it:  {like_it} crashes in all");
            }
            known.push(key_of_crash);
            texts.push(text);
        }
        Ok(texts.join("\n\n"))
    }

    /// Makes the sequence of a crash smaller, records it, and describes it.
    fn describe_one(&self, Crash { found, how }: &Crash) -> Result<String, NotPassed> {
        let Reporter { isolated, identity, campaign, context, variables } = self;
        let name = &identity.name;
        let begun = Instant::now();
        let mut last_words = how.clone();
        let mut dies = |test: &Test| {
            if begun.elapsed() > MOST_TIME {
                return None;
            }
            match isolated.execute(&[("SMALLSCOPE_REPLAY", &test.to_line(context))]) {
                Ended::Died(other, flight) if way(&other) == way(how) => {
                    let reached = interrupted(campaign, context, &flight).into_iter().next()?;
                    let is_same = self.method(&reached) == self.method(found);
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
            None => context.shrink_by(found, MOST_PROCESSES, &mut dies),
        };
        let fault = Fault::Died { how: last_words };
        let covered = if campaign.clusters { BEHIND } else { COVERED };
        let mut text = describe_one(name, context, &shrunk, &fault, covered);
        if shrunk != *found {
            text +=
                &format!("\nfound:    in a sequence of {}, made smaller", super::report::calls(found.len()));
        }
        text += &format!("\nreplay:   {}", identity.replay(&shrunk.to_line(context)));
        if let Some(path) = &variables.report {
            let line = json_of_one(name, context, &shrunk, &fault, covered);
            reports::append_line(path, line).map_err(unwritable(path))?;
        }
        if let (Some(records), None) =
            (identity.regressions.as_ref().map(Regressions::of_sequences), &variables.replay)
        {
            text += &format!("\nrecorded: {}", record(name, context, &records, [(&shrunk, &fault)]));
        }
        Ok(text)
    }
}
