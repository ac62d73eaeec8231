//! Ways to open a slot besides with any value that is allowed: among some of them, with a value that its cell does not
//! show, or with no more than that there is one. And opening again what was closed, with the next choice.

use super::guide::undecided;
use super::{AMONG, CLASS, Guide, HIDDEN, Kind, NO_CLASS, NOTHING, Question, State, Step, TOUCHED_OWNER};
use crate::cell::LAZY;
use std::rc::Rc;

/// What was closed: enough to open it again with another choice.
#[derive(Debug, Clone)]
pub(crate) struct Closed {
    pub slot: u32,
    pub choice: u32,
    pub(super) how: How,
}

#[derive(Debug, Clone)]
pub(super) enum How {
    Value,
    Hidden,
    /// The choices that do not refute the invariant.
    Among(Rc<[u32]>),
    Class,
    Question(Question),
}

impl State {
    /// Decides the value of a slot that the invariant has asked for. The cell of a key goes on as if it were left open:
    /// when the invariant is run again, it compares the key before it asks for its value, and gets the same answers from
    /// the log as the first time.
    pub(super) fn open_hidden(&mut self, slot: u32) -> bool {
        let is_open = self.open(slot);
        if is_open {
            self.hide(slot);
        }
        is_open
    }

    fn hide(&mut self, slot: u32) {
        let this = self.slots[slot as usize];
        if this.holds_key()
            && let Some(step) = self.path.last_mut()
        {
            step.done |= HIDDEN;
            self.hidden[slot as usize] = step.log;
            this.head.index.set(LAZY);
        }
    }

    /// Opens a pointer with one of the choices that do not refute the invariant. There is at least one.
    pub(super) fn open_among(&mut self, slot: u32, among: Rc<[u32]>) {
        let mut choice = among[0];
        if let Guide::Frozen = self.guide {
            undecided();
        }
        if let Guide::Follow(follow) = &mut self.guide
            && let Some(&given) = follow.choices.get(follow.next)
        {
            follow.next += 1;
            if among.contains(&given) {
                choice = given;
            } else {
                follow.refused.get_or_insert(slot);
            }
        }
        self.push_among(slot, choice, among);
    }

    fn push_among(&mut self, slot: u32, choice: u32, among: Rc<[u32]>) {
        self.push(slot, choice);
        if let Some(step) = self.path.last_mut() {
            step.done |= AMONG;
            self.among.push(among);
        }
    }

    /// Opens a slot with a value of which only the kind is chosen: none, or one that is left open.
    pub(super) fn open_class(&mut self, slot: u32) {
        let this = self.slots[slot as usize];
        if this.lazy > 0 && !self.is_classed(slot) {
            let class = match &self.guide {
                Guide::Follow(_) => self.follow(slot, CLASS).or_else(|| self.allowed_class(slot, 0)),
                Guide::Frozen
                    if self.allowed_class(slot, 0) == Some(0) && self.allowed_class(slot, 1).is_some() =>
                {
                    undecided()
                }
                _ => self.allowed_class(slot, 0),
            };
            // One of the two is possible, since the bounds of a slot are never empty.
            return self.push_class(slot, class.unwrap_or(1));
        }
        this.head.index.set(LAZY);
    }

    /// Whether it is decided, by a step, that the slot holds something.
    fn is_classed(&self, slot: u32) -> bool {
        self.classed[slot as usize]
    }

    pub(super) fn allowed_class(&self, slot: u32, from: u32) -> Option<u32> {
        let (lo, hi) = self.store.bounds(slot);
        let lazy = self.slots[slot as usize].lazy;
        (from..2).find(|&class| if class == 0 { lo < lazy } else { hi >= lazy })
    }

    pub(super) fn push_class(&mut self, slot: u32, class: u32) {
        let this = self.slots[slot as usize];
        let (trail, log) = (self.store.mark(), self.log.len() as u32);
        let (_, hi) = self.store.bounds(slot);
        let (lo, hi) = if class == 0 { (0, this.lazy - 1) } else { (this.lazy, hi) };
        let narrowed = self.store.narrow(slot, lo, hi);
        debug_assert!(narrowed, "only possible classes are taken");
        this.head.index.set(if class == 0 { 0 } else { LAZY });
        self.classed[slot as usize] = class == 1;
        self.path.push(Step { head: this.head, slot, choice: class, trail, log, done: CLASS });
    }

    /// Opens a slot of plain data, and draws the conclusions for those that are known to be greater or smaller.
    pub(super) fn push_narrowed(&mut self, id: u32, choice: u32) {
        let slot = self.slots[id as usize];
        let (trail, log) = (self.store.mark(), self.log.len() as u32);
        let narrowed = self.store.narrow(id, choice, choice);
        debug_assert!(narrowed, "only possible values are taken");
        let mut done = NOTHING;
        if slot.arena_class != NO_CLASS {
            self.classes[slot.arena_class as usize].touched[slot.arena_object as usize] += 1;
            done = TOUCHED_OWNER;
        }
        slot.head.index.set(choice);
        self.path.push(Step { head: slot.head, slot: id, choice, trail, log, done });
    }

    /// The next choice of what was closed last, from a number on.
    pub fn next_choice(&mut self, closed: &Closed, from: u32) -> Option<u32> {
        match &closed.how {
            How::Value | How::Hidden => self.allowed(closed.slot, from),
            How::Among(choices) => choices.iter().copied().find(|&choice| choice >= from),
            How::Class => self.allowed_class(closed.slot, from),
            How::Question(question) => self.next_alternative(*question, from),
        }
    }

    /// The first and the last choice of what was closed last, if it is plain data, for which all between are possible.
    pub fn plain_bounds(&self, closed: &Closed) -> Option<(u32, u32)> {
        let is_value = matches!(closed.how, How::Value | How::Hidden);
        match self.slots[closed.slot as usize].kind {
            Kind::Values { frugal: true, .. } if is_value && self.is_lazy => {
                Some(self.store.bounds(closed.slot))
            }
            Kind::Values { count, frugal: true } if is_value => Some((0, count - 1)),
            _ => None,
        }
    }

    /// Opens what was closed last again.
    pub fn reopen(&mut self, closed: &Closed, choice: u32) {
        match &closed.how {
            How::Value => self.push(closed.slot, choice),
            How::Hidden => {
                self.push(closed.slot, choice);
                self.hide(closed.slot);
            }
            How::Among(among) => self.push_among(closed.slot, choice, among.clone()),
            How::Class => self.push_class(closed.slot, choice),
            How::Question(question) => self.decide_again(*question, choice),
        }
    }
}
