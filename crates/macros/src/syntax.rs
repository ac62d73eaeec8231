//! What several macros share: arguments of attributes, places of errors, types by their looks.

pub(crate) mod args;
mod pointers;
mod spans;
mod walk;

pub(crate) use pointers::raw_pointer;
pub(crate) use spans::located;
pub(crate) use walk::{visit, visit_mut};
