//! The result of a campaign, in words and as JSON.

use crate::runner::OPT_OUT;
use crate::runner::json::{Object, quoted};
use smallscope_sequences::{
    Cluster, CodeCoverage, Completeness, Conclusion, Context, Counts, Fault, Stop, Suite, Test,
};
use std::fmt::Write;

/// Indices with more digits are not printed.
const MAX_DIGITS: usize = 60;

/// Describes the failures, and how to see them again. `replay` returns the command for calls in canonical form.
pub fn describe(
    name: &str,
    context: &Context,
    found: &Conclusion,
    replay: impl Fn(&str) -> Option<String>,
) -> String {
    let clusters = found.clusters();
    let mut out = match clusters {
        [only] => format!("`{name}` fails after {}\n", calls(only.first.shrunk.len())),
        _ => format!("`{name}` fails in {} ways\n", clusters.len()),
    };
    for (number, cluster) in clusters.iter().enumerate() {
        let Cluster { failing, first } = cluster;
        if clusters.len() > 1 {
            let _ = write!(out, "\n{}. ", number + 1);
            let _ = match failing {
                1 => writeln!(out, "one failure:"),
                n => writeln!(out, "{n} failures like this one:"),
            };
        }
        let _ = writeln!(out, "\n{first}\n");
        out += &place(context, &first.shrunk);
        if first.shrunk != first.test {
            let _ = writeln!(out, "found:    {}, made smaller", with_calls(&first.test));
        }
        if clusters.len() == 1 && *failing > 1 {
            let _ = writeln!(out, "like it:  {failing} failures in all");
        }
        if let Some(command) = replay(&first.shrunk.to_line(context)) {
            let _ = writeln!(out, "replay:   {command}");
        }
    }
    if clusters.len() > 1 {
        out.push('\n');
    }
    let _ = writeln!(out, "covered:  {}", found.covered());
    if let Some(reached) = found.reached() {
        let _ = writeln!(out, "code:     {}", reached.replace('\n', "\n          "));
    }
    out + &calls_in_words(found)
}

/// Describes a run that tested nothing.
pub fn describe_empty(name: &str, found: &Conclusion, why: &str) -> String {
    format!(
        "`{name}` has tested nothing: {why}\n{OPT_OUT}\n\ncovered:  {}\n{}",
        found.covered(),
        calls_in_words(found)
    )
}

fn calls_in_words(found: &Conclusion) -> String {
    let Counts { calls, skipped, errors, panics, .. } = found.counts();
    format!(
        "calls:    {calls}, of which {skipped} could not be made, {errors} returned an error and {panics} panicked"
    )
}

/// Describes one test that was run on its own.
pub fn describe_one(name: &str, context: &Context, test: &Test, fault: &Fault, covered: &str) -> String {
    let mut out = format!("`{name}` fails after {}\n\n", calls(test.len()));
    for line in test.to_source_with(context, fault).lines() {
        let _ = writeln!(out, "    {line}");
    }
    // A message may have several lines.
    let _ = writeln!(out, "    // {}\n", fault.to_string().replace('\n', "\n    // "));
    out += &place(context, test);
    out + &format!("covered:  {covered}")
}

/// Returns the test in canonical form, and its index.
fn place(context: &Context, test: &Test) -> String {
    let mut out = format!("sequence: {}\n", test.to_line(context));
    let index = context.index_of(test).to_string();
    if index.len() <= MAX_DIGITS {
        let _ = writeln!(out, "index:    {}:{index}", test.len());
    }
    out
}

pub(super) fn calls(number: usize) -> String {
    format!("{number} call{}", if number == 1 { "" } else { "s" })
}

fn with_calls(test: &Test) -> String {
    format!("in a sequence of {}", calls(test.len()))
}

/// Returns the outcome in one word, or a few with hyphens.
pub fn outcome(stop: Stop) -> &'static str {
    match stop {
        Stop::Exhausted => "exhausted",
        Stop::Lossy => "lossy",
        Stop::LimitReached(_) => "limit",
        Stop::FirstFailure => "first-failure",
        Stop::Failures => "failures",
        Stop::Interrupted => "interrupted",
        _ => "other",
    }
}

/// Returns one line of JSON.
pub fn json(name: &str, context: &Context, found: &Conclusion) -> String {
    let campaign = found.campaign();
    let mut out = Object::default();
    out.text("test", name);
    out.text("kind", "sequences");
    let empty = found.why_empty(context);
    let result = match (&empty, found.clusters()) {
        (Some(_), _) => "nothing tested",
        (None, []) => "passed",
        (None, _) => "failed",
    };
    out.text("result", result);
    out.text("outcome", outcome(found.stop()));
    out.text("stop", &found.stop().to_string());
    out.raw("exhaustive", found.stop().is_exhausted());
    if let Some(why) = &empty {
        out.text("error", why);
    }
    out.text("covered", &found.covered());
    out.text("strategy", &campaign.which.to_string());
    out.raw("length", or_null(campaign.length));
    out.raw("distinct_calls", context.calls());
    match found {
        Conclusion::Tests { report, .. } => {
            out.raw("tests", report.tests);
            out.raw("failing", report.failing);
            // Numbers of any size are texts: most readers of JSON lose digits.
            out.text("all_tests", &report.all_tests.to_string());
            out.text("next", &report.next.to_string());
            out.raw("seed", campaign.seed);
        }
        Conclusion::States { found, .. } => {
            out.text("order", &campaign.order.to_string());
            out.text("abstraction", &campaign.matching.to_string());
            out.text("compared_by", &found.compared_by.to_string());
            out.raw("last_calls", campaign.last_calls.unwrap_or(0));
            out.raw("lossy", found.is_lossy());
            out.raw("vouched", found.compared_by.completeness == Completeness::Vouched);
            out.raw("closed", found.is_closed);
            out.raw("states", found.states);
            let levels: Vec<String> = found.levels.iter().map(u64::to_string).collect();
            out.raw("levels", format!("[{}]", levels.join(",")));
            out.raw("transitions", found.transitions);
            out.raw("bytes", found.bytes);
        }
    }
    if let Some(coverage) = found.coverage() {
        out.raw("code_coverage", json_of_coverage(context, coverage, found.suite()));
    }
    let Counts { calls, skipped, errors, panics, .. } = found.counts();
    out.raw("calls", calls);
    out.raw("skipped", skipped);
    out.raw("errors", errors);
    out.raw("panics", panics);
    let clusters = found.clusters().iter().map(|cluster| {
        let Cluster { failing, first } = cluster;
        let mut out = Object::default();
        out.raw("failing", failing);
        out.text("fault", &first.fault.to_string());
        out.text("sequence", &first.shrunk.to_line(context));
        out.text("index", &format!("{}:{}", first.shrunk.len(), context.index_of(&first.shrunk)));
        out.text("source", &first.source);
        out.text("found", &first.test.to_line(context));
        out.close()
    });
    out.raw("clusters", format!("[{}]", clusters.collect::<Vec<_>>().join(",")));
    out.raw("seconds", format!("{:.6}", found.time().as_secs_f64()));
    out.close()
}

fn json_of_coverage(context: &Context, coverage: &CodeCoverage, suite: &Suite) -> String {
    let mut out = Object::default();
    out.text("of", &coverage.cover.to_string());
    out.raw("covered", coverage.covered);
    out.raw("total", coverage.total);
    let missing = coverage.missing.iter().map(|missing| {
        let mut out = Object::default();
        out.text("place", &missing.place);
        out.text("target", &missing.what);
        out.close()
    });
    out.raw("not_covered", format!("[{}]", missing.collect::<Vec<_>>().join(",")));
    let witnesses = suite.witnesses.iter().map(|witness| {
        let mut out = Object::default();
        out.text("sequence", &witness.test.to_line(context));
        out.raw("length", witness.test.len());
        out.raw("reaches", witness.targets.len());
        let names: Vec<String> = witness.names.iter().map(|name| quoted(name)).collect();
        out.raw("targets", format!("[{}]", names.join(",")));
        out.close()
    });
    out.raw("suite", format!("[{}]", witnesses.collect::<Vec<_>>().join(",")));
    out.raw("longest", suite.longest());
    out.raw("average_length", format!("{:.3}", suite.average_length()));
    out.close()
}

/// Returns one line of JSON about one test that was run on its own and failed.
pub fn json_of_one(name: &str, context: &Context, test: &Test, fault: &Fault, covered: &str) -> String {
    let mut out = Object::default();
    out.text("test", name);
    out.text("kind", "sequences");
    out.text("result", "failed");
    out.text("outcome", outcome(Stop::FirstFailure));
    out.raw("exhaustive", false);
    out.text("covered", covered);
    let mut cluster = Object::default();
    cluster.raw("failing", 1);
    cluster.text("fault", &fault.to_string());
    cluster.text("sequence", &test.to_line(context));
    cluster.text("index", &format!("{}:{}", test.len(), context.index_of(test)));
    cluster.text("source", &test.to_source_with(context, fault));
    out.raw("clusters", format!("[{}]", cluster.close()));
    out.close()
}

fn or_null(number: Option<usize>) -> String {
    number.map_or("null".to_owned(), |number| number.to_string())
}
