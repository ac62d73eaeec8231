//! The loop: move to the next candidate, decide it, deliver it or go on.
//!
//! This is the published algorithm. What is not in the loop is in a source ([`Source`]): how to move to the next candidate,
//! how to decide it, which valid candidates are wanted.

use super::range::Range;
use super::run::{Run, Tick};
use crate::build::Build;
use crate::error::{Failure, FailureKind};
use crate::invariant::Verdict;
use crate::outcome::Stop;

/// Why a search returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// A valid candidate; [`Search::value`](crate::Search::value) builds it.
    Valid,
    /// The caller's `tick` asked for a pause. The next call goes on from here.
    Paused,
    /// The end of the space, or of the range: see [`AnySearch::outcome`](crate::AnySearch::outcome).
    End,
}

/// Where candidates come from: one search for everything ([`super::DepthFirst`]), or combinations of disjoint parts
/// ([`crate::disjoint`]).
pub(crate) trait Source {
    /// Moves to the next candidate. Returns how many steps it has in common with the one before; none at the end of the
    /// space.
    fn advance(&mut self, run: &mut Run) -> Option<usize>;

    /// Decides the current candidate, which has `kept` steps in common with the one before; none if it lies behind the end
    /// of the range.
    fn judge(&mut self, kept: usize, run: &mut Run) -> Option<Verdict>;

    /// Whether the current candidate, which is valid, is delivered.
    fn wants(&mut self, run: &mut Run) -> bool;

    /// Looks at the current candidate, which the invariant has rejected.
    fn inspect_rejected(&mut self, run: &mut Run, build: &mut Build) -> Result<(), FailureKind>;

    /// Why a search ends that has visited its whole space.
    fn end_of_space(&self) -> Stop;

    /// Reports that the invariant misbehaves on the current candidate.
    fn failure(&mut self, kind: FailureKind, run: &mut Run) -> Failure;
}

/// Searches for the next valid candidate.
pub(crate) fn find(
    source: &mut impl Source,
    run: &mut Run,
    build: &mut Build,
    tick: &mut Tick<'_>,
) -> Result<Found, Failure> {
    loop {
        if let Some(stop) = run.pause(tick) {
            return Ok(run.pause_for(stop));
        }
        let Some(kept) = source.advance(run) else { return Ok(run.end(source.end_of_space())) };
        let Some(verdict) = source.judge(kept, run) else { return Ok(run.end(Range::STOP)) };
        let checked = match verdict {
            Verdict::Valid if source.wants(run) => return Ok(run.found()),
            Verdict::Valid => Ok(()),
            Verdict::Invalid => source.inspect_rejected(run, build),
            Verdict::DeadEnd => Ok(run.outcome.pruned += 1),
            Verdict::Failed(kind) => Err(kind),
        };
        checked.map_err(|kind| source.failure(kind, run))?;
    }
}
