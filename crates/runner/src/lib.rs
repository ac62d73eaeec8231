//! What a test and the tool run: tests on every valid value with reports, replay and records; reduction of suites by
//! coverage criteria; requests of the tool.
//!
//! Users depend on the `smallscope` crate, which re-exports what is public here. This is a separate crate so that it
//! compiles beside the macros.

#[cfg(feature = "sequences")]
mod agree;
#[doc(hidden)]
pub mod attribute;
mod by_size;
mod check;
pub mod criteria;
#[doc(hidden)]
pub mod environment;
mod forced;
#[cfg(any(feature = "html", feature = "suites"))]
mod forms;
#[cfg_attr(not(feature = "isolate"), path = "no_isolate.rs")]
mod isolate;
pub mod laws;
#[cfg(feature = "neighbours")]
pub mod neighbours;
mod observation;
#[cfg_attr(not(feature = "neighbours"), path = "no_observe.rs")]
mod observe;
#[cfg(feature = "suites")]
mod order;
mod planning;
mod property;
mod range;
mod runner;
#[cfg(feature = "summaries")]
mod sample;
#[cfg(feature = "sequences")]
#[doc(hidden)]
pub mod sequences;
#[cfg(feature = "suites")]
pub mod session;
#[doc(hidden)]
pub mod settings;
#[doc(hidden)]
pub mod show;
mod values;
#[cfg(any(feature = "html", feature = "sequences"))]
mod widened;

/// For the other crates of smallscope.
#[doc(hidden)]
pub mod internal {
    #[cfg(feature = "suites")]
    pub use crate::order::{KEY as ORDER_KEY, NOW as ORDER};
    pub use crate::runner::json::{Object, class_table, quoted};
    pub use crate::runner::replay::{Replay, ReplayCandidate, suite_layout};
}

#[cfg(feature = "sequences")]
#[doc(hidden)]
pub use agree::run_agree;
#[cfg(feature = "sequences")]
pub use agree::{Agree, Agreement, Example, agree};
pub use by_size::count_by_size;
pub use check::{Check, check};
pub use property::{Property, TestResult};
pub use runner::budget::Shard;
pub use runner::clusters::Cluster;
pub use runner::edges::Edges;
pub use runner::failure::{Blame, FailedCase, Origin};
pub use runner::filled::Filled;
pub use runner::page::snapshot;
pub use runner::plan::Order;
pub use runner::report::{Pass, ReducedTo, Report, Verdict};
pub use runner::sampled::Sampled;
#[cfg(feature = "summaries")]
pub use sample::{Samples, sample};
/// Mutants of the code under test.
#[cfg(feature = "mutate")]
#[doc(hidden)]
pub use smallscope_support::mutation;
pub use values::{all, count, try_all};

/// Why there are no summaries in a build without them.
const NO_SUMMARIES: &str = "summaries of helpers need a feature: write `smallscope = { .., features = [\"summaries\"] }` in Cargo.toml";
