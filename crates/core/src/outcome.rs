//! How a run ended. Only [`Stop::Exhausted`] may be called exhaustive.

use std::fmt;

/// Why a run stopped, and what it saw until then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Why it stopped.
    pub stop: Stop,
    /// Runs of the invariant. The published algorithm runs it on every candidate. The default engine does not run it again
    /// for candidates that differ only in fields that it has not read.
    pub explored: u64,
    /// Valid values found.
    pub valid: u64,
    /// Candidates that were cut short because no object was left, or dropped because an object had no
    /// owner.
    pub pruned: u64,
    /// Rejected candidates that audit mode checked against the real invariant.
    pub audited: u64,
}

/// Why a run stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// Every candidate within the bounds was decided.
    Exhausted,
    /// Every class within the bounds was covered. Values whose class was covered already were passed over.
    ClassesCovered,
    /// One value of every order type within the bounds was found. Other values with keys in the same order were passed over.
    OrdersCovered,
    /// A limit was reached first.
    LimitReached(Limit),
    /// A test failed, or the invariant misbehaved.
    FirstFailure,
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
    /// The number of valid values.
    Valid,
    /// The number of candidates.
    Explored,
    /// The position where the search was to end.
    Position,
    /// The values of a saved suite whose own run had stopped early.
    Suite,
    /// One value of each path, on request: the whole space was searched, but not every value was delivered.
    OnePerPath,
}

impl Outcome {
    /// Whether everything within the bounds was covered.
    pub fn is_exhaustive(&self) -> bool {
        self.stop == Stop::Exhausted
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stop::Exhausted => "exhausted",
            Stop::ClassesCovered => "every class is covered",
            Stop::OrdersCovered => "every order of keys is covered",
            Stop::LimitReached(Limit::Time) => "stopped by the time budget",
            Stop::LimitReached(Limit::Memory) => "stopped by the memory limit",
            Stop::LimitReached(Limit::Valid) => "stopped by the limit on values",
            Stop::LimitReached(Limit::Explored) => "stopped by the limit on candidates",
            Stop::LimitReached(Limit::Position) => "stopped at the end of the range",
            Stop::LimitReached(Limit::Suite) => {
                "stopped at the end of a suite whose own run had stopped early"
            }
            Stop::LimitReached(Limit::OnePerPath) => "ended with one value of each path",
            Stop::FirstFailure => "stopped at the first failure",
            Stop::Interrupted => "interrupted",
        })
    }
}
