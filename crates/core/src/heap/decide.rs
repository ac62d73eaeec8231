//! Deciding questions: from the constraints, or by a step of the path.

use super::State;
use crate::answers::{About, Answer, Question};
use crate::ids::SlotId;
use crate::layout::{Kind, Ownership};
use crate::path::{Opened, Step};
use crate::promise::{FALSE_REFUTES, Promise, TRUE_REFUTES, refutes};

impl State {
    /// Answers a question that was not asked before, and logs the answer.
    pub(super) fn answer(&mut self, about: About, refuting: u8) -> Answer {
        if let Some(known) = about.known(&self.constraints) {
            return self.answers.log(about, known, refuting);
        }
        let question = Question { about, refuting: if self.answers.audits { 0 } else { refuting } };
        if let Some(only) = question.only() {
            let mark = self.constraints.mark();
            let alternative = if about.post(&mut self.constraints, only) {
                only
            } else {
                self.constraints.undo_to(mark);
                self.any_possible(about)
            };
            return self.answers.log(about, alternative, refuting);
        }
        let possible = question.possible(&mut self.constraints);
        let alternative = match possible.count_ones() {
            // Nothing but what refutes.
            0 => self.any_possible(about),
            1 => self.post_possible(about, possible),
            _ => self.decide_among(question, possible),
        };
        self.answers.log(about, alternative, refuting)
    }

    /// The first alternative that does not contradict the constraints, whether it refutes or not.
    fn any_possible(&mut self, about: About) -> u8 {
        Question { about, refuting: 0 }.possible(&mut self.constraints).trailing_zeros() as u8
    }

    /// Posts the only possible alternative.
    fn post_possible(&mut self, about: About, possible: u32) -> u8 {
        let only = possible.trailing_zeros() as u8;
        let posted = about.post(&mut self.constraints, only);
        debug_assert!(posted, "it was possible a moment ago");
        only
    }

    /// Decides a question: takes the first possible alternative, or the one that the guide prescribes.
    fn decide_among(&mut self, question: Question, possible: u32) -> u8 {
        let (slot, _) = question.about.slots();
        let alternative = self.guide.alternative(slot, possible).unwrap_or_else(|| possible.trailing_zeros());
        self.decide(question, alternative);
        alternative as u8
    }

    /// Puts a decision on the path.
    fn decide(&mut self, question: Question, alternative: u32) {
        let (slot, _) = question.about.slots();
        let before = self.before();
        let posted = question.about.post(&mut self.constraints, alternative as u8);
        debug_assert!(posted, "only possible alternatives are taken");
        self.answers.questions.push(question);
        let head = self.layout.slot(slot).head;
        self.path.push(Step::new(head, slot, alternative, before).opened(Opened::Question));
    }

    /// Puts a decision on the path again, with another alternative.
    pub(super) fn decide_again(&mut self, question: Question, alternative: u32) {
        self.decide(question, alternative);
        self.answers.log(question.about, alternative as u8, question.refuting);
    }

    /// Posts the only alternative of a question that does not refute the invariant, if there is just one.
    pub(super) fn post_unrefuted(&mut self, about: About, promise: Promise) {
        let question = Question { about, refuting: about.refuting(promise) };
        if !self.answers.audits && question.refuting != 0 {
            let possible = question.possible(&mut self.constraints);
            if possible.count_ones() == 1 {
                self.post_possible(about, possible);
            }
        }
    }

    /// Whether it can be decided that a slot holds something, and left open what. A box takes its object at once, since
    /// others could take the last one. Where an object is in use already, a pointer that may share it will find one.
    pub(super) fn decides_none(&self, slot: SlotId) -> bool {
        self.layout.none_choices(slot) > 0
            && match self.layout.kind(slot) {
                Kind::Pointer(p) => p.ownership != Ownership::Unique && self.objects.pool(p.pool).used > 0,
                _ => true,
            }
    }

    /// Rules out that a slot which is about to be opened holds none, or that it does not, if the invariant would be
    /// refuted. If nothing else is left, it is opened all the same, and the invariant rejects the candidate.
    pub(super) fn rule_none_out(&mut self, slot: SlotId, none: Promise) {
        let end = self.layout.none_choices(slot);
        if end == 0 {
            return;
        }
        if self.answers.audits {
            let mut refuted = vec![];
            for choice in self.all_allowed(slot) {
                if refutes(none, choice < end) {
                    refuted.push(choice);
                }
            }
            self.answers.claim(self.path.len(), slot, refuted);
            return;
        }
        let (lo, hi) = self.constraints.bounds(slot);
        let narrowed = if none & TRUE_REFUTES != 0 && self.allowed(slot, end).is_some() {
            (end, hi)
        } else if none & FALSE_REFUTES != 0 && lo < end {
            (lo, end - 1)
        } else {
            return;
        };
        let posted = self.constraints.narrow(slot, narrowed.0, narrowed.1);
        debug_assert!(posted, "such a choice is allowed");
    }

    /// Decides for each of these keys how it compares with those before it: an order type. What is not known is a
    /// decision, so that the search goes through all order types.
    pub fn decide_order(&mut self, keys: &[OrderedKey]) {
        let mut sorted: Vec<OrderedKey> = vec![];
        for &key in keys {
            let (mut from, mut to) = (0, sorted.len());
            let mut is_new = true;
            while from < to && is_new {
                let middle = (from + to) / 2;
                match self.compare_keys(key, sorted[middle]) {
                    0 => to = middle,
                    1 => is_new = false,
                    _ => from = middle + 1,
                }
            }
            if is_new {
                sorted.insert(from, key);
            }
        }
    }

    /// Whether a key is less than another one (0), equal (1), or greater (2).
    fn compare_keys(&mut self, a: OrderedKey, b: OrderedKey) -> u8 {
        let layout = self.layout;
        let around = |slot, key: u32| About::Around { slot, at: i64::from(key) - layout.base(slot) };
        match (a, b) {
            (OrderedKey::Slot(a), OrderedKey::Slot(b)) => {
                self.decide_unless_known(About::Order { a, by: layout.base(a) - layout.base(b), b })
            }
            (OrderedKey::Slot(a), OrderedKey::Number(b)) => self.decide_unless_known(around(a, b)),
            (OrderedKey::Number(a), OrderedKey::Slot(b)) => 2 - self.decide_unless_known(around(b, a)),
            (OrderedKey::Number(a), OrderedKey::Number(b)) => (a.cmp(&b) as i8 + 1) as u8,
        }
    }

    fn decide_unless_known(&mut self, about: About) -> u8 {
        if let Some(known) = about.known(&self.constraints) {
            return known;
        }
        let question = Question { about, refuting: 0 };
        let possible = question.possible(&mut self.constraints);
        match possible.count_ones() {
            1 => self.post_possible(about, possible),
            _ => self.decide_among(question, possible),
        }
    }
}

/// A key of a complete candidate.
#[derive(Debug, Clone, Copy)]
pub(crate) enum OrderedKey {
    /// In a slot, which may leave it open.
    Slot(SlotId),
    /// Inside a value that is decided.
    Number(u32),
}
