//! Engines: what a first read offers, which choices are allowed, what taking one changes, and how to go to the next.
//!
//! # Contract
//!
//! An engine has no state of its own: it reads the [`Layout`] and changes the parts that it is given. The loop of the
//! search relies on the following, for every slot that is not open and every state of the parts that steps of the same
//! engine have led to.
//!
//! 1. *Order.* [`Engine::allowed`] returns the least allowed choice from a number on. So `allowed(0)`,
//!    `allowed(first + 1)`, .. lists the allowed choices once each, in ascending order. It changes nothing.
//! 2. *Undo.* After [`Engine::take`] of an allowed choice, [`Engine::give_back`] with the step that records the returned
//!    effect, together with undoing the constraints to the mark of the step, restores every part. Steps are given back in
//!    reverse order.
//! 3. *Progress.* [`Engine::advance_in_place`] does what closing a step, finding its next allowed choice and opening it
//!    would do, or nothing. It is there for speed, and may always return [`InPlace::Unknown`].
//! 4. *Isomorphism.* A pointer is allowed objects in use and the lowest one that is not: see [`crate::path`].
//! 5. *Completeness.* Every value within the bounds is reached by allowed choices, up to the renaming of objects.
//!
//! Three engines keep it: [`Korat`], the published algorithm, in which every pointer may alias; [`Owned`], which knows
//! who owns what, and prunes candidates that no value can have; [`Lazy`], which also decides questions in place of values.
//! Rules about vectors and indices do not depend on the engine; they are in `arena`.

mod arena;
mod korat;
mod lazy;
mod owned;
#[cfg(test)]
mod tests;

pub(crate) use korat::Korat;
pub(crate) use lazy::Lazy;
pub(crate) use owned::Owned;

use crate::cell::Asks;
use crate::constraints::Constraints;
use crate::ids::{Choice, ObjectId, SlotId};
use crate::layout::{Kind, Layout, Pointer, Slot};
use crate::path::{Effect, Objects, Step, Taken};

/// Calls something with the engine that the options name. The code is compiled once for each engine, so that the choice is made
/// once per call and not once per rule.
macro_rules! with_engine {
    ($kind:expr, $engine:ident => $call:expr) => {
        match $kind {
            $crate::options::Engine::Korat => {
                let $engine = $crate::engine::Korat;
                $call
            }
            $crate::options::Engine::Owned => {
                let $engine = $crate::engine::Owned;
                $call
            }
            $crate::options::Engine::Lazy => {
                let $engine = $crate::engine::Lazy;
                $call
            }
        }
    };
}
pub(crate) use with_engine;

/// What taking a choice has changed.
pub(crate) struct Change {
    pub effect: Effect,
    /// The slot belongs to an arena, and its object is touched.
    pub touches: bool,
    /// The place of the choice in the slot's table.
    pub index: u32,
}

/// What came of advancing a step in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InPlace {
    /// The step has its next choice.
    Advanced,
    /// There is no other choice; the step is undone already, and is to be removed.
    Closed,
    /// There is no other choice; the step is to be closed.
    Last,
    /// Not known: the step is to be closed, and opened again if there is another choice.
    Unknown,
}

/// Gives a step of plain data, on which no constraints depend, its next choice.
#[inline]
fn advance_value(step: &mut Step, count: u32) -> InPlace {
    let next = step.choice + 1;
    if next < count {
        step.advance_to(next, Effect::Nothing);
        InPlace::Advanced
    } else if step.touches() {
        InPlace::Last
    } else {
        step.unread();
        InPlace::Closed
    }
}

/// What the engines differ in. See the module's documentation for the contract.
pub(crate) trait Engine: Copy {
    /// Questions are decided in place of values, so steps have constraints and answers to undo.
    const DECIDES_QUESTIONS: bool = false;

    /// Returns what can be asked about a slot in place of reading it.
    fn asks(self, slot: &Slot) -> Asks {
        let _ = slot;
        Asks::Nothing
    }

    /// Whether the first read of a slot decides only whether it holds something.
    #[inline]
    fn leaves_open(self, slot: &Slot) -> bool {
        let _ = slot;
        false
    }

    /// Returns the first allowed choice, from a number on, of a slot of plain data that needs no objects.
    #[inline]
    fn allowed_value(
        self,
        constraints: &Constraints,
        slot: SlotId,
        count: u32,
        from: Choice,
    ) -> Option<Choice> {
        let _ = (constraints, slot);
        (from < count).then_some(from)
    }

    /// Returns the first allowed choice, from a number on, of a pointer.
    fn allowed_object(
        self,
        layout: &Layout,
        objects: &Objects,
        constraints: &Constraints,
        pointer: (SlotId, Pointer),
        from: Choice,
    ) -> Option<Choice>;

    /// Takes a choice of a slot of plain data that needs no objects.
    #[inline]
    fn take_value(self, constraints: &mut Constraints, slot: SlotId, choice: Choice) {
        let _ = (constraints, slot, choice);
    }

    /// Lets a pointer take an object.
    fn take_object(self, layout: &Layout, objects: &mut Objects, p: Pointer, object: ObjectId) -> Effect;

    /// Undoes [`Engine::take_object`].
    fn give_object_back(
        self,
        layout: &Layout,
        objects: &mut Objects,
        p: Pointer,
        object: ObjectId,
        taken: Taken,
    );

    /// Gives a step its next choice without closing it, where that is quickly done.
    fn advance_in_place(self, layout: &Layout, objects: &mut Objects, step: &mut Step) -> InPlace;

    /// Returns the first allowed choice of a slot, from a number on.
    #[inline]
    fn allowed(
        self,
        layout: &Layout,
        objects: &Objects,
        constraints: &Constraints,
        slot: SlotId,
        from: Choice,
    ) -> Option<Choice> {
        match layout.kind(slot) {
            Kind::Values { count, frugal: true } => self.allowed_value(constraints, slot, count, from),
            Kind::Values { frugal: false, .. } => {
                let needs = &layout.info(slot).needs;
                let (lo, hi) = constraints.bounds(slot);
                (from.max(lo)..=hi).find(|&choice| {
                    constraints.next_left(slot, choice) == Some(choice)
                        && objects.has_room(&needs[choice as usize])
                })
            }
            Kind::Pointer(p) => self.allowed_object(layout, objects, constraints, (slot, p), from),
            Kind::Items { .. } => {
                let (lo, hi) = constraints.bounds(slot);
                arena::allowed_length(layout, objects, slot, from.max(lo)).filter(|&choice| choice <= hi)
            }
            Kind::Index { .. } => arena::allowed_index(layout, objects, slot, from),
        }
    }

    /// Takes an allowed choice of a slot.
    #[inline]
    fn take(
        self,
        layout: &Layout,
        objects: &mut Objects,
        constraints: &mut Constraints,
        id: SlotId,
        choice: Choice,
    ) -> Change {
        let slot = layout.slot(id);
        let mut index = choice;
        let effect = match slot.kind {
            Kind::Values { frugal: true, .. } => {
                self.take_value(constraints, id, choice);
                Effect::Nothing
            }
            Kind::Values { frugal: false, .. } => {
                objects.reserve(&layout.info(id).needs[choice as usize], true);
                Effect::Needs
            }
            Kind::Pointer(p) if choice < p.prefix => Effect::Nothing,
            Kind::Pointer(p) => self.take_object(layout, objects, p, p.object(choice)),
            Kind::Items { .. } => arena::take_elements(layout, objects, id, choice, &mut index),
            Kind::Index { .. } => arena::take_index(layout, objects, id, choice),
        };
        if let Some((pool, object)) = slot.arena {
            objects.touch(pool, object);
        }
        Change { effect, touches: slot.arena.is_some(), index }
    }

    /// Undoes what a step has changed about objects.
    #[inline(always)]
    fn give_back(self, layout: &Layout, objects: &mut Objects, step: &Step) {
        let slot = layout.slot(step.slot);
        if let Some((pool, object)) = slot.arena.filter(|_| step.touches()) {
            objects.untouch(pool, object);
        }
        match (step.effect(), slot.kind) {
            (Effect::Object(taken), Kind::Pointer(p)) => {
                self.give_object_back(layout, objects, p, p.object(step.choice), taken);
            }
            (Effect::Needs, _) => {
                objects.reserve(&layout.info(step.slot).needs[step.choice as usize], false);
            }
            (Effect::Elements, _) => arena::give_elements_back(layout, objects, step.slot, step.choice),
            (Effect::Target, _) => arena::give_index_back(layout, objects, step.slot, step.choice),
            (Effect::Nothing | Effect::Object(_), _) => {}
        }
    }
}
