//! Errors in what is asked about sets and maps.

use super::{ASKING, PARTS_LEFT, Planted, error};

const WEIGH: &str = "crates/core/src/heap/weigh.rs";

pub(super) const ERRORS: &[Planted] = &[
    error(
        "what-is-known-of-sets-not-logged",
        ASKING,
        "s.answers.log_fact(slots, is_second_known)",
        "is_second_known",
    ),
    error("list-of-what-is-left-too-short", PARTS_LEFT, "word &= word - 1;", "word &= word & (word - 2);"),
    error(
        "list-ends-before-its-last-choice",
        PARTS_LEFT,
        "choice <= hi).max(first)",
        "choice < hi).max(first)",
    ),
    error(
        "others-weigh-too-much",
        WEIGH,
        "position(is_possible).unwrap_or(members.lighter.len()) as u32",
        "position(is_possible).unwrap_or(members.lighter.len()) as u32 + 1",
    ),
    error(
        "sets-known-left-closed",
        ASKING,
        "if lo == hi {\n                self.open_value(slot);",
        "if lo > hi {\n                self.open_value(slot);",
    ),
];
