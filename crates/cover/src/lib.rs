//! Measures which blocks of the code under test were run, and in which situations.
//!
//! [`#[cover]`](macro@cover) on an impl block puts a *probe* at the beginning of each block: of functions, branches,
//! arms, loops, closures, and of code that something before it can skip. A probe writes one byte of a table that
//! belongs to the thread, which [`Coverage`] reads.
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
//! The branches that were taken say little about the situation. With `predicates(..)`, every combination of some
//! conditions at every block is a separate target:
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
//! A predicate is evaluated at the beginning of each block where all of its variables are in scope by name: arguments,
//! and variables bound by patterns above the block. If only some predicates are in scope, their combinations are the
//! targets; if none is, the block itself is. A closure sees only its own arguments. A predicate that is in scope
//! nowhere is an error, and so is one whose variables mean something else in another function: give that function its
//! own with `#[cover(predicates(..))]`. Predicates run in the middle of your code, so they must have no effects and not
//! panic.
//!
//! # What it costs
//!
//! Each function is compiled twice. The version with probes runs after a [`Coverage`] has begun on the thread;
//! otherwise the cost is one test per call of the function. A probe is a test, too, and a few stores if its target is
//! new. Predicates are evaluated only for [`Criterion::Predicates`]. Without the feature `predicates` they cost
//! nothing, and without the feature `probes` the code is unchanged. Both features are on by default.

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

// Where messages of the compiler find them.
#[doc(hidden)]
pub use region::a_second_block_must_have_a_name_so_write_cover_static_NAME;
#[doc(hidden)]
pub use table::{Condition, bit};

/// Support for generated code. Not part of the interface: anything here may change at any time.
#[doc(hidden)]
pub mod __private {
    /// For the crate `smallscope`, which exports it to users.
    pub use smallscope_macros::cover as cover_by_smallscope;

    pub use crate::region::a_second_block_must_have_a_name_so_write_cover_static_NAME;
    pub use crate::table::{Table, bit, combination, elsewhere, evaluates, here, hit, is_on};
    pub use std::thread_local;
}
