//! Which decisions the invariant takes on a valid candidate, as one plain run of it takes them.

use super::{SearchCore, Verdict};
use crate::cell::Asks;
use crate::error::{Failure, FailureKind};
use crate::options::Engine;
use crate::probe::{self, Taken};
use crate::{ask, guard, key};
use std::panic::{AssertUnwindSafe, catch_unwind};

impl SearchCore {
    /// Records the decisions of the invariant on the current candidate, which must be valid and complete, as it is when
    /// [`SearchCore::find_next`] or [`SearchCore::restore`] has come to it. What was in `taken` is replaced. The search goes on
    /// as if nothing had happened.
    ///
    /// The invariant is run once more, and plainly: with all of its conjuncts, in the order of the source, on values
    /// that are decided. So what is recorded depends on the value alone, and not on the engine that has found it.
    ///
    /// Without the feature `criteria` nothing is recorded.
    pub fn decisions(&mut self, taken: &mut Vec<Taken>) -> Result<(), Failure> {
        self.rest.show(self.heap);
        let depth = self.heap.state.borrow().path.len();
        if self.options.engine == Engine::Lazy {
            // Reads in place of questions.
            self.heap.state.borrow().path.iter().for_each(|step| step.set_asks(Asks::Nothing));
        }
        let keys = key::enter(None);
        ask::unpromise();
        let outer = guard::arm();
        let run = probe::recorded(taken, || catch_unwind(AssertUnwindSafe(|| self.root.rep_ok())));
        guard::disarm(outer);
        key::enter(keys);
        let has_read_more = {
            let mut s = self.heap.state.borrow_mut();
            let has_read_more = s.path.len() != depth;
            s.close_down_to_step(depth);
            if self.options.engine == Engine::Lazy {
                s.path.iter().for_each(|step| step.set_asks(s.slots[step.slot as usize].asks()));
            }
            has_read_more
        };
        let difference = match run {
            Ok(true) if has_read_more => "a second run on the same candidate read other fields",
            Ok(true) => return Ok(()),
            Ok(false) => "a second run on the same candidate did not accept it again",
            Err(thrown) => match self.thrown(thrown) {
                Verdict::Failed(kind) => return Err(self.failure(kind)),
                _ => "a second run on the same candidate read other fields",
            },
        };
        Err(self.failure(FailureKind::NonDeterministic { difference: difference.into() }))
    }

    /// Changes whenever the invariant is run. Candidates with the same number are decided by the same run of it, so
    /// their decisions are the same, too.
    pub fn run_number(&self) -> u64 {
        self.delivery.run_number
    }
}
