//! Small mechanisms that several crates need and a process or a file format can have only once: a second panic hook would
//! print what the first one silences, and a second copy of a hash or of the table of settings would drift from the first.
//!
//! This crate is an implementation detail of smallscope. It has no dependencies and does not know the search.
//!
//! * [`panics`]: catches panics without printing them, with their message and place.
//! * [`random`]: the generator SplitMix64.
//! * [`hash`]: hashes whose values are the same on every machine and in every version.
//! * [`duration`]: durations as users write them, such as `10s`.
//! * `flight`, with the feature `flight`: what a run is doing, in a file that survives the process.
//! * [`memory`]: the memory of this process and of the machine, and the limit of a run on it.
//! * [`miri`]: what a run leaves out where Miri interprets it.
//! * `mutation`, with the feature `mutate`: which mutant of the code under test is active.
//! * [`ordered`]: work in pieces on several threads, with results in the order of one thread.
//! * [`settings`]: the table of settings, from which attribute keys, variables and options derive.
//! * [`text`]: functions on text, compiled once.

pub mod duration;
#[cfg(feature = "flight")]
pub mod flight;
pub mod hash;
pub mod memory;
pub mod miri;
#[cfg(feature = "mutate")]
pub mod mutation;
pub mod ordered;
pub mod panics;
pub mod random;
pub mod settings;
pub mod text;
