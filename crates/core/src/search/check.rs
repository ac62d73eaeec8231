//! Distrust: running a candidate again, and building candidates that the invariant has rejected.

use super::{SearchCore, Verdict};
use crate::error::{Failure, FailureKind};
use crate::heap::{Guide, Script};

impl SearchCore {
    /// The first candidates, and then one in so many, are run twice.
    #[inline]
    pub(super) fn is_rechecked(&self) -> bool {
        let every = u64::from(self.options.recheck_every);
        every != 0 && (self.outcome.explored <= 16 || self.outcome.explored.is_multiple_of(every))
    }

    /// Runs the current candidate a second time, from nothing: the answer and the slots read must be the same.
    /// The order of reads may differ, since the search does not depend on it.
    #[cold]
    pub(super) fn recheck(&mut self, first: Verdict) -> Verdict {
        if self.heap().state.borrow().has_answers() {
            return self.recheck_answers(first);
        }
        let path: Vec<(u32, u32)> = {
            let mut s = self.heap().state.borrow_mut();
            let path = s.path.iter().map(|step| (step.slot, step.choice)).collect::<Vec<_>>();
            let choices = s.path.iter().map(|step| (step.slot, (step.choice, step.index())));
            let script = Script { choices: choices.collect(), strayed: false };
            s.close_down_to(0);
            s.guide = Guide::Repeat(script);
            path
        };
        let second = match self.run() {
            Verdict::Valid => {
                let _ = self.complete();
                Verdict::Valid
            }
            other => other,
        };
        let (strayed, read) = {
            let mut s = self.heap().state.borrow_mut();
            let read = s.path.len();
            let strayed = matches!(std::mem::take(&mut s.guide), Guide::Repeat(Script { strayed: true, .. }));
            s.close_down_to(0);
            path.iter().for_each(|&(slot, choice)| s.push(slot, choice));
            (strayed, read)
        };
        let difference = match (&first, &second) {
            (Verdict::Valid, Verdict::Valid) | (Verdict::Invalid, Verdict::Invalid)
                if strayed || read != path.len() =>
            {
                "a second run on the same candidate read other fields"
            }
            (Verdict::Valid, Verdict::Valid) | (Verdict::Invalid, Verdict::Invalid) => return first,
            (Verdict::Valid, _) => "a second run on the same candidate did not accept it again",
            _ => "a second run on the same candidate did not reject it again",
        };
        Verdict::Failed(FailureKind::NonDeterministic { difference: difference.into() })
    }

    /// The same where questions were asked: they and the reads must come in the same order.
    fn recheck_answers(&mut self, first: Verdict) -> Verdict {
        let (path, reads) = (self.path(), self.reads());
        self.guide_to(0, &path);
        let second = self.run_and_complete_once();
        self.heap().state.borrow_mut().guide = Guide::First;
        let is_same = self.path() == path && self.reads() == reads;
        let difference = match (&first, second) {
            (Verdict::Valid, Verdict::Valid) | (Verdict::Invalid, Verdict::Invalid) if is_same => {
                return first;
            }
            (Verdict::Valid, Verdict::Valid) | (Verdict::Invalid, Verdict::Invalid) => {
                "a second run on the same candidate read other fields"
            }
            (_, Verdict::Failed(kind)) => return Verdict::Failed(kind),
            (Verdict::Valid, _) => "a second run on the same candidate did not accept it again",
            _ => "a second run on the same candidate did not reject it again",
        };
        Verdict::Failed(FailureKind::NonDeterministic { difference: difference.into() })
    }

    /// Audit mode: builds a rejected candidate, completed with first choices. The real invariant must reject
    /// it too. The value is not dropped: its destructor may rely on the invariant.
    pub(super) fn audit(&mut self) -> Result<(), Failure> {
        if !self.options.audit {
            return Ok(());
        }
        let depth = self.heap().state.borrow().path.len();
        if self.complete().is_ok() {
            let flaw = self.heap().state.borrow().flaw();
            if flaw.is_none() {
                self.outcome.audited += 1;
                let difference = match self.root.ask_real(&mut self.delivery.build) {
                    Ok(false) => None,
                    Ok(true) => Some(
                        "the invariant rejects the candidate but accepts the value built from it".to_owned(),
                    ),
                    Err(message) => Some(format!(
                        "the invariant rejects the candidate but panics on the value built from it: {message}"
                    )),
                };
                if let Some(difference) = difference {
                    return Err(self.failure(FailureKind::Disagreement { difference }));
                }
            }
        }
        self.heap().state.borrow_mut().close_down_to(depth);
        Ok(())
    }
}
