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

/// The tests, fastest first: what they are called, where they run, and what cargo needs to build them.
const TESTS: &[(&str, &str, &[&str])] = &[
    ("the random tests", "testing/reference", &["-p", "smallscope-reference", "--test", "random"]),
    ("the tests of structures", "testing/reference", &["-p", "smallscope-reference", "--test", "structures"]),
    ("the tests of core", "crates/core", &["-p", "smallscope-core", "--lib"]),
    ("the tests of classes", "crates/smallscope", &["-p", "smallscope", "--test", "classes"]),
    ("the tests of positions", "studies/catalogue", &["-p", "smallscope-catalogue", "--test", "positions"]),
];

/// How many random cases there are: twice as many as in `cargo test`.
const CASES: &str = "800";

/// The time limit of a test.
const LIMIT: Duration = Duration::from_secs(600);

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
        let (name, place, args) = TESTS[i];
        let Some(test) = self.build(args) else { return Finding::DoesNotCompile };
        match self.passes(&test, place) {
            Some(true) => Finding::Nothing,
            Some(false) => Finding::Failed(name),
            None => Finding::TooLong(name),
        }
    }

    /// Whether a finding comes from another test than the first.
    pub fn is_late(finding: &Finding) -> bool {
        matches!(finding, Finding::Failed(name) | Finding::TooLong(name) if *name != TESTS[0].0)
    }

    /// The binary of a test, optimised a little, with assertions and without debug information.
    fn build(&self, args: &[&str]) -> Option<PathBuf> {
        let output = Command::new(env!("CARGO"))
            .args(["test", "--quiet", "--no-run", "--message-format=json"])
            .args(args)
            .current_dir(&self.source)
            .env("CARGO_TARGET_DIR", &self.build)
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_PROFILE_DEV_OPT_LEVEL", "1")
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
    fn passes(&self, test: &Path, place: &str) -> Option<bool> {
        let mut running = Command::new(test)
            .current_dir(self.source.join(place))
            .env_remove("SMALLSCOPE_CASE")
            .env("SMALLSCOPE_CASES", CASES)
            .env("RUST_BACKTRACE", "0")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let begin = Instant::now();
        loop {
            match running.try_wait() {
                Ok(Some(status)) => return Some(status.success()),
                Ok(None) if begin.elapsed() < LIMIT => sleep(Duration::from_millis(50)),
                _ => {
                    let _ = running.kill();
                    let _ = running.wait();
                    return None;
                }
            }
        }
    }
}
