//! Bounded-exhaustive testing for Rust.

mod attribute;
#[cfg(doctest)]
mod book;
mod check;
mod runner;
mod show;

pub use check::{Check, Property, TestResult, all, check, count, try_all};
pub use runner::budget::Shard;
pub use runner::env::Order;
pub use runner::failure::{Blame, FailedCase, Origin};
pub use runner::report::{Pass, Report, Verdict};
pub use smallscope_core::values::Product;
pub use smallscope_core::{
    Bounded, Bounds, Candidate, Engine, Error, Failure, Found, Identity, Key, Limit, Options, Outcome, RepOk,
    Search, Stop, Visited,
};
pub use smallscope_macros::{Bounded, mirror, rep_ok, test};

/// Support for generated code. Not part of the interface: anything here may change at any time.
#[doc(hidden)]
pub mod __private {
    pub use crate::attribute::{TestSite, bounds, run_test};
    pub use crate::check::Check;
    pub use crate::runner::env::Order;
    pub use crate::show::{ShowDebug, ShowNothing, Shown};
    pub use smallscope_core::absorb::Absorb;
    pub use smallscope_core::build::Build;
    pub use smallscope_core::cell::{Plain, Tracked};
    pub use smallscope_core::guard::step;
    pub use smallscope_core::link::{At, Builder};
    pub use smallscope_core::mirror;
    pub use smallscope_core::mirror::RefFns;
    pub use smallscope_core::probe::{DecisionKind, DecisionSite, arm, attempt, decide};
    pub use smallscope_core::shape::{
        Domain, Leaf, Leaves, Mirrored, Param, Part, Pointee, RepOk, Struct, Table, Value,
    };
    pub use smallscope_core::site::{ClassSite, FieldAttrs, FieldSite, range, set};
    pub use smallscope_core::values::{As, Derived, Listed, Product};
    pub use smallscope_core::visited::Identity;
    pub use smallscope_core::walk::Walk;
    pub use smallscope_core::{__leaf as leaf, __value_of_part as value_of_part};
    pub use smallscope_core::{Bounds, Engine};
}
