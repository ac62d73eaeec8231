//! Smaller suites: values are put into classes by what the invariant does with them, and of each class some are kept.
//!
//! * [`Criterion`]: what about a run of the invariant makes the class of a value;
//! * [`Classifier`]: from the decisions of a run to the [`Class`];
//! * [`Reduction`]: how many values of a class are kept ([`Quota`]), and which ([`Choice`]);
//! * [`Reducer`]: keeps them, while all values pass by;
//! * [`Collector`]: a reducer that is fed by a search.
//!
//! Decisions are reported with the feature `criteria` only; see [`Classifier::new`].

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
