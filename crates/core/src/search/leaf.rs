//! The rest of a valid path, which the invariant has not looked at, or has only asked about: its values are tried one
//! after the other without running the invariant again, and without a look at the rest of the structure.
//!
//! Most of the time the rest is plain data, and what is known about it are intervals and differences. That is compiled
//! into a *plan*: for each slot the bounds that follow from the slots before it. All consequences are drawn once, so the
//! bounds of a slot are never empty, whatever the slots before it hold (see [`crate::heap::Store`]); the next value is
//! found by counting up, like the digits of a number.

mod count;
mod plan;

use crate::heap::{Heap, State};
use plan::Plan;
use std::cmp::Ordering;

/// The slots at the end of a complete path that nothing else depends on.
#[derive(Default)]
pub(super) struct Leaf {
    /// Where on the path they begin.
    start: usize,
    slots: Vec<u32>,
    plan: Option<Plan>,
}

/// Beyond this it takes longer to compile a plan than it is worth.
const MOST_DIGITS: usize = 256;

impl Leaf {
    pub(super) fn clear(&mut self) {
        self.slots.clear();
        self.plan = None;
    }

    /// Whether there is something, which [`Leaf::next`] keeps complete.
    #[inline]
    pub(super) fn is_complete(&self) -> bool {
        !self.slots.is_empty()
    }

    /// Notes the end of a complete path, from the first step on that does not come from the invariant.
    pub(super) fn note(&mut self, s: &mut State, reads: usize, with_plan: bool) {
        self.clear();
        let is_loose = |step: &&crate::heap::Step| s.slots[step.slot as usize].is_loose();
        self.start = s.path.len() - s.path[reads..].iter().rev().take_while(is_loose).count();
        let steps = &s.path[self.start..];
        self.slots.extend(steps.iter().map(|step| step.slot));
        let is_data = self.slots.iter().all(|&slot| s.slots[slot as usize].is_plain);
        // Opening them has told the store nothing new: there is one value.
        if is_data && s.is_lazy && s.path.get(self.start).is_some_and(|first| s.knew_all_since(first)) {
            return self.clear();
        }
        if with_plan && is_data && (1..=MOST_DIGITS).contains(&self.slots.len()) {
            self.plan = Plan::new(s, self.start, &self.slots);
            if self.plan.is_none() {
                self.clear();
            }
        }
    }

    /// Goes to the next value; says how much of the path is the same. None if these are all.
    #[inline]
    pub(super) fn next(&mut self, s: &mut State) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        let depth = match &mut self.plan {
            Some(plan) => {
                let place = plan.next();
                plan.show(&mut s.path[self.start..]);
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

    /// The same, if there is a plan and only its last digit has to be looked at; otherwise nothing happens. The path does
    /// not know of it before [`Leaf::show`].
    #[inline(always)]
    pub(super) fn count_on(&mut self) -> bool {
        self.plan.as_mut().is_some_and(Plan::count_on)
    }

    /// The same, if there is a plan, and its next value lies before the end for certain. Says how much of the path is the
    /// same, and for how many values more [`Leaf::count_on`] will do: `most` at most.
    #[inline(always)]
    pub(super) fn count_up(&mut self, most: u32) -> Option<(usize, u32)> {
        let (place, free) = self.plan.as_mut()?.count_up(most)?;
        Some((self.start + place, free))
    }

    /// How much of the path is the same since this was called last, or since [`Leaf::count_up`]: what
    /// [`Leaf::count_on`] has changed. None if that is nothing.
    pub(super) fn last_raised(&mut self) -> Option<usize> {
        Some(self.start + self.plan.as_mut()?.last_raised()?)
    }

    /// The search ends before this position, if it is not empty.
    pub(super) fn end_at(&mut self, heap: &Heap, end: &[u32]) {
        self.show(heap);
        let Some(plan) = &mut self.plan else { return };
        let s = heap.state.borrow();
        let (decided, steps) = s.path.split_at(self.start);
        let decided = decided.iter().map(|step| step.choice);
        let end = match decided.cmp(end.iter().copied().take(self.start)) {
            _ if end.is_empty() => None,
            Ordering::Less => None,
            Ordering::Equal => Some(&end[self.start..]),
            // Not before the end.
            Ordering::Greater => Some(&[][..]),
        };
        plan.end_at(steps, end);
    }

    /// Brings the path up to date.
    #[inline]
    pub(super) fn show(&self, heap: &Heap) {
        if let Some(plan) = &self.plan
            && !plan.is_shown()
        {
            plan.show(&mut heap.state.borrow_mut().path[self.start..]);
        }
    }

    /// Passes over all values behind the first one, which is the current one, and says how many; none if they are not
    /// easily counted.
    pub(super) fn skip(&mut self, s: &mut State) -> u64 {
        let Some(plan) = self.plan.as_mut() else { return 0 };
        if !plan.is_at_start() {
            return 0;
        }
        match plan.total() {
            Some(total) => {
                s.close_down_to_step(self.start);
                self.clear();
                total - 1
            }
            None => 0,
        }
    }

    /// Goes to the next value by closing and opening slots. Says how much of the path is the same, and whether all slots
    /// are open; one of them may have found no object any more.
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

    /// Lets the store know what the slots hold, which a plan does not tell it.
    pub(super) fn settle(&mut self, heap: &Heap) {
        self.show(heap);
        if self.plan.is_some() {
            let mut s = heap.state.borrow_mut();
            let choices: Vec<u32> = s.path[self.start..].iter().map(|step| step.choice).collect();
            s.close_down_to_step(self.start);
            self.slots.iter().zip(choices).for_each(|(&slot, choice)| s.push(slot, choice));
        }
        self.clear();
    }
}
