//! What several macros share: arguments of attributes, places of errors, types by their looks.

pub(crate) mod args;
#[cfg(any(feature = "cover", feature = "sequences"))]
mod marks;
mod matches;
mod pointers;
mod spans;
pub(crate) mod text;
mod walk;

#[cfg(any(feature = "cover", feature = "sequences"))]
pub(crate) use marks::take_marks;
pub(crate) use matches::Matches;
pub(crate) use pointers::raw_pointer;
pub(crate) use spans::located;
pub(crate) use walk::{visit, visit_mut};
