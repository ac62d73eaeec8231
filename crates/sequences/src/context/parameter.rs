//! Pools of one parameter: values that only calls with this parameter take, and not every call that takes their type.

use std::fmt;

/// A value of a parameter. The number tells parameters apart that have the same type, so that each has its own pool.
#[derive(Clone)]
pub struct Of<const PARAMETER: u64, T>(pub T);

impl<const PARAMETER: u64, T: fmt::Debug> fmt::Debug for Of<PARAMETER, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a call panics with whose assumption does not hold.
const REFUSED: &str = "smallscope: an assumption of this call does not hold";

/// Ends a call whose assumption does not hold. See `smallscope::assume!`.
pub fn refuse_call() -> ! {
    // Without the panic hook: it is no panic for the user.
    std::panic::resume_unwind(Box::new(REFUSED))
}

/// Whether the message of a panic is that of a call whose assumption does not hold.
pub(super) fn is_refused(message: &str) -> bool {
    message == REFUSED
}
