//! Short tests with smallscope, one module each. README.md lists them.
//!
//! smallscope is a dev-dependency here, as in most crates that use it, so its attributes stand in `cfg_attr(test, ..)`.

pub mod arena_list;
pub mod bounded_queue;
pub mod expression;
pub mod linked_list;
pub mod search_tree;
pub mod sorted_set;
pub mod typed_language;
