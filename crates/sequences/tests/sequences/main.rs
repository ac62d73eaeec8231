//! Call sequences: contexts, strategies, explorations, reports.

mod api;
mod common;
mod context;
mod exploration;
mod hostile;
mod linearize;
mod runner;
mod source;
mod strategies;
