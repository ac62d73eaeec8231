//! The workloads of ETNA, an evaluation platform for property-based testing, written after its published descriptions.
//!
//! A *task* is a mutant and a property that the mutant breaks. The inputs are generated from the invariants of the types:
//! there is no generator.
//!
//! Keys are only compared, so one input for each order of keys is enough; see *order types* in the book.

#[cfg(feature = "compared")]
mod compared;
mod law;
pub mod maps;
pub mod red_black_tree;
pub mod search_tree;
mod task;
mod tree;
pub mod typed_terms;

#[cfg(feature = "compared")]
pub use compared::{Both, Found};
pub use law::{Counterexample, Law};
pub use task::{Effort, Solution, Task, Workload, tasks};
