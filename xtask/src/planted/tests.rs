//! The tests that have to find planted errors, with a time limit for each.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A copy of the sources, and where it is built.
pub struct Tests {
    pub source: PathBuf,
    pub build: PathBuf,
}

/// The result of the tests.
pub enum Finding {
    Nothing,
    DoesNotCompile,
    Failed(&'static str),
    TooLong(&'static str),
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Nothing => f.write_str("nothing found"),
            Finding::DoesNotCompile => f.write_str("does not compile"),
            Finding::Failed(test) => write!(f, "caught by {test}"),
            Finding::TooLong(test) => write!(f, "caught by {test}, which did not terminate"),
        }
    }
}

/// Tests that have to find errors.
struct Suite {
    name: &'static str,
    /// Where they run.
    place: &'static str,
    /// What cargo needs to build them.
    args: &'static [&'static str],
    /// Which tests of the program run; all if it is empty.
    filter: &'static str,
    /// Variables of their environment. Tests that read settings refuse a variable that is none.
    variables: &'static [(&'static str, &'static str)],
    /// How long they may take.
    limit: Duration,
}

const LONG: Duration = Duration::from_secs(1200);

/// The tests, fastest first.
const TESTS: &[Suite] = &[
    Suite {
        name: "the tests of core",
        place: "crates/core",
        args: &["-p", "smallscope-core", "--features", "filled,summaries", "--lib"],
        filter: "",
        variables: &[],
        limit: Duration::from_secs(60),
    },
    Suite {
        name: "the tests of summaries",
        place: "crates/smallscope",
        args: &["-p", "smallscope", "--features", "summaries", "--test", "summaries"],
        filter: "",
        variables: &[],
        limit: Duration::from_secs(120),
    },
    Suite {
        name: "the tests of structures",
        place: "testing/comparisons",
        args: &["-p", "smallscope-comparisons", "--test", "structures"],
        filter: "",
        variables: &[],
        limit: LONG,
    },
    Suite {
        name: "the random tests",
        place: "testing/comparisons",
        args: &["-p", "smallscope-comparisons", "--test", "random"],
        // Twice as many cases as in `cargo test`.
        filter: "",
        variables: &[("SMALLSCOPE_CASES", "800")],
        limit: LONG,
    },
    Suite {
        name: "the tests of sets",
        place: "crates/smallscope",
        args: &["-p", "smallscope", "--test", "sets"],
        filter: "",
        variables: &[],
        limit: LONG,
    },
    Suite {
        name: "the tests of bounds",
        place: "crates/smallscope",
        args: &["-p", "smallscope", "--test", "bounds"],
        filter: "attributes::",
        variables: &[],
        limit: LONG,
    },
    Suite {
        name: "the tests of classes",
        place: "crates/smallscope",
        args: &["-p", "smallscope", "--test", "classes"],
        filter: "",
        variables: &[],
        limit: LONG,
    },
    Suite {
        name: "the tests of disjoint parts",
        place: "crates/smallscope",
        args: &["-p", "smallscope", "--test", "disjoint"],
        filter: "",
        variables: &[],
        limit: LONG,
    },
    Suite {
        name: "the tests of positions",
        place: "studies/catalogue",
        args: &["-p", "smallscope-catalogue", "--test", "catalogue"],
        filter: "positions::",
        variables: &[],
        limit: LONG,
    },
];

impl Tests {
    /// Builds and runs one after the other, until one finds something.
    pub fn run(&self) -> Finding {
        let findings = (0..TESTS.len()).map(|i| self.run_one(i));
        findings.into_iter().find(|finding| !matches!(finding, Finding::Nothing)).unwrap_or(Finding::Nothing)
    }

    /// Builds and runs the first one.
    pub fn run_first(&self) -> Finding {
        self.run_one(0)
    }

    fn run_one(&self, i: usize) -> Finding {
        let suite = &TESTS[i];
        let Some(test) = self.build(suite.args) else { return Finding::DoesNotCompile };
        match self.passes(&test, suite) {
            Some(true) => Finding::Nothing,
            Some(false) => Finding::Failed(suite.name),
            None => Finding::TooLong(suite.name),
        }
    }

    /// Whether a finding comes from another test than the first.
    pub fn is_late(finding: &Finding) -> bool {
        matches!(finding, Finding::Failed(name) | Finding::TooLong(name) if *name != TESTS[0].name)
    }

    /// The binary of a test, as `cargo test` builds it: to optimise it takes longer than it saves.
    fn build(&self, args: &[&str]) -> Option<PathBuf> {
        let output = Command::new(env!("CARGO"))
            .args(["test", "--quiet", "--no-run", "--message-format=json"])
            .args(args)
            .current_dir(&self.source)
            .env("CARGO_TARGET_DIR", &self.build)
            .env("RUSTFLAGS", "--cap-lints=allow")
            .stderr(Stdio::null())
            .output()
            .ok()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let (_, executable) = text.rsplit_once("\"executable\":\"")?;
        let path = executable.split_once('"')?.0;
        output.status.success().then(|| PathBuf::from(path))
    }

    /// Whether a test passes; `None` if it takes too long.
    fn passes(&self, test: &Path, suite: &Suite) -> Option<bool> {
        let mut running = Command::new(test)
            .args((!suite.filter.is_empty()).then_some(suite.filter))
            .current_dir(self.source.join(suite.place))
            .env_remove("SMALLSCOPE_CASE")
            .env_remove("SMALLSCOPE_CASES")
            .envs(suite.variables.iter().copied())
            .env("RUST_BACKTRACE", "0")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let begin = Instant::now();
        loop {
            match running.try_wait() {
                Ok(Some(status)) => return Some(status.success()),
                Ok(None) if begin.elapsed() < suite.limit => sleep(Duration::from_millis(50)),
                _ => {
                    let _ = running.kill();
                    let _ = running.wait();
                    return None;
                }
            }
        }
    }
}
