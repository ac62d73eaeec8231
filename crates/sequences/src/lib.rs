//! Tests of a type through its own methods. No invariant is needed.
//!
//! A [`Context`] lists the methods and the values that they can take. A test is a sequence of calls. A [`Strategy`]
//! decides which tests are run, and in which order: all of a length, a random sample, or all in pseudo-random order. A
//! [`Runner`] runs them and looks for panics, broken invariants and differences from a reference implementation. An
//! [`Explorer`] continues only sequences that lead to a new state. Failing tests are reduced and printed as Rust.
//!
//! ```
//! use smallscope_sequences::{Context, Pool, Runner, Strategy, by_mut, into, nothing, value};
//!
//! let context = Context::builder()
//!     .pool(Pool::<Vec<u8>>::empty(1).named("v"))
//!     .pool(Pool::of([0u8, 1]))
//!     .function("Vec::new", (), into(), |()| Vec::<u8>::new())
//!     .method("push", (by_mut::<Vec<u8>>(), value::<u8>()), nothing(), |(v, x)| v.push(x))
//!     // Panics if there is nothing to remove.
//!     .method("remove", (by_mut::<Vec<u8>>(), value::<u8>()), nothing(), |(v, i)| v.remove(i.into()))
//!     .build()?;
//! let report = Runner::new(&context, Strategy::bobw(&context, 20, 1)?).run()?;
//! assert_eq!(report.clusters[0].first.source, "let mut v: Vec<u8> = Vec::new();\nv.remove(0);\n");
//! # Ok::<(), smallscope_sequences::Error>(())
//! ```
//!
//! See the chapter "Call sequences" of the book. Most users write [`api`] on an impl block instead of calling the
//! builder.
//!
//! # In this crate
//!
//! * [`Context`], [`Builder`], [`Pool`]; how values are passed: [`value`], [`moved`], [`by_ref`], [`by_mut`]; what becomes of
//!   results: [`nothing`], [`seen`], [`into`], [`found`], [`optional`], [`fallible`].
//! * [`Test`]: canonical form and Rust. [`Context::test_at`], [`Context::index_of`]: indices.
//! * [`Strategy`], [`Runner`], [`Report`].
//! * [`Explorer`], [`Exploration`], [`Abstraction`], [`Comparison`], [`Coverage`]; [`Linearize`] and [`Sink`].
//! * [`Pulse`]: finds calls that do not return.
//! * [`Campaign`]: all choices in one value, for the test attribute and for tools.
//! * [`density`]: which share of the tests fails, and how long tests should be.

mod campaign;
mod context;
pub mod density;
mod explore;
mod index;
mod linearize;
mod options;
mod outcome;
mod pulse;
mod run;
mod sink;
mod stack;
mod strategy;
mod test;

pub use campaign::{
    Campaign, CampaignProgress, CodeCoverage, Conclusion, Cover, Divided, IntoContext, Matching, MergedParts,
    Missing, TestsPart, Traversal, Watch, Which,
};
pub use context::{
    Api, Argument, Arguments, Builder, ByMut, ByRef, CallId, Comparable, Context, Copied, Error, Fallible,
    Found, Into, Keep, Mode, Moved, Nothing, Optional, Place, Plain, Pool, Reply, Seen, Value, Values,
    WithoutName, by_mut, by_ref, fallible, found, into, moved, nothing, optional, seen, value,
};
#[doc(hidden)]
pub use context::{Of, checked as __checked, refuse_call};
pub use explore::{
    Abstraction, Comparison, Completeness, Coverage, Exploration, Explorer, Known, Navigator, Part,
    RandomSearch, Suite, Transition, Witness,
};
pub use linearize::Linearize;
pub use num_bigint::BigUint;
pub use outcome::{Limit, Stop};
pub use pulse::Pulse;
pub use run::{Cluster, Counts, Failure, Fault, Observation, Panics, Replayed, Report, Runner, Step};
pub use sink::Sink;
#[doc(hidden)]
pub use smallscope_macros::linearize_item;
/// [`macro@sequences`] under a name that editors take for a test.
pub use smallscope_macros::sequences as test;
pub use smallscope_macros::{Linearize, agree, api, sequences};
pub use smallscope_support::panics::Panic;
pub use strategy::Strategy;
pub use test::Test;
