//! The published algorithm with what Rust knows about ownership: a `Box` takes a fresh object or one without an owner,
//! and the objects that mandatory pointers need are reserved.

use super::{Engine, InPlace};
use crate::constraints::Constraints;
use crate::ids::{Choice, ObjectId, SlotId};
use crate::layout::{Kind, Layout, Ownership, Pointer};
use crate::path::{Effect, Objects, Step, Taken};

/// Values are decided one by one, and owners are known.
#[derive(Clone, Copy)]
pub(crate) struct Owned;

impl Engine for Owned {
    #[inline]
    fn allowed_object(
        self,
        layout: &Layout,
        objects: &Objects,
        _: &Constraints,
        (_, p): (SlotId, Pointer),
        from: Choice,
    ) -> Option<Choice> {
        allowed(layout, objects, p, from)
    }

    #[inline]
    fn take_object(self, layout: &Layout, objects: &mut Objects, p: Pointer, object: ObjectId) -> Effect {
        Effect::Object(take(layout, objects, p, object))
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
        give_back(layout, objects, p, object, taken);
    }

    #[inline]
    fn advance_in_place(self, layout: &Layout, objects: &mut Objects, step: &mut Step) -> InPlace {
        match layout.kind(step.slot) {
            Kind::Values { count, frugal: true } => super::advance_value(step, count),
            kind if is_last(objects, kind, step) => InPlace::Last,
            _ => InPlace::Unknown,
        }
    }
}

/// Returns the first object, from a choice on, that a pointer may take.
#[inline(always)]
pub(super) fn allowed(layout: &Layout, objects: &Objects, p: Pointer, from: Choice) -> Option<Choice> {
    let from = p.first_choice(from);
    if from < p.prefix {
        return Some(from);
    }
    let pool = objects.pool(p.pool);
    let object = from - p.prefix;
    if object < pool.used {
        if p.ownership != Ownership::Unique {
            return Some(from);
        }
        if pool.unowned > 0 {
            let free = (object..pool.used).find(|&o| pool.owners[o as usize] == 0);
            if let Some(o) = free {
                return Some(p.prefix + o);
            }
        }
    } else if object > pool.used {
        return None;
    }
    // Also if all objects are in use, which is the usual reason.
    if pool.used == pool.size {
        return None;
    }
    let promised = (p.prepaid || p.ownership == Ownership::Raw) && pool.reserved > 0;
    (promised || objects.has_room(&layout.pool(p.pool).fresh)).then_some(p.prefix + pool.used)
}

/// Whether a step certainly has its last choice: no pointer goes beyond the lowest object that is not in use, and a box
/// finds no object if all are in use and have their owners.
#[inline]
pub(super) fn is_last(objects: &Objects, kind: Kind, step: &Step) -> bool {
    step.effect().is_fresh_object() || step.is_bare_value() && finds_no_object(objects, kind, step.choice + 1)
}

/// Whether a box certainly finds no object from this choice on.
#[inline]
fn finds_no_object(objects: &Objects, kind: Kind, from: Choice) -> bool {
    let Kind::Pointer(p) = kind else { return false };
    let pool = objects.pool(p.pool);
    let is_full = pool.used == pool.size && pool.unowned == 0;
    is_full && p.ownership == Ownership::Unique && from >= p.prefix
}

/// Lets a pointer take an object.
#[inline]
pub(super) fn take(layout: &Layout, objects: &mut Objects, p: Pointer, object: ObjectId) -> Taken {
    let pool = objects.pool_mut(p.pool);
    let taken = if object.number() == pool.used {
        pool.used += 1;
        pool.unowned += 1;
        if p.prepaid && pool.reserved > 0 {
            pool.reserved -= 1;
            Taken::Promised
        } else if p.prepaid {
            pool.borrowed -= 1;
            objects.claim(p.pool, 1);
            objects.reserve_rest(layout, p.pool, 1, true);
            Taken::FreshUnpromised
        } else if p.ownership == Ownership::Raw && pool.reserved > 0 {
            pool.reserved -= 1;
            pool.borrowed += 1;
            Taken::Borrowed
        } else {
            objects.claim(p.pool, 1);
            objects.reserve_rest(layout, p.pool, 1, true);
            Taken::Fresh
        }
    } else if p.prepaid && pool.borrowed > 0 {
        pool.borrowed -= 1;
        Taken::InUseUnpromised
    } else if p.prepaid {
        pool.reserved -= 1;
        objects.unclaim(p.pool, 1);
        objects.reserve_rest(layout, p.pool, 1, false);
        Taken::Released
    } else {
        Taken::InUse
    };
    if p.ownership.owns() {
        objects.pool_mut(p.pool).own(object);
    }
    taken
}

/// Undoes [`take`].
#[inline]
pub(super) fn give_back(layout: &Layout, objects: &mut Objects, p: Pointer, object: ObjectId, taken: Taken) {
    let pool = objects.pool_mut(p.pool);
    if p.ownership.owns() {
        pool.disown(object);
    }
    if taken.is_fresh() {
        pool.used -= 1;
        pool.unowned -= 1;
    }
    match taken {
        Taken::InUse => {}
        Taken::Released => {
            pool.reserved += 1;
            objects.claim(p.pool, 1);
            objects.reserve_rest(layout, p.pool, 1, true);
        }
        Taken::InUseUnpromised => pool.borrowed += 1,
        Taken::Fresh => {
            objects.unclaim(p.pool, 1);
            objects.reserve_rest(layout, p.pool, 1, false);
        }
        Taken::Promised => pool.reserved += 1,
        Taken::FreshUnpromised => {
            pool.borrowed += 1;
            objects.unclaim(p.pool, 1);
            objects.reserve_rest(layout, p.pool, 1, false);
        }
        Taken::Borrowed => {
            pool.borrowed -= 1;
            pool.reserved += 1;
        }
    }
}
