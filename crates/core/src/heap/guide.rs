//! Choices that do not come from the search: a candidate that is run again, a path that is restored.

use super::{CLASS, Kind, NOTHING, State, Step};
use std::collections::HashMap;
use std::panic::resume_unwind;

/// Where the choices of slots that are opened come from.
#[derive(Default)]
pub(crate) enum Guide {
    /// The first one that is allowed: the search.
    #[default]
    First,
    /// What the first run had, while a candidate is run again.
    Repeat(Script),
    /// A given list, in the order of reads; after its end, the first one that is allowed.
    Follow(Follow),
    /// None is to be chosen: see [`Undecided`].
    Frozen,
}

/// A candidate that is being run again.
#[derive(Default)]
pub(crate) struct Script {
    /// Choice and table index of every slot of the first run.
    pub choices: HashMap<u32, (u32, u32)>,
    /// A slot was read that the first run did not read.
    pub strayed: bool,
}

/// A path that is being restored.
#[derive(Default)]
pub(crate) struct Follow {
    pub choices: Vec<u32>,
    pub next: usize,
    /// The slot at which the choice was not allowed.
    pub refused: Option<u32>,
}

/// Thrown, without the panic hook, where there is a choice while none is to be made.
struct Undecided;

/// Ends a run that needs a choice.
#[cold]
pub(super) fn undecided() -> ! {
    resume_unwind(Box::new(Undecided))
}

impl State {
    /// What a slot of plain data holds, if what is known leaves one choice; ends the run if not.
    #[cold]
    pub(super) fn known_choice(&self, slot: u32) -> u32 {
        match self.slots[slot as usize].kind {
            Kind::Values { frugal: true, .. } if self.is_lazy => match self.store.bounds(slot) {
                (lo, hi) if lo == hi => lo,
                _ => undecided(),
            },
            _ => undecided(),
        }
    }

    /// The next given choice, if it is allowed here.
    #[cold]
    pub(super) fn follow(&mut self, slot: u32, how: u16) -> Option<u32> {
        let Guide::Follow(follow) = &mut self.guide else { return None };
        let given = follow.choices.get(follow.next).copied();
        follow.next += usize::from(given.is_some());
        let from = given.unwrap_or(0);
        let next = if how == CLASS { self.allowed_class(slot, from) } else { self.allowed(slot, from) };
        let Some(choice) = given else { return next };
        let allowed = next == Some(choice);
        if let (false, Guide::Follow(follow)) = (allowed, &mut self.guide) {
            follow.refused.get_or_insert(slot);
        }
        allowed.then_some(choice)
    }

    /// Opens a slot as the first run did. Nothing is counted, since the order of reads may be another one; the
    /// counts come back when the path of the first run is restored.
    pub(super) fn repeat(&mut self, slot: u32) -> bool {
        let Guide::Repeat(script) = &mut self.guide else { return false };
        let known = script.choices.get(&slot).copied();
        script.strayed |= known.is_none();
        let Some((choice, index)) = known.or_else(|| {
            let choice = self.allowed(slot, 0)?;
            Some((choice, self.table_index(slot, choice, 0)))
        }) else {
            return false;
        };
        let head = self.slots[slot as usize].head;
        head.index.set(index);
        self.path.push(Step { head, slot, choice, trail: 0, log: 0, done: NOTHING });
        true
    }
}
