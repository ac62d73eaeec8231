//! The macros of `smallscope-sequences`: which methods of a type are called, how its values are compared, and tests of
//! sequences of calls.

mod agree_attr;
mod api;
mod linearize;
mod test_attr;

pub(crate) use agree_attr::expand as agree;
pub(crate) use api::attribute as api;
pub(crate) use linearize::derive as linearize;
pub(crate) use test_attr::expand as test;
