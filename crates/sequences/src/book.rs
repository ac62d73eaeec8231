//! The samples of the chapter as documentation tests.

#[doc = include_str!("../../../book/src/call-sequences.md")]
mod call_sequences {}
