//! Every message, as a user reads it.

use smallscope_suite::Error;
use std::io;

#[test]
fn messages() {
    let messages = [
        (Error::Io(io::Error::other("no space left")), "the file cannot be read or written: no space left"),
        (
            Error::NotASuite { is_checkpoint: false },
            "this is not a suite: it does not begin as one; check the path, and that the file was not transferred \
             as text",
        ),
        (
            Error::NotASuite { is_checkpoint: true },
            "this is a checkpoint, not a suite; give the suite that it belongs to",
        ),
        (
            Error::NotACheckpoint { is_suite: false },
            "this is not a checkpoint: it does not begin as one; check the path",
        ),
        (
            Error::NotACheckpoint { is_suite: true },
            "this is a suite, not a checkpoint; give the checkpoint that was saved next to it, or reopen the suite \
             without one",
        ),
        (
            Error::FromTheFuture { found: 7, known: 1 },
            "the file has version 7 of the format, and this smallscope reads versions up to 1; update smallscope, \
             or write the file again with this one",
        ),
        (
            Error::Corrupt { what: "head of a block", at: 480 },
            "the head of a block at byte 480 is damaged: its checksum or its contents are wrong; copy the file \
             again from where it came, or write it again (a suite that is cut off at that byte can be read and \
             reopened)",
        ),
        (
            Error::Corrupt { what: "header", at: 0 },
            "the header is damaged: its checksum or its contents are wrong; copy the file again from where it \
             came, or write it again",
        ),
        (
            Error::Truncated { what: "header", at: 12 },
            "the file ends at byte 12, inside of the header; copy it again from where it came, or write it again",
        ),
        (
            Error::Complete { entries: 1430 },
            "the suite is complete: its run was exhausted, with 1430 entries, so there is nothing to continue; \
             read it, or write to another file",
        ),
        (
            Error::Mismatch { what: "its header is another one".into() },
            "the suite is not the one of the checkpoint: its header is another one; give the suite that was \
             written together with the checkpoint, or start again without one",
        ),
        (Error::OutOfRange { index: 10, len: 10 }, "there is no entry 10: the suite has 10, from 0 to 9"),
        (Error::OutOfRange { index: 0, len: 0 }, "there is no entry 0: the suite has no entries"),
        (
            Error::TooLong { what: "path", len: 1_048_577, most: 1_048_576 },
            "the path is too long for the format: 1048577, and at most 1048576 are possible",
        ),
    ];
    for (error, message) in messages {
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn an_error_of_the_system_is_the_source() {
    let error = Error::from(io::Error::other("no space left"));
    assert!(std::error::Error::source(&error).is_some());
}
