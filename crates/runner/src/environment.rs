//! Which part of the work this process has to do, as a scheduler or a test runner says in the environment.

use crate::Shard;
use std::fmt;
use std::fs::File;
use std::sync::Once;

/// The part that the environment gives to this process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// The part.
    pub shard: Shard,
    /// The environment that it comes from.
    pub from: &'static str,
    /// The variables that say it.
    pub variables: (&'static str, &'static str),
    /// The variable with the file that tells Bazel or gtest that the test knows about shards, and the file.
    pub status_file: Option<(&'static str, String)>,
}

impl fmt::Display for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (index, total) = self.variables;
        write!(f, "shard {}, as {} says in {index} and {total}", self.shard, self.from)
    }
}

impl Taken {
    /// Tells the environment that the part is taken, where it wants to know: without that, Bazel takes the test for one that
    /// runs everything in each shard.
    pub fn claim(&self) -> Result<(), String> {
        let Some((variable, path)) = &self.status_file else { return Ok(()) };
        match File::create(path) {
            Ok(_) => Ok(()),
            Err(error) => Err(format!("{variable}: {path} cannot be written: {error}")),
        }
    }
}

/// An environment that divides work.
struct Environment {
    name: &'static str,
    /// The variable with the number of this part.
    index: &'static str,
    /// The variable with the number of parts.
    total: &'static str,
    /// The number of the first part.
    first: First,
}

enum First {
    Number(u64),
    /// The variable that has it.
    Variable(&'static str),
}

/// What is specific comes first: a job of a scheduler may run on a machine of another one.
const ENVIRONMENTS: [Environment; 10] = [
    environment("Bazel", "TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", First::Number(0)),
    environment("gtest", "GTEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS", First::Number(0)),
    environment("HyperQueue", "HQ_TASK_ID", "CARGO_SMALLSCOPE_TASKS", First::Number(0)),
    environment(
        "a Slurm array",
        "SLURM_ARRAY_TASK_ID",
        "SLURM_ARRAY_TASK_COUNT",
        First::Variable("SLURM_ARRAY_TASK_MIN"),
    ),
    environment(
        "a Kubernetes indexed job",
        "JOB_COMPLETION_INDEX",
        "CARGO_SMALLSCOPE_TASKS",
        First::Number(0),
    ),
    environment(
        "an AWS Batch array",
        "AWS_BATCH_JOB_ARRAY_INDEX",
        "AWS_BATCH_JOB_ARRAY_SIZE",
        First::Number(0),
    ),
    environment("Cloud Run", "CLOUD_RUN_TASK_INDEX", "CLOUD_RUN_TASK_COUNT", First::Number(0)),
    environment("Buildkite", "BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", First::Number(0)),
    environment("CircleCI", "CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", First::Number(0)),
    environment("GitLab", "CI_NODE_INDEX", "CI_NODE_TOTAL", First::Number(1)),
];

const fn environment(
    name: &'static str,
    index: &'static str,
    total: &'static str,
    first: First,
) -> Environment {
    Environment { name, index, total, first }
}

/// Returns the part that the environment gives to this process. `variable` returns a variable of the environment. If tests
/// are `named` on the command line of a test binary, its runner may have divided them: to divide a test once more would leave
/// values out.
pub fn shard(variable: &dyn Fn(&str) -> Option<String>, named: bool) -> Result<Taken, String> {
    let divided = |runner: &str| {
        Err(format!(
            "`auto`: {runner} has divided the tests already, so each test has to run whole here; leave the shard out, or say \
             `k/n` if the test is to be divided once more"
        ))
    };
    if variable("NEXTEST").is_some() {
        return divided("nextest");
    }
    // The wrapper of rules_rust gives each shard the names of its tests, and leaves the variables as they are.
    if named && variable("TEST_TOTAL_SHARDS").is_some() {
        return divided("the runner of rules_rust");
    }
    for Environment { name, index, total, first } in ENVIRONMENTS {
        let (Some(number), Some(count)) = (variable(index), variable(total)) else { continue };
        let parse = |name: &str, text: &str| {
            text.trim()
                .parse::<u64>()
                .map_err(|_| format!("`auto`: {name} is `{text}`, and must be a number"))
        };
        let first = match first {
            First::Number(first) => first,
            // Arrays may begin at any number; without the variable they begin at 0.
            First::Variable(name) => variable(name).map_or(Ok(0), |text| parse(name, &text))?,
        };
        let (number, count) = (parse(index, &number)?, parse(total, &count)?);
        let shard = number.checked_sub(first).and_then(|k| Shard::new(k + 1, count)).ok_or_else(|| {
            format!(
                "`auto`: {index} is {number} and {total} is {count}: the parts are numbered from {first}, so there is no \
                 such part; arrays have to be without gaps"
            )
        })?;
        let status_file = match name {
            "Bazel" => Some("TEST_SHARD_STATUS_FILE"),
            "gtest" => Some("GTEST_SHARD_STATUS_FILE"),
            _ => None,
        };
        let status_file = status_file.and_then(|name| Some((name, variable(name)?)));
        return Ok(Taken { shard, from: name, variables: (index, total), status_file });
    }
    let half = ENVIRONMENTS.iter().find(|known| variable(known.index).is_some());
    Err(match half {
        Some(known) => format!(
            "`auto`: {} is set, but not {}, which has the number of parts; set it to that number, or say `k/n`",
            known.index, known.total
        ),
        None => "`auto`: no variable of the environment says which part to run; it knows Bazel, gtest, HyperQueue, Slurm \
                 arrays, Kubernetes indexed jobs, AWS Batch arrays, Cloud Run, Buildkite, CircleCI and GitLab; elsewhere say \
                 `k/n`"
            .to_owned(),
    })
}

/// The same for this process. Says once which part it took.
pub fn shard_of_process(named: bool) -> Result<Shard, String> {
    static SAID: Once = Once::new();
    let taken = shard(&|name| std::env::var(name).ok(), named)?;
    let mut claimed = Ok(());
    SAID.call_once(|| {
        crate::runner::say(&taken.to_string());
        claimed = taken.claim();
    });
    claimed.map(|()| taken.shard)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(variables: &[(&str, &str)]) -> Result<String, String> {
        let get = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        shard(&get, variables.contains(&("tests", "named"))).map(|taken| taken.to_string())
    }

    #[test]
    fn each_environment_counts_in_its_own_way() {
        for (variables, expected) in [
            (&[("TEST_SHARD_INDEX", "0"), ("TEST_TOTAL_SHARDS", "4")][..], "shard 1/4, as Bazel says"),
            (&[("GTEST_SHARD_INDEX", "3"), ("GTEST_TOTAL_SHARDS", "4")], "shard 4/4, as gtest says"),
            (&[("HQ_TASK_ID", "7"), ("CARGO_SMALLSCOPE_TASKS", "64")], "shard 8/64, as HyperQueue says"),
            (
                &[
                    ("SLURM_ARRAY_TASK_ID", "1"),
                    ("SLURM_ARRAY_TASK_COUNT", "8"),
                    ("SLURM_ARRAY_TASK_MIN", "1"),
                ],
                "shard 1/8, as a Slurm array says",
            ),
            (
                &[("SLURM_ARRAY_TASK_ID", "1"), ("SLURM_ARRAY_TASK_COUNT", "8")],
                "shard 2/8, as a Slurm array says",
            ),
            (&[("JOB_COMPLETION_INDEX", "2"), ("CARGO_SMALLSCOPE_TASKS", "3")], "shard 3/3, as a Kubernetes"),
            (
                &[("AWS_BATCH_JOB_ARRAY_INDEX", "0"), ("AWS_BATCH_JOB_ARRAY_SIZE", "2")],
                "shard 1/2, as an AWS Batch array says",
            ),
            (&[("CLOUD_RUN_TASK_INDEX", "1"), ("CLOUD_RUN_TASK_COUNT", "2")], "shard 2/2, as Cloud Run"),
            (
                &[("BUILDKITE_PARALLEL_JOB", "1"), ("BUILDKITE_PARALLEL_JOB_COUNT", "2")],
                "shard 2/2, as Buildkite says",
            ),
            (&[("CIRCLE_NODE_INDEX", "0"), ("CIRCLE_NODE_TOTAL", "5")], "shard 1/5, as CircleCI says"),
            (&[("CI_NODE_INDEX", "5"), ("CI_NODE_TOTAL", "5")], "shard 5/5, as GitLab says in CI_NODE_INDEX"),
        ] {
            let text = taken(variables).unwrap();
            assert!(text.starts_with(expected), "{text}");
        }
    }

    #[test]
    fn what_does_not_fit_is_named() {
        for (variables, expected) in [
            (&[][..], "no variable of the environment"),
            (&[("CI_NODE_INDEX", "0"), ("CI_NODE_TOTAL", "5")], "CI_NODE_INDEX is 0 and CI_NODE_TOTAL is 5"),
            (&[("TEST_SHARD_INDEX", "4"), ("TEST_TOTAL_SHARDS", "4")], "there is no such part"),
            (&[("TEST_SHARD_INDEX", "x"), ("TEST_TOTAL_SHARDS", "4")], "TEST_SHARD_INDEX is `x`"),
            (&[("JOB_COMPLETION_INDEX", "4")], "is set, but not CARGO_SMALLSCOPE_TASKS"),
            (
                &[("NEXTEST", "1"), ("CI_NODE_INDEX", "1"), ("CI_NODE_TOTAL", "5")],
                "nextest has divided the tests",
            ),
            (
                &[("tests", "named"), ("TEST_SHARD_INDEX", "0"), ("TEST_TOTAL_SHARDS", "4")],
                "the runner of rules_rust has divided the tests",
            ),
        ] {
            let error = taken(variables).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
