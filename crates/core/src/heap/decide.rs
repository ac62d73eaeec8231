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

use super::{AMONG, CLASS, DeadEnd, Guide, HIDDEN, Heap, Kind, NOT_HIDDEN, Ownership, QUESTION, State, Step};
use crate::ask::{self, FALSE_REFUTES, NOTHING, Op, Promise, TRUE_REFUTES};
use crate::cell::LAZY;
use std::panic::resume_unwind;
use std::rc::Rc;

/// A decision: a question and what it can come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Question {
    pub about: About,
    /// The alternatives that need not be tried, because they refute the invariant.
    refuting: u8,
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
    fn breaks_promise(&self) -> bool {
        self.refuting >> self.answer.alternative & 1 == 1
    }
}

/// Choices of a slot of which a promise says that they refute the invariant, while promises are checked.
pub(crate) struct Claim {
    /// How long the path was when it was made.
    pub path: usize,
    slot: u32,
    refuted: Vec<u32>,
}

/// Thrown, without the panic hook, when the invariant does not ask the same questions again.
pub(crate) struct Strayed;

impl Heap {
    /// The answer to a question about these slots that was asked before, if the run has not come further yet.
    #[inline]
    pub(crate) fn asked_before(&self, slots: (u32, u32)) -> Option<Answer> {
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
    fn answer(&mut self, about: About, refuting: u8) -> Answer {
        if let Some(known) = self.known(about) {
            return self.log_answer(about, known, refuting);
        }
        let question = Question { about, refuting: if self.audits { 0 } else { refuting } };
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

    fn log_answer(&mut self, about: About, alternative: u8, refuting: u8) -> Answer {
        let answer = Answer { alternative, is_true: about.is_true(alternative) };
        self.log.push(Logged { slots: about.slots(), answer, refuting });
        self.cursor = self.log.len();
        answer
    }

    /// Whether what is known says so already.
    fn known(&self, about: About) -> Option<u8> {
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
    fn post(&mut self, about: About, alternative: u8) -> bool {
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
    fn possible(&mut self, Question { about, refuting }: Question) -> u32 {
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
    fn decide(&mut self, question: Question, alternative: u32) {
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
    fn guided(&mut self, slot: u32, possible: u32) -> Option<u32> {
        let Guide::Follow(follow) = &mut self.guide else { return None };
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
        self.log.clear();
        self.cursor = 0;
        self.conjunctions.held.clear();
        self.claims.clear();
    }
}

/// The questions that cells and keys ask.
impl Heap {
    /// A question about what a slot of plain data holds: `test` says what the answer is for each choice.
    pub(crate) fn ask_choice(&self, slot: u32, promise: Promise, test: impl Fn(u32) -> bool) -> bool {
        if let Some(answer) = self.asked_before((slot, slot)) {
            return answer.is_true;
        }
        let (lo, hi) = self.state.borrow().store.bounds(slot);
        let about = intervals(slot, lo, hi, &test).unwrap_or_else(|| {
            let choice = self.force(slot);
            About::Interval { slot, cuts: [choice, choice + 1, 0, 0], count: 1, first: test(choice) }
        });
        self.answer(about, about.refuting(promise)).is_true
    }

    /// The choice of a slot of plain data. If it is not decided, it is from now on.
    pub(crate) fn force(&self, slot: u32) -> u32 {
        let (lo, hi) = self.state.borrow().store.bounds(slot);
        if lo < hi && !self.state.borrow_mut().open_hidden(slot) {
            resume_unwind(Box::new(DeadEnd));
        }
        self.state.borrow().store.bounds(slot).0
    }

    /// The choice of a key that the invariant has asked for, by a step of its own: see [`Heap::is_out`].
    pub(crate) fn force_key(&self, slot: u32) -> u32 {
        let is_hidden = self.state.borrow().hidden[slot as usize] != NOT_HIDDEN;
        if !is_hidden && !self.state.borrow_mut().open_hidden(slot) {
            resume_unwind(Box::new(DeadEnd));
        }
        self.state.borrow().store.bounds(slot).0
    }

    /// Whether the invariant has asked for a key before, in this run. From then on comparisons of the key are no
    /// questions, and not logged: a `HashSet` of keys compares those whose hashes happen to collide, which may be others in
    /// the next run.
    pub(crate) fn is_out(&self, slot: u32) -> bool {
        let s = self.state.borrow();
        s.hidden[slot as usize] as usize <= s.cursor
    }

    /// How `a`, plus a number, compares with `b`, for slots whose values are numbers.
    pub(crate) fn ask_pair(&self, (a, by): (u32, i64), b: u32, op: Op, promise: Promise) -> bool {
        let by = {
            let s = self.state.borrow();
            s.base(a) + by - s.base(b)
        };
        let (about, is_negated) = match op {
            Op::Eq => (About::Order { a, by, b }, false),
            Op::Ne => (About::Order { a, by, b }, true),
            Op::Lt => (About::Less { a, by, b }, false),
            Op::Ge => (About::Less { a, by, b }, true),
            Op::Le => (About::Less { a, by: by - 1, b }, false),
            Op::Gt => (About::Less { a, by: by - 1, b }, true),
        };
        let promise = if is_negated { ask::not(promise) } else { promise };
        self.ask(about, about.refuting(promise)).is_true != is_negated
    }

    /// The answer to a question, given now or before.
    pub(crate) fn ask(&self, about: About, refuting: u8) -> Answer {
        self.asked_before(about.slots()).unwrap_or_else(|| self.answer(about, refuting))
    }

    /// Whether a slot holds no object or value (`None`, null), without choosing one if it does.
    pub(crate) fn ask_none(&self, slot: u32, promise: Promise) -> bool {
        if let Some(answer) = self.asked_before((slot, slot)) {
            return answer.is_true;
        }
        let mut s = self.state.borrow_mut();
        let none = s.none_choices(slot);
        if !s.is_open(slot) && s.decides_none(slot) {
            let end = (s.store.bounds(slot).1 + 1).max(none + 1);
            let about = About::Interval { slot, cuts: [0, none, end, 0], count: 2, first: true };
            return s.answer(about, about.refuting(promise)).is_true;
        }
        if !s.is_open(slot) {
            s.rule_none_out(slot, promise);
            drop(s);
            self.open_value(slot);
            s = self.state.borrow_mut();
        }
        let is_none = s.choice(slot) < none;
        s.log_seen(slot, is_none, promise)
    }

    /// Before a slot is read of which a promise says what `None` means.
    pub(crate) fn read_some(&self, slot: u32, promise: Promise) {
        self.state.borrow_mut().rule_none_out(slot, ask::not(promise));
    }

    /// A question about what a raw pointer leads to: `test` says what the answer is for each choice. What a promise rules
    /// out is not tried.
    pub(crate) fn ask_pointer(&self, slot: u32, promise: Promise, test: impl Fn(u32) -> bool) -> bool {
        if let Some(answer) = self.asked_before((slot, slot)) {
            return answer.is_true;
        }
        if !self.state.borrow().is_open(slot) && !self.open_unless(slot, promise, &test) {
            self.open_value(slot);
        }
        let choice = self.state.borrow().choice(slot);
        let is_true = test(choice);
        self.state.borrow_mut().log_seen(slot, is_true, promise)
    }

    /// Opens a pointer with the choices that do not refute the invariant; false if these are all or none.
    pub(crate) fn open_unless(&self, slot: u32, promise: Promise, test: &impl Fn(u32) -> bool) -> bool {
        // The test looks at the heap, too.
        let all: Vec<(u32, bool)> = {
            let s = self.state.borrow();
            let choices = std::iter::successors(s.allowed(slot, 0), |&choice| s.allowed(slot, choice + 1));
            choices.map(|choice| (choice, test(choice))).collect()
        };
        let is_true = |choice| all.iter().any(|&(c, is_true)| c == choice && is_true);
        let mut s = self.state.borrow_mut();
        let Some(among) = s.unrefuted(slot, promise, &is_true) else { return false };
        s.open_among(slot, among);
        true
    }

    /// Rules out what refutes the invariant before a slot is read or asked about.
    pub(crate) fn rule_out(&self, slot: u32, promise: Promise, test: impl Fn(u32) -> bool) {
        if promise == NOTHING || self.state.borrow().is_open(slot) {
            return;
        }
        let is_pointer = matches!(self.state.borrow().slots[slot as usize].kind, Kind::Pointer(_));
        if is_pointer {
            self.open_unless(slot, promise, &test);
            return;
        }
        let (lo, hi) = self.state.borrow().store.bounds(slot);
        if let Some(about) = intervals(slot, lo, hi, &test) {
            self.state.borrow_mut().post_unrefuted(about, promise);
        }
    }
}

/// The intervals of choices in which a test comes out the same; none if there are too many.
fn intervals(slot: u32, lo: u32, hi: u32, test: &impl Fn(u32) -> bool) -> Option<About> {
    if hi - lo > MOST_CHOICES {
        return None;
    }
    let first = test(lo);
    let (mut cuts, mut count, mut last) = ([lo, hi + 1, 0, 0], 1, first);
    for choice in lo + 1..=hi {
        let is_true = test(choice);
        if is_true != last {
            if count == 3 {
                return None;
            }
            cuts[count] = choice;
            count += 1;
            cuts[count] = hi + 1;
            last = is_true;
        }
    }
    Some(About::Interval { slot, cuts, count: count as u8, first })
}

/// How many choices of a slot are tested at most to answer a question; beyond that it is read.
const MOST_CHOICES: u32 = 1 << 16;

impl State {
    /// The number that stands for choice 0 of a slot.
    pub fn base(&self, slot: u32) -> i64 {
        self.infos[slot as usize].code.map_or(0, |code| code.base)
    }

    /// Whether the choice of a slot can be seen in its cell.
    fn is_open(&self, slot: u32) -> bool {
        self.slots[slot as usize].head.index.get() < LAZY
    }

    /// Logs an answer that was found in an open slot.
    fn log_seen(&mut self, slot: u32, is_true: bool, promise: Promise) -> bool {
        let about = About::Interval { slot, cuts: [0; 4], count: 1, first: is_true };
        self.log_answer(about, 0, about.refuting(promise)).is_true
    }

    /// The choices of a pointer that do not refute the invariant, if these are some but not all.
    fn unrefuted(&mut self, slot: u32, promise: Promise, test: &impl Fn(u32) -> bool) -> Option<Rc<[u32]>> {
        if promise == NOTHING {
            return None;
        }
        let refutes = |choice: &u32| promise & if test(*choice) { TRUE_REFUTES } else { FALSE_REFUTES } != 0;
        let all = std::iter::successors(self.allowed(slot, 0), |&choice| self.allowed(slot, choice + 1));
        let (refuted, left): (Vec<u32>, Vec<u32>) = all.partition(refutes);
        if self.audits {
            self.claims.push(Claim { path: self.path.len(), slot, refuted });
            return None;
        }
        (!left.is_empty() && !refuted.is_empty()).then(|| left.into())
    }

    /// Whether a valid candidate has what a promise says that none has.
    pub fn breaks_promise(&self) -> bool {
        let is_refuted =
            |claim: &Claim| self.is_open(claim.slot) && claim.refuted.contains(&self.choice(claim.slot));
        self.log.iter().any(Logged::breaks_promise) || self.claims.iter().any(is_refuted)
    }

    /// Posts the only alternative of a question that does not refute the invariant, if there is just one.
    fn post_unrefuted(&mut self, about: About, promise: Promise) {
        let question = Question { about, refuting: about.refuting(promise) };
        if !self.audits && question.refuting != 0 {
            let possible = self.possible(question);
            if possible.count_ones() == 1 {
                let posted = self.post(about, possible.trailing_zeros() as u8);
                debug_assert!(posted, "it was possible a moment ago");
            }
        }
    }

    /// How many first choices of a slot are none.
    fn none_choices(&self, slot: u32) -> u32 {
        let this = &self.slots[slot as usize];
        match this.kind {
            Kind::Values { .. } if this.is_plain => this.nones,
            // `Some(dangling)` is something.
            Kind::Pointer(p) if p.nullable => p.prefix.min(1),
            _ => 0,
        }
    }

    /// Whether it can be decided that there is something, and left open what. A box takes its object at once, since
    /// others could take the last one. Where there is an object already, a pointer that may share it will find one.
    fn decides_none(&self, slot: u32) -> bool {
        self.none_choices(slot) > 0
            && match self.slots[slot as usize].kind {
                Kind::Pointer(p) => {
                    p.ownership != Ownership::Unique && self.classes[p.class as usize].used > 0
                }
                _ => true,
            }
    }

    /// Rules out that a slot which is about to be opened holds none, or that it does not, if the invariant would be
    /// refuted. If nothing else is left, it is opened all the same, and the invariant finds out for itself.
    fn rule_none_out(&mut self, slot: u32, none: Promise) {
        let end = self.none_choices(slot);
        if end == 0 {
            return;
        }
        if self.audits {
            self.unrefuted(slot, none, &|choice| choice < end);
            return;
        }
        let (lo, hi) = self.store.bounds(slot);
        let narrowed = if none & TRUE_REFUTES != 0 && self.allowed(slot, end).is_some() {
            (end, hi)
        } else if none & FALSE_REFUTES != 0 && lo < end {
            (lo, end - 1)
        } else {
            return;
        };
        let posted = self.store.narrow(slot, narrowed.0, narrowed.1);
        debug_assert!(posted, "there is such a choice");
    }
}
