//! Files that an earlier version wrote, and tests that this version reads them: nothing a user keeps may become
//! unreadable or change its meaning.
//!
//! - `records/`: records and replay lines of failing tests, read by `tests/records.rs`;
//! - `tool/`: suites, checkpoints, positions, sequences and counts, read by `crates/cargo-smallscope/tests/tool/compat.rs`;
//! - `user/`: the same of a user's crate, read by `crates/cargo-smallscope/tests/tool/user_crate.rs`.
//!
//! `write` made `tool/`; the ignored test of `tests/records.rs` made `records/`.
