//! A budget of steps and of stack for one run of an invariant, so that endless loops and unbounded recursion
//! end in a report instead of a hang or an abort. Instrumented code calls [`step`].

use std::cell::Cell;
use std::panic::resume_unwind;

thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(u64::MAX) };
    /// The lowest address that the stack may grow to.
    static FLOOR: Cell<usize> = const { Cell::new(0) };
}

/// Thrown, without the panic hook, when a budget is used up.
pub(crate) enum Exhausted {
    Steps,
    Stack,
}

/// Counts a function call or a loop round of an invariant.
#[inline(always)]
pub fn step() {
    let left = STEPS.get();
    STEPS.set(left.wrapping_sub(1));
    let here = 0u8;
    if left == 0 || (&raw const here as usize) < FLOOR.get() {
        give_up(left == 0);
    }
}

#[cold]
#[inline(never)]
fn give_up(steps: bool) {
    disarm();
    resume_unwind(Box::new(if steps { Exhausted::Steps } else { Exhausted::Stack }));
}

/// Starts a run.
#[inline(always)]
pub(crate) fn arm(steps: u64, stack: usize) {
    let here = 0u8;
    STEPS.set(steps);
    FLOOR.set((&raw const here as usize).saturating_sub(stack));
}

/// Ends a run.
#[inline(always)]
pub(crate) fn disarm() {
    STEPS.set(u64::MAX);
    FLOOR.set(0);
}
