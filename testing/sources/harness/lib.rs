//! Runs generated programs in every mode, and compares what is delivered with the brute force.

#[path = "../plain/show.rs"]
pub mod show;

mod compare;
mod modes;

pub use compare::{Case, Known, main};
pub use modes::{Traits, run};
