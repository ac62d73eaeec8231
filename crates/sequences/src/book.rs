//! The samples of the chapters as documentation tests.

#[doc = include_str!("../../../book/src/call-sequences.md")]
mod call_sequences {}

#[doc = include_str!("../../../book/src/failure-density.md")]
mod failure_density {}

#[cfg(feature = "cover")]
#[doc = include_str!("../../../book/src/cover.md")]
mod cover {}
