//! Answering questions: what the lazy engine does where the others read.
//!
//! A question is answered from what is known, if that is enough. Otherwise it is a *decision*: its alternatives exclude
//! each other and leave nothing out, and the path gets a step for it, like for a slot that is opened. Each alternative is
//! posted to the store, so the same question has one answer from then on.
//!
//! The invariant is run again from its beginning after each change of the path, and asks the same questions again.
//! Therefore answers are logged: exactly one for each question, whether it took a decision or not. The log is replayed
//! in order; what follows a step on the path is taken off with it.
//!
//! A promise rules alternatives out: those that refute the invariant need not be tried. If one alternative is left, it
//! is posted without a step. If none is left that is possible, the answer is the one that refutes.

use super::guide::undecided;
use super::{AMONG, CLASS, Guide, HIDDEN, Heap, QUESTION, State, Step};
use crate::ask::{FALSE_REFUTES, NOTHING, Promise, TRUE_REFUTES};
use std::panic::resume_unwind;

/// A decision: a question and what it can come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Question {
    pub about: About,
    /// The alternatives that need not be tried, because they refute the invariant.
    pub(super) refuting: u8,
}

impl Question {
    /// The only alternative that needs to be tried, if there is just one.
    fn only(self) -> Option<u8> {
        let tried = !u32::from(self.refuting) & ((1 << self.about.count()) - 1);
        (tried.count_ones() == 1).then(|| tried.trailing_zeros() as u8)
    }
}

/// What a question is about. Its alternatives are numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum About {
    /// In which of these intervals the choice of a slot lies: from `cuts[i]` up to `cuts[i + 1]`. The answer is true in
    /// every other one, beginning with the first or with the second.
    Interval { slot: u32, cuts: [u32; 4], count: u8, first: bool },
    /// Whether `a + by < b`, by number of choice: 0 if so, 1 if not.
    Less { a: u32, by: i64, b: u32 },
    /// Whether `a + by` is less than `b` (0), equal (1), or greater (2).
    Order { a: u32, by: i64, b: u32 },
    /// Whether the choice of a slot is less than a number (0), equal (1), or greater (2).
    Around { slot: u32, at: i64 },
}

impl About {
    fn count(self) -> u8 {
        match self {
            About::Interval { count, .. } => count,
            About::Less { .. } => 2,
            About::Order { .. } | About::Around { .. } => 3,
        }
    }

    /// Whether an alternative means yes.
    fn is_true(self, alternative: u8) -> bool {
        match self {
            About::Interval { first, .. } => first != (alternative % 2 == 1),
            About::Less { .. } => alternative == 0,
            About::Order { .. } | About::Around { .. } => alternative == 1,
        }
    }

    pub fn slots(self) -> (u32, u32) {
        match self {
            About::Interval { slot, .. } | About::Around { slot, .. } => (slot, slot),
            About::Less { a, b, .. } | About::Order { a, b, .. } => (a, b),
        }
    }

    /// The alternatives that refute the invariant, by a promise about yes and no.
    pub fn refuting(self, promise: Promise) -> u8 {
        if promise == NOTHING {
            return 0;
        }
        let refutes = |i: &u8| promise & if self.is_true(*i) { TRUE_REFUTES } else { FALSE_REFUTES } != 0;
        (0..self.count()).filter(refutes).fold(0, |bits, i| bits | 1 << i)
    }
}

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Answer {
    pub alternative: u8,
    /// Yes or no.
    pub is_true: bool,
}

/// An answer that was given in this run, or in the one before it up to where they differ.
pub(crate) struct Logged {
    /// Whom it was about, to notice if the invariant asks something else the second time.
    slots: (u32, u32),
    answer: Answer,
    refuting: u8,
}

impl Logged {
    /// Whether the promise was wrong, given that the candidate is valid.
    pub(super) fn breaks_promise(&self) -> bool {
        self.refuting >> self.answer.alternative & 1 == 1
    }
}

/// Choices of a slot of which a promise says that they refute the invariant, while promises are checked.
pub(crate) struct Claim {
    /// How long the path was when it was made.
    pub path: usize,
    pub(super) slot: u32,
    pub(super) refuted: Vec<u32>,
}

/// Thrown, without the panic hook, when the invariant does not ask the same questions again.
pub(crate) struct Strayed;

impl Heap {
    /// The answer to a question about these slots that was asked before, if the run has not come further yet.
    #[inline]
    pub(crate) fn asked_before(&self, slots: (u32, u32)) -> Option<Answer> {
        self.stay_in_part(slots.0);
        self.stay_in_part(slots.1);
        let mut s = self.state.borrow_mut();
        let entry = s.log.get(s.cursor)?;
        if entry.slots != slots {
            drop(s);
            resume_unwind(Box::new(Strayed));
        }
        let answer = entry.answer;
        s.cursor += 1;
        Some(answer)
    }

    /// Answers a question that was not asked before.
    pub(crate) fn answer(&self, about: About, refuting: u8) -> Answer {
        self.state.borrow_mut().answer(about, refuting)
    }
}

impl State {
    pub(super) fn answer(&mut self, about: About, refuting: u8) -> Answer {
        if let Some(known) = self.known(about) {
            return self.log_answer(about, known, refuting);
        }
        let question = Question { about, refuting: if self.audits { 0 } else { refuting } };
        if let Some(only) = question.only() {
            let mark = self.store.mark();
            let alternative = if self.post(about, only) {
                only
            } else {
                self.store.undo_to(mark);
                self.possible(Question { about, refuting: 0 }).trailing_zeros() as u8
            };
            return self.log_answer(about, alternative, refuting);
        }
        let possible = self.possible(question);
        let alternative = match possible.count_ones() {
            // Nothing but what refutes.
            0 => self.possible(Question { about, refuting: 0 }).trailing_zeros() as u8,
            1 => {
                let only = possible.trailing_zeros() as u8;
                let posted = self.post(about, only);
                debug_assert!(posted, "it was possible a moment ago");
                only
            }
            _ => {
                let first = possible.trailing_zeros();
                let alternative = self.guided(about.slots().0, possible).unwrap_or(first);
                self.decide(question, alternative);
                alternative as u8
            }
        };
        self.log_answer(about, alternative, refuting)
    }

    pub(super) fn log_answer(&mut self, about: About, alternative: u8, refuting: u8) -> Answer {
        let answer = Answer { alternative, is_true: about.is_true(alternative) };
        self.log.push(Logged { slots: about.slots(), answer, refuting });
        self.cursor = self.log.len();
        answer
    }

    /// Whether what is known says so already.
    pub(super) fn known(&self, about: About) -> Option<u8> {
        match about {
            About::Interval { slot, cuts, count, .. } => {
                let (lo, hi) = self.store.bounds(slot);
                (0..count).find(|&i| cuts[i as usize] <= lo && hi < cuts[i as usize + 1])
            }
            About::Less { a, by, b } => self.store.knows(a, by + 1, b).map(|less| u8::from(!less)),
            About::Order { a, by, b } => {
                match (self.store.knows(a, by + 1, b), self.store.knows(b, 1 - by, a)) {
                    (Some(true), _) => Some(0),
                    (_, Some(true)) => Some(2),
                    (Some(false), Some(false)) => Some(1),
                    _ => None,
                }
            }
            About::Around { slot, at } => {
                let (lo, hi) = self.store.bounds(slot);
                if i64::from(hi) < at {
                    Some(0)
                } else if i64::from(lo) > at {
                    Some(2)
                } else {
                    (lo == hi).then_some(1)
                }
            }
        }
    }

    /// Adds an alternative to what is known; false if that cannot be.
    pub(super) fn post(&mut self, about: About, alternative: u8) -> bool {
        match about {
            About::Interval { slot, cuts, .. } => {
                let i = alternative as usize;
                self.store.narrow(slot, cuts[i], cuts[i + 1] - 1)
            }
            About::Less { a, by, b } if alternative == 0 => self.store.post(a, by + 1, b),
            About::Less { a, by, b } => self.store.post(b, -by, a),
            About::Order { a, by, b } => match alternative {
                0 => self.store.post(a, by + 1, b),
                1 => self.store.post(a, by, b) && self.store.post(b, -by, a),
                _ => self.store.post(b, 1 - by, a),
            },
            About::Around { slot, at } => {
                let (lo, hi) = self.store.bounds(slot);
                let (lo, hi) = (i64::from(lo), i64::from(hi));
                let (lo, hi) = match alternative {
                    0 => (lo, hi.min(at - 1)),
                    1 => (lo.max(at), hi.min(at)),
                    _ => (lo.max(at + 1), hi),
                };
                lo <= hi && self.store.narrow(slot, lo as u32, hi as u32)
            }
        }
    }

    /// The alternatives that do not contradict what is known, and do not refute, as bits.
    pub(super) fn possible(&mut self, Question { about, refuting }: Question) -> u32 {
        let mut possible = 0;
        for i in (0..about.count()).filter(|i| refuting >> i & 1 == 0) {
            let mark = self.store.mark();
            possible |= u32::from(self.post(about, i)) << i;
            self.store.undo_to(mark);
        }
        possible
    }

    /// The next possible alternative of a decision that was taken off the path.
    pub fn next_alternative(&mut self, question: Question, from: u32) -> Option<u32> {
        let later = self.possible(question) >> from << from;
        (later != 0).then(|| later.trailing_zeros())
    }

    /// Puts a decision on the path.
    pub(super) fn decide(&mut self, question: Question, alternative: u32) {
        let (slot, _) = question.about.slots();
        let head = self.slots[slot as usize].head;
        let (trail, log) = (self.store.mark(), self.log.len() as u32);
        let posted = self.post(question.about, alternative as u8);
        debug_assert!(posted, "only possible alternatives are taken");
        self.questions.push(question);
        self.path.push(Step { head, slot, choice: alternative, trail, log, done: QUESTION });
    }

    /// Puts a decision on the path again, with another alternative.
    pub fn decide_again(&mut self, question: Question, alternative: u32) {
        self.decide(question, alternative);
        self.log_answer(question.about, alternative as u8, question.refuting);
    }

    /// The alternative that a path says which is being followed.
    pub(super) fn guided(&mut self, slot: u32, possible: u32) -> Option<u32> {
        let follow = match &mut self.guide {
            Guide::Follow(follow) => follow,
            Guide::Frozen => undecided(),
            _ => return None,
        };
        let alternative = *follow.choices.get(follow.next)?;
        follow.next += 1;
        if alternative < 8 && possible >> alternative & 1 == 1 {
            return Some(alternative);
        }
        follow.refused.get_or_insert(slot);
        None
    }

    /// Whether anything was decided but the values of slots.
    pub fn has_answers(&self) -> bool {
        !self.log.is_empty()
            || self.path.iter().any(|step| step.done & (QUESTION | CLASS | AMONG | HIDDEN) != 0)
    }

    /// Forgets the answers and what follows from them. Nothing is open.
    pub fn forget(&mut self) {
        self.store.undo_to(0);
        self.forget_answers();
    }

    /// Forgets answers about slots that are all open.
    pub fn forget_answers(&mut self) {
        self.log.clear();
        self.cursor = 0;
        self.conjunctions.held.clear();
        self.claims.clear();
    }
}
