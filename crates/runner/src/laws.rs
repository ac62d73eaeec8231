//! Laws that a type should keep, each checked in one line on every value within bounds.
//!
//! ```should_panic
//! # use smallscope::laws;
//! /// Compares lengths only, so different words are equal in the order and not by `==`.
//! #[derive(Debug, PartialEq, Eq)]
//! struct ByLength(String);
//! # impl PartialOrd for ByLength {
//! #     fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> { Some(self.cmp(other)) }
//! # }
//! impl Ord for ByLength {
//!     fn cmp(&self, other: &Self) -> std::cmp::Ordering {
//!         self.0.len().cmp(&other.0.len())
//!     }
//! }
//! // a = "a"
//! // b = "b"
//! // `a.cmp(&b)` is `Equal`, but `a == b` is false
//! laws::total_order(laws::made(2, |text: &String| Some(ByLength(text.clone()))));
//! ```
//!
//! Laws about one value run as [`check`](crate::check()) does, with its reports, records and replay. Laws about two or three values compare each
//! new value with all before it, smallest first, so the last value of the counterexample is the first with which the law
//! can be broken. They end after 10 s, or after `SMALLSCOPE_BUDGET`, and say what was compared.

mod functions;
mod matrix;
mod orders;
mod scene;
mod values;

pub use functions::{
    Returned, agrees_with, associative, commutative, idempotent, metric, monotone, round_trip,
};
pub use orders::{equivalence, hash_agrees, partial_order, total_order};
pub use values::{IntoValues, Values, given, made};
