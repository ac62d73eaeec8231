//! The mutants of the code under test: what the tool and a test binary say to each other about them.
//!
//! The binary answers one query after the other, until its standard input closes. The first query runs the test on the
//! original, and tells which mutants there are. Each later one runs the test on a mutant. A mutant may end the process or
//! never answer: then the tool starts another one.

#[cfg(all(feature = "mutate", feature = "sequences"))]
pub(crate) mod calls;
mod numbers;
#[cfg(feature = "mutate")]
mod rows;
#[cfg(feature = "mutate")]
mod serve;

#[cfg(feature = "mutate")]
pub(crate) use serve::serve;

pub use numbers::Numbers;

use crate::session::wire::{as_text, message, messages};

as_text!(Numbers);

messages! {
    /// A query about mutants.
    #[derive(Debug, Clone, PartialEq)]
    pub enum MutantQuery {
        /// Run the test on the original, and list the mutants of the code that it runs.
        Original(()) = "original",
        /// Run the test on a mutant, up to the first value that makes it fail.
        Mutant(RunMutant) = "mutant",
        /// Run the test on a mutant and every value.
        Row(RunRow) = "row",
        /// Say which values reductions would keep.
        Suites(WantedSuites) = "suites",
        /// Print values.
        Values(WantedValues) = "values",
    }
}

message! {
    /// A row of the matrix to run.
    #[derive(Debug, Clone, PartialEq)]
    pub struct RunRow {
        /// The id of the mutant.
        pub id: String,
        /// How many steps it may take on one value.
        pub step_limit: u64,
        /// The number of the first value to run on, from 1.
        pub from: u64,
        /// Tell each value before the test runs on it: the last one is what ends the process.
        pub tells_values: bool,
    }
}

message! {
    /// Reductions of the values of a test.
    #[derive(Debug, Clone, PartialEq)]
    pub struct WantedSuites {
        /// Each as [`Reduction`](crate::criteria::Reduction) writes it, or `pruned` for the values that are left if the search
        /// prunes by `eq_class`, which is not answered for types without.
        pub reductions: Vec<String>,
        /// How many values there are.
        pub total: u64,
    }
}

message! {
    /// Values of a test.
    #[derive(Debug, Clone, PartialEq)]
    pub struct WantedValues {
        /// Their numbers, from 1.
        pub numbers: Numbers,
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
        /// The test is about to run on a value, or has just failed on it; more answers follow.
        At(AtValue) = "at",
        /// How the run on a mutant and every value ended.
        Row(RowRun) = "row",
        /// The values that a reduction keeps; more answers follow.
        Suite(KeptValues) = "suite",
        /// There are no more answers.
        End(()) = "end",
    }
}

message! {
    /// Where a row is.
    #[derive(Debug, Clone, PartialEq)]
    pub struct AtValue {
        /// The number of the value.
        pub number: u64,
        /// Whether the test has failed on it.
        pub is_kill: bool,
    }
}

message! {
    /// A row of the matrix.
    #[derive(Debug, Clone, PartialEq)]
    pub struct RowRun {
        /// The numbers of the values on which the test fails.
        pub kills: Numbers,
        /// The number of the last value.
        pub tried: u64,
        /// Why the row ends there, if there are more values.
        pub problem: String,
    }
}

message! {
    /// The values that a reduction keeps.
    #[derive(Debug, Clone, PartialEq)]
    pub struct KeptValues {
        /// The reduction.
        pub reduction: String,
        /// Their numbers.
        pub numbers: Numbers,
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
        /// How many values the matrix has: those of the scopes, and sparse ones before them. Edge values are outside of the
        /// bounds.
        pub values: u64,
        /// How many of them come before the scopes.
        pub sparse: u64,
        /// The passes in order: scope, if it has one, and number of values.
        pub passes: Vec<String>,
        /// The numbers of values that reach more mutants than those before, and how many mutants are reached then.
        pub reached: Vec<String>,
    }
}

message! {
    /// A value of a test.
    #[derive(Debug, Clone, PartialEq)]
    pub struct MutantValue {
        /// Its number among the values of the run, from 1.
        pub number: u64,
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
        /// The scope of the value on which it failed, or `edges`; empty if neither is known.
        pub scope: String,
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
