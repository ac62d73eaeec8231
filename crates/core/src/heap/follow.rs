//! Following rules: before anything about an object is decided, a rule for it is chosen, by a step of its own.

use super::State;
use crate::ids::{Choice, SlotId};
use crate::layout::Kind;
use crate::path::{Guide, Opened, Path, Step, undecided};
pub(crate) use crate::rules::Guided;
use crate::rules::Place;

/// Chooses rules for the object with a slot, and for its owners, if that is due; false if the path that is restored
/// prescribes one that is not there.
pub(super) fn choose(s: &mut State, slot: SlotId) -> bool {
    while s.guided.as_ref().is_some_and(|guided| guided.is_due(slot)) {
        let next = s.guided.as_ref().map_or(slot, |guided| guided.next(slot, &owner(&s.path, s)));
        let count = count(s, next);
        let choice = match &mut s.guide {
            Guide::First | Guide::Repeat(_) => Some(0),
            Guide::Follow(follow) => {
                let given = follow.take();
                let allowed = given.unwrap_or(0);
                follow.admit(next, given, (allowed < count).then_some(allowed))
            }
            Guide::Frozen if count > 1 => undecided(),
            Guide::Frozen => Some(0),
        };
        let Some(choice) = choice.filter(|&choice| choice < count) else { return false };
        push(s, next, choice);
    }
    true
}

/// Returns the first rule from a number on, for the object with a slot.
pub(super) fn allowed(s: &State, slot: SlotId, from: Choice) -> Option<Choice> {
    (from < count(s, slot)).then_some(from)
}

/// Chooses a rule for the object with a slot.
pub(super) fn push(s: &mut State, slot: SlotId, choice: Choice) {
    let before = s.before();
    let Some(mut guided) = s.guided.take() else { return };
    let narrowed = guided.choose(slot, choice, &owner(&s.path, s));
    s.guided = Some(guided);
    for n in narrowed {
        let (_, hi) = s.constraints.bounds(n.slot);
        let is_possible = s.constraints.narrow(n.slot, n.least, n.most.unwrap_or(hi));
        debug_assert!(is_possible, "nothing is known about an object before its rule");
    }
    s.path.push(Step::new(s.layout.slot(slot).head, slot, choice, before).opened(Opened::Rule));
}

/// The rule of the object with a slot is open again.
#[cold]
#[inline(never)]
pub(super) fn forget(s: &mut State, slot: SlotId) {
    if let Some(guided) = &mut s.guided {
        guided.forget(slot);
    }
}

fn count(s: &State, slot: SlotId) -> u32 {
    s.guided.as_ref().map_or(0, |guided| guided.count(slot, &owner(&s.path, s)))
}

/// Returns a function that finds the slot that leads to an object. It was opened not long before.
fn owner<'a>(path: &'a Path, s: &'a State) -> impl Fn(&Guided, Place) -> Option<(SlotId, u32)> + 'a {
    move |guided, place| {
        let node_type = &guided.types.all[place.node_type as usize];
        let before = |step: &Step| match s.layout.kind(step.slot) {
            _ if !step.is_value() => None,
            Kind::Pointer(p) => {
                (node_type.pool == Some(p.pool) && step.choice == p.prefix + place.object).then_some(0)
            }
            Kind::Items { pool, .. } if node_type.pool == Some(pool) => {
                let (_, start, length) = s.layout.arena(step.slot)?;
                place.object.checked_sub(start).filter(|before| *before < length)
            }
            _ => None,
        };
        path.iter().rev().find_map(|step| Some((step.slot, before(step)?)))
    }
}
