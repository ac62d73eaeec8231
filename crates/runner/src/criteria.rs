//! Reduces suites: puts values into classes by the decisions of the invariant, and keeps some values of each class.
//!
//! * [`Criterion`]: which property of a run of the invariant is the class of a value;
//! * [`Classifier`]: computes the [`Class`] from the decisions of a run;
//! * [`Reduction`]: how many values of a class are kept ([`Quota`]), and which ([`Choice`]);
//! * [`Reducer`]: keeps values while it is offered all of them;
//! * [`Collector`]: a reducer for the values of a search.
//!
//! Decisions are reported only with the feature `criteria`; see [`Classifier::new`].

mod classify;
mod collect;
mod criterion;
mod describe;
mod effects;
mod quota;
mod reducer;
mod reduction;
mod sites;

pub use classify::{Class, Classifier};
pub use collect::{Collector, priority};
pub use criterion::Criterion;
pub use quota::{Quota, Ratio};
pub use reducer::{ClassRow, Reduced, Reducer};
pub use reduction::{Choice, Reduction};
