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
    fn inspect_rejected(&mut self, run: &mut Run, build: &mut Build) -> Result<(), Failure>;

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
        match verdict {
            Verdict::Valid if source.wants(run) => return Ok(run.found()),
            Verdict::Valid => {}
            Verdict::Invalid => source.inspect_rejected(run, build)?,
            Verdict::DeadEnd => run.outcome.pruned += 1,
            Verdict::Failed(kind) => return Err(source.failure(kind, run)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::Candidate;
    use std::ops::ControlFlow;

    /// A source that gives prepared verdicts, one per candidate.
    struct Prepared {
        verdicts: Vec<Verdict>,
        next: usize,
        /// Valid candidates that are not wanted.
        unwanted: Vec<usize>,
        /// The number of the first candidate behind the end of the range.
        end: usize,
        rejected: Vec<usize>,
    }

    impl Prepared {
        fn new(verdicts: Vec<Verdict>) -> Prepared {
            Prepared { verdicts, next: 0, unwanted: vec![], end: usize::MAX, rejected: vec![] }
        }

        fn find(&mut self, run: &mut Run) -> Result<Found, Failure> {
            find(self, run, &mut Build::new(), &mut |_| ControlFlow::Continue(()))
        }
    }

    impl Source for Prepared {
        fn advance(&mut self, _: &mut Run) -> Option<usize> {
            self.next += 1;
            (self.next <= self.verdicts.len()).then_some(0)
        }

        fn judge(&mut self, _: usize, run: &mut Run) -> Option<Verdict> {
            run.outcome.explored += 1;
            let verdict = std::mem::replace(&mut self.verdicts[self.next - 1], Verdict::Invalid);
            (self.next <= self.end).then_some(verdict)
        }

        fn wants(&mut self, _: &mut Run) -> bool {
            !self.unwanted.contains(&self.next)
        }

        fn inspect_rejected(&mut self, _: &mut Run, _: &mut Build) -> Result<(), Failure> {
            self.rejected.push(self.next);
            Ok(())
        }

        fn end_of_space(&self) -> Stop {
            Stop::Exhausted
        }

        fn failure(&mut self, kind: FailureKind, run: &mut Run) -> Failure {
            run.outcome.stop = Stop::FirstFailure;
            Failure { kind, candidate: Candidate(vec![self.next as u32]) }
        }
    }

    #[test]
    fn valid_candidates_are_delivered_in_order_and_the_rest_is_counted() {
        use Verdict::{DeadEnd, Invalid, Valid};
        let mut source = Prepared::new(vec![Invalid, Valid, DeadEnd, Valid, Invalid]);
        let mut run = Run::new();
        assert_eq!((source.find(&mut run), source.next), (Ok(Found::Valid), 2));
        assert_eq!((source.find(&mut run), source.next), (Ok(Found::Valid), 4));
        assert_eq!(source.find(&mut run), Ok(Found::End));
        assert_eq!(source.rejected, [1, 5]);
        assert_eq!((run.outcome.valid, run.outcome.explored, run.outcome.pruned), (2, 5, 1));
        assert_eq!(run.outcome.stop, Stop::Exhausted);
    }

    #[test]
    fn unwanted_values_are_passed_over() {
        let mut source = Prepared::new(vec![Verdict::Valid, Verdict::Valid]);
        source.unwanted = vec![1];
        let mut run = Run::new();
        assert_eq!((source.find(&mut run), source.next, run.outcome.valid), (Ok(Found::Valid), 2, 1));
    }

    #[test]
    fn a_search_ends_behind_its_range() {
        let mut source = Prepared::new(vec![Verdict::Valid, Verdict::Valid]);
        source.end = 1;
        let mut run = Run::new();
        assert_eq!(source.find(&mut run), Ok(Found::Valid));
        assert_eq!(source.find(&mut run), Ok(Found::End));
        assert!(Range::is_reached(&run.outcome) && run.outcome.valid == 1);
    }

    #[test]
    fn a_failure_ends_the_search_with_its_candidate() {
        let kind = FailureKind::Unbuildable { why: "no".into() };
        let mut source = Prepared::new(vec![Verdict::Invalid, Verdict::Failed(kind.clone())]);
        let mut run = Run::new();
        assert_eq!(source.find(&mut run), Err(Failure { kind, candidate: Candidate(vec![2]) }));
        assert_eq!(run.outcome.stop, Stop::FirstFailure);
    }

    #[test]
    fn a_pause_loses_no_candidate() {
        let verdicts = (0..3000).map(|i| if i == 2999 { Verdict::Valid } else { Verdict::Invalid });
        let mut source = Prepared::new(verdicts.collect());
        let (mut run, mut pauses) = (Run::new(), 0);
        loop {
            let found = find(&mut source, &mut run, &mut Build::new(), &mut |_| {
                ControlFlow::Break(Stop::Interrupted)
            });
            match found.unwrap() {
                Found::Paused => pauses += 1,
                Found::Valid => break,
                Found::End => panic!("the last candidate is valid"),
            }
        }
        assert_eq!((pauses, source.next), (2, 3000));
        assert!(source.rejected.into_iter().eq(1..3000));
    }
}
