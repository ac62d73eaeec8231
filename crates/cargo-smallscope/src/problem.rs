//! Why a command failed, and the exit code.

use smallscope_runner::session::Error;
use std::fmt::{Display, Formatter};
use std::io::{ErrorKind, Write};

/// The invariant misbehaved, or a replayed test failed.
pub(crate) const FAILED: u8 = 1;
/// Usage error. clap uses the same code.
pub(crate) const USAGE: u8 = 2;
/// A file cannot be read or written, or is invalid.
pub(crate) const FILE: u8 = 3;
/// The user's crate does not build, or its test binary did not answer.
pub(crate) const CRATE: u8 = 4;
/// The user stopped the run.
pub(crate) const INTERRUPTED: u8 = 130;
/// The output pipe was closed. Shells use this code for a process that SIGPIPE has ended.
const READER_GONE: u8 = 141;

/// One paragraph for the user, and the exit code.
#[derive(Debug)]
pub(crate) struct Problem {
    /// What is wrong, and what to do. Empty if there is no reader.
    message: String,
    pub(crate) code: u8,
}

impl Problem {
    pub(crate) fn usage(message: impl Display) -> Problem {
        Problem { message: message.to_string(), code: USAGE }
    }

    pub(crate) fn file(message: impl Display) -> Problem {
        Problem { message: message.to_string(), code: FILE }
    }

    pub(crate) fn failed(message: impl Display) -> Problem {
        Problem { message: message.to_string(), code: FAILED }
    }

    pub(crate) fn of_crate(message: impl Display) -> Problem {
        Problem { message: message.to_string(), code: CRATE }
    }

    /// Returns the problem that another process reports.
    pub(crate) fn remote(message: String, code: u8) -> Problem {
        Problem { message, code }
    }

    /// Prints the message on standard error.
    pub(crate) fn report(&self) {
        if !self.message.is_empty() {
            note(&format!("error: {}", self.message));
        }
    }
}

/// Prints a line on standard error. If that cannot be written, the exit code still says how the command ended.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

impl Display for Problem {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<std::io::Error> for Problem {
    fn from(error: std::io::Error) -> Problem {
        Error::Output(error).into()
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        match error {
            Error::Output(error) if error.kind() == ErrorKind::BrokenPipe => {
                Problem { message: String::new(), code: READER_GONE }
            }
            error => Problem { message: error.to_string(), code: error.exit_code() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_went_away_is_told_nothing() {
        let problem = Problem::from(std::io::Error::from(ErrorKind::BrokenPipe));
        assert_eq!((problem.message.as_str(), problem.code), ("", 141));
        let problem = Problem::from(std::io::Error::from(ErrorKind::StorageFull));
        assert!(problem.message.starts_with("the output cannot be written"));
        assert_eq!(problem.code, FILE);
    }
}
