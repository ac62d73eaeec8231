//! The run-time of smallscope: bounded heaps of mirror objects, tracked reads, and the search that
//! drives them. Users depend on the `smallscope` crate, which re-exports what is public here.
//!
//! # Modules
//!
//! Each module uses only modules that stand before it in this list; `cargo xtask tidy` checks that there is no cycle.
//!
//! * Words that everything else uses: `ids`, `int_set`, `hash`, `leaked`, [`site`] (what types say about themselves), [`candidate`],
//!   [`error`], [`bounds`] (the finitization), [`options`], [`outcome`], [`eq_class`].
//! * [`guard`] and [`probe`]: the budget of a run and its decisions, which instrumented invariants report.
//! * [`room`]: the memory that a layout may take.
//! * `promise` and [`cell`]: tracked cells, and what they ask of their heap.
//! * `layout`: slots and pools of objects. Nothing in it changes after linking.
//! * `rules`: groups of subtrees, which a search follows if helpers of the invariant are summarised. With the feature
//!   `summaries`.
//! * `constraints`, `answers`, `path`: what changes while a search runs. The path is the candidate.
//! * `engine`: which choices are allowed and what taking one changes, with `korat`, `owned` and `lazy`.
//! * [`heap`]: the layout and the parts that change, as cells reach them.
//! * [`key`], [`ask`], [`conjuncts`]: what instrumented invariants call, besides cells.
//! * [`mirror`]: mirror types and the traits behind them ([`shape`]); laying out slots ([`link`]), visiting them ([`walk`]),
//!   building real values ([`build`]) and reading them back ([`absorb`]).
//! * [`deliver`], [`values`], [`visited`]: places for values, how each kind of field becomes slots, a type for users.
//! * `invariant`: running the invariant.
//! * `groups`: summaries of helpers, as groups of subtrees. With the feature `summaries`.
//! * `depth_first`: the loop with its layers.
//! * [`disjoint`]: parts that are searched on their own, and combined.
//! * [`search`]: what callers work with.
//! * [`raw`]: the heap without a search, for oracles.
//!
//! This crate does no input or output and has no dependencies.
//!
//! # Compile time
//!
//! Users compile this crate without optimisation, usually for one plain test. A function that such a test does not reach is
//! `#[inline]`, however long it is: then the crate that calls it compiles it, and most crates do not.

mod hash;
mod ids;
mod int_set;
mod leaked;

pub mod bounds;
pub mod candidate;
pub mod eq_class;
pub mod error;
pub mod options;
pub mod outcome;
pub mod site;

pub mod guard;
pub mod probe;
pub mod room;

pub mod cell;
mod promise;

mod layout;

#[cfg(feature = "summaries")]
mod rules;

mod answers;
mod constraints;
mod path;

mod engine;

pub mod heap;

pub mod ask;
pub mod conjuncts;
pub mod key;

pub mod mirror;

pub mod deliver;
pub mod values;
pub mod visited;

mod invariant;

#[cfg(feature = "summaries")]
pub mod groups;

mod depth_first;

pub mod disjoint;

pub mod search;

pub mod raw;

pub use bounds::Bounds;
pub use candidate::Candidate;
pub use disjoint::{Gathering, Slicing};
pub use eq_class::{ClassSet, ClassTable, CoveredClass, EqClass, Skipped};
pub use error::{Error, Failure};
pub use key::Key;
pub use mirror::{absorb, build, link, shape, walk};
pub use options::{Classes, Disjoint, Engine, Options, Summaries};
pub use outcome::{Limit, Outcome, Stop};
pub use search::{AnySearch, Branch, Branching, Found, Hold, Kept, Owned, Plan, Position, Search, Spread};
pub use shape::{Bounded, RepOk};
pub use visited::{Identity, Visited};
