//! Digits: the values of slots of plain data, counted up within the bounds that each slot has from the slots before it.
//!
//! The digits are kept apart from the path. A caller that looks at few of the values has the path brought up to date
//! ([`Digits::show`]) from the first digit that changed.

use crate::cell::Head;
use crate::heap::State;
use crate::ids::SlotId;
use crate::path::{Step, choices_of};
use std::cell::Cell;

/// The values of several slots, and the current one.
pub(super) struct Digits {
    digits: Vec<Digit>,
    /// All bounds of each digit. Counting up needs them for digits with more than one lower or upper bound.
    pub bounds: Vec<Bounds>,
    /// The digits behind this one are as high as they can be.
    last: usize,
    /// How often that digit can be raised before anything else has to be looked at. It was raised already.
    free: u32,
    /// Where on the rest of the path they are, and in which cells.
    places: Vec<(u32, &'static Head)>,
    /// The digits of slots of which some choices in the middle are ruled out, and the choices that are left. Such a digit is
    /// the number of the choice among these.
    gaps: Vec<(usize, Vec<u32>)>,
    /// The path shows the digits before this one; and, if it shows all of them, how much was free then.
    shown: Cell<(usize, u32)>,
    /// How much was free when [`Digits::last_raised`] was called last; none if something has changed since.
    noted: Option<u32>,
    /// What the first digits are where the search ends, if that is in this set.
    end: Vec<u32>,
    /// How many of the first digits are what they are at the end. The next one is lower. [`ALL`] if this value does not lie
    /// before the end, as far as is known here; none if all values of this set do.
    tied: Option<usize>,
}

/// A slot of plain data that has a choice. Kept together, as counting up needs all of it.
struct Digit {
    value: u32,
    /// How far it can go with what the digits before it are.
    most: u32,
    /// The bounds that do not depend on the ones before it.
    lo: u32,
    hi: u32,
    /// The first of those that do, or one that says nothing; and whether there are others.
    lower: Limit,
    upper: Limit,
    is_simple: bool,
    /// Bounds of others depend on it.
    is_needed: bool,
}

/// All bounds of a digit.
pub(super) struct Bounds {
    pub lo: u32,
    pub hi: u32,
    pub lower: Vec<Limit>,
    pub upper: Vec<Limit>,
}

/// A bound that is the value of an earlier slot plus something.
#[derive(Clone, Copy)]
pub(super) struct Limit {
    pub digit: u32,
    pub by: i64,
}

/// More than every choice, whatever it is added to.
const FAR: i64 = 1 << 40;

/// More digits than there are.
const ALL: usize = usize::MAX;

impl Digits {
    /// Compiles what is known about the slots at the end of the path. None if that leaves no choice.
    pub(super) fn new(s: &mut State, start: usize, slots: &[SlotId]) -> Option<Digits> {
        let choices = choices_of(&s.path[start..]);
        s.close_down_to_step(start);
        let (mut varying, mut places) = (vec![], vec![]);
        for (i, &slot) in slots.iter().enumerate() {
            let (lo, hi) = s.constraints.bounds(slot);
            if lo < hi {
                varying.push(slot);
                places.push((i as u32, s.layout.slot(slot).head));
            }
        }
        let mut set = None;
        if !varying.is_empty() {
            let mut digits = Digits::compile(s, &varying);
            for (digit, &(i, _)) in places.iter().enumerate() {
                digits.digits[digit].value = digits.value_of(digit, choices[i as usize]).unwrap_or(0);
            }
            for digit in 0..varying.len() {
                digits.digits[digit].most = digits.bounds(digit).1;
            }
            digits.places = places;
            set = Some(digits);
        }
        for (i, &slot) in slots.iter().enumerate() {
            s.push(slot, choices[i]);
        }
        set
    }

    fn compile(s: &State, slots: &[SlotId]) -> Digits {
        let n = slots.len();
        let place = |slot: SlotId| slots.iter().position(|&other| other == slot);
        // `by[i * n + j]`: digit `i` plus that is at most digit `j`.
        let mut by: Vec<Option<i64>> = vec![];
        for (i, &slot) in slots.iter().enumerate() {
            for edge in s.constraints.above(slot) {
                if let Some(j) = place(edge.other) {
                    by.resize(n * n, None);
                    by[i * n + j] = by[i * n + j].max(Some(edge.by));
                }
            }
        }
        if !by.is_empty() {
            close(&mut by, n);
        }
        let mut bounds = Vec::with_capacity(n);
        let mut gaps = vec![];
        for (i, &slot) in slots.iter().enumerate() {
            let (mut lo, mut hi) = s.constraints.bounds(slot);
            if s.constraints.has_gaps(slot) {
                let mut left = vec![];
                for choice in lo..=hi {
                    if s.constraints.next_left(slot, choice) == Some(choice) {
                        left.push(choice);
                    }
                }
                (lo, hi) = (0, left.len() as u32 - 1);
                gaps.push((i, left));
            }
            let (mut lower, mut upper) = (vec![], vec![]);
            if !by.is_empty() {
                lower = needed(i, &|j, k| by[j * n + k]);
                upper = needed(i, &|j, k| by[k * n + j]);
                for limit in &mut upper {
                    limit.by = -limit.by;
                }
            }
            bounds.push(Bounds { lo, hi, lower, upper });
        }
        Digits { gaps, ..Digits::of(bounds) }
    }

    /// The value of a digit that stands for a choice of its slot.
    fn value_of(&self, digit: usize, choice: u32) -> Option<u32> {
        match self.gaps.iter().find(|(gap, _)| *gap == digit) {
            Some((_, left)) => left.binary_search(&choice).ok().map(|value| value as u32),
            None => Some(choice),
        }
    }

    /// Digits within bounds; each begins with its lowest value.
    pub(super) fn of(bounds: Vec<Bounds>) -> Digits {
        let n = bounds.len();
        let mut digits = Vec::with_capacity(n);
        for bounds in &bounds {
            digits.push(Digit::new(bounds));
            // By digits before this one.
            for limits in [&bounds.lower, &bounds.upper] {
                for limit in limits {
                    digits[limit.digit as usize].is_needed = true;
                }
            }
        }
        Digits {
            digits,
            bounds,
            last: n - 1,
            free: 0,
            places: vec![],
            gaps: vec![],
            shown: Cell::new((n, 0)),
            noted: Some(0),
            end: vec![],
            tied: None,
        }
    }

    /// The value of each digit.
    #[inline]
    pub(super) fn current(&self) -> Vec<u32> {
        let mut values: Vec<u32> = self.digits.iter().map(|digit| digit.value).collect();
        values[self.last] -= self.free;
        values
    }

    /// Gives each digit a value.
    #[inline]
    pub(super) fn set(&mut self, values: &[u32]) {
        self.free = 0;
        self.digits.iter_mut().zip(values).for_each(|(digit, &value)| digit.value = value);
        (0..self.digits.len()).for_each(|i| self.digits[i].most = self.bounds(i).1);
        self.last = self.digits.len() - 1;
        self.shown.set((0, 0));
        self.noted = None;
        if self.tied.is_some() {
            self.tie();
        }
    }

    /// The bounds of a digit, given those before it.
    #[inline(always)]
    fn bounds(&self, i: usize) -> (u32, u32) {
        let digit = &self.digits[i];
        let value = |limit: &Limit| i64::from(self.digits[limit.digit as usize].value) + limit.by;
        let mut lo = value(&digit.lower).max(i64::from(digit.lo));
        let mut hi = value(&digit.upper).min(i64::from(digit.hi));
        if !digit.is_simple {
            let Bounds { lower, upper, .. } = &self.bounds[i];
            lo = lower.iter().skip(1).map(value).fold(lo, i64::max);
            hi = upper.iter().skip(1).map(value).fold(hi, i64::min);
        }
        debug_assert!(lo <= hi, "digits never run into a dead end");
        (lo as u32, hi as u32)
    }

    /// Whether nothing was counted yet.
    pub(super) fn is_at_start(&mut self) -> bool {
        self.hold();
        (0..self.digits.len()).all(|i| self.digits[i].value == self.bounds(i).0)
    }

    /// Counts up, if all that has to be looked at is one digit.
    #[inline(always)]
    pub(super) fn count_on(&mut self) -> bool {
        if self.free == 0 {
            return false;
        }
        self.free -= 1;
        true
    }

    /// Counts up, if the next value lies before the end for certain. There may be some raises free then, but no more than
    /// `most`. Says where on the rest of the path a digit was raised, as [`Digits::raise_next`] does, and how many are free.
    #[inline(always)]
    pub(super) fn count_up(&mut self, most: u32) -> Option<(usize, u32)> {
        debug_assert_eq!(self.free, 0, "free raises come first");
        let i = self.can_be_raised()?;
        if self.tied.is_some_and(|tied| i < tied || i == tied && self.digits[i].value + 1 >= self.end[i]) {
            return None;
        }
        self.raise(i);
        let last = &mut self.digits[self.last];
        if !last.is_needed && self.tied.is_none_or(|tied| tied < self.last) {
            self.free = (last.most - last.value).min(most);
            last.value += self.free;
        }
        self.noted = Some(self.free);
        Some((self.places[i].0 as usize, self.free))
    }

    /// Counts up. Says where on the rest of the path a digit was raised; those behind it may all have changed, those
    /// before it have not.
    pub(super) fn raise_next(&mut self) -> Option<usize> {
        self.hold();
        let i = self.can_be_raised()?;
        self.raise(i);
        if self.tied.is_some() {
            self.tie();
        }
        Some(self.place(i))
    }

    /// Where on the rest of the path a digit is.
    fn place(&self, i: usize) -> usize {
        self.places.get(i).map_or(i, |&(place, _)| place as usize)
    }

    /// The last digit that is not as high as it can be.
    #[inline(always)]
    fn can_be_raised(&self) -> Option<usize> {
        let mut i = self.last;
        while self.digits[i].value == self.digits[i].most {
            i = i.checked_sub(1)?;
        }
        Some(i)
    }

    /// Raises a digit; those behind it begin anew.
    #[inline(always)]
    fn raise(&mut self, i: usize) {
        self.digits[i].value += 1;
        self.last = i;
        for k in i + 1..self.digits.len() {
            let (lo, hi) = self.bounds(k);
            let digit = &mut self.digits[k];
            (digit.value, digit.most) = (lo, hi);
            self.last = if lo < hi { k } else { self.last };
        }
        let (shown, free) = self.shown.get();
        self.shown.set((shown.min(i), free));
    }

    /// Gives up the raises that are left.
    fn hold(&mut self) {
        let shown = if self.is_shown() { self.digits.len() } else { self.shown.get().0.min(self.last) };
        self.shown.set((shown, 0));
        self.noted = self.noted.filter(|&noted| noted == self.free).map(|_| 0);
        self.digits[self.last].value -= std::mem::take(&mut self.free);
    }

    /// Where on the rest of the path the digit is that was raised since this was called last, if that was all.
    pub(super) fn last_raised(&mut self) -> Option<usize> {
        let is_raised = self.noted.replace(self.free) != Some(self.free);
        is_raised.then(|| self.places[self.last].0 as usize)
    }

    /// Whether the path shows what the digits are.
    #[inline]
    pub(super) fn is_shown(&self) -> bool {
        self.shown.get() == (self.digits.len(), self.free)
    }

    /// Writes the digits to their steps of the path.
    #[inline]
    pub(super) fn show(&self, steps: &mut [Step]) {
        let (shown, _) = self.shown.replace((self.digits.len(), self.free));
        let mut write = |i: usize, value: u32| {
            let (place, head) = self.places[i];
            steps[place as usize].set(head, value);
        };
        (shown..self.digits.len()).for_each(|i| write(i, self.digits[i].value));
        write(self.last, self.digits[self.last].value - self.free);
        if !self.gaps.is_empty() {
            self.show_gaps(steps);
        }
    }

    /// Writes the choices of digits that are not choices themselves.
    #[cold]
    fn show_gaps(&self, steps: &mut [Step]) {
        for (i, left) in &self.gaps {
            let free = if *i == self.last { self.free } else { 0 };
            let (place, head) = self.places[*i];
            steps[place as usize].set(head, left[(self.digits[*i].value - free) as usize]);
        }
    }

    /// The search ends before this: choices for the steps of this set, whose current ones are given.
    pub(super) fn end_at(&mut self, steps: &[Step], end: Option<&[u32]>) {
        self.hold();
        self.end.clear();
        self.tied = None;
        let Some(end) = end else { return };
        let mut digit = 0;
        for (place, (&end, step)) in end.iter().zip(steps).enumerate() {
            let is_digit = self.places.get(digit).is_some_and(|&(next, _)| next as usize == place);
            let value = if is_digit { self.value_of(digit, end) } else { None };
            digit += usize::from(is_digit);
            if let Some(value) = value {
                self.end.push(value);
            } else if is_digit || step.choice != end {
                // No search stops there: each value is compared with the end.
                self.end.clear();
                break;
            }
        }
        self.tie();
    }

    /// Whether the search may end within this set.
    pub(super) fn may_reach_end(&self) -> bool {
        self.tied.is_some()
    }

    fn tie(&mut self) {
        let mut tied = 0;
        while tied < self.end.len() && self.digits[tied].value == self.end[tied] {
            tied += 1;
        }
        self.tied = Some(if tied < self.end.len() { tied } else { ALL });
    }
}

impl Digit {
    fn new(bounds: &Bounds) -> Digit {
        Digit {
            value: bounds.lo,
            most: bounds.hi,
            lo: bounds.lo,
            hi: bounds.hi,
            lower: *bounds.lower.first().unwrap_or(&Limit { digit: 0, by: -FAR }),
            upper: *bounds.upper.first().unwrap_or(&Limit { digit: 0, by: FAR }),
            is_simple: bounds.lower.len() <= 1 && bounds.upper.len() <= 1,
            is_needed: false,
        }
    }
}

/// Draws all consequences: the longest ways.
fn close(by: &mut [Option<i64>], n: usize) {
    for k in 0..n {
        for i in 0..n {
            let Some(first) = by[i * n + k] else { continue };
            for j in 0..n {
                let Some(second) = by[k * n + j].filter(|_| i != j) else { continue };
                by[i * n + j] = by[i * n + j].max(Some(first + second));
            }
        }
    }
}

/// The limits of digit `i` by earlier ones that do not follow from others: `limit(j, k)` is the one of `k` by `j`.
fn needed(i: usize, limit: &dyn Fn(usize, usize) -> Option<i64>) -> Vec<Limit> {
    let mut needed = vec![];
    for j in 0..i {
        let Some(by) = limit(j, i) else { continue };
        let through = |k| Some(limit(j, k)? + limit(k, i)?);
        if !(j + 1..i).any(|k| through(k).is_some_and(|other| other >= by)) {
            needed.push(Limit { digit: j as u32, by });
        }
    }
    needed
}
