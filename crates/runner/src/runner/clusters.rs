//! Failures that do not end a run, grouped by place and message, with one smallest value per group.

use super::Ended;
use super::failure::{Blame, FailedCase, Origin};
use super::failures::Failures;
use super::replay::ReplayCandidate;
use super::report::{Report, plural};
use super::trial::Wrong;
use smallscope_core::AnySearch;
use std::fmt;

/// Beyond this many clusters, failures are grouped by place only.
const MOST_MESSAGES: usize = 1000;
/// How many clusters are described; the others are counted.
const SHOWN: usize = 20;

/// Values on which a test fails in the same place with the same message, except for numbers.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Cluster {
    /// The message with `#` for each number or list of numbers. None if there were too many different messages.
    pub message: Option<String>,
    /// File, line and column of the panics.
    pub location: Option<String>,
    /// The number of these values.
    pub count: u64,
    /// A smallest of these values.
    pub witness: FailedCase,
}

/// The clusters of a run, in the order in which they were found.
#[derive(Default)]
pub(super) struct Clusters {
    found: Vec<(Cluster, ReplayCandidate)>,
}

impl Clusters {
    /// Returns the number of the cluster with this place and message.
    fn number(&self, location: Option<&str>, message: Option<&str>) -> Option<usize> {
        self.found.iter().position(|(cluster, _)| {
            cluster.location.as_deref() == location && cluster.message.as_deref() == message
        })
    }
}

impl Failures<'_> {
    /// Whether a failure does not end the run.
    pub(super) fn continues_after(&self, wrong: &Wrong) -> bool {
        let is_about_value = matches!(wrong.blame, Blame::Test | Blame::Destructor);
        self.plan.settings.clusters == Some(true) && is_about_value
    }

    /// Notes a failure. `count` is 0 if the search will find the value again.
    pub(super) fn note(
        &mut self,
        search: &mut AnySearch,
        wrong: Wrong,
        origin: Origin,
        position: ReplayCandidate,
        count: u64,
    ) {
        let location = wrong.caught.place.as_ref().map(|place| place.location.clone());
        let mut message = Some(normalized(&wrong.caught.message));
        let mut known = self.clusters.number(location.as_deref(), message.as_deref());
        if known.is_none() && self.clusters.found.len() >= MOST_MESSAGES {
            message = None;
            known = self.clusters.number(location.as_deref(), None);
        }
        if let Some(number) = known {
            let (cluster, best) = &mut self.clusters.found[number];
            cluster.count += count;
            if !is_smaller(&position, best) {
                return;
            }
        }
        let witness = self.describe(search, wrong, &position, origin);
        match known {
            Some(number) => {
                let (cluster, best) = &mut self.clusters.found[number];
                (cluster.witness, *best) = (witness, position);
            }
            None => {
                self.clusters.found.push((Cluster { message, location, count, witness }, position));
            }
        }
    }

    /// Returns the clusters, whose witnesses are recorded, and the verdict with them.
    pub(super) fn end(&mut self, verdict: Result<(), Ended>) -> (Vec<Cluster>, Result<(), Ended>) {
        let mut clusters = vec![];
        for (mut cluster, position) in std::mem::take(&mut self.clusters).found {
            // A record may be outside of the part that was searched.
            cluster.count = cluster.count.max(1);
            cluster.witness.recorded = self.record_message(&cluster.witness.message, &position);
            clusters.push(cluster);
        }
        let verdict = match (verdict, clusters.first()) {
            (Ok(()), Some(first)) => Err(Ended::Failed(Box::new(first.witness.clone()))),
            (verdict, _) => verdict,
        };
        (clusters, verdict)
    }
}

/// Whether a value is smaller than another: its scope is smaller, or it has fewer fields.
fn is_smaller(a: &ReplayCandidate, b: &ReplayCandidate) -> bool {
    (a.scope, a.candidate.0.len()) < (b.scope, b.candidate.0.len())
}

/// Replaces each number in a message by `#`, so that `index 3 of 5` and `index 4 of 5` are the same. Numbers with
/// commas between them become one `#`, because lists differ in length.
fn normalized(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(start) = find(rest, true) {
        let before = &rest[..start];
        let is_next_of_list = before == ", " && out.ends_with('#');
        // The digits in `u8` and `Node2` belong to a name.
        let is_name = before.chars().next_back().is_some_and(|c| c.is_alphabetic() || c == '_');
        let digits = &rest[start..];
        let end = find(digits, false).unwrap_or(digits.len());
        if is_name {
            out.push_str(before);
            out.push_str(&digits[..end]);
        } else if !is_next_of_list {
            // A sign, not a subtraction.
            let before = match before.strip_suffix('-') {
                Some("") if !out.is_empty() => before,
                Some(front) if front.chars().next_back().is_some_and(char::is_alphanumeric) => before,
                Some(front) => front,
                None => before,
            };
            out.push_str(before);
            out.push('#');
        }
        rest = &digits[end..];
    }
    out.push_str(rest);
    out
}

/// Where the first digit is, or the first character that is none.
fn find(text: &str, is_digit: bool) -> Option<usize> {
    text.bytes().position(|byte| byte.is_ascii_digit() == is_digit)
}

/// The number of values in clusters.
fn values_of(clusters: &[Cluster]) -> u64 {
    let mut values = 0;
    for cluster in clusters {
        values += cluster.count;
    }
    values
}

/// Describes every cluster with its smallest value.
pub(super) fn describe(f: &mut fmt::Formatter<'_>, report: &Report) -> fmt::Result {
    let clusters = &report.clusters;
    let number = clusters.len() as u64;
    writeln!(
        f,
        "`{}` fails for {}, in {}",
        report.name,
        plural(values_of(clusters), "valid value"),
        plural(number, "cluster")
    )?;
    for (i, cluster) in clusters.iter().take(SHOWN).enumerate() {
        let of_these = if cluster.count == 1 { "this is it" } else { "this is a smallest one" };
        writeln!(f, "\ncluster {} of {number}: {}; {of_these}\n", i + 1, plural(cluster.count, "value"))?;
        cluster.witness.describe_value(f)?;
        cluster.witness.describe_replay(f)?;
    }
    if clusters.len() > SHOWN {
        let rest = &clusters[SHOWN..];
        let values = plural(values_of(rest), "value");
        writeln!(f, "\nand {} with {values}", plural(rest.len() as u64, "more cluster"))?;
    }
    writeln!(f, "\ncovered:  {}", report.coverage())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_do_not_tell_messages_apart() {
        for (message, expected) in [
            ("index 3 out of 5", "index # out of #"),
            ("no numbers", "no numbers"),
            ("left: [1, 2, 3]\n right: [1, 2]", "left: [#]\n right: [#]"),
            ("x = -3, y = 4", "x = #, y = #"),
            ("12", "#"),
            ("", ""),
            ("a u8 at Node2", "a u8 at Node2"),
            ("10-3", "#-#"),
            ("π ≈ 3", "π ≈ #"),
        ] {
            assert_eq!(normalized(message), expected);
        }
    }
}
