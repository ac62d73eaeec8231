//! Positions of a search over the path: where it begins, where it stands, where it can be cut.

use super::DepthFirst;
use super::range::{Position, Range, Seek};
use super::run::Run;
use crate::error::Error;
use crate::heap::State;
use crate::ids::{Choice, SlotId};
use crate::invariant::Verdict;
use crate::path::{Closed, Follow, Guide, choices_of};

impl Seek for DepthFirst {
    fn start_at(&mut self, choices: &[u32], run: &mut Run) -> Result<(), Error> {
        self.follow(0, choices, run)?;
        self.set.close_keys(self.structure.heap);
        self.set.clear();
        let mut s = self.structure.heap.state.borrow_mut();
        s.close_down_to(choices.len());
        close_firsts(&mut s);
        // The beginning runs, even if the invariant reads nothing.
        if s.path.is_empty() {
            self.set.reset();
        }
        drop(s);
        self.classes.keep_all();
        self.sample.is_delivered = false;
        run.restart(false, 0);
        Ok(())
    }

    fn start_after(&mut self, path: &[u32], run: &mut Run) -> Result<(), Error> {
        self.restore(0, path, run)?;
        self.classes.spend();
        self.sample.is_delivered = true;
        run.restart(true, path.len());
        Ok(())
    }

    fn until(&mut self, end: Vec<u32>, run: &mut Run) {
        run.range.end = end;
        self.set.end_at(self.structure.heap, &run.range.end);
    }

    fn position(&mut self, run: &mut Run) -> Option<Position> {
        if !run.has_begun || Range::is_reached(&run.outcome) {
            return Some(Position(self.path()));
        }
        let path = self.sample.whole_path(&self.set).filter(|_| self.sample.is_delivered);
        let mut position = None;
        self.looking_back(run, &mut |s| {
            if let Some(path) = path {
                s.close_down_to_step(path);
            }
            if s.advance() {
                position = Some(Position(choices(s)));
            }
        });
        position
    }

    fn split(&mut self, run: &mut Run) -> Option<Position> {
        let end = std::mem::take(&mut run.range.end);
        let path = self.sample.whole_path(&self.set);
        let mut cut = None;
        self.looking_back(run, &mut |s| {
            if let Some(path) = path {
                s.close_down_to_step(path);
            }
            let mut choices = choices(s);
            while let Some(closed) = s.pop() {
                choices.truncate(s.path.len());
                if let Some(next) = s.next_choice(&closed, closed.choice + 1) {
                    choices.push(next);
                    if end.is_empty() || choices < end {
                        cut = Some(choices.clone());
                    }
                }
            }
        });
        self.until(cut.clone().unwrap_or(end), run);
        cut.map(Position)
    }

    fn fraction(&mut self, run: &mut Run) -> f64 {
        let mut ranks = vec![];
        self.looking_back(run, &mut |s| {
            while let Some(closed) = s.pop() {
                ranks.push(rank(s, &closed));
            }
        });
        let (mut behind, mut width) = (0.0, 1.0);
        for (before, all) in ranks.into_iter().rev() {
            width /= f64::from(all);
            behind += width * f64::from(before);
        }
        behind
    }

    fn path(&self) -> Vec<u32> {
        choices(&self.shown().state.borrow())
    }

    fn changes(&mut self, new: &mut Vec<u32>, run: &mut Run) -> usize {
        self.note_raised(run);
        let s = self.shown().state.borrow();
        let kept = std::mem::replace(&mut run.unchanged, s.path.len());
        new.clear();
        new.extend_from_slice(&choices_of(&s.path[kept..]));
        kept
    }

    fn reads(&self) -> u64 {
        let s = self.shown().state.borrow();
        crate::hash::fnv(crate::hash::FNV, s.path.iter().map(|step| step.slot.number()))
    }

    fn restore(&mut self, kept: usize, new: &[u32], run: &mut Run) -> Result<(), Error> {
        let verdict = self.follow(kept, new, run)?;
        let s = self.shown().state.borrow();
        let stale = |why: &str| Err(Error::Stale { why: why.into() });
        match verdict {
            Verdict::Valid if s.path.len() == kept + new.len() => Ok(()),
            Verdict::Valid => stale("the invariant reads more fields now"),
            Verdict::Invalid | Verdict::DeadEnd => stale("the invariant does not accept it"),
            Verdict::Failed(kind) => stale(&kind.to_string()),
        }
    }

    fn revisit(&mut self, path: &[u32], run: &mut Run) {
        let _ = self.follow(0, path, run);
    }
}

impl DepthFirst {
    /// Does something with the path that closes steps of it, and restores it.
    fn looking_back(&mut self, run: &mut Run, f: &mut dyn FnMut(&mut State)) {
        let path = self.path();
        self.settle(run);
        self.set.close_keys(self.structure.heap);
        let mut s = self.structure.heap.state.borrow_mut();
        let mut steps: Vec<(SlotId, Choice)> = vec![];
        for step in s.path.iter() {
            steps.push((step.slot, step.choice));
        }
        f(&mut s);
        s.close_down_to(0);
        if s.engine.decides_questions() {
            drop(s);
            // At the end there is nothing to go back to.
            if !path.is_empty() {
                let covered = self.classes.set_aside();
                self.revisit(&path, run);
                self.classes.put_back(covered);
                self.close_behind(path.len());
            }
        } else {
            for (slot, choice) in steps {
                s.push(slot, choice);
            }
        }
    }

    /// Closes the steps that a run has opened behind the path that it was to restore: the values of a set that were passed
    /// over must not come again.
    fn close_behind(&mut self, len: usize) {
        if self.path().len() > len {
            self.set.clear();
            self.structure.heap.state.borrow_mut().close_down_to(len);
        }
    }

    /// Runs the invariant with given choices behind the first `kept` choices of the path.
    pub fn follow(&mut self, kept: usize, new: &[u32], run: &mut Run) -> Result<Verdict, Error> {
        // The invariant does not look at what it has not decided.
        let is_in_set = kept > 0 && kept >= self.set.accepted;
        self.settle(run);
        self.guide_to(kept, new, run);
        let verdict = if is_in_set { self.complete_valid(run) } else { self.run_once(run) };
        let mut s = self.shown().state.borrow_mut();
        let Guide::Follow(Follow { next, refused, .. }) = std::mem::take(&mut s.guide) else {
            unreachable!("nothing else sets the guide during a run")
        };
        let why = match refused {
            Some(slot) => format!("choice {} is not allowed at `{}`", new[next - 1], s.layout.label(slot)),
            None if next < new.len() => {
                format!("it has {} choices, but only {} are made", kept + new.len(), kept + next)
            }
            None => return Ok(verdict),
        };
        s.close_down_to(0);
        drop(s);
        self.set.reset();
        Err(Error::Stale { why })
    }

    /// Lets the next run follow given choices behind the first `kept` choices of the path.
    pub fn guide_to(&mut self, kept: usize, new: &[u32], run: &mut Run) {
        run.lose();
        self.shown();
        self.set.clear();
        self.set.keys = self.set.keys.filter(|&keys| keys < kept);
        let mut s = self.structure.heap.state.borrow_mut();
        s.close_down_to(kept);
        s.guide = Guide::Follow(Follow { choices: new.to_vec(), next: 0, refused: None });
    }
}

fn choices(s: &State) -> Vec<u32> {
    choices_of(&s.path)
}

/// Closes slots at the end that have their first choice: they will get it again. So the last open slot is the one that the
/// search has advanced to get here.
fn close_firsts(s: &mut State) {
    while let Some(closed) = s.pop() {
        if s.next_choice(&closed, 0) != Some(closed.choice) {
            s.reopen(&closed, closed.choice);
            break;
        }
    }
}

/// Returns how many choices of the step that was closed last come before the choice that it had, and how many it has.
fn rank(s: &mut State, closed: &Closed) -> (u32, u32) {
    if let Some((lo, hi)) = s.plain_bounds(closed) {
        return (closed.choice - lo, hi - lo + 1);
    }
    let (mut before, mut all, mut from) = (0, 0, 0);
    while let Some(next) = s.next_choice(closed, from) {
        before += u32::from(next < closed.choice);
        all += 1;
        from = next + 1;
    }
    (before, all.max(1))
}

#[cfg(test)]
mod tests {
    use crate::{Bounds, Found, Options, Position, Search};
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
    fn values_that_were_passed_over_do_not_come_again() {
        let new = || Search::<Vec<u8>>::new(&Bounds::scope(4), Options::default()).unwrap();
        let (mut search, mut whole) = (new(), new());
        while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {
            search.count_rest();
            // Looking at the position runs the invariant again.
            search.position();
        }
        while whole.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {}
        assert_eq!(search.outcome(), whole.outcome());
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
