//! Audit mode: the real invariant must reject what the search rejects.

use crate::build::Build;
use crate::error::FailureKind;
use crate::invariant::Structure;
use crate::outcome::Outcome;

/// Builds the current candidate, which was rejected, completed with first choices, and runs the real invariant on it. The
/// value is not dropped: its destructor may rely on the invariant.
pub(super) fn audit(
    structure: Structure,
    outcome: &mut Outcome,
    build: &mut Build,
) -> Result<(), FailureKind> {
    let depth = structure.heap.state.borrow().path.len();
    if structure.complete().is_ok() && structure.heap.state.borrow().flaw().is_none() {
        outcome.audited += 1;
        let difference = match structure.root.ask_real(structure.heap, build) {
            Ok(false) => None,
            Ok(true) => {
                Some("the invariant rejects the candidate but accepts the value built from it".to_owned())
            }
            Err(message) => Some(format!(
                "the invariant rejects the candidate but panics on the value built from it: {message}"
            )),
        };
        if let Some(difference) = difference {
            return Err(FailureKind::Disagreement { difference });
        }
    }
    structure.heap.state.borrow_mut().close_down_to(depth);
    Ok(())
}
