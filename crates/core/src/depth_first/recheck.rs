//! Rechecks: now and then a candidate runs twice, to detect invariants that are not deterministic.

use super::DepthFirst;
use super::range::Seek;
use super::run::Run;
use crate::error::FailureKind;
use crate::invariant::Verdict;
use crate::path::{Guide, Script};

/// The first candidates are always rechecked, if any are.
const FIRST: u64 = 16;

/// Whether a candidate runs twice, after so many runs of the invariant.
#[inline]
pub(super) fn is_due(every: u32, explored: u64) -> bool {
    every != 0 && (explored <= FIRST || explored % u64::from(every) == 0)
}

/// Runs the current candidate a second time, from nothing: the verdict and the slots read must be the same. The order of
/// reads may differ, since the search does not depend on it.
#[cold]
pub(super) fn recheck(search: &mut DepthFirst, run: &mut Run, first: Verdict) -> Verdict {
    if search.shown().state.borrow().has_answers() {
        return recheck_answers(search, run, first);
    }
    let structure = search.structure;
    let path = {
        let mut s = structure.heap.state.borrow_mut();
        let mut path = vec![];
        for step in s.path.iter() {
            path.push((step.slot, step.choice, step.index()));
        }
        s.close_down_to(0);
        s.guide = Guide::Repeat(Script { choices: path.clone(), ..Script::default() });
        path
    };
    let second = structure.run();
    if matches!(second, Verdict::Valid) {
        let _ = structure.complete();
    }
    let is_same = {
        let mut s = structure.heap.state.borrow_mut();
        let read = s.path.len();
        let strayed = matches!(std::mem::take(&mut s.guide), Guide::Repeat(Script { strayed: true, .. }));
        s.close_down_to(0);
        path.iter().for_each(|&(slot, choice, _)| s.push(slot, choice));
        !strayed && read == path.len()
    };
    compare(first, &second, is_same)
}

/// The same where questions were asked: they and the reads must come in the same order.
fn recheck_answers(search: &mut DepthFirst, run: &mut Run, first: Verdict) -> Verdict {
    let (path, reads) = (search.path(), search.reads());
    search.guide_to(0, &path, run);
    let second = search.run_once(run);
    search.shown().state.borrow_mut().guide = Guide::First;
    let is_same = search.path() == path && search.reads() == reads;
    match second {
        Verdict::Failed(kind) => Verdict::Failed(kind),
        second => compare(first, &second, is_same),
    }
}

/// The verdict of the first run, unless the second run differs.
fn compare(first: Verdict, second: &Verdict, is_same: bool) -> Verdict {
    let difference = match (&first, second) {
        (Verdict::Valid, Verdict::Valid) | (Verdict::Invalid, Verdict::Invalid) if is_same => return first,
        (Verdict::Valid, Verdict::Valid) | (Verdict::Invalid, Verdict::Invalid) => {
            "a second run on the same candidate read other fields"
        }
        (Verdict::Valid, _) => "a second run on the same candidate did not accept it again",
        _ => "a second run on the same candidate did not reject it again",
    };
    Verdict::Failed(FailureKind::NonDeterministic { difference: difference.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_candidates_and_then_every_nth_run_twice() {
        let due: Vec<u64> = (0..100).filter(|&explored| is_due(40, explored)).collect();
        assert_eq!(due, (0..=16).chain([40, 80]).collect::<Vec<_>>());
        assert!((0..100).all(|explored| !is_due(0, explored)));
    }

    #[test]
    fn runs_that_differ_are_told_apart() {
        let difference = |first, second, is_same| match compare(first, &second, is_same) {
            Verdict::Failed(FailureKind::NonDeterministic { difference }) => difference,
            _ => "none".into(),
        };
        assert_eq!(difference(Verdict::Valid, Verdict::Valid, true), "none");
        assert!(difference(Verdict::Valid, Verdict::Valid, false).ends_with("read other fields"));
        assert!(difference(Verdict::Valid, Verdict::Invalid, true).ends_with("did not accept it again"));
        assert!(difference(Verdict::Invalid, Verdict::DeadEnd, true).ends_with("did not reject it again"));
    }
}
