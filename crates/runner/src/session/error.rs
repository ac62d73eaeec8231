//! The errors of requests, and their exit codes.

use crate::runner::describe_panic;
use smallscope_core::Failure;
use smallscope_support::panics::Panic;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a request was not fulfilled.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A usage error: a position that does not exist, a value out of range, a file that exists already.
    Usage(String),
    /// The bounds and the type do not fit together, or a saved candidate is stale.
    Bounds(smallscope_core::Error),
    /// The invariant misbehaved.
    Invariant(Box<Failure>),
    /// User code has panicked outside of the invariant.
    Panic(String),
    /// A file cannot be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// The action that failed: `read` or `written`.
        what: &'static str,
        /// The error of the system.
        error: io::Error,
    },
    /// A file is not a suite or a checkpoint, or does not fit.
    Suite {
        /// The file.
        path: PathBuf,
        /// Why it cannot be used.
        error: String,
    },
    /// The output cannot be written.
    Output(io::Error),
    /// An error of another process.
    Remote {
        /// Its message.
        message: String,
        /// Its exit code.
        code: u8,
    },
}

impl Error {
    /// Returns the exit code: 1 if the invariant misbehaved, 2 for a usage error, 3 if a file cannot be read or written
    /// or is invalid.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Invariant(_) | Error::Panic(_) => 1,
            Error::Usage(_) | Error::Bounds(_) => 2,
            Error::File { .. } | Error::Suite { .. } | Error::Output(_) => 3,
            Error::Remote { code, .. } => *code,
        }
    }

    pub(crate) fn panic(caught: &Panic) -> Error {
        Error::Panic(describe_panic(caught, "while values were searched"))
    }

    /// Returns the error for a message that this version does not understand.
    pub(crate) fn version(error: String) -> Error {
        Error::Usage(format!(
            "the request cannot be read: {error}; see that the test uses the same version of smallscope as the tool"
        ))
    }

    pub(crate) fn suite(path: &Path) -> impl Fn(smallscope_suite::Error) -> Error {
        move |error| Error::Suite { path: path.to_owned(), error: error.to_string() }
    }

    pub(crate) fn unreadable(path: &Path) -> impl Fn(io::Error) -> Error {
        move |error| Error::File { path: path.to_owned(), what: "read", error }
    }

    pub(crate) fn unwritable(path: &Path) -> impl Fn(io::Error) -> Error {
        move |error| Error::File { path: path.to_owned(), what: "written", error }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        Error::Invariant(Box::new(failure))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage(text) | Error::Panic(text) | Error::Remote { message: text, .. } => {
                f.write_str(text)
            }
            Error::Bounds(error) => error.fmt(f),
            Error::Invariant(failure) => failure.fmt(f),
            Error::File { path, what, error } => {
                write!(f, "{} cannot be {what}: {error}", path.display())?;
                match error.kind() {
                    io::ErrorKind::NotFound if *what == "written" => f.write_str("; create the folder first"),
                    io::ErrorKind::NotFound => f.write_str("; check the path"),
                    io::ErrorKind::PermissionDenied => {
                        f.write_str("; choose another path, or change the permissions")
                    }
                    _ => Ok(()),
                }
            }
            Error::Suite { path, error } => write!(f, "{}: {error}", path.display()),
            Error::Output(error) => write!(f, "the output cannot be written: {error}"),
        }
    }
}

impl std::error::Error for Error {}
