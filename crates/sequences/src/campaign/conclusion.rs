//! The result of a campaign, for lists of tests and for explorations.

use std::time::Duration;

use num_bigint::BigUint;
use smallscope_support::duration;

use super::{Campaign, CodeCoverage, Traversal};
use crate::explore::{Exploration, Suite};
use crate::outcome::{Limit, Stop};
use crate::run::{Cluster, Counts, Report};
use crate::test::Test;

/// Longer numbers are shown as a power of ten.
const MAX_DIGITS: usize = 20;

/// The result of a campaign.
#[derive(Debug, Clone)]
pub enum Conclusion {
    /// The result of a list of tests.
    Tests {
        /// The campaign.
        campaign: Campaign,
        /// The runner's report.
        report: Report,
        /// Which part of the code under test was reached, if it was measured.
        coverage: Option<CodeCoverage>,
    },
    /// The result of an exploration.
    States {
        /// The campaign.
        campaign: Campaign,
        /// The explorer's report.
        found: Exploration,
        /// Which part of the code under test was reached, if it was measured.
        coverage: Option<CodeCoverage>,
    },
}

impl Conclusion {
    /// The campaign.
    pub fn campaign(&self) -> &Campaign {
        match self {
            Conclusion::Tests { campaign, .. } | Conclusion::States { campaign, .. } => campaign,
        }
    }

    /// Why it stopped.
    pub fn stop(&self) -> Stop {
        match self {
            Conclusion::Tests { report, .. } => report.stop,
            Conclusion::States { found, .. } => found.stop,
        }
    }

    /// The failures, grouped by similarity.
    pub fn clusters(&self) -> &[Cluster] {
        match self {
            Conclusion::Tests { report, .. } => &report.clusters,
            Conclusion::States { found, .. } => &found.clusters,
        }
    }

    /// How the calls ended.
    pub fn counts(&self) -> Counts {
        match self {
            Conclusion::Tests { report, .. } => report.counts,
            Conclusion::States { found, .. } => found.counts,
        }
    }

    /// The duration.
    pub fn time(&self) -> Duration {
        match self {
            Conclusion::Tests { report, .. } => report.time,
            Conclusion::States { found, .. } => found.time,
        }
    }

    /// The position to resume from, if a list of tests is not finished. The end of a shard counts as the end.
    pub fn next(&self) -> Option<&BigUint> {
        match self {
            Conclusion::Tests { report, .. } => {
                let is_done = matches!(
                    report.stop,
                    Stop::Exhausted | Stop::LimitReached(Limit::Range) | Stop::LimitReached(Limit::Sample)
                );
                (!is_done).then_some(&report.next)
            }
            Conclusion::States { .. } => None,
        }
    }

    /// The sequences that were kept.
    pub fn sequences(&self) -> &[Test] {
        match self {
            Conclusion::Tests { .. } => &[],
            Conclusion::States { found, .. } => &found.sequences,
        }
    }

    /// Which part of the code under test was reached, if it was measured.
    pub fn coverage(&self) -> Option<&CodeCoverage> {
        match self {
            Conclusion::Tests { coverage, .. } | Conclusion::States { coverage, .. } => coverage.as_ref(),
        }
    }

    /// The first sequences that reached something in the code under test. Those of a breadth-first exploration are
    /// shortest; the others are reduced to the calls that they need.
    pub fn suite(&self) -> &Suite {
        match self {
            Conclusion::Tests { report, .. } => &report.suite,
            Conclusion::States { found, .. } => &found.suite,
        }
    }

    /// Describes which part of the code under test was reached, by which sequences, and what is missing.
    pub fn reached(&self) -> Option<String> {
        let coverage = self.coverage()?;
        let suite = self.suite();
        let (sequences, longest) =
            (plural(suite.witnesses.len() as u64, "sequence"), plural(suite.longest() as u64, "call"));
        let mut out = coverage.in_numbers();
        out += &match suite.witnesses.len() {
            0 => ", by no sequence".to_owned(),
            1 => format!(", by {sequences} of {longest}"),
            _ => format!(", by {sequences} of up to {longest}, {:.1} on average", suite.average_length()),
        };
        if let Conclusion::States { found, .. } = self {
            let states = plural(found.states, "state");
            out += &format!("; {} kB for {states}", found.bytes.div_ceil(1000));
        }
        if let Some(missing) = coverage.missing_in_words() {
            out += &format!("\n{missing}");
        }
        Some(out)
    }

    /// Describes what was run. The text begins with "all" only if nothing was left out. For an exploration, it ends with
    /// what the comparison of states was.
    pub fn covered(&self) -> String {
        let text = match self {
            Conclusion::Tests { campaign, report, .. } => of_tests(campaign, report),
            Conclusion::States { campaign, found, .. } => of_states(campaign, found),
        };
        let default = self.campaign().default_budget.filter(|_| self.campaign().budget.is_none());
        match (self.stop(), default) {
            (Stop::LimitReached(Limit::Time), Some(default)) => {
                format!("{text}; {}", duration::describe_default(default))
            }
            _ => text,
        }
    }
}

/// Describes the tests that do not reach the missing targets; `None` unless the run was exhaustive.
pub(super) fn no_test(campaign: &Campaign, report: &Report) -> Option<String> {
    let calls = plural(campaign.length.unwrap_or(0) as u64, "call");
    report.stop.is_exhausted().then(|| format!("no sequence of {calls}"))
}

/// Describes the tests that do not reach the missing targets; `None` unless the run was exhaustive.
pub(super) fn no_sequence(campaign: &Campaign, found: &Exploration) -> Option<String> {
    match campaign.length {
        _ if !found.stop.is_exhausted() => None,
        Some(length) if !found.is_closed => {
            Some(format!("no sequence of up to {}", plural(length as u64, "call")))
        }
        _ => Some("no sequence of calls".to_owned()),
    }
}

fn of_tests(campaign: &Campaign, report: &Report) -> String {
    let calls = plural(campaign.length.unwrap_or(0) as u64, "call");
    let Report { stop, tests, next, .. } = report;
    let all_tests = &in_words(&report.all_tests);
    let text = match stop {
        Stop::Exhausted => format!("all {all_tests} sequences of {calls}"),
        Stop::LimitReached(Limit::Sample) => {
            format!("{} of {calls}, drawn with seed {}", plural(*tests, "random sequence"), campaign.seed)
        }
        Stop::LimitReached(Limit::Range) => {
            format!("{} of {calls}, up to position {next} of {all_tests}", plural(*tests, "sequence"))
        }
        // They have no last one.
        stop if campaign.mixes => {
            let (tests, seed) = (plural(*tests, "random sequence"), campaign.seed);
            format!("{tests} of {calls}, {stop}{}; drawn with seed {seed}", of_memory(&report.exceeded))
        }
        stop => format!("{tests} of {all_tests} sequences of {calls}, {stop}{}", of_memory(&report.exceeded)),
    };
    let is_empty = report.counts.calls > 0 && report.counts.calls == report.counts.skipped;
    if is_empty { format!("{text}; no call could be made") } else { text }
}

fn of_states(campaign: &Campaign, found: &Exploration) -> String {
    let states = plural(found.states, "state");
    let made = plural(found.transitions, "call");
    let reached = plural(found.levels.len() as u64 - 1, "call");
    let were = if found.transitions == 1 { "was" } else { "were" };
    let text = match (found.stop, campaign.length) {
        (Stop::Exhausted, _) if found.is_closed => {
            format!("all sequences of calls, of any length: they lead to {states}, and {made} {were} made")
        }
        (Stop::Exhausted, Some(length)) => {
            let calls = plural(length as u64, "call");
            format!("all sequences of up to {calls}: they lead to {states}, and {made} {were} made")
        }
        (Stop::Lossy, _) => {
            let closed = if found.is_closed { ", none leads to a new one" } else { "" };
            format!(
                "{states} by sequences of up to {reached}{closed}; {made} {were} made, and states that compare as equal were \
                 explored once"
            )
        }
        (Stop::Failures, _) => {
            format!(
                "{made} in {states}, by sequences of up to {reached}; nothing was tried after calls that fail"
            )
        }
        (stop, _) if campaign.order == Traversal::Random => {
            let tests = plural(campaign.tests.unwrap_or(0), "random sequence");
            format!("{states} by up to {tests}, {stop}; {made} {were} made")
        }
        (Stop::LimitReached(_) | Stop::Interrupted, _) if found.whole_length > 0 => {
            let covered = if found.is_lossy() { "explored" } else { "covered exhaustively" };
            let whole = plural(found.whole_length as u64, "call");
            format!(
                "{}, after {made} in {states}: sequences of up to {whole} are {covered}, of {} in part{}",
                found.stop,
                found.whole_length + 1,
                of_memory(&found.exceeded)
            )
        }
        (stop, _) => format!("{stop}, after {made} in {states}{}", of_memory(&found.exceeded)),
    };
    format!("{text}; states compared by: {}", found.compared_by)
}

/// Describes how the memory limit was reached, if it was.
fn of_memory(exceeded: &Option<String>) -> String {
    exceeded.as_ref().map_or_else(String::new, |exceeded| {
        format!("; {exceeded}: raise the limit with `memory = \"2 GB\"` or SMALLSCOPE_MEMORY")
    })
}

/// Writes a number, or its order of magnitude if it is long.
pub(super) fn in_words(number: &BigUint) -> String {
    let text = number.to_string();
    if text.len() <= MAX_DIGITS { text } else { format!("at least 10^{}", text.len() - 1) }
}

pub(super) fn plural(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
