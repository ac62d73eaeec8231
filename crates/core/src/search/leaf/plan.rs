//! Counting up: the values of slots of plain data within the bounds that each has from those before it.
//!
//! The digits are kept apart from the path. Most of the time nobody looks at a value before the next one is asked for,
//! or only at some; then the path is brought up to date ([`Plan::show`]) from the first digit that has changed.

use crate::cell::Head;
use crate::heap::{State, Step};
use std::cell::Cell;

/// How to count up, and how far it has come.
pub(super) struct Plan {
    pub digits: Vec<Digit>,
    pub limits: Vec<Limit>,
    /// What the digits are, and how far each can go with what the ones before it are.
    values: Vec<u32>,
    most: Vec<u32>,
    /// Where on the rest of the path they are, and in which cells.
    places: Vec<(u32, &'static Head)>,
    /// The path shows the digits before this one.
    shown: Cell<usize>,
}

/// The bounds of a slot of plain data.
pub(super) struct Digit {
    /// Those that do not depend on the ones before it.
    pub lo: u32,
    pub hi: u32,
    /// Those that do, among [`Plan::limits`]: first lower ones, then upper ones.
    pub lower: (u32, u32),
    pub upper: u32,
    /// The first of each, or one that says nothing; and whether there are others.
    least: Limit,
    most: Limit,
    is_simple: bool,
}

/// A bound that is the value of an earlier slot plus something.
#[derive(Clone, Copy)]
pub(super) struct Limit {
    pub digit: u32,
    pub by: i64,
}

/// More than every choice, whatever it is added to.
const FAR: i64 = 1 << 40;

impl Plan {
    /// Compiles what is known about the slots at the end of the path. None if that leaves no choice.
    pub(super) fn new(s: &mut State, start: usize, slots: &[u32]) -> Option<Plan> {
        let choices: Vec<u32> = s.path[start..].iter().map(|step| step.choice).collect();
        s.close_down_to_step(start);
        let varying: Vec<usize> =
            (0..slots.len()).filter(|&i| matches!(s.store.bounds(slots[i]), (lo, hi) if lo < hi)).collect();
        let plan = (!varying.is_empty()).then(|| {
            let mut plan = Plan::compile(s, &varying.iter().map(|&i| slots[i]).collect::<Vec<_>>());
            plan.places = varying.iter().map(|&i| (i as u32, s.slots[slots[i] as usize].head)).collect();
            plan.values = varying.iter().map(|&i| choices[i]).collect();
            plan.most = (0..varying.len()).map(|i| plan.bounds(i).1).collect();
            plan
        });
        slots.iter().zip(&choices).for_each(|(&slot, &choice)| s.push(slot, choice));
        plan
    }

    fn compile(s: &State, slots: &[u32]) -> Plan {
        let n = slots.len();
        let place = |slot: u32| slots.iter().position(|&other| other == slot);
        // `by[i * n + j]`: digit `i` plus that is at most digit `j`.
        let mut by: Vec<Option<i64>> = vec![];
        for (i, &slot) in slots.iter().enumerate() {
            for edge in s.store.above(slot) {
                if let Some(j) = place(edge.other) {
                    by.resize(n * n, None);
                    by[i * n + j] = by[i * n + j].max(Some(edge.by));
                }
            }
        }
        if !by.is_empty() {
            close(&mut by, n);
        }
        let (mut digits, mut limits) = (Vec::with_capacity(n), vec![]);
        for (i, &slot) in slots.iter().enumerate() {
            let (lo, hi) = s.store.bounds(slot);
            let first = limits.len();
            if !by.is_empty() {
                needed(i, |j| by[j * n + i], |j, k| by[j * n + k], &mut limits);
            }
            let middle = limits.len();
            if !by.is_empty() {
                needed(i, |j| by[i * n + j], |j, k| by[k * n + j], &mut limits);
                limits[middle..].iter_mut().for_each(|limit| limit.by = -limit.by);
            }
            digits.push(Digit {
                lo,
                hi,
                lower: (first as u32, middle as u32),
                upper: limits.len() as u32,
                least: *limits[first..middle].first().unwrap_or(&Limit { digit: 0, by: -FAR }),
                most: *limits[middle..].first().unwrap_or(&Limit { digit: 0, by: FAR }),
                is_simple: middle <= first + 1 && limits.len() <= middle + 1,
            });
        }
        Plan { digits, limits, values: vec![], most: vec![], places: vec![], shown: Cell::new(n) }
    }

    /// The bounds of a digit, given those before it.
    #[inline(always)]
    fn bounds(&self, i: usize) -> (u32, u32) {
        let digit = &self.digits[i];
        let value = |limit: Limit| i64::from(self.values[limit.digit as usize]) + limit.by;
        let mut lo = value(digit.least).max(i64::from(digit.lo));
        let mut hi = value(digit.most).min(i64::from(digit.hi));
        if !digit.is_simple {
            let (first, middle) = digit.lower;
            for &limit in &self.limits[first as usize..middle as usize] {
                lo = lo.max(value(limit));
            }
            for &limit in &self.limits[middle as usize..digit.upper as usize] {
                hi = hi.min(value(limit));
            }
        }
        debug_assert!(lo <= hi, "a plan never comes to a dead end");
        (lo as u32, hi as u32)
    }

    /// Whether nothing was counted yet.
    pub(super) fn is_at_start(&self) -> bool {
        (0..self.digits.len()).all(|i| self.values[i] == self.bounds(i).0)
    }

    /// Counts up. Says where on the rest of the path a digit was raised; those behind it may all have changed, those
    /// before it have not.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<usize> {
        let last = self.most.len() - 1;
        if self.values[last] == self.most[last] {
            return self.carry(last);
        }
        self.values[last] += 1;
        Some(self.raised(last))
    }

    /// Raises a digit before the given one, since all from there on are as high as they can be.
    fn carry(&mut self, mut i: usize) -> Option<usize> {
        loop {
            i = i.checked_sub(1)?;
            if self.values[i] < self.most[i] {
                break;
            }
        }
        self.values[i] += 1;
        for k in i + 1..self.values.len() {
            (self.values[k], self.most[k]) = self.bounds(k);
        }
        Some(self.raised(i))
    }

    #[inline(always)]
    fn raised(&self, i: usize) -> usize {
        self.shown.set(self.shown.get().min(i));
        self.places[i].0 as usize
    }

    /// Whether the path shows what the digits are.
    #[inline]
    pub(super) fn is_shown(&self) -> bool {
        self.shown.get() == self.values.len()
    }

    /// Writes the digits to their steps of the path.
    #[inline]
    pub(super) fn show(&self, steps: &mut [Step]) {
        let from = self.shown.replace(self.values.len());
        for (&(place, head), &value) in self.places[from..].iter().zip(&self.values[from..]) {
            steps[place as usize].set(head, value);
        }
    }
}

/// Draws all consequences: the longest ways.
fn close(by: &mut [Option<i64>], n: usize) {
    for k in 0..n {
        for i in 0..n {
            let Some(first) = by[i * n + k] else { continue };
            for j in 0..n {
                if let Some(second) = by[k * n + j]
                    && i != j
                {
                    by[i * n + j] = by[i * n + j].max(Some(first + second));
                }
            }
        }
    }
}

/// Adds the limits of digit `i` by earlier ones that do not follow from others: `limit(j)` is the one by digit `j`, and
/// `between(j, k)` the one of `k` by `j`.
fn needed(
    i: usize,
    limit: impl Fn(usize) -> Option<i64>,
    between: impl Fn(usize, usize) -> Option<i64>,
    limits: &mut Vec<Limit>,
) {
    let follows = |j: usize, d: i64| {
        let through = |k| Some(between(j, k)? + limit(k)?);
        (j + 1..i).any(|k| through(k).is_some_and(|by| by >= d))
    };
    for j in 0..i {
        if let Some(by) = limit(j)
            && !follows(j, by)
        {
            limits.push(Limit { digit: j as u32, by });
        }
    }
}
