//! Choices that do not come from the order of the search: a candidate that is run again, a path that is restored.

use crate::ids::{Choice, SlotId};
use std::panic::resume_unwind;

/// Where the choices of slots that are opened come from.
#[derive(Default)]
pub(crate) enum Guide {
    /// The first allowed one: the search.
    #[default]
    First,
    /// The choices of the first run, while a candidate is run again.
    Repeat(Script),
    /// A given list, in the order of reads; after its end, the first allowed one.
    Follow(Follow),
    /// Nothing may be chosen: a run that needs a choice ends.
    Frozen,
}

/// A candidate that is being run again.
#[derive(Default)]
pub(crate) struct Script {
    /// The slots of the first run, in the order of reads, with choice and table index.
    pub choices: Vec<(SlotId, Choice, u32)>,
    /// Where the next slot is, if the order is the same.
    pub next: usize,
    /// A slot was read that the first run did not read.
    pub strayed: bool,
}

impl Script {
    /// Returns the choice and the table index that a slot had in the first run.
    pub fn choice(&mut self, slot: SlotId) -> Option<(Choice, u32)> {
        let is_next = self.choices.get(self.next).is_some_and(|next| next.0 == slot);
        let place =
            if is_next { Some(self.next) } else { self.choices.iter().position(|known| known.0 == slot) };
        let Some(place) = place else {
            self.strayed = true;
            return None;
        };
        self.next = place + 1;
        let (_, choice, index) = self.choices[place];
        Some((choice, index))
    }
}

/// A path that is being restored.
#[derive(Default)]
pub(crate) struct Follow {
    pub choices: Vec<Choice>,
    pub next: usize,
    /// The slot at which the choice was not allowed.
    pub refused: Option<SlotId>,
}

impl Follow {
    /// Takes the next given choice.
    pub fn take(&mut self) -> Option<Choice> {
        let given = self.choices.get(self.next).copied();
        self.next += usize::from(given.is_some());
        given
    }

    /// Returns the given choice of a slot if it is the next allowed one; without a given choice, the next allowed one.
    #[cold]
    pub fn admit(&mut self, slot: SlotId, given: Option<Choice>, next: Option<Choice>) -> Option<Choice> {
        let Some(choice) = given else { return next };
        let allowed = next == Some(choice);
        if !allowed {
            self.refuse(slot);
        }
        allowed.then_some(choice)
    }

    /// Notes that the choice for a slot was not allowed.
    fn refuse(&mut self, slot: SlotId) {
        self.refused.get_or_insert(slot);
    }
}

impl Guide {
    /// Returns the alternative of a question that a followed path prescribes, among the possible ones, as bits. Ends the
    /// run if nothing may be chosen.
    pub fn alternative(&mut self, slot: SlotId, possible: u32) -> Option<u32> {
        let follow = match self {
            Guide::Follow(follow) => follow,
            Guide::Frozen => undecided(),
            Guide::First | Guide::Repeat(_) => return None,
        };
        let alternative = follow.take()?;
        if alternative < 8 && possible >> alternative & 1 == 1 {
            return Some(alternative);
        }
        follow.refuse(slot);
        None
    }

    /// Returns one of some choices: the prescribed one, or the first. Ends the run if nothing may be chosen.
    pub fn choice_among(&mut self, slot: SlotId, among: &[Choice]) -> Choice {
        let follow = match self {
            Guide::Follow(follow) => follow,
            Guide::Frozen => undecided(),
            Guide::First | Guide::Repeat(_) => return among[0],
        };
        match follow.take() {
            Some(given) if among.contains(&given) => return given,
            Some(_) => follow.refuse(slot),
            None => {}
        }
        among[0]
    }
}

/// Thrown, without the panic hook, where a choice is needed while none may be made.
struct Undecided;

/// Ends a run that needs a choice.
#[cold]
pub(crate) fn undecided() -> ! {
    resume_unwind(Box::new(Undecided))
}
