//! The run-time of smallscope: bounded heaps of mirror objects, tracked reads, and the search that
//! drives them. Users depend on the `smallscope` crate, which re-exports what is public here.
//!
//! The modules in reading order:
//!
//! * [`site`] and [`bounds`]: what the types say about themselves, and the finitization;
//! * [`cell`] and [`heap`]: slots, classes of objects, the path of reads (the candidate);
//! * [`shape`], [`link`], [`mirror`] and [`values`]: how each kind of field becomes slots;
//! * [`walk`], [`build`], [`absorb`]: every reachable slot, the real value, and back again;
//! * [`eq_class`]: classes of values, and which were covered;
//! * `invariant`, `depth_first`: running the invariant, and the loop with its layers;
//! * [`disjoint`]: parts that are searched on their own, and combined;
//! * [`search`]: what callers work with, with [`options`], [`outcome`] and [`candidate`];
//! * [`raw`]: the heap without a search, for oracles;
//! * [`ask`], [`conjuncts`], [`guard`], [`probe`]: what instrumented predicates call;
//! * [`visited`], [`key`]: types for users' invariants.
//!
//! This crate does no input or output and has no dependencies.

mod answers;
mod constraints;
mod engine;
mod ids;
mod layout;
mod path;
mod promise;

pub mod absorb;
pub mod ask;
pub mod bounds;
pub mod build;
pub mod candidate;
pub mod cell;
pub mod conjuncts;
pub mod deliver;
mod depth_first;
pub mod disjoint;
pub mod eq_class;
pub mod error;
pub mod guard;
mod hash;
pub mod heap;
mod invariant;
pub mod key;
pub mod link;
pub mod mirror;
pub mod options;
pub mod outcome;
pub mod probe;
pub mod raw;
pub mod search;
pub mod shape;
pub mod site;
pub mod values;
pub mod visited;
pub mod walk;

pub use bounds::Bounds;
pub use candidate::Candidate;
pub use disjoint::{Gathering, Slicing};
pub use eq_class::{ClassSet, ClassTable, CoveredClass, EqClass};
pub use error::{Error, Failure};
pub use key::Key;
pub use options::{Classes, Disjoint, Engine, Options};
pub use outcome::{Limit, Outcome, Stop};
pub use search::{AnySearch, Found, Hold, Kept, Owned, Plan, Position, Search, Spread};
pub use shape::{Bounded, RepOk};
pub use visited::{Identity, Visited};
