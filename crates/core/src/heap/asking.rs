//! The questions that cells and keys ask, and what promises rule out before a slot is read. Many places ask, each with a
//! test of its own, so tests are `dyn` and all this is compiled once.

use super::{DeadEnd, Heap, watch, weigh};
use crate::answers::{About, Answer};
use crate::cell::Tracker;
use crate::cell::members::{Found, Members};
use crate::ids::{Choice, SlotId};
use crate::layout::Kind;
use crate::promise::{NOTHING, Op, Promise, not, refutes};
use std::panic::resume_unwind;
use std::rc::Rc;

/// What a question says about each choice of a slot.
type Test<'a> = &'a dyn Fn(Choice) -> bool;

impl Tracker for Heap {
    fn first_read(&self, slot: SlotId) {
        self.stay_in_part(slot);
        if !self.state.borrow_mut().first_read(slot) {
            resume_unwind(Box::new(DeadEnd));
        }
    }

    fn read_some(&self, slot: SlotId, promise: Promise) {
        self.stay_in_part(slot);
        self.state.borrow_mut().rule_none_out(slot, not(promise));
    }

    fn ask_none(&self, slot: SlotId, promise: Promise) -> bool {
        if let Some(answer) = self.asked_before((slot, slot)) {
            return answer.is_true;
        }
        let mut s = self.state.borrow_mut();
        let none = self.layout.none_choices(slot);
        if !self.layout.is_open(slot) && s.decides_none(slot) {
            let end = (s.constraints.bounds(slot).1 + 1).max(none + 1);
            let about = About::Interval { slot, cuts: [0, none, end, 0], count: 2, first: true };
            return s.answer(about, about.refuting(promise)).is_true;
        }
        if !self.layout.is_open(slot) {
            s.rule_none_out(slot, promise);
            drop(s);
            self.open_value(slot);
            s = self.state.borrow_mut();
        }
        let is_none = self.layout.choice(slot) < none;
        s.answers.log_seen(slot, is_none, promise)
    }

    fn ask_choice(&self, slot: SlotId, promise: Promise, test: Test<'_>) -> bool {
        if let Some(answer) = self.asked_before((slot, slot)) {
            return answer.is_true;
        }
        let (lo, hi) = self.state.borrow().constraints.bounds(slot);
        let about = intervals(slot, lo, hi, test).unwrap_or_else(|| {
            let choice = self.force(slot);
            About::Interval { slot, cuts: [choice, choice + 1, 0, 0], count: 1, first: test(choice) }
        });
        self.answer(about, about.refuting(promise)).is_true
    }

    fn ask_pair(&self, (a, by): (SlotId, i64), b: SlotId, op: Op, promise: Promise) -> bool {
        let by = self.layout.base(a) + by - self.layout.base(b);
        let (about, is_negated) = match op {
            Op::Eq => (About::Order { a, by, b }, false),
            Op::Ne => (About::Order { a, by, b }, true),
            Op::Lt => (About::Less { a, by, b }, false),
            Op::Ge => (About::Less { a, by, b }, true),
            Op::Le => (About::Less { a, by: by - 1, b }, false),
            Op::Gt => (About::Less { a, by: by - 1, b }, true),
        };
        let promise = if is_negated { not(promise) } else { promise };
        self.ask(about, about.refuting(promise)).is_true != is_negated
    }

    fn ask_pointer(&self, slot: SlotId, promise: Promise, test: Test<'_>) -> bool {
        if let Some(answer) = self.asked_before((slot, slot)) {
            return answer.is_true;
        }
        if !self.layout.is_open(slot) && !self.open_unless(slot, promise, test) {
            self.open_value(slot);
        }
        let is_true = test(self.layout.choice(slot));
        self.state.borrow_mut().answers.log_seen(slot, is_true, promise)
    }

    fn rule_out(&self, slot: SlotId, promise: Promise, test: Test<'_>) {
        self.stay_in_part(slot);
        if promise == NOTHING || self.layout.is_open(slot) {
            return;
        }
        if let Kind::Pointer(_) = self.layout.kind(slot) {
            self.open_unless(slot, promise, test);
            return;
        }
        let (lo, hi) = self.state.borrow().constraints.bounds(slot);
        if let Some(about) = intervals(slot, lo, hi, test) {
            self.state.borrow_mut().post_unrefuted(about, promise);
        }
    }

    fn numbers(&self, slot: SlotId) -> Option<(i64, i64)> {
        self.layout.numbers(slot)
    }

    fn are_comparable(&self, a: SlotId, b: SlotId) -> bool {
        self.layout.are_comparable(a, b)
    }

    fn members(&self, slot: SlotId, table: usize, find: &dyn Fn() -> Option<Found>) -> Option<Rc<Members>> {
        let known = self.members.borrow().iter().find(|(known, _)| *known == table).map(|(_, m)| m.clone());
        let members = known.unwrap_or_else(|| {
            // Order types list hashed keys, and read them. (Keys that they leave open ask by themselves.)
            let is_listed = self.layout.info(slot).keys.is_some();
            let members = if is_listed { None } else { find().map(|found| self.number_parts(slot, found)) };
            self.members.borrow_mut().push((table, members.clone()));
            members
        })?;
        if self.layout.total.is_some() {
            weigh::note(&mut self.state.borrow_mut(), slot, &members);
        }
        Some(members)
    }

    fn ask_part(&self, (slot, part): (SlotId, u32), promise: Promise) -> bool {
        if let Some(answer) = self.asked_before((slot, slot)) {
            self.open_if_known(slot);
            return answer.is_true;
        }
        let mut s = self.state.borrow_mut();
        if self.layout.is_open(slot) {
            let is_in = s.constraints.is_in_part(part, self.layout.choice(slot));
            return s.answers.log_seen(slot, is_in, promise);
        }
        if self.is_weighed(slot) && !weigh::leave_what_fits(&mut s, slot) {
            drop(s);
            resume_unwind(Box::new(DeadEnd));
        }
        let about = About::Part { slot, part, first: s.constraints.is_in_part(part, 0) };
        let is_true = s.answer(about, about.refuting(promise)).is_true;
        drop(s);
        self.open_if_known(slot);
        is_true
    }

    fn is_second_known(&self, first: (SlotId, u32), second: (SlotId, u32)) -> bool {
        // More is known when the invariant is run again, so this is logged like an answer.
        let slots = (first.0, second.0);
        if let Some(answer) = self.asked_before(slots) {
            return answer.is_true;
        }
        let mut s = self.state.borrow_mut();
        let is_known = |(slot, part): (SlotId, u32)| {
            self.layout.is_open(slot) || s.constraints.knows_part(slot, part).is_some()
        };
        let is_second_known = !is_known(first) && is_known(second);
        s.answers.log_fact(slots, is_second_known)
    }

    fn table_len(&self, slot: SlotId) -> usize {
        self.layout.table_len(slot)
    }
}

impl Heap {
    /// Returns the answer to a question, given now or before.
    pub(crate) fn ask(&self, about: About, refuting: u8) -> Answer {
        self.asked_before(about.slots()).unwrap_or_else(|| self.answer(about, refuting))
    }

    /// Returns the answer to a question about these slots that was asked before, if the run has not got further yet.
    #[inline]
    fn asked_before(&self, slots: (SlotId, SlotId)) -> Option<Answer> {
        self.stay_in_part(slots.0);
        self.stay_in_part(slots.1);
        let replayed = self.state.borrow_mut().answers.replay(slots);
        replayed.unwrap_or_else(|strayed| resume_unwind(Box::new(strayed)))
    }

    /// Answers a question that was not asked before.
    fn answer(&self, about: About, refuting: u8) -> Answer {
        self.state.borrow_mut().answer(about, refuting)
    }

    /// Whether what a set or map holds takes elements from the size of the whole value.
    fn is_weighed(&self, slot: SlotId) -> bool {
        self.layout.total.is_some() && !self.layout.slot(slot).is_plain
    }

    /// Opens a set or map of which questions have left one content, so that it takes its elements before others do. A second
    /// run on the same candidate does the same, as it is told the same answers.
    fn open_if_known(&self, slot: SlotId) {
        if self.is_weighed(slot) && !self.layout.is_open(slot) {
            let (lo, hi) = self.state.borrow().constraints.bounds(slot);
            if lo == hi {
                self.open_value(slot);
            }
        }
    }

    /// Gives the parts of the table of a slot their numbers.
    fn number_parts(&self, slot: SlotId, found: Found) -> Rc<Members> {
        let constraints = &mut self.state.borrow_mut().constraints;
        let (mut keys, mut sizes) = (vec![], vec![]);
        for (key, bits) in found.keys {
            keys.push((key, constraints.add_part(bits)));
        }
        for (size, bits) in found.sizes {
            sizes.push((size, constraints.add_part(bits)));
        }
        let needs = &self.layout.info(slot).needs;
        let mut lighter = vec![];
        if self.layout.total.is_some() {
            let mut weights = vec![];
            for need in needs {
                weights.push(need.iter().map(|&(_, n)| n).sum::<u32>());
            }
            for most in 0..weights.iter().copied().max().unwrap_or(0) {
                let mut bits = vec![0u64; weights.len().div_ceil(64)];
                for (choice, _) in weights.iter().enumerate().filter(|(_, weight)| **weight <= most) {
                    bits[choice / 64] |= 1 << (choice % 64);
                }
                lighter.push(constraints.add_part(bits.into()));
            }
        }
        Rc::new(Members { keys, sizes, lighter })
    }

    /// Returns the choice of a slot of plain data. If it is not decided, it is from now on.
    fn force(&self, slot: SlotId) -> Choice {
        let (lo, hi) = self.state.borrow().constraints.bounds(slot);
        if lo < hi {
            self.open_hidden(slot);
        }
        self.state.borrow().constraints.bounds(slot).0
    }

    /// Returns the choice of a key that the invariant has asked for, by a step of its own: see
    /// [`Path::is_known`](crate::path::Path::is_known).
    pub(crate) fn force_key(&self, slot: SlotId) -> Choice {
        self.stay_in_part(slot);
        let is_hidden = self.state.borrow().path.is_hidden(slot);
        if !is_hidden {
            let before = self.state.borrow().path.len();
            self.open_hidden(slot);
            watch::tell_reads_since(self, before);
        }
        self.state.borrow().constraints.bounds(slot).0
    }

    fn open_hidden(&self, slot: SlotId) {
        if !self.state.borrow_mut().open_hidden(slot) {
            resume_unwind(Box::new(DeadEnd));
        }
    }

    /// Opens a pointer with the choices that do not refute the invariant; false if these are all or none.
    fn open_unless(&self, slot: SlotId, promise: Promise, test: Test<'_>) -> bool {
        if promise == NOTHING {
            return false;
        }
        let (refuted, left): (Vec<Choice>, Vec<Choice>) = {
            // The test looks at the heap, too.
            let s = self.state.borrow();
            s.all_allowed(slot).partition(|&choice| refutes(promise, test(choice)))
        };
        let mut s = self.state.borrow_mut();
        if s.answers.audits {
            let path = s.path.len();
            s.answers.claim(path, slot, refuted);
            return false;
        }
        let is_some = !left.is_empty() && !refuted.is_empty();
        if is_some {
            s.open_among(slot, left.into());
        }
        is_some
    }
}

/// Returns the intervals of choices in which a test comes out the same; none if there are too many.
fn intervals(slot: SlotId, lo: Choice, hi: Choice, test: Test<'_>) -> Option<About> {
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

/// How many choices of a slot are tested at most to answer a question; a slot with more is read.
const MOST_CHOICES: u32 = 1 << 16;
