//! Errors of files.

use std::fmt;
use std::io;

/// Why a suite or a checkpoint could not be read or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// An error of the system.
    Io(io::Error),
    /// The file is not a suite.
    NotASuite {
        /// Whether it is a checkpoint.
        is_checkpoint: bool,
    },
    /// The file is not a checkpoint.
    NotACheckpoint {
        /// Whether it is a suite.
        is_suite: bool,
    },
    /// The file is not what it should be.
    NotThis {
        /// What it should be.
        what: &'static str,
    },
    /// A later version of smallscope has written the file.
    FromTheFuture {
        /// The file's version.
        found: u16,
        /// The newest version that can be read.
        known: u16,
    },
    /// The file is damaged.
    Corrupt {
        /// The damaged part.
        what: &'static str,
        /// The offset of the part in the file.
        at: u64,
    },
    /// The file ends inside a part that is required.
    Truncated {
        /// The part.
        what: &'static str,
        /// The length of the file.
        at: u64,
    },
    /// The suite is complete, so it cannot be continued.
    Complete {
        /// The number of its entries.
        entries: u64,
    },
    /// The file is not the expected one.
    Mismatch {
        /// The difference.
        what: String,
    },
    /// The entry does not exist.
    OutOfRange {
        /// The index.
        index: u64,
        /// The number of entries.
        len: u64,
    },
    /// The format cannot hold this much.
    TooLong {
        /// The thing that is too large.
        what: &'static str,
        /// Its size.
        len: usize,
        /// The largest size.
        most: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io(error) => write!(f, "the file cannot be read or written: {error}"),
            Error::NotASuite { is_checkpoint: true } => {
                f.write_str("this is a checkpoint, not a suite; give the suite that it belongs to")
            }
            Error::NotASuite { is_checkpoint: false } => f.write_str(
                "this is not a suite: it does not begin as one; check the path, and that the file was not \
                 transferred as text",
            ),
            Error::NotACheckpoint { is_suite: true } => f.write_str(
                "this is a suite, not a checkpoint; give the checkpoint that was saved next to it, or reopen \
                 the suite without one",
            ),
            Error::NotACheckpoint { is_suite: false } => {
                f.write_str("this is not a checkpoint: it does not begin as one; check the path")
            }
            Error::NotThis { what } => {
                write!(f, "this is not a {what}: it does not begin as one; check the path")
            }
            Error::FromTheFuture { found, known } => write!(
                f,
                "the file has version {found} of the format, and this smallscope reads versions up to \
                 {known}; update smallscope, or write the file again with this one"
            ),
            Error::Corrupt { what, at: 0 } => write!(
                f,
                "the {what} is damaged: its checksum or its contents are wrong; copy the file again from where \
                 it came, or write it again"
            ),
            Error::Corrupt { what, at } => write!(
                f,
                "the {what} at byte {at} is damaged: its checksum or its contents are wrong; copy the file \
                 again from where it came, or write it again (a suite that is cut off at that byte can be \
                 read and reopened)"
            ),
            Error::Truncated { what, at } => write!(
                f,
                "the file ends at byte {at}, inside of the {what}; copy it again from where it came, or \
                 write it again"
            ),
            Error::Complete { entries } => write!(
                f,
                "the suite is complete: its run was exhausted, with {entries} entries, so there is nothing \
                 to continue; read it, or write to another file"
            ),
            Error::Mismatch { what } => write!(
                f,
                "the suite is not the one of the checkpoint: {what}; give the suite that was written \
                 together with the checkpoint, or start again without one"
            ),
            Error::OutOfRange { index, len: 0 } => {
                write!(f, "there is no entry {index}: the suite has no entries")
            }
            Error::OutOfRange { index, len } => {
                write!(f, "there is no entry {index}: the suite has {len}, from 0 to {}", len - 1)
            }
            Error::TooLong { what, len, most } => {
                write!(f, "the {what} is too long for the format: {len}, and at most {most} are possible")
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Io(error)
    }
}
