//! Shards: a search that is cut into ranges, so that many machines can search it.
//!
//! A [`Plan`] has the cuts. A shard searches one range, and its result is a file. [`collect`] reads the files of all shards,
//! and says whether they are everything: the ranges of a plan meet without a gap or an overlap, so it is enough that each
//! shard of the plan is there once, is done, and belongs to the plan.

mod cut;
mod expand;
mod merge;
mod of_test;
mod plan;
mod record;
mod run;
mod sample;
mod summary;
mod values;

#[cfg(feature = "sequences")]
pub(crate) use cut::Cut;
pub use merge::{Collected, Flaw, State, collect};
pub(crate) use of_test::{merge_test, plan_test, run_test, runs_test};
pub use plan::{Level, Place, Plan, check_new, fingerprint_of, shard_path};
#[cfg(feature = "sequences")]
pub(crate) use plan::{records_from_text, records_to_text};
pub use record::{Done, PART, PassCounts, Record};
pub(crate) use run::run;
pub use run::{Written, each, numbers};
pub use smallscope_suite::{Header, fingerprint};
pub use summary::{answer, may_have_fewer, named_flaws};
pub(crate) use values::{merge, plan};
#[cfg(feature = "sequences")]
pub(crate) use {
    plan::binary,
    record::REPORT,
    run::{Temporary, load},
};
