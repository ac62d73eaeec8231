//! The range of a search: where it ends.
//!
//! The search visits candidates in the lexicographic order of their paths. So a list of choices cuts the space in two: the
//! candidates before it, and those that begin with these choices or come after. Ranges between cuts are disjoint, and a
//! search of one needs only its two ends.

use super::run::Run;
use crate::error::Error;
use crate::heap::Heap;
use crate::outcome::{Limit, Outcome, Stop};
use crate::path::compare_choices;
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

/// Places in the order of a source of candidates.
pub(crate) trait Seek {
    /// Begins at a position: the first candidate will be the first one that does not come before it.
    fn start_at(&mut self, position: &[u32], run: &mut Run) -> Result<(), Error>;
    /// Goes on behind a valid candidate, given by its whole path.
    fn start_after(&mut self, path: &[u32], run: &mut Run) -> Result<(), Error>;
    /// Ends before a position, unless it is empty.
    fn until(&mut self, end: Vec<u32>, run: &mut Run);
    /// Returns the position of what was not visited yet; none if that is nothing.
    fn position(&mut self, run: &mut Run) -> Option<Position>;
    /// Gives the later part of what is left away: this search will end where that part begins. None if there is nothing to
    /// give. The search has begun and has not reached its end.
    fn split(&mut self, run: &mut Run) -> Option<Position>;
    /// Returns the share of the space that lies behind. It never falls while the search goes on.
    fn fraction(&mut self, run: &mut Run) -> f64;
    /// Returns the choices of the current candidate in the order of reads.
    fn path(&self) -> Vec<u32>;
    /// Returns how many choices are the same since the last call, and puts those behind them into `new`.
    fn changes(&mut self, new: &mut Vec<u32>, run: &mut Run) -> usize;
    /// Returns a fingerprint of the meaning of the choices: if it differs for the same choices, these mean something else now.
    fn reads(&self) -> u64;
    /// Goes to a valid candidate that agrees with the current one on its first `kept` choices.
    fn restore(&mut self, kept: usize, new: &[u32], run: &mut Run) -> Result<(), Error>;
    /// Goes to a candidate that was visited before, valid or not, given by its whole path.
    fn revisit(&mut self, path: &[u32], run: &mut Run);
}

/// Where a search ends.
#[derive(Default)]
pub(crate) struct Range {
    /// The position; empty for the end of the space.
    pub end: Vec<u32>,
    /// How many first choices of the current candidate are known to lie before the end.
    pub compared: usize,
}

impl Range {
    /// How a search ends at the end of its range.
    pub const STOP: Stop = Stop::LimitReached(Limit::Position);

    /// Whether the current candidate lies behind the end.
    #[inline]
    pub fn ends_before(&self, heap: &Heap) -> bool {
        self.compared < self.end.len() && self.is_behind_end(heap)
    }

    #[cold]
    fn is_behind_end(&self, heap: &Heap) -> bool {
        let s = heap.state.borrow();
        let steps = &s.path[..self.end.len().min(s.path.len())];
        compare_choices(steps, &self.end).is_ge()
    }

    /// Whether a search has reached the end of its range.
    pub fn is_reached(outcome: &Outcome) -> bool {
        outcome.stop == Range::STOP
    }
}
