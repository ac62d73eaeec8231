//! The oracle: a deliberately naive enumerator, and the comparison of the engines with it.
//!
//! [`enumerate()`] tries every assignment of every choice to every reachable slot, keeps those that are Rust
//! values ([`ownership`]) within the bounds ([`objects`]), builds each one, runs the ordinary invariant on the ordinary value, and keeps one of
//! each class of isomorphic values ([`canonical`]). Nothing is pruned and nothing is skipped. Its only interface
//! to the rest is [`smallscope_core::raw`], the bounded heap without a search: it shares no search code with
//! the engines, no rule about isomorphism, and no accounting of owners.
//!
//! [`compare()`] runs the engines on the same type and bounds, and reports whether they are sound (only values
//! that satisfy the invariant), complete (all of them), isomorph-free (none twice) and whether their
//! candidates can be converted to values and back.
//!
//! The two sides agree on three things only: the layout of the heap, the order in which the fields of one
//! object are listed, and the construction of a value from its slots.

mod assignments;
pub mod canonical;
pub mod compare;
pub mod drawing;
pub mod enumerate;
pub mod improvements;
pub mod objects;
pub mod ownership;

pub use compare::{Comparison, EngineRun, Settings, compare};
pub use enumerate::{Reference, enumerate};
