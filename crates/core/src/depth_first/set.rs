//! Sets of values: what one valid path stands for.
//!
//! The invariant decides the first steps of a path. It accepts whatever the steps behind them hold, so a valid path stands
//! for a set of values, and the set is enumerated without running the invariant again.
//!
//! [`ValueSet`] is what such sets have in common. [`Digits`] are the usual case: plain data within intervals and differences.
//! The combinations of disjoint parts are another one ([`crate::disjoint`]).
//!
//! # The set of a path
//!
//! [`PathSet`] is the set of the path of a search. Its invariants, for a path of `n` steps:
//!
//! 1. The invariant took the first `accepted` steps. A candidate that agrees on these steps is valid. [`NOT_ACCEPTED`] if the
//!    invariant has not accepted the candidate, or if the engine runs it on every candidate.
//! 2. The last steps, from `start` on, are *loose*: no other slot depends on them. `slots` lists their slots, and is empty if
//!    the set is not enumerated step by step. Then each choice that is allowed for them completes the candidate.
//! 3. If there are digits, they hold the current values of the loose steps, and the path may lag behind until
//!    [`PathSet::show`] is called. The constraints are as they were before the loose steps, until [`PathSet::settle`] is.
//! 4. The steps from `keys` on are keys that stand for all keys in the same order. They are closed before the search advances.
//!    A path with such keys has no loose steps.

mod count;
mod digits;

use crate::heap::{Heap, State};
use crate::ids::SlotId;
use crate::path::{Step, choices_of, compare_choices};
use digits::Digits;
use std::cmp::Ordering;

/// The values that one valid path stands for, in order. One of them is the current one.
pub(crate) trait ValueSet {
    /// Returns the number of values; none if it takes counting up.
    fn len(&self) -> Option<u128>;

    /// Returns how many values come before the current one; none if it takes counting up.
    fn position(&self) -> Option<u128>;

    /// Moves to the next value. Returns the first place that changed; none if the current value was the last one.
    fn next(&mut self) -> Option<usize>;

    /// Moves to the value with a number, counted from 0; false if there is none, or if finding it takes counting up.
    fn nth(&mut self, number: u128) -> bool;

    /// Moves to the last value. Returns how many values that passes over.
    #[inline]
    fn skip(&mut self) -> Option<u128> {
        let last = self.len()? - 1;
        let passed = last - self.position()?;
        self.nth(last).then_some(passed)
    }

    /// Returns the number of the value at which the later half of the rest begins, if the set ends at `end`.
    fn split(&self, end: u128) -> Option<u128> {
        let next = self.position()? + 1;
        (next < end).then(|| next + (end - next) / 2)
    }
}

/// The invariant has not accepted the current candidate.
pub(super) const NOT_ACCEPTED: usize = usize::MAX;

/// Beyond this number of digits, compiling them takes longer than it saves.
const MOST_DIGITS: usize = 256;

/// The set of the current path of a search. See the module documentation for the invariants.
pub(crate) struct PathSet {
    pub accepted: usize,
    pub keys: Option<usize>,
    start: usize,
    slots: Vec<SlotId>,
    digits: Option<Digits>,
}

impl PathSet {
    pub fn new() -> PathSet {
        PathSet { accepted: NOT_ACCEPTED, keys: None, start: 0, slots: vec![], digits: None }
    }

    /// Stops enumerating the loose steps.
    #[inline]
    pub fn clear(&mut self) {
        self.slots.clear();
        // Usually there are none, and then nothing has to be dropped.
        if self.digits.is_some() {
            self.digits = None;
        }
    }

    /// The path stands for nothing.
    #[inline]
    pub fn reset(&mut self) {
        self.clear();
        (self.accepted, self.keys) = (NOT_ACCEPTED, None);
    }

    pub fn is_accepted(&self) -> bool {
        self.accepted != NOT_ACCEPTED
    }

    /// Whether [`PathSet::next`] leads to complete candidates.
    #[inline]
    pub fn is_complete(&self) -> bool {
        !self.slots.is_empty()
    }

    /// Enumerates the end of a complete path, from the first step on that was not `decided`.
    #[inline(always)]
    pub fn begin(&mut self, s: &mut State, decided: usize, with_digits: bool) {
        self.clear();
        let is_loose = |step: &Step| !step.is_rule() && s.layout.slot(step.slot).is_loose();
        self.start = s.path.len();
        for step in s.path[decided..].iter().rev() {
            if !is_loose(step) {
                break;
            }
            self.start -= 1;
        }
        let steps = &s.path[self.start..];
        let Some(first) = steps.first() else { return };
        let is_data = steps.iter().all(|step| s.layout.slot(step.slot).is_plain);
        // Opening them has told the constraints nothing new: there is one value.
        if is_data && s.engine.decides_questions() && s.knew_all_since(first) {
            return;
        }
        for step in steps {
            self.slots.push(step.slot);
        }
        if with_digits && is_data && (1..=MOST_DIGITS).contains(&self.slots.len()) {
            self.digits = Digits::new(s, self.start, &self.slots);
            if self.digits.is_none() {
                self.clear();
            }
        }
    }

    /// Moves to the next value. Returns how much of the path is the same; none if there is no other value.
    #[inline]
    pub fn next(&mut self, s: &mut State) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        let depth = match &mut self.digits {
            Some(digits) => {
                let place = digits.next();
                digits.show(s.path.tail_mut(self.start));
                place.map(|place| self.start + place)
            }
            None => match self.step(s) {
                Some((depth, true)) => Some(depth),
                Some((depth, false)) => {
                    self.clear();
                    return Some(depth);
                }
                None => None,
            },
        };
        if depth.is_none() {
            s.close_down_to_step(self.start);
            self.clear();
        }
        depth
    }

    /// Moves to the next value if only the last digit has to change; otherwise does nothing. The path lags behind until
    /// [`PathSet::show`].
    #[inline(always)]
    pub fn count_on(&mut self) -> bool {
        self.digits.as_mut().is_some_and(Digits::count_on)
    }

    /// Moves to the next value if it certainly lies before the end of the range. Returns how much of the path is the same,
    /// and for how many more values [`PathSet::count_on`] will do: `most` at most.
    #[inline(always)]
    pub fn count_up(&mut self, most: u32) -> Option<(usize, u32)> {
        let (place, free) = self.digits.as_mut()?.count_up(most)?;
        Some((self.start + place, free))
    }

    /// Returns how much of the path is the same since the last call, or since [`PathSet::count_up`]: what
    /// [`PathSet::count_on`] has changed. None if that is nothing.
    pub fn last_raised(&mut self) -> Option<usize> {
        Some(self.start + self.digits.as_mut()?.last_raised()?)
    }

    /// The search ends before this position, unless it is empty.
    pub fn end_at(&mut self, heap: &Heap, end: &[u32]) {
        self.show(heap);
        let Some(digits) = &mut self.digits else { return };
        let s = heap.state.borrow();
        let (decided, steps) = s.path.split_at(self.start);
        let end = match compare_choices(decided, &end[..self.start.min(end.len())]) {
            _ if end.is_empty() => None,
            Ordering::Less => None,
            Ordering::Equal => Some(&end[self.start..]),
            // Not before the end.
            Ordering::Greater => Some(&[][..]),
        };
        digits.end_at(steps, end);
    }

    /// Brings the path up to date.
    #[inline(always)]
    pub fn show(&self, heap: &Heap) {
        if let Some(digits) = self.digits.as_ref().filter(|digits| !digits.is_shown()) {
            digits.show(heap.state.borrow_mut().path.tail_mut(self.start));
        }
    }

    /// Passes over all values behind the first one, which is the current one. Returns how many these are; 0 if they are not
    /// easily counted.
    #[inline]
    pub fn skip(&mut self, s: &mut State) -> u64 {
        let Some(digits) = &mut self.digits else { return 0 };
        if !digits.is_at_start() || digits.may_reach_end() {
            return 0;
        }
        match digits.len().and_then(|len| u64::try_from(len).ok()) {
            Some(len) => {
                s.close_down_to_step(self.start);
                self.clear();
                len - 1
            }
            None => 0,
        }
    }

    /// Moves to the next value by closing and opening slots. Returns how much of the path is the same, and whether all slots
    /// are open: a slot may find no object any more.
    fn step(&self, s: &mut State) -> Option<(usize, bool)> {
        while s.path.len() > self.start {
            let closed = s.pop()?;
            if let Some(next) = s.next_choice(&closed, closed.choice + 1) {
                s.reopen(&closed, next);
                let depth = s.path.len() - 1;
                for &slot in &self.slots[depth + 1 - self.start..] {
                    let Some(first) = s.allowed(slot, 0) else { return Some((depth, false)) };
                    s.push(slot, first);
                }
                return Some((depth, true));
            }
        }
        None
    }

    /// Tells the constraints what the slots hold, which digits do not, and stops enumerating.
    pub fn settle(&mut self, heap: &Heap) {
        self.show(heap);
        if self.digits.is_some() {
            let mut s = heap.state.borrow_mut();
            let choices = choices_of(&s.path[self.start..]);
            s.close_down_to_step(self.start);
            for (i, &slot) in self.slots.iter().enumerate() {
                s.push(slot, choices[i]);
            }
        }
        self.clear();
    }

    /// Closes the keys that stand for all keys in the same order.
    #[inline]
    pub fn close_keys(&mut self, heap: &Heap) {
        if let Some(keys) = self.keys.take() {
            heap.state.borrow_mut().close_down_to_step(keys);
        }
    }

    /// Closes everything that the invariant has not decided. Returns how much of the path is left; none if the candidate is
    /// not accepted.
    pub fn close(&mut self, heap: &Heap) -> Option<usize> {
        self.close_keys(heap);
        if !self.is_accepted() {
            return None;
        }
        self.clear();
        heap.state.borrow_mut().close_down_to_step(self.accepted);
        Some(self.accepted)
    }
}
