//! Bounded-exhaustive testing: a test runs on *every* valid value up to a bound, and on none twice.
//!
//! You write an invariant once, as an ordinary function on your ordinary types. The search, guided by what the
//! invariant reads, finds the values for which it holds; your test gets them as owned, ordinary values, smallest
//! first. A failure comes with a report, a command that replays it, and a record that is tried first from then on.
//!
//! ```test_harness
#![doc = include_str!("../tests/first_tree.rs")]
//! ```
//!
//! # Contents
//!
//! * Structures: [`derive(Bounded)`](derive@Bounded), with `#[bounded(..)]` on fields. [`structures`] has the traits.
//! * Invariants: [`#[rep_ok]`](macro@rep_ok), and [`#[mirror]`](macro@mirror) on helpers elsewhere. [`Visited`] is a
//!   visited set for links that may lead back, [`Key`] a type for keys that are only compared.
//! * Bounds: [`Bounds`]. A single number sets all of them: the scope.
//! * Tests: [`#[smallscope::test]`](macro@test); without the attribute [`check`] and [`Check`]. A [`Report`] has the
//!   result; its parts are in [`testing`].
//! * Laws of types, such as that an order is one: [`laws`].
//! * Values: [`all`], [`try_all`], [`count`] and [`count_by_size`]. An [`Outcome`] says how the search ended; only [`Stop::Exhausted`]
//!   means that nothing is missing.
//! * Classes, for tests that do not need every value: [`#[eq_class]`](macro@eq_class), [`classes!`](macro@classes) and
//!   [`Classes`]; their results are in the module [`classes`](mod@classes).
//! * The search itself, candidate by candidate: [`search`], and [`disjoint`] for parts that are searched separately.
//! * Call sequences, with the feature `sequences`: `#[smallscope::sequences]` and the module `sequences`. They need no
//!   invariant.
//! * Coverage of the code under test, with the feature `cover`: `#[smallscope::cover]` and the module `cover`.
//! * Summaries, with the feature `summaries`: helpers of an invariant that are answered for whole groups of subtrees, and
//!   values drawn at random. [`summaries`](mod@summaries).
//! * Long vectors and strings behind a gap, with the feature `filled`: `len(items = [0..=3, 64..=65])`.
//! * Tests in processes of their own, with the feature `isolate`: an abort or a stack overflow is a failure with its value.
//! * Values for other tools, with the feature `neighbours`: the module `neighbours`.
//! * Mutants of the code under test: [`#[smallscope::mutate]`](macro@mutate) and `cargo smallscope mutate`. The module
//!   `mutation`, with the feature `mutate`, switches them in a program.
//!
//! In a crate that uses smallscope for its tests only, make it a dev-dependency and put the attributes behind
//! `#[cfg_attr(test, ..)]`. Import by name: `use smallscope::*` makes every plain `#[test]` ambiguous.
//!
//! # Limits
//!
//! * The number of values grows exponentially with the scope. Start with 3, and raise it until it takes too long;
//!   `SMALLSCOPE_SCOPE` and `SMALLSCOPE_BUDGET` do that without a change of code.
//! * An invariant that rejects early is fast. An invariant that reads everything before it decides prunes nothing.
//! * The invariant sees candidates with cycles wherever `Rc`, `Weak`, raw pointers or indices allow them.
//! * Types with raw pointers need `#[bounded(unsafe(raw_pointers))]`, because your own `Drop` runs on every value that
//!   your invariant accepts.
//!
//! The book in the repository has a chapter on each of these; begin with "Your first ten minutes".

#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
#[cfg(feature = "cover")]
pub mod cover;
mod debug;
mod macros;
#[cfg(feature = "mutate")]
pub mod mutation;
mod needs;

#[cfg(feature = "cover")]
pub use cover::cover;
pub use smallscope_core::{
    Bounded, Bounds, Classes, Disjoint, Engine, Error, Failure, Key, Limit, Outcome, Stop, Visited,
};
pub use smallscope_macros::{Bounded, eq_class, mirror, mutate, rep_ok, test};
/// Laws of types, each checked in one line.
pub use smallscope_runner::laws;
/// Values for other tools. With the feature `neighbours`.
#[cfg(feature = "neighbours")]
pub use smallscope_runner::neighbours;
/// Uniformly random values. With the feature `summaries`.
#[cfg(feature = "summaries")]
pub use smallscope_runner::sample;
/// Compares an invariant with the methods of its type. With the feature `sequences`.
#[cfg(feature = "sequences")]
pub use smallscope_runner::{Agree, Agreement, Example, agree};
pub use smallscope_runner::{Check, Order, Report, all, check, count, count_by_size, snapshot, try_all};
/// Tests of a type through its own methods. With the feature `sequences`.
#[cfg(feature = "sequences")]
pub use smallscope_sequences as sequences;
#[cfg(feature = "sequences")]
pub use smallscope_sequences::{agree, api, sequences};

/// What structures implement, and the type of several inputs together.
pub mod structures {
    #[doc(hidden)]
    pub use smallscope_core::mirror::once::{
        a_type_must_have_one_class_function_so_return_both_in_a_tuple,
        a_type_must_have_one_invariant_so_join_them_with_and,
    };
    pub use smallscope_core::mirror::outside::{Enumerable, PlainEnum, PlainKey, Testable};
    pub use smallscope_core::values::Product;
    pub use smallscope_core::{Identity, RepOk};
}

/// Parts of bounds.
pub mod bounds {
    pub use smallscope_core::bounds::IntSet;
}

/// What tests are, and the parts of their reports.
pub mod testing {
    pub use smallscope_runner::{
        Blame, Cluster, Edges, FailedCase, Filled, Origin, Pass, Property, ReducedTo, Sampled, Shard,
        TestResult, Verdict,
    };
}

/// Classes of values under the user's `eq_class`.
pub mod classes {
    pub use smallscope_core::eq_class::{ClassKey, ClassValue};
    pub use smallscope_core::{ClassSet, ClassTable, CoveredClass, EqClass, Skipped};
}

/// The search for values, candidate by candidate: going to positions, drawing values, reading descriptions of slots.
pub mod search {
    pub use smallscope_core::error::FailureKind;
    pub use smallscope_core::search::{
        Drawing, DrawnField, DrawnNode, DrawnValue, ReadDescription, SlotDescription,
    };
    pub use smallscope_core::{
        AnySearch, Candidate, Found, Hold, Kept, Options, Owned, Plan, Position, Search, Spread,
    };
}

/// Helpers of an invariant that are answered for whole groups of subtrees. With the feature `summaries`.
pub mod summaries {
    #[cfg(feature = "summaries")]
    pub use smallscope_core::groups::{Limits, Natural, Population, Report, Shape, with_limits};
    pub use smallscope_core::options::Summaries;
    #[cfg(feature = "summaries")]
    pub use smallscope_runner::Samples;
}

/// Parts of a structure that are searched separately, and which conjuncts are about each.
pub mod disjoint {
    pub use smallscope_core::disjoint::{Gathering, GlobalConjunct, SlicedPart, Slicing};
}

/// In a method under `#[smallscope::api]`: the call is skipped unless a condition holds.
///
/// Check preconditions with it, before anything else in the method. A sequence continues behind a skipped call, and a printed
/// test leaves it out. With the feature `sequences`.
///
/// ```
/// use smallscope::sequences::{Context, Explorer, Pool};
///
/// #[derive(Clone, Debug, Hash)]
/// pub struct Stack(Vec<u8>);
///
/// #[smallscope::api]
/// impl Stack {
///     pub fn new() -> Self {
///         Stack(vec![])
///     }
///     pub fn pop(&mut self) -> u8 {
///         smallscope::assume!(!self.0.is_empty());
///         self.0.pop().unwrap()
///     }
/// }
///
/// let pool = Pool::<Stack>::empty(1).cloned().hashed();
/// let context = Context::builder().pool(pool).api::<Stack>().build()?;
/// let found = Explorer::new(&context).explore()?;
/// assert_eq!((found.clusters.len(), found.counts.skipped), (0, 2));
/// # Ok::<(), smallscope::sequences::Error>(())
/// ```
#[cfg(feature = "sequences")]
#[macro_export]
macro_rules! assume {
    ($condition:expr $(,)?) => {
        if !$condition {
            $crate::sequences::refuse_call()
        }
    };
}
