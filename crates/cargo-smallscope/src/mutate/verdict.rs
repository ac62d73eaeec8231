//! What became of a mutant.

use smallscope_runner::session::{ListedMutant, MutantRun};
use std::fmt::{self, Display, Formatter};
use std::process::ExitStatus;

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Verdict {
    /// The test does not pass.
    Killed(Kill),
    /// The test passes on every value within the bounds.
    Equivalent,
    /// The test passes, but a limit ended the run. What was covered.
    Undecided(String),
    /// The test never reaches the changed code.
    NeverRun,
    /// Its author says that it does the same as the original, and why.
    Marked(String),
}

/// How a mutant was killed.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Kill {
    /// How, in one word or a few.
    pub(crate) how: String,
    /// The message of the failure.
    pub(crate) message: String,
    /// The first value on which the test fails, if it is known.
    pub(crate) value: Option<String>,
    /// That value for `SMALLSCOPE_REPLAY`.
    pub(crate) replay: Option<String>,
    /// A test on that value, as Rust.
    pub(crate) rust: Option<String>,
    /// The scope of that value, or `edges`; empty if neither is known.
    pub(crate) scope: String,
    /// Its number among the values of the run, if the process ended on it.
    pub(crate) number: Option<u64>,
}

/// How a process ended that did not answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Death {
    /// It was ended, because it took too long.
    Endless,
    /// It ended itself.
    Exit(Option<i32>),
    /// A signal ended it.
    Signal(i32),
}

impl Death {
    #[cfg(unix)]
    pub(crate) fn of(status: ExitStatus) -> Death {
        use std::os::unix::process::ExitStatusExt;
        status.signal().map_or(Death::Exit(status.code()), Death::Signal)
    }

    #[cfg(not(unix))]
    pub(crate) fn of(status: ExitStatus) -> Death {
        Death::Exit(status.code())
    }
}

impl Display for Death {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Death::Endless => f.write_str("did not end in time"),
            Death::Exit(Some(code)) => write!(f, "exited with code {code}"),
            Death::Exit(None) => f.write_str("ended"),
            // What Rust does if the memory is not enough, the stack is not enough, or a panic cannot unwind.
            Death::Signal(6) => f.write_str("aborted"),
            Death::Signal(signal) => write!(f, "was ended by signal {signal}"),
        }
    }
}

impl Verdict {
    pub(crate) fn of_run(run: MutantRun) -> Verdict {
        let text = |text: String| Some(text).filter(|text| !text.is_empty());
        match (run.is_killed, run.is_exhaustive) {
            (true, _) => {
                let message = run.failure.strip_prefix("panicked: ").unwrap_or(&run.failure);
                let is_endless = message.starts_with("does not seem to end");
                Verdict::Killed(Kill {
                    how: if is_endless { "does not end".to_owned() } else { "fails".to_owned() },
                    message: run.failure,
                    value: text(run.value),
                    replay: text(run.replay),
                    rust: text(run.rust),
                    scope: run.scope,
                    number: None,
                })
            }
            (false, true) => Verdict::Equivalent,
            (false, false) => Verdict::Undecided(run.coverage),
        }
    }

    pub(crate) fn died(death: Death, value: Option<String>, number: Option<u64>) -> Verdict {
        let message = format!("the process {death}");
        Verdict::Killed(Kill { how: death.to_string(), message, value, number, ..Kill::default() })
    }

    pub(crate) fn is_killed(&self) -> bool {
        matches!(self, Verdict::Killed(_))
    }

    /// Whether the test misses the mutant.
    pub(crate) fn is_survivor(&self) -> bool {
        matches!(self, Verdict::Equivalent | Verdict::Undecided(_) | Verdict::NeverRun)
    }

    /// The verdict in JSON.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Verdict::Killed(_) => "killed",
            Verdict::Equivalent => "equivalent",
            Verdict::Undecided(_) => "undecided",
            Verdict::NeverRun => "never run",
            Verdict::Marked(_) => "marked",
        }
    }
}

/// The verdict on a mutant that need not run.
pub(crate) fn without_run(mutant: &ListedMutant) -> Option<Verdict> {
    match &mutant.equivalent {
        Some(reason) => Some(Verdict::Marked(reason.clone())),
        None if !mutant.is_reached => Some(Verdict::NeverRun),
        None => None,
    }
}
