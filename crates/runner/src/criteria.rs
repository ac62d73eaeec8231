//! Reduces suites: puts values into classes by the decisions of the invariant, and keeps some values of each class.
//!
//! * [`Criterion`]: which property of a run of the invariant is the class of a value;
//! * [`Classifier`]: computes the [`Class`] from the decisions of a run;
//! * [`Reduction`]: how many values of a class are kept ([`Quota`]), and which ([`Choice`]);
//! * [`Reducer`]: keeps values while it is offered all of them;
//! * [`Collector`]: a reducer for the values of a search.
//!
//! Decisions are reported only with the feature `criteria`; see [`Classifier::new`]. What keeps values is compiled
//! only with the feature `reduce`, which `criteria` and `suites` need.

#[cfg(feature = "reduce")]
mod classify;
#[cfg(feature = "reduce")]
mod collect;
mod criterion;
#[cfg(feature = "reduce")]
mod describe;
#[cfg(feature = "reduce")]
mod effects;
mod quota;
#[cfg(feature = "reduce")]
mod reducer;
mod reduction;
#[cfg(feature = "reduce")]
mod sites;

#[cfg(feature = "reduce")]
pub use classify::{Class, Classifier};
#[cfg(feature = "reduce")]
pub use collect::{Collector, priority};
pub use criterion::Criterion;
pub use quota::{Quota, Ratio};
#[cfg(feature = "reduce")]
pub use reducer::{ClassRow, Reduced, Reducer};
pub use reduction::{Choice, Reduction};
