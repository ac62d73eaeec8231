//! The mutants of the code under test: what the tool and a test binary say to each other about them.
//!
//! The binary answers one query after the other, until its standard input closes. The first query runs the test on the
//! original, and tells which mutants there are. Each later one runs the test on a mutant. A mutant may end the process or
//! never answer: then the tool starts another one.

#[cfg(feature = "mutate")]
mod serve;

#[cfg(feature = "mutate")]
pub(crate) use serve::serve;

use crate::session::wire::{message, messages};

messages! {
    /// A query about mutants.
    #[derive(Debug, Clone, PartialEq)]
    pub enum MutantQuery {
        /// Run the test on the original, and list the mutants of the code that it runs.
        Original(()) = "original",
        /// Run the test on a mutant, up to the first value that makes it fail.
        Mutant(RunMutant) = "mutant",
    }
}

message! {
    /// A mutant to run.
    #[derive(Debug, Clone, PartialEq)]
    pub struct RunMutant {
        /// Its id.
        pub id: String,
        /// How many steps it may take on one value.
        pub step_limit: u64,
        /// Tell each value before the test runs on it: the last one is what ends the process.
        pub tells_values: bool,
    }
}

messages! {
    /// An answer to a query about mutants.
    #[derive(Debug, Clone, PartialEq)]
    pub enum MutantAnswer {
        /// One of the mutants; more answers follow.
        Listed(ListedMutant) = "listed",
        /// How the run on the original ended.
        Original(OriginalRun) = "original",
        /// The value that the test is about to run on; more answers follow.
        Value(MutantValue) = "value",
        /// How the run on a mutant ended.
        Mutant(MutantRun) = "mutant",
    }
}

message! {
    /// A mutant of the code that a test runs.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ListedMutant {
        /// Names it in commands.
        pub id: String,
        /// The source file.
        pub file: String,
        /// The line of the changed code.
        pub line: u64,
        /// Its column.
        pub column: u64,
        /// The function.
        pub function: String,
        /// The kind of change.
        pub operator: String,
        /// The code as it is written.
        pub before: String,
        /// The code in its place; empty if it is left out.
        pub after: String,
        /// Why it does the same as the original, if the attribute says so.
        pub equivalent: Option<String>,
        /// Whether the test reaches the changed code.
        pub is_reached: bool,
    }
}

message! {
    /// The run on the original.
    #[derive(Debug, Clone, PartialEq)]
    pub struct OriginalRun {
        /// Whether the test passes.
        pub is_ok: bool,
        /// The report of a test that does not pass.
        pub report: String,
        /// Whether it ran on every value within its bounds.
        pub is_exhaustive: bool,
        /// What it covered, in one sentence.
        pub coverage: String,
        /// The bound in words, such as `scope 3`.
        pub bound: String,
        /// How many values it ran on.
        pub tested: u64,
        /// The most steps on one value.
        pub steps: u64,
    }
}

message! {
    /// A value of a test.
    #[derive(Debug, Clone, PartialEq)]
    pub struct MutantValue {
        /// The arguments of the test, or the object graph.
        pub value: String,
    }
}

message! {
    /// The run on a mutant.
    #[derive(Debug, Clone, PartialEq)]
    pub struct MutantRun {
        /// Whether the test does not pass.
        pub is_killed: bool,
        /// Whether it passed on every value within its bounds.
        pub is_exhaustive: bool,
        /// What it covered, in one sentence.
        pub coverage: String,
        /// How many values it passed on.
        pub tested: u64,
        /// The message of the failure.
        pub failure: String,
        /// The value on which it failed: the arguments of the test, or the object graph.
        pub value: String,
        /// That value for `SMALLSCOPE_REPLAY`.
        pub replay: String,
        /// A test on that value, as Rust.
        pub rust: String,
    }
}
