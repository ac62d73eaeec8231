//! The decisions that the invariant takes on a valid candidate, recorded by one plain run.

use crate::cell::Asks;
use crate::error::FailureKind;
use crate::invariant::{Structure, Verdict};
use crate::probe::{self, Taken};

/// Records the decisions of the invariant on the current candidate, which is valid and complete.
#[inline]
pub(super) fn record(structure: Structure, taken: &mut Vec<Taken>) -> Result<(), FailureKind> {
    let state = &structure.heap.state;
    let depth = state.borrow().path.len();
    if structure.is_lazy() {
        // Reads in place of questions.
        state.borrow().path.iter().for_each(|step| step.set_asks(Asks::Nothing));
    }
    let run = probe::recorded(taken, || structure.run_plainly());
    let has_read_more = {
        let mut s = state.borrow_mut();
        let has_read_more = s.path.len() != depth;
        s.close_down_to_step(depth);
        if structure.is_lazy() {
            s.path.iter().for_each(|step| step.set_asks(s.layout.slot(step.slot).asks()));
        }
        has_read_more
    };
    let difference = match run {
        Ok(true) if has_read_more => "a second run on the same candidate read other fields",
        Ok(true) => return Ok(()),
        Ok(false) => "a second run on the same candidate did not accept it again",
        Err(thrown) => match structure.verdict_of(thrown) {
            Verdict::Failed(kind) => return Err(kind),
            _ => "a second run on the same candidate read other fields",
        },
    };
    Err(FailureKind::NonDeterministic { difference: difference.into() })
}
