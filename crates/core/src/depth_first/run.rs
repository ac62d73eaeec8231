//! What a search has seen so far, and where it stands. Both sources of candidates share it.

use super::find::Found;
use super::range::Range;
use crate::outcome::{Outcome, Stop};
use std::ops::ControlFlow;

/// Called now and then with what was seen so far; may pause the search.
pub(crate) type Tick<'a> = dyn FnMut(&Outcome) -> ControlFlow<Stop> + 'a;

/// Candidates between two calls of the caller's `tick`.
const TICK: u64 = 1024;

/// The state of a search, apart from its path.
pub(crate) struct Run {
    pub outcome: Outcome,
    /// Candidates until the caller's `tick` is due.
    pub until_tick: u64,
    /// The search has moved to its first candidate.
    pub has_begun: bool,
    /// How many choices of the path are the same as when they were last asked for.
    pub unchanged: usize,
    pub range: Range,
    /// The current candidate is the one that was found last: every reachable slot is open, and its objects have owners.
    pub is_found: bool,
    /// Changes whenever the invariant runs.
    pub number: u64,
}

impl Run {
    pub fn new() -> Run {
        let outcome = Outcome { stop: Stop::Interrupted, explored: 0, valid: 0, pruned: 0, audited: 0 };
        Run {
            outcome,
            until_tick: TICK,
            has_begun: false,
            unchanged: 0,
            range: Range::default(),
            is_found: false,
            number: 0,
        }
    }

    /// Calls the caller's `tick` if it is due. Returns why the search is to pause.
    #[inline]
    pub fn pause(&mut self, tick: &mut Tick<'_>) -> Option<Stop> {
        self.until_tick -= 1;
        if self.until_tick > 0 {
            return None;
        }
        self.until_tick = TICK;
        tick(&self.outcome).break_value()
    }

    /// Only the first steps of the path, up to `depth`, are as before.
    #[inline]
    pub fn keep(&mut self, depth: usize) {
        self.unchanged = self.unchanged.min(depth);
    }

    /// The current candidate is valid and complete.
    #[inline(always)]
    pub fn found(&mut self) -> Found {
        self.outcome.valid += 1;
        self.is_found = true;
        Found::Valid
    }

    /// The candidate is about to change.
    #[inline(always)]
    pub fn lose(&mut self) {
        self.is_found = false;
    }

    /// The invariant is about to run, or the search moves to a candidate on which it has not run.
    #[inline(always)]
    pub fn begin_run(&mut self) {
        self.is_found = false;
        self.number += 1;
    }

    /// Ends the search.
    pub fn end(&mut self, stop: Stop) -> Found {
        self.outcome.stop = stop;
        Found::End
    }

    /// Pauses the search.
    pub fn pause_for(&mut self, stop: Stop) -> Found {
        self.outcome.stop = stop;
        Found::Paused
    }

    /// The search begins again at another place.
    pub fn restart(&mut self, has_begun: bool, unchanged: usize) {
        (self.has_begun, self.unchanged) = (has_begun, unchanged);
        self.outcome.stop = Stop::Interrupted;
    }
}
