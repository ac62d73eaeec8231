//! The path: the steps of the current candidate, in order.
//!
//! # The path is the candidate
//!
//! A slot is *open* when it is on the path; then its cell holds a choice. The invariants, which everything else relies
//! on:
//!
//! 1. The path lists the open slots in the order of their first read since the point up to which the previous candidate
//!    agreed with this one; an unread slot holds no choice at all. So the path is the read log of the published
//!    algorithm, and its unchanged prefix survives from one run to the next.
//! 2. The objects of a pool in use are `0..used`: a pointer takes an object that is in use, or the lowest one that is
//!    not. This is the isomorphism rule: of all renamings of the objects, the search visits only the one that numbers
//!    them in order of introduction.
//! 3. Every step records what it changed ([`Effect`], and marks of constraints and answers), and closing the last step
//!    undoes exactly that. Slots are closed in reverse order of opening, so objects in use, owners and reservations are
//!    functions of the path.
//! 4. (Ownership) `reserved` objects of a pool are promised to mandatory pointers that are not open yet;
//!    `used + reserved <= size` always, so a prepaid pointer finds a fresh object as long as `reserved > 0`. A raw
//!    pointer that introduces an object may use up a promise (`borrowed`), because the object may be the one that the
//!    mandatory pointer will own. So `reserved` never promises more than is needed. Pools of one type are siblings: what
//!    one of them uses or has promised is missing in the `size` of the others.
//! 5. (Questions) The lazy engine does not open every slot that the invariant asks about: see [`crate::answers`]. Its
//!    path has steps for decided questions, too. What is known besides the path is in the [`crate::constraints`], which
//!    each step restores when it is closed.
//! 6. (Ownership) A `Box` or an element of a vector is the only owner of its object. An object that a weak or raw pointer
//!    introduced has no owner yet; a complete candidate in which the root does not own every object, directly or
//!    indirectly, is not a value ([`ownership`]).

pub(crate) mod conjunctions;
mod guide;
mod objects;
pub(crate) mod ownership;
#[cfg(test)]
mod tests;

pub(crate) use guide::{Follow, Guide, Script, undecided};
#[cfg(test)]
pub(crate) use objects::InUse;
pub(crate) use objects::Objects;

use crate::answers::Question;
use crate::cell::{Asks, Head, LAZY, UNREAD};
use crate::ids::{Choice, SlotId};
use crate::layout::Layout;
use std::cmp::Ordering;
use std::ops::Deref;
use std::rc::Rc;

/// The steps of the current candidate.
#[derive(Default)]
pub(crate) struct Path {
    steps: Vec<Step>,
    /// The choices of the steps that were opened with some of the allowed choices only, in the order of these steps.
    among: Vec<Rc<[Choice]>>,
    /// Slots of which a step says that they hold something, and leaves open what.
    present: Vec<bool>,
    /// For keys whose value is decided but not shown, how many answers there were before; or [`NOT_HIDDEN`].
    hidden: Vec<u32>,
    /// Slots of which a step says what they hold up to the numbers of the keys: the first value of the pattern; or
    /// [`NO_PATTERN`].
    patterns: Vec<Choice>,
}

/// One open slot, or one decided question.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    head: &'static Head,
    pub slot: SlotId,
    /// What the slot holds, or which alternative was taken: see [`Opened`].
    pub choice: Choice,
    /// How many constraints and answers there were before it.
    trail: u32,
    log: u32,
    opened: Opened,
    effect: Effect,
    /// The slot belongs to an arena, and opening it has touched its object.
    touches: bool,
}

/// How a step was opened, and so what its choice means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opened {
    /// With one of the allowed choices.
    Value,
    /// The same, but the cell of the key does not show it: see [`Path::hide`].
    Hidden,
    /// With one of some choices: the others refute the invariant.
    Among,
    /// With none (0), or with something that is left open (1).
    Presence,
    /// With a value up to the numbers of its keys. The choice is the first value of this pattern.
    Pattern,
    /// A question was decided, and the choice is the alternative.
    Question,
    /// A rule was chosen for the object with the slot, and the choice is its number: see [`crate::rules`].
    Rule,
}

/// What a step has changed besides its cell, the constraints and the answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing.
    Nothing,
    /// Objects are reserved that the value needs.
    Needs,
    /// A vector took objects for its elements.
    Elements,
    /// An index refers to an object of an arena.
    Target,
    /// A pointer took an object.
    Object(Taken),
}

/// How a pointer took an object, and what became of promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taken {
    /// It was in use.
    InUse,
    /// It was in use, and the mandatory pointer gave its reservation back.
    Released,
    /// It was in use, and a raw pointer had used up the promise of the mandatory pointer.
    InUseUnpromised,
    /// It is fresh, and what it needs was reserved.
    Fresh,
    /// It is fresh, and was promised to the mandatory pointer.
    Promised,
    /// It is fresh, what it needs was reserved, and a raw pointer had used up the promise of the mandatory pointer.
    FreshUnpromised,
    /// It is fresh, and the raw pointer used up the promise of a mandatory pointer.
    Borrowed,
}

/// The choices of some steps.
pub(crate) fn choices_of(steps: &[Step]) -> Vec<Choice> {
    let mut choices = Vec::with_capacity(steps.len());
    for step in steps {
        choices.push(step.choice);
    }
    choices
}

/// Compares the choices of some steps with others: the first ones that differ, then how many they are.
pub(crate) fn compare_choices(steps: &[Step], others: &[Choice]) -> Ordering {
    for (step, other) in steps.iter().zip(others) {
        if step.choice != *other {
            return step.choice.cmp(other);
        }
    }
    steps.len().cmp(&others.len())
}

impl Taken {
    #[inline]
    pub fn is_fresh(self) -> bool {
        matches!(self, Taken::Fresh | Taken::Promised | Taken::FreshUnpromised | Taken::Borrowed)
    }
}

impl Effect {
    #[inline]
    pub fn is_fresh_object(self) -> bool {
        matches!(self, Effect::Object(taken) if taken.is_fresh())
    }
}

/// A step that was closed: enough to open it again with another choice.
#[derive(Debug, Clone)]
pub(crate) struct Closed {
    pub slot: SlotId,
    pub choice: Choice,
    pub how: How,
}

/// How a closed step was opened: [`Opened`] with the data that goes with it.
#[derive(Debug, Clone)]
pub(crate) enum How {
    Value,
    Hidden,
    /// The choices that do not refute the invariant.
    Among(Rc<[Choice]>),
    Presence,
    Pattern,
    Question(Question),
    Rule,
}

/// What constraints and answers there were before a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Before {
    pub trail: u32,
    pub log: u32,
}

impl Step {
    /// A step that has changed nothing yet but its cell.
    #[inline]
    pub fn new(head: &'static Head, slot: SlotId, choice: Choice, before: Before) -> Step {
        let Before { trail, log } = before;
        Step {
            head,
            slot,
            choice,
            trail,
            log,
            opened: Opened::Value,
            effect: Effect::Nothing,
            touches: false,
        }
    }

    #[inline]
    pub fn opened(self, opened: Opened) -> Step {
        Step { opened, ..self }
    }

    #[inline]
    pub fn with_effect(self, effect: Effect, touches: bool) -> Step {
        Step { effect, touches, ..self }
    }

    pub fn is_question(&self) -> bool {
        self.opened == Opened::Question
    }

    /// Whether a rule was chosen.
    pub fn is_rule(&self) -> bool {
        self.opened == Opened::Rule
    }

    /// Whether the choice is what the slot holds, and not the alternative of a question.
    pub fn is_value(&self) -> bool {
        match self.opened {
            Opened::Value | Opened::Hidden | Opened::Among => true,
            Opened::Presence => self.choice == 0,
            Opened::Pattern | Opened::Question | Opened::Rule => false,
        }
    }

    /// Whether closing the step concerns its cell only.
    #[inline]
    pub fn is_bare_value(&self) -> bool {
        self.opened == Opened::Value && self.is_without_effect()
    }

    /// Whether closing the step changes no objects.
    #[inline]
    pub fn is_without_effect(&self) -> bool {
        self.effect == Effect::Nothing && !self.touches
    }

    #[inline]
    pub fn effect(&self) -> Effect {
        self.effect
    }

    #[inline]
    pub fn touches(&self) -> bool {
        self.touches
    }

    #[inline]
    pub fn before(&self) -> Before {
        Before { trail: self.trail, log: self.log }
    }

    /// Changes the choice in place, where that has no other consequences.
    #[inline(always)]
    pub fn advance_to(&mut self, choice: Choice, effect: Effect) {
        self.choice = choice;
        self.effect = effect;
        self.head.index.set(choice);
    }

    /// Changes what a slot of plain data holds, and nothing else.
    #[inline(always)]
    pub fn set(&mut self, head: &Head, choice: Choice) {
        self.choice = choice;
        head.index.set(choice);
    }

    /// Empties the cell.
    #[inline(always)]
    pub fn unread(&self) {
        self.head.index.set(UNREAD);
    }

    /// Sets what can be asked about the cell.
    pub fn set_asks(&self, asks: Asks) {
        self.head.asks.set(asks);
    }

    /// The place of the choice in the slot's table.
    pub fn index(&self) -> u32 {
        self.head.index.get()
    }
}

impl Path {
    /// The empty path of a layout.
    pub fn new(layout: &Layout) -> Path {
        let slots = layout.slots.len();
        Path {
            steps: vec![],
            among: vec![],
            present: vec![false; slots],
            hidden: vec![NOT_HIDDEN; slots],
            patterns: vec![],
        }
    }

    #[inline]
    pub fn push(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// The last step, to advance it in place.
    #[inline]
    pub fn last_mut(&mut self) -> Option<&mut Step> {
        self.steps.last_mut()
    }

    /// The steps from a place on, to change what slots of plain data hold.
    #[inline]
    pub fn tail_mut(&mut self, start: usize) -> &mut [Step] {
        &mut self.steps[start..]
    }

    /// Removes the last step. The caller undoes what it has changed, and passes it to [`Path::close`].
    #[inline]
    pub fn pop(&mut self) -> Option<Step> {
        self.steps.pop()
    }

    /// Removes the marks of a step that was removed, and says how to open it again.
    #[inline]
    pub fn close(&mut self, step: &Step) -> Closed {
        step.unread();
        let how = if step.opened == Opened::Value { How::Value } else { self.unmark(step) };
        Closed { slot: step.slot, choice: step.choice, how }
    }

    fn unmark(&mut self, step: &Step) -> How {
        match step.opened {
            Opened::Value | Opened::Question => How::Value,
            Opened::Rule => How::Rule,
            Opened::Presence => {
                self.present[step.slot.index()] = false;
                How::Presence
            }
            Opened::Pattern => {
                self.patterns[step.slot.index()] = NO_PATTERN;
                How::Pattern
            }
            Opened::Among => How::Among(self.among.pop().unwrap_or_default()),
            Opened::Hidden => {
                self.hidden[step.slot.index()] = NOT_HIDDEN;
                How::Hidden
            }
        }
    }

    /// Marks the last step as one of some choices.
    pub fn mark_among(&mut self, among: Rc<[Choice]>) {
        if let Some(step) = self.steps.last_mut() {
            step.opened = Opened::Among;
            self.among.push(among);
        }
    }

    /// Hides the key that the last step has decided. Its cell goes on as if it were undecided: when the invariant is run
    /// again, it compares the key before it asks for its value, and gets the same answers from the log as the first time.
    pub fn hide(&mut self) {
        if let Some(step) = self.steps.last_mut() {
            step.opened = Opened::Hidden;
            self.hidden[step.slot.index()] = step.log;
            step.head.index.set(LAZY);
        }
    }

    /// Whether the value of a key is decided but not shown.
    pub fn is_hidden(&self, slot: SlotId) -> bool {
        self.hidden[slot.index()] != NOT_HIDDEN
    }

    /// Whether the invariant has asked for a key before, in the run that has received so many answers. From then on
    /// comparisons of the key are no questions, and not logged: a `HashSet` of keys compares those whose hashes happen to
    /// collide, which may be others in the next run.
    pub fn is_known(&self, slot: SlotId, answers: usize) -> bool {
        self.hidden[slot.index()] as usize <= answers
    }

    /// Whether a step says that the slot holds something, and leaves open what.
    pub fn is_present(&self, slot: SlotId) -> bool {
        self.present[slot.index()]
    }

    /// Adds a step that decides presence only.
    pub fn push_presence(&mut self, step: Step) {
        step.head.index.set(if step.choice == 0 { 0 } else { LAZY });
        self.present[step.slot.index()] = step.choice == 1;
        self.push(step.opened(Opened::Presence));
    }

    /// The first value of the pattern of what a slot holds, if a step says that, and leaves open which keys are in it.
    pub fn pattern(&self, slot: SlotId) -> Option<Choice> {
        self.patterns.get(slot.index()).copied().filter(|&pattern| pattern != NO_PATTERN)
    }

    /// Adds a step that decides a pattern only, which has this number.
    pub fn push_pattern(&mut self, step: Step, pattern: u32) {
        step.head.index.set(LAZY - pattern);
        if self.patterns.len() <= step.slot.index() {
            self.patterns.resize(step.slot.index() + 1, NO_PATTERN);
        }
        self.patterns[step.slot.index()] = step.choice;
        self.push(step.opened(Opened::Pattern));
    }

    /// Whether anything was decided but the values of slots.
    pub fn has_decisions(&self) -> bool {
        self.steps.iter().any(|step| step.opened != Opened::Value)
    }
}

/// A key that is undecided, or whose cell shows it.
const NOT_HIDDEN: u32 = u32::MAX;

/// A slot of which no step says the pattern.
const NO_PATTERN: u32 = u32::MAX;

impl Deref for Path {
    type Target = [Step];
    #[inline]
    fn deref(&self) -> &[Step] {
        &self.steps
    }
}
