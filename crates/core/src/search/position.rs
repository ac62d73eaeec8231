//! Places in the order of the search: where it begins, where it ends, and what lies between.
//!
//! The search visits candidates in the lexicographic order of their paths. So a list of choices cuts the space
//! in two: what comes before, and what begins with these choices or comes after. A range between two cuts is
//! searched by nobody else than who was given it, and needs nothing but its two ends.

use super::{Found, NO_LEAF, SearchCore, Verdict};
use crate::error::Error;
use crate::heap::{Closed, Follow, Guide, State};
use crate::outcome::{Limit, Stop};
use std::fmt;
use std::str::FromStr;

/// A place in the order of the search: choices in the order of reads. The empty one is the beginning.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Position(pub Vec<u32>);

impl Position {
    /// The beginning of everything.
    pub const START: Position = Position(vec![]);

    /// Whether nothing comes before.
    pub fn is_start(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::candidate::write_choices(f, &self.0)
    }
}

impl FromStr for Position {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        crate::candidate::parse_choices(s, "position").map(Position)
    }
}

impl SearchCore {
    /// Begins at a position: the first candidate will be the first one that does not come before it.
    pub fn start_at(&mut self, position: &Position) -> Result<(), Error> {
        let Position(choices) = position;
        if self.settled()? {
            return self.start_at_indices(choices);
        }
        self.follow(0, choices)?;
        self.close_keys();
        self.rest.clear();
        let mut s = self.heap().state.borrow_mut();
        s.close_down_to(choices.len());
        s.close_firsts();
        // The beginning is run, even if the invariant reads nothing.
        if s.path.is_empty() {
            self.leaf = NO_LEAF;
        }
        drop(s);
        self.sorting.forgive();
        (self.started, self.is_delivered) = (false, false);
        self.low = 0;
        self.outcome.stop = Stop::Interrupted;
        Ok(())
    }

    /// Goes on behind a valid candidate, given by its whole path.
    pub fn start_after(&mut self, path: &[u32]) -> Result<(), Error> {
        self.restore(0, path)?;
        self.spend();
        (self.started, self.is_delivered) = (true, true);
        self.low = path.len();
        self.outcome.stop = Stop::Interrupted;
        Ok(())
    }

    /// Ends before a position: then [`Stop::LimitReached`] says [`Limit::Position`].
    pub fn until(&mut self, position: &Position) {
        self.end = position.0.clone();
        self.rest.end_at(self.heap, &self.end);
    }

    /// The position of what was not looked at yet; none if that is nothing.
    pub fn position(&mut self) -> Option<Position> {
        if self.is_combined() {
            return self.next_indices().map(Position);
        }
        if !self.started || self.is_at_end() {
            return Some(Position(self.path()));
        }
        let path = self.whole_path().filter(|_| self.is_delivered);
        self.looking_back(|s| {
            path.into_iter().for_each(|path| s.close_down_to_step(path));
            s.advance().then(|| Position(s.choices_from(0)))
        })
    }

    /// Gives the later part of what is left away, as much as there is in one piece: this search will end where
    /// that begins. None if there is nothing to give.
    pub fn split(&mut self) -> Option<Position> {
        if !self.started || self.is_at_end() {
            return None;
        }
        if self.is_combined() {
            let cut = Position(self.middle_of_rest()?);
            self.until(&cut);
            return Some(cut);
        }
        let end = std::mem::take(&mut self.end);
        let path = self.whole_path();
        let cut = self.looking_back(|s| {
            path.into_iter().for_each(|path| s.close_down_to_step(path));
            let mut choices = s.choices_from(0);
            let mut cut = None;
            while let Some(closed) = s.pop() {
                choices.truncate(s.path.len());
                if let Some(next) = s.next_choice(&closed, closed.choice + 1) {
                    choices.push(next);
                    if end.is_empty() || choices < end {
                        cut = Some(choices.clone());
                    }
                }
            }
            cut
        });
        self.until(&Position(cut.clone().unwrap_or(end)));
        cut.map(Position)
    }

    /// The share of the space that lies behind, as if every choice of a slot led to equally much. It never falls
    /// while the search goes on, and that is all it promises.
    pub fn fraction(&mut self) -> f64 {
        if self.is_combined() {
            return self.share_of_combinations();
        }
        self.looking_back(|s| {
            let mut ranks = vec![];
            while let Some(closed) = s.pop() {
                ranks.push(s.rank(&closed));
            }
            let (mut behind, mut width) = (0.0, 1.0);
            for (before, all) in ranks.into_iter().rev() {
                width /= f64::from(all);
                behind += width * f64::from(before);
            }
            behind
        })
    }

    /// Does something with the state that closes steps of the path, and restores it.
    fn looking_back<R>(&mut self, f: impl FnOnce(&mut State) -> R) -> R {
        let path = self.path();
        self.settle_rest();
        self.close_keys();
        let mut s = self.heap.state.borrow_mut();
        let steps: Vec<(u32, u32)> = s.path.iter().map(|step| (step.slot, step.choice)).collect();
        let result = f(&mut s);
        s.close_down_to(0);
        if s.is_lazy {
            drop(s);
            // At the end there is nothing to come back to.
            if !path.is_empty() {
                let covered = self.sorting.set_aside();
                self.revisit(&path);
                self.sorting.put_back(covered);
            }
        } else {
            steps.iter().for_each(|&(slot, choice)| s.push(slot, choice));
        }
        result
    }

    /// The choices of the current candidate in the order of reads.
    pub fn path(&self) -> Vec<u32> {
        if let Some(indices) = self.indices() {
            return indices;
        }
        self.heap().state.borrow().choices_from(0)
    }

    /// What has changed on the path since this was called last: how many choices are still the same, and, in
    /// `new`, those that come after them.
    pub fn changes(&mut self, new: &mut Vec<u32>) -> usize {
        if let Some(indices) = self.indices() {
            let kept = std::mem::replace(&mut self.low, indices.len()).min(indices.len());
            new.clear();
            new.extend_from_slice(&indices[kept..]);
            return kept;
        }
        self.note_raised();
        let s = self.heap().state.borrow();
        let kept = std::mem::replace(&mut self.low, s.path.len());
        new.clear();
        new.extend(s.path[kept..].iter().map(|step| step.choice));
        kept
    }

    /// A number for the slots on the path, in the order of reads: if it is another one for the same choices, they
    /// mean something else now.
    pub fn reads(&self) -> u64 {
        if let Some(fingerprint) = self.part_fingerprint() {
            return fingerprint;
        }
        // FNV-1a: its values are in files.
        let add = |hash: u64, slot: u32| {
            slot.to_le_bytes()
                .iter()
                .fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
        };
        self.heap().state.borrow().path.iter().map(|step| step.slot).fold(0xcbf2_9ce4_8422_2325, add)
    }

    /// Goes to a valid candidate that agrees with the current one on its first `kept` choices. After
    /// [`SearchCore::start_after`] the search can be continued from there.
    pub fn restore(&mut self, kept: usize, new: &[u32]) -> Result<(), Error> {
        if self.settled()? {
            return self.restore_indices(kept, new);
        }
        let verdict = self.follow(kept, new)?;
        let s = self.heap().state.borrow();
        let stale = |why: &str| Err(Error::Stale { why: why.into() });
        match verdict {
            Verdict::Valid if s.path.len() == kept + new.len() => Ok(()),
            Verdict::Valid => stale("the invariant reads more fields now"),
            Verdict::Invalid | Verdict::DeadEnd => stale("the invariant does not accept it"),
            Verdict::Failed(kind) => stale(&kind.to_string()),
        }
    }

    /// Goes to a candidate that was visited before, valid or not, given by its whole path.
    pub fn revisit(&mut self, path: &[u32]) {
        if matches!(self.settled(), Ok(true)) {
            let _ = self.restore_indices(0, path);
            return;
        }
        let _ = self.follow(0, path);
    }

    /// Runs the invariant with given choices behind the first `kept` ones of the path.
    pub(super) fn follow(&mut self, kept: usize, new: &[u32]) -> Result<Verdict, Error> {
        // The invariant has nothing to say about what it has not decided.
        let is_in_leaf = kept > 0 && kept >= self.leaf;
        self.settle_rest();
        self.guide_to(kept, new);
        let verdict = if is_in_leaf { self.complete_valid() } else { self.run_and_complete_once() };
        let mut s = self.heap().state.borrow_mut();
        let Guide::Follow(Follow { next, refused, .. }) = std::mem::take(&mut s.guide) else {
            unreachable!("nothing else sets the guide during a run")
        };
        let why = match refused {
            Some(slot) => format!("choice {} is not allowed at `{}`", new[next - 1], s.label(slot)),
            None if next < new.len() => {
                format!("it has {} choices, but only {} are made", kept + new.len(), kept + next)
            }
            None => return Ok(verdict),
        };
        s.close_down_to(0);
        drop(s);
        self.rest.clear();
        self.leaf = NO_LEAF;
        Err(Error::Stale { why })
    }

    /// Lets the next run follow given choices behind the first `kept` ones of the path.
    pub(super) fn guide_to(&mut self, kept: usize, new: &[u32]) {
        self.delivery.lost();
        self.rest.clear();
        self.keys = self.keys.filter(|&keys| keys < kept);
        let mut s = self.heap().state.borrow_mut();
        s.close_down_to(kept);
        s.guide = Guide::Follow(Follow { choices: new.to_vec(), next: 0, refused: None });
    }

    /// Whether the search has come to the position where it ends.
    pub(super) fn is_at_end(&self) -> bool {
        self.outcome.stop == Stop::LimitReached(Limit::Position)
    }

    /// Stops if the path has come to the end position, of which it agreed with `depth` choices before.
    #[inline]
    pub(super) fn stop_at_end(&mut self, depth: usize) -> Option<Found> {
        if depth >= self.end.len() { None } else { self.stop_near_end() }
    }

    #[cold]
    fn stop_near_end(&mut self) -> Option<Found> {
        if self.heap().state.borrow().comes_before(&self.end) {
            return None;
        }
        self.outcome.stop = Stop::LimitReached(Limit::Position);
        Some(Found::End)
    }
}

impl State {
    /// Closes slots at the end that have their first choice: they will get it again. So the last open slot is the one
    /// that the search has advanced to come here.
    fn close_firsts(&mut self) {
        while let Some(closed) = self.pop() {
            if self.next_choice(&closed, 0) != Some(closed.choice) {
                self.reopen(&closed, closed.choice);
                break;
            }
        }
    }

    fn choices_from(&self, depth: usize) -> Vec<u32> {
        self.path[depth..].iter().map(|step| step.choice).collect()
    }

    /// How many choices of what was closed last come before the one that it had, and how many there are.
    fn rank(&mut self, closed: &Closed) -> (u32, u32) {
        if let Some((lo, hi)) = self.plain_bounds(closed) {
            return (closed.choice - lo, hi - lo + 1);
        }
        let (mut before, mut all, mut from) = (0, 0, 0);
        while let Some(next) = self.next_choice(closed, from) {
            before += u32::from(next < closed.choice);
            all += 1;
            from = next + 1;
        }
        (before, all.max(1))
    }

    fn comes_before(&self, position: &[u32]) -> bool {
        self.path.iter().map(|step| step.choice).take(position.len()).lt(position.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, Options, Search};
    use std::ops::ControlFlow;

    /// The paths of the values up to an end.
    fn until(end: &[u32]) -> Vec<Vec<u32>> {
        let mut search = Search::<Vec<u8>>::new(&Bounds::scope(4), Options::default()).unwrap();
        search.until(&Position(end.to_vec()));
        let mut paths = vec![];
        while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {
            paths.push(search.path());
        }
        paths
    }

    #[test]
    fn a_range_may_end_before_any_value() {
        let all = until(&[]);
        assert_eq!(all.len(), 1 + 4 + 16 + 64 + 256);
        for (before, end) in all.iter().enumerate() {
            assert_eq!(until(end), all[..before], "{end:?}");
        }
    }

    #[test]
    fn a_range_may_end_before_all_that_begins_alike() {
        let all = until(&[]);
        for end in [&[2][..], &[2, 3], &[4, 0], &[4, 1, 2], &[4, 3, 3, 2]] {
            let before = all.iter().take_while(|path| path[..] < *end).count();
            assert_eq!(until(end), all[..before], "{end:?}");
        }
    }
}
