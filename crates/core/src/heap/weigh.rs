//! Sets and maps under a bound on the size of the whole value: each choice takes as many elements as it has.
//!
//! A question about keys chooses no content, so it takes no elements, and two sets could be asked about for which together there
//! is no room. So a question comes after the contents are left out for which there is no room beside what the others have
//! at least. That holds for everything behind the current path, on which less and less is left.

use super::State;
use crate::cell::members::Members;
use crate::ids::SlotId;
use std::rc::Rc;

/// Notes that a set or map is asked about.
pub(super) fn note(s: &mut State, slot: SlotId, members: &Rc<Members>) {
    if !members.lighter.is_empty() && s.weighed.iter().all(|(known, _)| *known != slot) {
        s.weighed.push((slot, members.clone()));
    }
}

/// Leaves the contents of a slot for which there is room; false if there is none.
pub(super) fn leave_what_fits(s: &mut State, slot: SlotId) -> bool {
    let Some(mut room) = s.objects.left() else { return true };
    let mut lighter = None;
    for (other, members) in &s.weighed {
        if *other == slot {
            lighter = Some(members.clone());
        } else if !s.layout.is_open(*other) {
            room = room.saturating_sub(least_weight(s, *other, members));
        }
    }
    let part = lighter.and_then(|members| members.lighter.get(room as usize).copied());
    match part.map(|part| (part, s.constraints.knows_part(slot, part))) {
        None | Some((_, Some(true))) => true,
        Some((_, Some(false))) => false,
        Some((part, None)) => s.constraints.keep_part(slot, part, true),
    }
}

/// How many elements a slot takes at least.
fn least_weight(s: &State, slot: SlotId, members: &Members) -> u32 {
    let is_possible = |&part: &u32| s.constraints.knows_part(slot, part) != Some(false);
    members.lighter.iter().position(is_possible).unwrap_or(members.lighter.len()) as u32
}
