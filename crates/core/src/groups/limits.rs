//! What summaries may take.

use std::cell::Cell;

/// What summaries of one invariant may take. The set of values does not depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Answers to one observation of one group. With more, the subtrees are read there.
    pub answers: usize,
    /// Runs for one observation of one group that read subtrees in place of asking about them, besides some for each rule.
    pub reads: usize,
    /// Rules of all groups together. With more, there is no summary.
    pub rules: usize,
    /// Runs in all. With more, there is no summary.
    pub runs: u64,
    /// For each answer of a group, so many subtrees are drawn, and the helper runs on each, to see whether it gives this
    /// answer. None by default.
    pub audited: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { answers: 20_000, reads: 100, rules: 2_000_000, runs: 5_000_000, audited: 0 }
    }
}

thread_local! {
    static LIMITS: Cell<Option<Limits>> = const { Cell::new(None) };
}

/// Runs something with other limits on this thread, to see what becomes of searches that meet them.
pub fn with_limits<R>(limits: Limits, f: impl FnOnce() -> R) -> R {
    let outer = LIMITS.replace(Some(limits));
    let result = f();
    LIMITS.set(outer);
    result
}

/// The limits on this thread, if there are others than usual.
pub(crate) fn given() -> Option<Limits> {
    LIMITS.get()
}
