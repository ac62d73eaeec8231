//! Which blocks of the code under test were run, and in which situations.
//!
//! [`#[cover]`](macro@cover) on an impl block puts a *probe* at the beginning of each block: of functions, branches, arms,
//! loops, closures, and of code that something before it can skip. A probe writes one byte of a table that belongs to the
//! thread. [`Coverage`] knows what the bytes mean.
//!
//! ```
//! use smallscope_cover::{Coverage, Criterion, cover};
//!
//! struct Counter(u8);
//!
//! #[cover]
//! impl Counter {
//!     fn step(&mut self) -> bool {
//!         if self.0 == 3 {
//!             return false;
//!         }
//!         self.0 += 1;
//!         true
//!     }
//! }
//!
//! let mut coverage = Coverage::of::<Counter>(Criterion::Blocks);
//! let mut counter = Counter(0);
//! counter.step();
//! assert_eq!(coverage.collect(), [0, 2]);
//! assert_eq!(coverage.uncovered().next().unwrap().to_string(), "Counter::step: then of `if self.0 == 3`");
//! counter.step();
//! assert_eq!(coverage.collect(), []);
//! counter = Counter(3);
//! counter.step();
//! assert_eq!(coverage.collect(), [1]);
//! assert!(coverage.is_complete());
//! ```
//!
//! # Predicates
//!
//! Which branches were taken says little about the situations in which they were. With `predicates(..)` every combination
//! of some conditions is a target of its own, at every block:
//!
//! ```
//! use smallscope_cover::{Coverage, Criterion, cover};
//!
//! struct Stack(Vec<u8>);
//!
//! #[cover(predicates(self.0.is_empty(), self.0.len() == self.0.capacity()))]
//! impl Stack {
//!     fn push(&mut self, item: u8) {
//!         self.0.push(item);
//!     }
//! }
//!
//! let mut coverage = Coverage::of::<Stack>(Criterion::Predicates);
//! assert_eq!(coverage.total(), 4);
//! Stack(vec![]).push(1);
//! assert_eq!(coverage.collect().len(), 1);
//! let target = &coverage.targets()[coverage.collected()[0]];
//! assert_eq!(
//!     target.to_string(),
//!     "Stack::push: entry, where `self.0.is_empty()`, `self.0.len() == self.0.capacity()`"
//! );
//! ```
//!
//! A predicate is evaluated at the beginning of each block where all of its variables are in scope, by name: arguments, and
//! whatever patterns above the block have bound. Where only some predicates are in scope, the combinations of those are the
//! targets; where none is, the block itself is. A closure sees only its own arguments. A predicate that is in scope nowhere is an
//! error, and so is one that has another meaning in another function: give that function its own with
//! `#[cover(predicates(..))]`. Predicates are run in the middle of your code, so they should change nothing, and not panic.
//!
//! # What it costs
//!
//! A function is there twice, and its probes are in the version that runs while somebody looks: after a [`Coverage`] has begun on the
//! thread. Otherwise they cost one test for each call of the function. A probe is a test, too, unless something is new; then a few
//! stores. Predicates are evaluated only while [`Criterion::Predicates`] asks for them. Without the feature `predicates` nothing is
//! left of these, and without the feature `probes` nothing is left at all; both are on by default.

mod coverage;
mod llvm;
mod region;
mod table;
mod target;
mod watched;

pub use coverage::{Coverage, Criterion, Snapshot};
pub use llvm::{LlvmCounters, NotInstrumented};
pub use region::{Block, BlockKind, Covered, Region};
#[doc(inline)]
pub use smallscope_macros::cover_alone as cover;
pub use target::Target;

/// Support for generated code. Not part of the interface: anything here may change at any time.
#[doc(hidden)]
pub mod __private {
    /// For the crate `smallscope`, where users find everything.
    pub use smallscope_macros::cover as cover_by_smallscope;

    pub use crate::table::{Table, bit, combination, elsewhere, evaluates, here, hit, is_on};
    pub use std::thread_local;
}
