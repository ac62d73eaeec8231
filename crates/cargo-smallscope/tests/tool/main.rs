//! The tool, from end to end. One program, so that tests that wait for others leave no core idle.

mod catalogue;
mod common;
mod compat;
mod errors;
mod help;
mod mutate;
mod recipes;
mod shards;
mod stopping;
mod submit;
mod user_crate;
mod view;
