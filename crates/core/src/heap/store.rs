//! What is known about values that are not decided: an interval of choices per slot, and differences between slots.
//!
//! # Invariants
//!
//! 1. `lo <= hi` for every variable, and for every edge `x + by <= y`: `lo(x) + by <= lo(y)` and `hi(x) + by <= hi(y)`.
//!    Every change restores this (*propagation*), or fails and is undone by the caller.
//! 2. So all lower bounds together are a solution, and so are all upper bounds. More than that: each single value
//!    between the bounds of a variable belongs to a solution. (Set it, and raise the lower bounds of the others as far
//!    as the edges ask for: none gets above its upper bound, since the upper bounds are a solution too; and the variable
//!    itself is not raised, since that would take a cycle with a positive sum, which has no solution at all.) That is
//!    why values can be handed out one after the other, in any order of variables, without ever going back.
//! 3. The trail holds what every change has overwritten, in order; undoing it in reverse order restores the state.
//!
//! It stays that simple because nothing is ever known to be *different*: an inequality is decided as less or greater.

/// Intervals and differences, over the numbers of choices.
#[derive(Default)]
pub(crate) struct Store {
    vars: Vec<Var>,
    trail: Vec<Undo>,
    /// Variables whose bounds have changed and whose neighbours were not looked at yet.
    changed: Vec<u32>,
}

#[derive(Default)]
struct Var {
    lo: u32,
    hi: u32,
    /// `self + by <= other`
    above: Vec<Edge>,
    /// `other + by <= self`
    below: Vec<Edge>,
}

/// One side of a difference constraint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edge {
    pub other: u32,
    pub by: i64,
}

enum Undo {
    Bounds { var: u32, lo: u32, hi: u32 },
    Edge { low: u32, high: u32 },
}

impl Store {
    /// A variable for a slot with so many choices, which is at least one.
    pub fn add(&mut self, choices: u32) {
        self.vars.push(Var { lo: 0, hi: choices.saturating_sub(1), above: vec![], below: vec![] });
    }

    /// The lowest and the highest choice that is possible.
    #[inline]
    pub fn bounds(&self, var: u32) -> (u32, u32) {
        let var = &self.vars[var as usize];
        (var.lo, var.hi)
    }

    /// What is known to be greater than a variable, and by how much.
    pub fn above(&self, var: u32) -> &[Edge] {
        &self.vars[var as usize].above
    }

    /// A place on the trail to return to.
    #[inline]
    pub fn mark(&self) -> u32 {
        self.trail.len() as u32
    }

    /// Undoes everything since a mark was taken.
    #[inline]
    pub fn undo_to(&mut self, mark: u32) {
        while self.trail.len() > mark as usize {
            match self.trail.pop() {
                Some(Undo::Bounds { var, lo, hi }) => {
                    let var = &mut self.vars[var as usize];
                    (var.lo, var.hi) = (lo, hi);
                }
                Some(Undo::Edge { low, high }) => {
                    self.vars[low as usize].above.pop();
                    self.vars[high as usize].below.pop();
                }
                None => {}
            }
        }
    }

    /// Leaves only the choices between two, inclusive. False if nothing is left; then the caller undoes.
    #[inline]
    pub fn narrow(&mut self, var: u32, lo: u32, hi: u32) -> bool {
        self.tighten(var, lo, hi) && self.propagate()
    }

    /// Adds `low + by <= high`. False if that cannot be; then the caller undoes.
    pub fn post(&mut self, low: u32, by: i64, high: u32) -> bool {
        if low == high {
            return by <= 0;
        }
        self.vars[low as usize].above.push(Edge { other: high, by });
        self.vars[high as usize].below.push(Edge { other: low, by });
        self.trail.push(Undo::Edge { low, high });
        self.follow(low, high, by) && self.propagate()
    }

    /// Whether `low + by <= high`, as far as bounds and earlier answers to the same question say.
    pub fn knows(&self, low: u32, by: i64, high: u32) -> Option<bool> {
        if low == high {
            return Some(by <= 0);
        }
        let (l, h) = (&self.vars[low as usize], &self.vars[high as usize]);
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
    fn tighten(&mut self, id: u32, lo: u32, hi: u32) -> bool {
        let var = &mut self.vars[id as usize];
        let (lo, hi) = (lo.max(var.lo), hi.min(var.hi));
        if lo > hi {
            self.changed.clear();
            return false;
        }
        if (lo, hi) != (var.lo, var.hi) {
            self.trail.push(Undo::Bounds { var: id, lo: var.lo, hi: var.hi });
            (var.lo, var.hi) = (lo, hi);
            if !var.above.is_empty() || !var.below.is_empty() {
                self.changed.push(id);
            }
        }
        true
    }

    /// Makes the bounds of two variables respect the edge between them.
    fn follow(&mut self, low: u32, high: u32, by: i64) -> bool {
        let least = i64::from(self.vars[low as usize].lo) + by;
        let most = i64::from(self.vars[high as usize].hi) - by;
        self.raise(high, least) && self.lower(low, most)
    }

    fn raise(&mut self, id: u32, lo: i64) -> bool {
        match u32::try_from(lo.max(0)) {
            Ok(lo) => self.tighten(id, lo, u32::MAX),
            Err(_) => {
                self.changed.clear();
                false
            }
        }
    }

    fn lower(&mut self, id: u32, hi: i64) -> bool {
        if hi < 0 {
            self.changed.clear();
            return false;
        }
        self.tighten(id, 0, u32::try_from(hi).unwrap_or(u32::MAX))
    }

    fn propagate(&mut self) -> bool {
        while let Some(id) = self.changed.pop() {
            let Var { lo, hi, .. } = self.vars[id as usize];
            for i in 0..self.vars[id as usize].above.len() {
                let Edge { other, by } = self.vars[id as usize].above[i];
                let least = i64::from(lo) + by;
                if least > i64::from(self.vars[other as usize].lo) && !self.raise(other, least) {
                    return false;
                }
            }
            for i in 0..self.vars[id as usize].below.len() {
                let Edge { other, by } = self.vars[id as usize].below[i];
                let most = i64::from(hi) - by;
                if most < i64::from(self.vars[other as usize].hi) && !self.lower(other, most) {
                    return false;
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three variables with choices 0 to 4 in a chain.
    fn chain() -> Store {
        let mut s = Store::default();
        (0..3).for_each(|_| s.add(5));
        assert!(s.post(0, 1, 1) && s.post(1, 1, 2));
        s
    }

    fn all_bounds(s: &Store) -> Vec<(u32, u32)> {
        (0..3).map(|v| s.bounds(v)).collect()
    }

    #[test]
    fn a_chain_has_tight_bounds() {
        assert_eq!(all_bounds(&chain()), [(0, 2), (1, 3), (2, 4)]);
    }

    #[test]
    fn what_is_undone_is_as_before() {
        let mut s = chain();
        let (mark, before) = (s.mark(), all_bounds(&s));
        assert!(s.narrow(1, 3, 3));
        assert_eq!(all_bounds(&s), [(0, 2), (3, 3), (4, 4)]);
        assert!(s.post(0, 2, 2));
        s.undo_to(mark);
        assert_eq!(all_bounds(&s), before);
        assert_eq!(s.knows(0, 2, 2), None);
    }

    #[test]
    fn a_cycle_fails() {
        let mut s = chain();
        assert!(!s.post(2, -1, 0));
        let mut s = chain();
        assert!(s.post(2, -2, 0));
        assert_eq!(s.bounds(0), (0, 2));
    }

    #[test]
    fn earlier_answers_are_known() {
        let s = chain();
        assert_eq!(s.knows(0, 1, 1), Some(true));
        assert_eq!(s.knows(0, 0, 1), Some(true));
        assert_eq!(s.knows(1, 0, 0), Some(false));
        assert_eq!(s.knows(0, 2, 1), None);
        // They may be just one apart.
        assert_eq!(s.knows(1, -1, 0), None);
        assert_eq!(s.knows(1, 0, 1), Some(true));
    }
}
