//! Candidates in canonical form: the current one, and going to one from outside.

use super::{NO_LEAF, SearchCore, Verdict};
use crate::candidate::Candidate;
use crate::error::{Error, Failure};
use crate::walk::Walk;

impl SearchCore {
    /// The current candidate in canonical form. Slots that were not read get their first choice. It is empty if
    /// there is no such choice, or if the structure is deeper than the stack allows.
    pub fn candidate(&self) -> Candidate {
        let recorded = self.catching_dead_ends(|| Walk::record(self.heap(), self.root));
        Candidate(recorded.and_then(Result::ok).unwrap_or_default())
    }

    /// Goes to a recorded candidate. The search can not be continued from there.
    pub fn go_to(&mut self, candidate: &Candidate) -> Result<(), Error> {
        self.go_nowhere();
        let replayed = self.catching_dead_ends(|| Walk::replay(self.heap(), self.root, &candidate.0));
        replayed.unwrap_or_else(|| {
            Err(Error::Stale { why: "it needs more objects than the bounds allow".into() })
        })
    }

    /// Whether the invariant accepts the current candidate. In audit mode a rejected one is built and checked.
    pub fn accepts(&mut self) -> Result<bool, Failure> {
        self.show_current();
        match self.run() {
            Verdict::Valid => Ok(!self.heap().state.borrow().is_ruled_out()),
            Verdict::Invalid => self.audit().map(|()| false),
            Verdict::DeadEnd => Ok(false),
            Verdict::Failed(kind) => Err(self.failure(kind)),
        }
    }

    /// Closes everything, to go to a candidate from outside.
    pub(super) fn go_nowhere(&mut self) {
        self.leave_combination();
        self.leaf = NO_LEAF;
        self.keys = None;
        self.rest.clear();
        self.sorting.forgive();
        self.delivery.next_run();
        self.heap().state.borrow_mut().close_down_to(0);
    }
}
