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
//! # Where things are
//!
//! * On types: [`derive(Bounded)`](derive@Bounded), with `#[bounded(..)]` on fields.
//! * On the invariant: [`#[rep_ok]`](macro@rep_ok), and [`#[mirror]`](macro@mirror) on helpers elsewhere.
//!   [`Visited`] is a visited set for links that may lead back, [`Key`] a type for keys that are only compared.
//! * On a criterion, if not every value is wanted: [`#[eq_class]`](macro@eq_class), [`classes!`] and [`Classes`].
//! * On tests: [`#[smallscope::test]`](macro@test). Without attribute: [`check`], [`all`], [`count`], [`Check`].
//! * Without an invariant, with the feature `sequences`: tests that are sequences of calls, `#[smallscope::sequences]`,
//!   and the module `sequences`.
//! * [`Bounds`]: how many objects, which values. One number will do: the scope.
//! * [`Search`]: the search itself, candidate by candidate. [`Outcome`] says how it ended; only
//!   [`Stop::Exhausted`] means that nothing is missing.
//!
//! In a crate that uses smallscope for its tests only, make it a dev-dependency and put the attributes behind
//! `#[cfg_attr(test, ..)]`. Import by name: `use smallscope::*` makes every plain `#[test]` ambiguous.
//!
//! # What to keep in mind
//!
//! * The number of values grows exponentially with the scope. Start with 3, and raise it until it takes too long;
//!   `SMALLSCOPE_SCOPE` and `SMALLSCOPE_BUDGET` do that without a change of code.
//! * An invariant that rejects early is fast. One that reads everything before it decides prunes nothing.
//! * The invariant sees candidates with cycles wherever `Rc`, `Weak`, raw pointers or indices allow them.
//! * Types with raw pointers need `#[bounded(unsafe(raw_pointers))]`, because your own `Drop` will run on whatever
//!   your invariant accepts.
//!
//! The book in the repository has a chapter on each of these; begin with "Your first ten minutes".

#![cfg_attr(docsrs, feature(doc_cfg))]

pub use smallscope_core::bounds::IntSet;
pub use smallscope_core::disjoint::{GlobalConjunct, SlicedPart};
pub use smallscope_core::error::FailureKind;
pub use smallscope_core::search::{
    Drawing, DrawnField, DrawnNode, DrawnValue, ReadDescription, SlotDescription,
};
pub use smallscope_core::values::Product;
pub use smallscope_core::{
    AnySearch, Bounded, Bounds, Candidate, ClassSet, ClassTable, Classes, CoveredClass, Disjoint, Engine,
    EqClass, Error, Failure, Found, Hold, Identity, Kept, Key, Limit, Options, Outcome, Owned, Plan,
    Position, RepOk, Search, Slicing, Spread, Stop, Visited,
};
pub use smallscope_macros::{Bounded, eq_class, mirror, rep_ok, test};
/// Which blocks of the code under test were run, and in which situations. With the feature `cover`.
///
/// ```
/// use smallscope::cover::{Coverage, Criterion};
///
/// struct Counter(u8);
///
/// #[smallscope::cover]
/// impl Counter {
///     fn step(&mut self) -> bool {
///         if self.0 == 3 {
///             return false;
///         }
///         self.0 += 1;
///         true
///     }
/// }
///
/// let mut coverage = Coverage::of::<Counter>(Criterion::Blocks);
/// Counter(0).step();
/// assert_eq!(coverage.collect().len(), 2);
/// assert_eq!(coverage.uncovered().next().unwrap().to_string(), "Counter::step: then of `if self.0 == 3`");
/// ```
#[cfg(feature = "cover")]
pub mod cover {
    #[doc(hidden)]
    pub use smallscope_cover::__private;
    #[doc(inline)]
    pub use smallscope_cover::__private::cover_by_smallscope as cover;
    #[doc(inline)]
    pub use smallscope_cover::{
        Block, BlockKind, Coverage, Covered, Criterion, LlvmCounters, NotInstrumented, Region, Snapshot,
        Target,
    };
}
#[cfg(feature = "cover")]
pub use cover::cover;

/// Tests of a type through its own methods. With the feature `sequences`.
#[cfg(feature = "sequences")]
pub use smallscope_sequences as sequences;
#[cfg(feature = "sequences")]
pub use smallscope_sequences::{api, sequences};

pub use smallscope_runner::{
    Blame, Check, Cluster, FailedCase, Order, Origin, Pass, Property, ReducedTo, Report, Shard, TestResult,
    Verdict, all, check, count, try_all,
};

/// Registers a structure, so that `cargo smallscope` knows it by a name: `run`, `count`, `explain` and the others
/// work on it. As a test it builds every value within the bounds, which checks each one with its own invariant.
///
/// ```
/// # use smallscope::{Bounded, rep_ok};
/// # #[derive(Bounded)]
/// # struct Range { low: u8, high: u8 }
/// # #[rep_ok]
/// # impl Range { fn rep_ok(&self) -> bool { self.low <= self.high } }
/// smallscope::structure!(ranges: Range, scope = 3);
/// ```
#[macro_export]
macro_rules! structure {
    ($name:ident: $type:ty, $($arguments:tt)+) => {
        #[$crate::test($($arguments)+, crate = $crate)]
        #[allow(unused_variables)]
        fn $name(value: $type) {}
    };
}

/// The class of the values for which the same predicates hold, for [`#[eq_class]`](macro@eq_class). Reports name the class
/// by those that do: `{empty, sorted}`.
///
/// ```
/// let v = [1, 1, 2];
/// let class = smallscope::classes![empty => v.is_empty(), sorted => v.is_sorted(), pairs => v[0] == v[1]];
/// assert_eq!(format!("{class:?}"), "{sorted, pairs}");
/// assert_eq!(class.holds("empty"), Some(false));
/// ```
#[macro_export]
macro_rules! classes {
    ($($name:ident => $holds:expr),+ $(,)?) => {
        $crate::__private::class_set(&[$(stringify!($name)),+], &[$($holds),+])
    };
    ($($other:tt)*) => {
        ::core::compile_error!("each predicate has a name: `classes![empty => .., sorted => ..]`")
    };
}

/// What `#[smallscope::test(suite = ..)]` needs.
#[cfg(feature = "suites")]
#[doc(hidden)]
#[macro_export]
macro_rules! __needs_suites {
    () => {};
}

/// What `#[smallscope::test(suite = ..)]` needs.
#[cfg(not(feature = "suites"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __needs_suites {
    () => {
        ::core::compile_error!(
            "tests on saved suites need a feature: write `smallscope = { .., features = [\"suites\"] }` in Cargo.toml"
        );
    };
}

/// What `#[smallscope::test(criterion = ..)]` needs.
#[cfg(feature = "criteria")]
#[doc(hidden)]
#[macro_export]
macro_rules! __needs_criteria {
    () => {};
}

/// What `#[smallscope::test(criterion = ..)]` needs.
#[cfg(not(feature = "criteria"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __needs_criteria {
    () => {
        ::core::compile_error!(
            "criteria look at the decisions of invariants, which are reported with a feature only: write `smallscope = { .., features = [\"criteria\"] }` in Cargo.toml"
        );
    };
}

/// What `#[smallscope::sequences(cover = ..)]` needs.
#[cfg(feature = "cover")]
#[doc(hidden)]
#[macro_export]
macro_rules! __needs_cover {
    () => {};
}

/// What `#[smallscope::sequences(cover = ..)]` needs.
#[cfg(not(feature = "cover"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __needs_cover {
    () => {
        ::core::compile_error!(
            "coverage of the code under test needs a feature: write `smallscope = { .., features = [\"cover\", \"sequences\"] }` in Cargo.toml"
        );
    };
}

/// Support for generated code. Not part of the interface: anything here may change at any time.
#[doc(hidden)]
pub mod __private {
    pub use crate::__needs_cover as needs_cover;
    pub use crate::__needs_criteria as needs_criteria;
    pub use crate::__needs_suites as needs_suites;
    pub use smallscope_core::__leaf as leaf;
    pub use smallscope_core::absorb::Absorb;
    pub use smallscope_core::ask::{
        enter, eq, ge, gt, le, lt, minus, ne, not, plus, promise, returns_false, returns_true, unless,
        unpromise,
    };
    pub use smallscope_core::build::Build;
    pub use smallscope_core::cell::{Plain, PlainIndex, Tracked};
    pub use smallscope_core::conjuncts::{ConjunctSite, Conjuncts, before_unsafe};
    pub use smallscope_core::eq_class::{ClassProbe, ClassValue, Classifier, EqClass, NoClasses, class_set};
    pub use smallscope_core::guard::step;
    pub use smallscope_core::link::{At, Builder};
    pub use smallscope_core::mirror;
    pub use smallscope_core::mirror::RefFns;
    pub use smallscope_core::probe::{DecisionKind, DecisionSite, Operand, arm, attempt, decide};
    pub use smallscope_core::shape::{
        Body, Domain, HasMethod, Leaf, Leaves, Mirrored, Param, Part, Pointee, RepOk, Struct, Table, Value,
    };
    pub use smallscope_core::site::{ClassSite, FieldAttrs, FieldSite, range, set};
    pub use smallscope_core::values::{As, Derived, Listed, Product};
    pub use smallscope_core::visited::Identity;
    pub use smallscope_core::walk::Walk;
    pub use smallscope_core::{Bounds, Classes, Disjoint, Engine, Kept, Owned};
    pub use smallscope_runner::attribute::{TestSite, bounds, run_test};
    #[cfg(feature = "sequences")]
    pub use smallscope_runner::sequences::run_sequences;
    pub use smallscope_runner::show::{ShowDebug, ShowNothing, Shown};
    pub use smallscope_runner::{Check, Order};

    /// What `#[smallscope::sequences]` says.
    #[cfg(feature = "sequences")]
    pub mod sequences {
        pub use smallscope_sequences::{Abstraction, Campaign, Cover, Matching, Traversal, Which};
    }
}
