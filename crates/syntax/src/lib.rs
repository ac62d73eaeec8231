//! What the macro crates of smallscope have in common: a crate of procedural macros can export nothing else.

pub mod args;
mod pointers;
mod spans;
mod test_mark;

pub use pointers::raw_pointer;
pub use spans::located;
pub use test_mark::test_mark;
