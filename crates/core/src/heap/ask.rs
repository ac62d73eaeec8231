//! The questions that cells and keys ask, and what promises rule out before a slot is read. There are many places that
//! ask, each with a test of its own, so tests are `dyn` and all this is compiled once.

use super::decide::{About, Answer, Claim, Logged, Question};
use super::{DeadEnd, Heap, Kind, NOT_HIDDEN, Ownership, State};
use crate::ask::{self, FALSE_REFUTES, NOTHING, Op, Promise, TRUE_REFUTES};
use crate::cell::LAZY;
use std::panic::resume_unwind;

impl Heap {
    /// A question about what a slot of plain data holds: `test` says what the answer is for each choice.
    pub(crate) fn ask_choice(&self, slot: u32, promise: Promise, test: &dyn Fn(u32) -> bool) -> bool {
        if let Some(answer) = self.asked_before((slot, slot)) {
            return answer.is_true;
        }
        let (lo, hi) = self.state.borrow().store.bounds(slot);
        let about = intervals(slot, lo, hi, test).unwrap_or_else(|| {
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
        self.stay_in_part(slot);
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
        self.stay_in_part(slot);
        self.state.borrow_mut().rule_none_out(slot, ask::not(promise));
    }

    /// A question about what a raw pointer leads to: `test` says what the answer is for each choice. What a promise rules
    /// out is not tried.
    pub(crate) fn ask_pointer(&self, slot: u32, promise: Promise, test: &dyn Fn(u32) -> bool) -> bool {
        if let Some(answer) = self.asked_before((slot, slot)) {
            return answer.is_true;
        }
        if !self.state.borrow().is_open(slot) && !self.open_unless(slot, promise, test) {
            self.open_value(slot);
        }
        let choice = self.state.borrow().choice(slot);
        let is_true = test(choice);
        self.state.borrow_mut().log_seen(slot, is_true, promise)
    }

    /// Opens a pointer with the choices that do not refute the invariant; false if these are all or none.
    pub(crate) fn open_unless(&self, slot: u32, promise: Promise, test: &dyn Fn(u32) -> bool) -> bool {
        if promise == NOTHING {
            return false;
        }
        let (refuted, left): (Vec<u32>, Vec<u32>) = {
            // The test looks at the heap, too.
            let s = self.state.borrow();
            s.all_allowed(slot).partition(|&choice| refutes(promise, test(choice)))
        };
        let mut s = self.state.borrow_mut();
        if s.audits {
            let path = s.path.len();
            s.claims.push(Claim { path, slot, refuted });
            return false;
        }
        let is_some = !left.is_empty() && !refuted.is_empty();
        if is_some {
            s.open_among(slot, left.into());
        }
        is_some
    }

    /// Rules out what refutes the invariant before a slot is read or asked about.
    pub(crate) fn rule_out(&self, slot: u32, promise: Promise, test: &dyn Fn(u32) -> bool) {
        self.stay_in_part(slot);
        if promise == NOTHING || self.state.borrow().is_open(slot) {
            return;
        }
        let is_pointer = matches!(self.state.borrow().slots[slot as usize].kind, Kind::Pointer(_));
        if is_pointer {
            self.open_unless(slot, promise, test);
            return;
        }
        let (lo, hi) = self.state.borrow().store.bounds(slot);
        if let Some(about) = intervals(slot, lo, hi, test) {
            self.state.borrow_mut().post_unrefuted(about, promise);
        }
    }
}

/// Whether an answer refutes the invariant.
fn refutes(promise: Promise, is_true: bool) -> bool {
    promise & if is_true { TRUE_REFUTES } else { FALSE_REFUTES } != 0
}

/// The intervals of choices in which a test comes out the same; none if there are too many.
fn intervals(slot: u32, lo: u32, hi: u32, test: &dyn Fn(u32) -> bool) -> Option<About> {
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
    pub(super) fn is_open(&self, slot: u32) -> bool {
        self.slots[slot as usize].head.index.get() < LAZY
    }

    /// Logs an answer that was found in an open slot.
    fn log_seen(&mut self, slot: u32, is_true: bool, promise: Promise) -> bool {
        let about = About::Interval { slot, cuts: [0; 4], count: 1, first: is_true };
        self.log_answer(about, 0, about.refuting(promise)).is_true
    }

    /// The choices that a slot has.
    fn all_allowed(&self, slot: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(self.allowed(slot, 0), move |&choice| self.allowed(slot, choice + 1))
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
            let refuted = self.all_allowed(slot).filter(|&choice| refutes(none, choice < end)).collect();
            self.claims.push(Claim { path: self.path.len(), slot, refuted });
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
