//! The rest of a valid path, which the invariant has not looked at, or has only asked about: its values are tried one
//! after the other without running the invariant again, and without a look at the rest of the structure.
//!
//! Most of the time the rest is plain data, and what is known about it are intervals and differences. That is compiled
//! into a *plan*: for each slot the bounds that follow from the slots before it. All consequences are drawn once, so the
//! bounds of a slot are never empty, whatever the slots before it hold (see [`crate::heap::Store`]); the next value is
//! found by counting up, like the digits of a number.

mod count;

use crate::cell::Head;
use crate::heap::State;

/// The slots at the end of a complete path that nothing else depends on.
#[derive(Default)]
pub(super) struct Leaf {
    /// Where on the path they begin.
    start: usize,
    slots: Vec<u32>,
    plan: Option<Plan>,
}

/// How to count up.
struct Plan {
    digits: Vec<Digit>,
    limits: Vec<Limit>,
}

/// A slot of plain data.
struct Digit {
    head: &'static Head,
    /// What it holds, and how far it can go with what the ones before it hold.
    value: u32,
    most: u32,
    /// The bounds that do not depend on the ones before it.
    lo: u32,
    hi: u32,
    /// Those that do, among [`Plan::limits`]: first lower ones, then upper ones.
    lower: (u32, u32),
    upper: u32,
}

/// A bound that is the value of an earlier slot plus something.
#[derive(Clone, Copy)]
struct Limit {
    digit: u32,
    by: i64,
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
        }
    }

    /// Goes to the next value; says how much of the path is the same. None if these are all.
    #[inline]
    pub(super) fn next(&mut self, s: &mut State) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        let depth = match &mut self.plan {
            Some(plan) => plan.next(s, self.start),
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

    /// The same, if there is a plan and it goes on; otherwise nothing happens.
    #[inline]
    pub(super) fn count_up(&mut self, s: &mut State) -> Option<usize> {
        self.plan.as_mut()?.next(s, self.start)
    }

    /// Passes over all values behind the first one, which is the current one, and says how many; none if they are not
    /// easily counted.
    pub(super) fn skip(&mut self, s: &mut State) -> u64 {
        let Some(plan) = &self.plan else { return 0 };
        let is_first = plan.digits.iter().enumerate().all(|(i, digit)| digit.value == plan.bounds(i).0);
        match plan.total() {
            Some(total) if is_first => {
                s.close_down_to_step(self.start);
                self.clear();
                total - 1
            }
            _ => 0,
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
    pub(super) fn settle(&mut self, s: &mut State) {
        if self.plan.is_some() {
            let choices: Vec<u32> = s.path[self.start..].iter().map(|step| step.choice).collect();
            s.close_down_to_step(self.start);
            self.slots.iter().zip(choices).for_each(|(&slot, choice)| s.push(slot, choice));
        }
        self.clear();
    }
}

impl Plan {
    fn new(s: &mut State, start: usize, slots: &[u32]) -> Option<Plan> {
        let values: Vec<u32> = s.path[start..].iter().map(|step| step.choice).collect();
        s.close_down_to_step(start);
        let plan = Plan::compile(s, slots);
        slots.iter().zip(&values).for_each(|(&slot, &choice)| s.push(slot, choice));
        let mut plan = plan?;
        for (i, value) in values.into_iter().enumerate() {
            plan.digits[i].most = plan.bounds(i).1;
            plan.digits[i].value = value;
        }
        Some(plan)
    }

    fn compile(s: &State, slots: &[u32]) -> Option<Plan> {
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
        let mut plan = Plan { digits: Vec::with_capacity(n), limits: vec![] };
        for (i, &slot) in slots.iter().enumerate() {
            let (lo, hi) = s.store.bounds(slot);
            let first = plan.limits.len() as u32;
            if !by.is_empty() {
                let lower = |j: usize| by[j * n + i];
                plan.limits.extend(needed(&by, n, i, lower, |by, j, k| by[j * n + k]));
            }
            let middle = plan.limits.len() as u32;
            if !by.is_empty() {
                let upper = |j: usize| by[i * n + j];
                plan.limits.extend(
                    needed(&by, n, i, upper, |by, j, k| by[k * n + j])
                        .into_iter()
                        .map(|limit| Limit { by: -limit.by, ..limit }),
                );
            }
            let upper = plan.limits.len() as u32;
            let head = s.slots[slot as usize].head;
            plan.digits.push(Digit { head, value: lo, most: hi, lo, hi, lower: (first, middle), upper });
        }
        Some(plan)
    }

    /// The bounds of a digit, given those before it.
    #[inline(always)]
    fn bounds(&self, i: usize) -> (u32, u32) {
        let digit = &self.digits[i];
        let (mut lo, mut hi) = (i64::from(digit.lo), i64::from(digit.hi));
        let (first, middle) = digit.lower;
        let value = |limit: &Limit| i64::from(self.digits[limit.digit as usize].value) + limit.by;
        for limit in &self.limits[first as usize..middle as usize] {
            lo = lo.max(value(limit));
        }
        for limit in &self.limits[middle as usize..digit.upper as usize] {
            hi = hi.min(value(limit));
        }
        debug_assert!(lo <= hi, "a plan never comes to a dead end");
        (lo as u32, hi as u32)
    }

    #[inline(always)]
    fn next(&mut self, s: &mut State, start: usize) -> Option<usize> {
        let last = self.digits.len() - 1;
        let digit = &mut self.digits[last];
        if digit.value < digit.most {
            digit.value += 1;
            s.path[start + last].set(digit.head, digit.value);
            return Some(start + last);
        }
        let i = self.digits[..last].iter().rposition(|digit| digit.value < digit.most)?;
        let digit = &mut self.digits[i];
        digit.value += 1;
        s.path[start + i].set(digit.head, digit.value);
        for k in i + 1..self.digits.len() {
            let (lo, hi) = self.bounds(k);
            let digit = &mut self.digits[k];
            (digit.value, digit.most) = (lo, hi);
            s.path[start + k].set(digit.head, lo);
        }
        Some(start + i)
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

/// The limits of digit `i` by earlier ones that do not follow from others: `limit(j)` is the one by digit `j`, and
/// `between(by, j, k)` the one of `k` by `j`.
fn needed(
    by: &[Option<i64>],
    n: usize,
    i: usize,
    limit: impl Fn(usize) -> Option<i64>,
    between: impl Fn(&[Option<i64>], usize, usize) -> Option<i64>,
) -> Vec<Limit> {
    let _ = n;
    let follows = |j: usize, d: i64| {
        (0..i).any(|k| {
            k > j
                && matches!((between(by, j, k), limit(k)), (Some(first), Some(second)) if first + second >= d)
        })
    };
    (0..i)
        .filter_map(|j| {
            let d = limit(j)?;
            (!follows(j, d)).then_some(Limit { digit: j as u32, by: d })
        })
        .collect()
}
