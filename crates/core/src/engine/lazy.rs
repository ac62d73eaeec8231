//! Questions are decided in place of values. Owners are known as with [`Owned`](super::Owned); besides, choices are
//! within the constraints that earlier answers have left.

use super::{Engine, InPlace, owned};
use crate::cell::Asks;
use crate::constraints::Constraints;
use crate::ids::{Choice, ObjectId, SlotId};
use crate::layout::{Layout, Pointer, Slot};
use crate::path::{Effect, Objects, Step, Taken};

/// Questions are decided in place of values.
#[derive(Clone, Copy)]
pub(crate) struct Lazy;

impl Engine for Lazy {
    const DECIDES_QUESTIONS: bool = true;

    fn asks(self, slot: &Slot) -> Asks {
        slot.asks()
    }

    #[inline]
    fn leaves_open(self, slot: &Slot) -> bool {
        slot.holds_key()
    }

    #[inline]
    fn allowed_value(self, constraints: &Constraints, slot: SlotId, _: u32, from: Choice) -> Option<Choice> {
        constraints.next_left(slot, from)
    }

    #[inline]
    fn allowed_object(
        self,
        layout: &Layout,
        objects: &Objects,
        constraints: &Constraints,
        (slot, p): (SlotId, Pointer),
        from: Choice,
    ) -> Option<Choice> {
        let (lo, hi) = constraints.bounds(slot);
        owned::allowed(layout, objects, p, from.max(lo)).filter(|&choice| choice <= hi)
    }

    /// Draws the conclusions for slots that are known to be greater or smaller.
    #[inline]
    fn take_value(self, constraints: &mut Constraints, slot: SlotId, choice: Choice) {
        let narrowed = constraints.narrow(slot, choice, choice);
        debug_assert!(narrowed, "only possible values are taken");
    }

    #[inline]
    fn take_object(self, layout: &Layout, objects: &mut Objects, p: Pointer, object: ObjectId) -> Effect {
        Effect::Object(owned::take(layout, objects, p, object))
    }

    #[inline]
    fn give_object_back(
        self,
        layout: &Layout,
        objects: &mut Objects,
        p: Pointer,
        object: ObjectId,
        taken: Taken,
    ) {
        owned::give_back(layout, objects, p, object, taken);
    }

    #[inline]
    fn advance_in_place(self, layout: &Layout, objects: &mut Objects, step: &mut Step) -> InPlace {
        if owned::is_last(objects, layout.kind(step.slot), step) { InPlace::Last } else { InPlace::Unknown }
    }
}
