//! How a run ended. Only [`Stop::Exhausted`] may be called exhaustive.

use std::fmt;

/// Why a run stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// Everything within the bounds was tried.
    Exhausted,
    /// Every state that compares as new was explored. Different states may compare as equal, so calls may be missing:
    /// this is not exhaustive.
    Lossy,
    /// A limit was reached first.
    LimitReached(Limit),
    /// A test failed.
    FirstFailure,
    /// Tests failed; what follows them was not tried.
    Failures,
    /// The caller stopped early.
    Interrupted,
}

/// The limits that can end a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// The time budget.
    Time,
    /// The memory of this process.
    Memory,
    /// The number of tests.
    Tests,
    /// The number of calls.
    Calls,
    /// The size of the sample.
    Sample,
    /// The range of positions.
    Range,
    /// The number of states.
    States,
}

impl Stop {
    /// Whether everything within the bounds was tried.
    pub fn is_exhausted(self) -> bool {
        self == Stop::Exhausted
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stop::Exhausted => "exhausted",
            Stop::Lossy => "no state that compares as new is left (lossy)",
            Stop::LimitReached(Limit::Time) => "stopped by the time budget",
            Stop::LimitReached(Limit::Memory) => "stopped by the memory limit",
            Stop::LimitReached(Limit::Tests) => "stopped by the limit on tests",
            Stop::LimitReached(Limit::Calls) => "stopped by the limit on calls",
            Stop::LimitReached(Limit::Sample) => "stopped at the end of the sample",
            Stop::LimitReached(Limit::Range) => "stopped at the end of the range",
            Stop::LimitReached(Limit::States) => "stopped by the limit on states",
            Stop::Failures => "done, except for what follows failures",
            Stop::FirstFailure => "stopped at the first failure",
            Stop::Interrupted => "interrupted",
        })
    }
}
