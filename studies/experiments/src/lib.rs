//! The tables and figures of the papers behind smallscope, computed again, with the published figures beside ours.
//!
//! `data/` has the published figures: table, row, column, value, and where each stands in its paper. [`experiments`] lists
//! what can be computed. [`run`](run::run) computes rows, cheapest first, and keeps them in a folder of results, where a longer run
//! finds them. [`compare`](compare::compare) puts both figures side by side and marks each pair.

pub mod compare;
pub mod experiment;
pub mod measure;
mod papers;
pub mod published;
pub mod report;
pub mod results;
pub mod run;
pub mod table;

pub use experiment::{Experiment, Row};
pub use papers::experiments;

#[cfg(test)]
mod tests;
