//! Constraints: what is known about values that are not decided. An interval of choices per slot, and differences between
//! slots; for sets and maps, the choices between the ends that are left ([`parts`]).
//!
//! # Invariants
//!
//! 1. `lo <= hi` for every variable, and for every edge `x + by <= y`: `lo(x) + by <= lo(y)` and `hi(x) + by <= hi(y)`.
//!    Every change restores this (*propagation*), or fails and is undone by the caller.
//! 2. So all lower bounds together are a solution, and so are all upper bounds. More than that: each single value
//!    between the bounds of a variable belongs to a solution. (Set it, and raise the lower bounds of the others as far
//!    as the edges ask for: none gets above its upper bound, since the upper bounds are a solution too; and the variable
//!    itself is not raised, since that would take a cycle with a positive sum, which has no solution at all.) So values
//!    can be handed out one after the other, in any order of variables, without backtracking.
//! 3. Questions about sets leave some choices of an interval (*parts*). Such a variable has no edges, and both ends of its
//!    interval are choices that are left. So what 2 says holds for the choices that are left.
//! 4. The trail holds what every change has overwritten, in order; undoing it in reverse order restores the state.
//!
//! This is enough because no constraint says that two values are *different*: an inequality is decided as less or greater.

mod parts;
#[cfg(test)]
mod tests;

use crate::ids::SlotId;
use parts::{Between, Left, Parts};

/// Intervals and differences, over the numbers of choices. Its variables are the slots.
#[derive(Default)]
pub(crate) struct Constraints {
    vars: Vec<Var>,
    trail: Vec<Undo>,
    /// Variables whose bounds have changed and whose neighbours are still to be updated.
    changed: Vec<Changed>,
    /// The choices that are left of variables of which not all between their bounds are.
    parts: Parts,
}

#[derive(Default)]
struct Var {
    lo: u32,
    hi: u32,
    /// Which choices between the bounds are left; 0 if all are.
    left: Left,
    /// `self + by <= other`
    above: Vec<Edge>,
    /// `other + by <= self`
    below: Vec<Edge>,
}

/// One side of a difference constraint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edge {
    pub other: SlotId,
    pub by: i64,
}

/// A variable whose bounds have changed.
struct Changed {
    var: SlotId,
    /// The lower bound is greater, and variables above have to be greater, too.
    rises: bool,
    /// The upper bound is less, and variables below have to be less, too.
    falls: bool,
}

enum Undo {
    Bounds { var: SlotId, lo: u32, hi: u32 },
    Edge { low: SlotId, high: SlotId },
}

impl Constraints {
    /// Adds a variable for a slot with this many choices, at least one.
    pub fn add(&mut self, choices: u32) {
        self.vars.push(Var { lo: 0, hi: choices.saturating_sub(1), left: 0, above: vec![], below: vec![] });
    }

    /// Returns the lowest and the highest possible choice.
    #[inline]
    pub fn bounds(&self, var: SlotId) -> (u32, u32) {
        let var = &self.vars[var.index()];
        (var.lo, var.hi)
    }

    /// Returns the variables that are known to be greater, and by how much.
    pub fn above(&self, var: SlotId) -> &[Edge] {
        &self.vars[var.index()].above
    }

    /// Returns a place on the trail for [`Constraints::undo_to`].
    #[inline]
    pub fn mark(&self) -> u32 {
        self.trail.len() as u32
    }

    /// Undoes every change since a mark was taken.
    #[inline(always)]
    pub fn undo_to(&mut self, mark: u32) {
        while self.trail.len() > mark as usize {
            match self.trail.pop() {
                Some(Undo::Bounds { var, lo, hi }) => {
                    let var = &mut self.vars[var.index()];
                    (var.lo, var.hi) = (lo, hi);
                }
                Some(Undo::Edge { low, high }) => {
                    self.vars[low.index()].above.pop();
                    self.vars[high.index()].below.pop();
                }
                None => {}
            }
        }
        if !self.parts.is_unused() {
            self.undo_left(mark);
        }
    }

    /// The same for the choices that are left.
    #[cold]
    #[inline(never)]
    fn undo_left(&mut self, mark: u32) {
        while let Some((var, left)) = self.parts.undo(mark) {
            self.vars[var.index()].left = left;
        }
    }

    /// Leaves only the choices from `lo` to `hi`. False if none is left; then the caller undoes.
    #[inline(always)]
    pub fn narrow(&mut self, var: SlotId, lo: u32, hi: u32) -> bool {
        if self.has_gaps(var) {
            return self.narrow_among_left(var, lo, hi);
        }
        self.tighten(var, lo, hi) && self.propagate()
    }

    /// The same for a variable of which not all choices between the bounds are left.
    #[cold]
    #[inline(never)]
    fn narrow_among_left(&mut self, id: SlotId, lo: u32, hi: u32) -> bool {
        let between = self.between(id);
        let first = self.parts.next(between, lo).filter(|&first| first <= hi);
        match (first, self.parts.last(between, hi)) {
            (Some(lo), Some(hi)) => self.tighten(id, lo, hi),
            _ => false,
        }
    }

    fn between(&self, id: SlotId) -> Between {
        let &Var { lo, hi, left, .. } = &self.vars[id.index()];
        Between { lo, hi, left }
    }

    /// Adds a set of choices that questions are about, one bit for each choice. Returns its number.
    pub fn add_part(&mut self, choices: Box<[u64]>) -> u32 {
        self.parts.add(choices)
    }

    /// Whether a choice belongs to a part.
    pub fn is_in_part(&self, part: u32, choice: u32) -> bool {
        self.parts.contains(part, choice)
    }

    /// Whether not all choices between the bounds are left, or were not before one was taken.
    #[inline]
    pub fn has_gaps(&self, var: SlotId) -> bool {
        self.vars[var.index()].left != 0
    }

    /// Returns the first choice from a number on that is left.
    #[inline(always)]
    pub fn next_left(&self, id: SlotId, from: u32) -> Option<u32> {
        let var = &self.vars[id.index()];
        let from = from.max(var.lo);
        if var.left != 0 {
            return self.next_between_gaps(id, from);
        }
        (from <= var.hi).then_some(from)
    }

    #[cold]
    #[inline(never)]
    fn next_between_gaps(&self, id: SlotId, from: u32) -> Option<u32> {
        self.parts.next(self.between(id), from)
    }

    /// Whether all choices that are left belong to a part, or none does.
    #[cold]
    #[inline(never)]
    pub fn knows_part(&self, id: SlotId, part: u32) -> Option<bool> {
        self.parts.knows(self.between(id), part)
    }

    /// Leaves only the choices of a part, or only the others. False if none is left; then the caller undoes.
    #[cold]
    #[inline(never)]
    pub fn keep_part(&mut self, id: SlotId, part: u32, is_in: bool) -> bool {
        let var = &self.vars[id.index()];
        debug_assert!(var.above.is_empty() && var.below.is_empty(), "sets have no numbers");
        let (lo, hi) = (var.lo, var.hi);
        let left = self.parts.keep(id, self.between(id), (part, is_in), self.mark());
        self.trail.push(Undo::Bounds { var: id, lo, hi });
        self.vars[id.index()].left = left;
        // The bounds are unchanged if they are choices that are left.
        self.narrow_among_left(id, lo, hi)
    }

    /// Adds `low + by <= high`. False if that has no solution; then the caller undoes.
    pub fn post(&mut self, low: SlotId, by: i64, high: SlotId) -> bool {
        if low == high {
            return by <= 0;
        }
        self.vars[low.index()].above.push(Edge { other: high, by });
        self.vars[high.index()].below.push(Edge { other: low, by });
        self.trail.push(Undo::Edge { low, high });
        self.apply_edge(low, high, by) && self.propagate()
    }

    /// Whether `low + by <= high`, as far as bounds and earlier answers to the same question tell.
    pub fn knows(&self, low: SlotId, by: i64, high: SlotId) -> Option<bool> {
        if low == high {
            return Some(by <= 0);
        }
        let (l, h) = (&self.vars[low.index()], &self.vars[high.index()]);
        if i64::from(l.hi) + by <= i64::from(h.lo) || l.above.iter().any(|e| e.other == high && e.by >= by) {
            Some(true)
        } else if i64::from(l.lo) + by > i64::from(h.hi)
            || l.below.iter().any(|e| e.other == high && e.by + by > 0)
        {
            Some(false)
        } else {
            None
        }
    }

    #[inline]
    fn tighten(&mut self, id: SlotId, lo: u32, hi: u32) -> bool {
        let var = &mut self.vars[id.index()];
        let (lo, hi) = (lo.max(var.lo), hi.min(var.hi));
        if lo > hi {
            self.changed.clear();
            return false;
        }
        let (old_lo, old_hi) = (var.lo, var.hi);
        if (lo, hi) != (old_lo, old_hi) {
            self.trail.push(Undo::Bounds { var: id, lo: old_lo, hi: old_hi });
            (var.lo, var.hi) = (lo, hi);
            if !var.above.is_empty() || !var.below.is_empty() {
                self.changed.push(Changed { var: id, rises: lo != old_lo, falls: hi != old_hi });
            }
        }
        true
    }

    /// Makes the bounds of two variables respect the edge between them.
    fn apply_edge(&mut self, low: SlotId, high: SlotId, by: i64) -> bool {
        let least = i64::from(self.vars[low.index()].lo) + by;
        let most = i64::from(self.vars[high.index()].hi) - by;
        self.raise(high, least) && self.lower(low, most)
    }

    fn raise(&mut self, id: SlotId, lo: i64) -> bool {
        match u32::try_from(lo.max(0)) {
            Ok(lo) => self.tighten(id, lo, u32::MAX),
            Err(_) => {
                self.changed.clear();
                false
            }
        }
    }

    fn lower(&mut self, id: SlotId, hi: i64) -> bool {
        if hi < 0 {
            self.changed.clear();
            return false;
        }
        self.tighten(id, 0, u32::try_from(hi).unwrap_or(u32::MAX))
    }

    /// A lower bound matters to the variables above only, and an upper bound to those below.
    fn propagate(&mut self) -> bool {
        while let Some(Changed { var: id, rises, falls }) = self.changed.pop() {
            let Var { lo, hi, .. } = self.vars[id.index()];
            let above = if rises { self.vars[id.index()].above.len() } else { 0 };
            for i in 0..above {
                let Edge { other, by } = self.vars[id.index()].above[i];
                let least = i64::from(lo) + by;
                if least > i64::from(self.vars[other.index()].lo) && !self.raise(other, least) {
                    return false;
                }
            }
            let below = if falls { self.vars[id.index()].below.len() } else { 0 };
            for i in 0..below {
                let Edge { other, by } = self.vars[id.index()].below[i];
                let most = i64::from(hi) - by;
                if most < i64::from(self.vars[other.index()].hi) && !self.lower(other, most) {
                    return false;
                }
            }
        }
        true
    }
}
