//! Values up to the numbers of their keys: a slot of a set, a map or a tuple holds a pattern, and the keys of the pattern have
//! slots of their own, which are compared like all other keys.

use super::State;
use crate::cell::LAZY;
use crate::ids::{Choice, SlotId};
use crate::layout::Kind;
use crate::path::{Effect, Guide, Step, undecided};

/// Decides what a slot holds up to the numbers of the keys inside; false if there are no objects for that.
pub(super) fn open(s: &mut State, slot: SlotId) -> bool {
    let layout = s.layout;
    if let Some(first) = s.path.pattern(slot) {
        let pattern = layout.info(slot).keys.as_ref().map_or(0, |keys| keys.pattern(first));
        layout.slot(slot).head.index.set(LAZY - pattern);
        return true;
    }
    let given = match &mut s.guide {
        Guide::Follow(follow) => follow.take(),
        Guide::Frozen => undecided(),
        _ => None,
    };
    let next = allowed(s, slot, given.unwrap_or(0));
    let first = match &mut s.guide {
        Guide::Follow(follow) => follow.admit(slot, given, next),
        _ => next,
    };
    if let Some(first) = first {
        push(s, slot, first);
    }
    first.is_some()
}

/// Opens a slot with a pattern, given by its first value.
pub(super) fn push(s: &mut State, slot: SlotId, first: Choice) {
    let before = s.before();
    let info = s.layout.info(slot);
    let Some(keys) = &info.keys else { return };
    for pair in info.key_slots[..keys.of(first).len()].windows(2) {
        let posted = s.constraints.post(pair[0], 1, pair[1]);
        debug_assert!(posted, "the first value of the pattern has such keys");
    }
    let effect = match info.needs.get(first as usize) {
        Some(needs) => {
            s.objects.reserve(needs, true);
            Effect::Needs
        }
        None => Effect::Nothing,
    };
    let step = Step::new(s.layout.slot(slot).head, slot, first, before).with_effect(effect, false);
    s.path.push_pattern(step, keys.pattern(first));
}

/// Returns the first value, from a choice on, of a pattern that a slot may have.
pub(super) fn allowed(s: &State, slot: SlotId, from: Choice) -> Option<Choice> {
    let info = s.layout.info(slot);
    // Constraints say at most whether it holds something.
    let (lo, hi) = match s.layout.kind(slot) {
        Kind::Values { frugal: true, .. } => s.constraints.bounds(slot),
        _ => (0, Choice::MAX),
    };
    let firsts = info.keys.as_ref()?.firsts().iter().copied();
    let has_room =
        |first: &Choice| info.needs.get(*first as usize).is_none_or(|needs| s.objects.has_room(needs));
    firsts.filter(|&first| first >= from && (lo..=hi).contains(&first)).find(has_room)
}

/// Returns the value of a slot whose pattern is decided, with the lowest possible keys. All lower bounds together are a
/// solution, so these keys fit those of other slots, if all take their lowest ones.
pub(crate) fn lowest_value(s: &State, slot: SlotId) -> Option<Choice> {
    let first = s.path.pattern(slot)?;
    let info = s.layout.info(slot);
    let keys = info.keys.as_ref()?;
    let mut lowest = vec![];
    for &key in &info.key_slots[..keys.of(first).len()] {
        lowest.push(lowest_key(s, key));
    }
    Some(keys.choice(first, &lowest))
}

/// Returns the lowest possible key of a slot.
pub(crate) fn lowest_key(s: &State, slot: SlotId) -> u32 {
    (s.layout.base(slot) + i64::from(s.constraints.bounds(slot).0)) as u32
}

/// Leaves a slot whose pattern is decided the value with the lowest possible keys.
pub(super) fn settle(s: &mut State, slot: SlotId) {
    if let Some(choice) = lowest_value(s, slot) {
        let narrowed = s.constraints.narrow(slot, choice, choice);
        debug_assert!(narrowed, "whether it holds something is part of the pattern");
    }
}
