//! Takes the place of `follow.rs` without the feature `summaries`: there are no rules.

use super::State;
use crate::ids::{Choice, SlotId};

pub(super) fn choose(_: &mut State, _: SlotId) -> bool {
    true
}

pub(super) fn allowed(_: &State, _: SlotId, _: Choice) -> Option<Choice> {
    None
}

pub(super) fn push(_: &mut State, _: SlotId, _: Choice) {}

pub(super) fn forget(_: &mut State, _: SlotId) {}
