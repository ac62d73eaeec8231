//! `#[cover]`: puts probes into code, which record which of its blocks run, and in which situations.

mod args;
mod bindings;
mod blocks;
mod expand;
mod leaving;
mod predicates;
mod text;

pub(crate) use expand::attribute;
