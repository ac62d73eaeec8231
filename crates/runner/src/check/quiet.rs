//! Panics of the invariant outside of a run.

use crate::runner;
use smallscope_support::panics;

/// Does not print panics of the invariant, which are part of the failure. Passes all others on.
#[track_caller]
pub(crate) fn quietly<R>(f: impl FnOnce() -> R) -> R {
    match panics::catch(f) {
        Ok(r) => r,
        Err(caught) => {
            panic!("{}", runner::describe_panic(&caught, "while a value was searched or built"))
        }
    }
}
