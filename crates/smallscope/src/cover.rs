//! Which blocks of the code under test were run, and in which situations. With the feature `cover`.
//!
//! ```
//! use smallscope::cover::{Coverage, Criterion};
//!
//! struct Counter(u8);
//!
//! #[smallscope::cover]
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
//! Counter(0).step();
//! assert_eq!(coverage.collect().len(), 2);
//! assert_eq!(coverage.uncovered().next().unwrap().to_string(), "Counter::step: then of `if self.0 == 3`");
//! ```

#[doc(hidden)]
pub use smallscope_cover::__private;
#[doc(inline)]
pub use smallscope_cover::__private::cover_by_smallscope as cover;
#[doc(inline)]
pub use smallscope_cover::{
    Block, BlockKind, Coverage, Covered, Criterion, LlvmCounters, NotInstrumented, Region, Snapshot, Target,
};
