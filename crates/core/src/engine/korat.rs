//! The published algorithm, to the candidate: every pointer may alias, as in Java, and values are decided one by one.

use super::{Engine, InPlace};
use crate::constraints::Constraints;
use crate::ids::{Choice, ObjectId, SlotId};
use crate::layout::{Kind, Layout, Pointer};
use crate::path::{Effect, Objects, Step, Taken};

/// The published algorithm.
#[derive(Clone, Copy)]
pub(crate) struct Korat;

impl Engine for Korat {
    #[inline]
    fn allowed_object(
        self,
        _: &Layout,
        objects: &Objects,
        _: &Constraints,
        (_, p): (SlotId, Pointer),
        from: Choice,
    ) -> Option<Choice> {
        let from = p.first_choice(from);
        if from < p.prefix {
            return Some(from);
        }
        let (pool, object) = (objects.pool(p.pool), from - p.prefix);
        (object <= pool.used && object < pool.size).then_some(from)
    }

    #[inline]
    fn take_object(self, _: &Layout, objects: &mut Objects, p: Pointer, object: ObjectId) -> Effect {
        let pool = objects.pool_mut(p.pool);
        if object.number() == pool.used {
            pool.used += 1;
            objects.claim(p.pool, 1);
            Effect::Object(Taken::Fresh)
        } else {
            Effect::Nothing
        }
    }

    #[inline]
    fn give_object_back(self, _: &Layout, objects: &mut Objects, p: Pointer, _: ObjectId, taken: Taken) {
        if taken.is_fresh() {
            objects.pool_mut(p.pool).used -= 1;
            objects.unclaim(p.pool, 1);
        }
    }

    #[inline]
    fn advance_in_place(self, layout: &Layout, objects: &mut Objects, step: &mut Step) -> InPlace {
        let next = step.choice + 1;
        match layout.kind(step.slot) {
            Kind::Values { count, frugal: true } => super::advance_value(step, count),
            Kind::Pointer(p) if next >= p.prefix && !step.touches() => {
                let pool = objects.pool_mut(p.pool);
                let object = next - p.prefix;
                // A fresh object is the last choice; `used` counts it already.
                let is_fresh = step.effect() != Effect::Nothing;
                if !is_fresh && object <= pool.used && object < pool.size {
                    let is_fresh = object == pool.used;
                    pool.used += u32::from(is_fresh);
                    objects.claim(p.pool, u32::from(is_fresh));
                    let effect = if is_fresh { Effect::Object(Taken::Fresh) } else { Effect::Nothing };
                    step.advance_to(next, effect);
                    return InPlace::Advanced;
                }
                pool.used -= u32::from(is_fresh);
                objects.unclaim(p.pool, u32::from(is_fresh));
                step.unread();
                InPlace::Closed
            }
            _ => InPlace::Unknown,
        }
    }
}
