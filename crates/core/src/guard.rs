//! A budget for one run of an invariant, so that endless loops and unbounded recursion end in a report instead
//! of a hang or an abort. Instrumented code calls [`step`] in every function and every loop round.
//!
//! One number bounds both: the lowest address that the stack may grow down to. It rises a little with every
//! step, so a run ends when it recurses too deeply or when it goes on for too long. A step is two loads, a
//! store and a comparison.

use std::cell::Cell;
use std::mem::MaybeUninit;
use std::panic::resume_unwind;

/// Whether a panic can be caught. If not, no conjunct is evaluated out of turn, since it may panic.
pub(crate) const CAN_UNWIND: bool = cfg!(panic = "unwind");

/// Bytes of stack that one run may use.
pub const STACK: usize = 1 << 20;
/// Steps that one run may take.
pub const STEPS: u64 = FULL / RISE;

/// Addresses are counted in fractions of a byte, so that a step can cost less than one.
const FRACTION: u32 = 8;
const FULL: u64 = (STACK as u64) << FRACTION;
/// What a step costs.
const RISE: u64 = 16;

thread_local! {
    /// The lowest allowed stack address, in fractions of a byte; 0 when no run is guarded.
    static FLOOR: Cell<u64> = const { Cell::new(0) };
}

/// Thrown, without the panic hook, when the budget is used up.
pub(crate) enum Exhausted {
    Steps,
    Stack,
}

/// The address of the stack, about here.
#[inline(always)]
fn stack() -> u64 {
    let here = MaybeUninit::<u8>::uninit();
    (here.as_ptr() as u64) << FRACTION
}

/// Counts a function call or a loop round of an invariant.
#[inline(always)]
pub fn step() {
    let floor = FLOOR.get();
    FLOOR.set(floor + RISE);
    if stack() < floor {
        give_up(floor);
    }
}

#[cold]
#[inline(never)]
fn give_up(floor: u64) {
    // Unguarded code (a mirror used outside of a run) starts at 0 and may go on for ever.
    if floor < FULL {
        return;
    }
    let risen = floor - START.get();
    // Destructors that run while unwinding must not be stopped.
    FLOOR.set(0);
    resume_unwind(Box::new(if risen >= FULL / 2 { Exhausted::Steps } else { Exhausted::Stack }));
}

thread_local! {
    /// The floor at the start of the run.
    static START: Cell<u64> = const { Cell::new(0) };
}

/// Bytes of stack that recursion over a structure may use outside of the invariant: more than a run of the invariant, so
/// that what an invariant can follow by recursion can be completed, and less than the stack of a test's thread.
const DEPTH: u64 = 3 << 19;

/// The message for deeper recursion.
pub(crate) const TOO_DEEP: &str =
    "its links lead on and on, deeper than the stack allows; lower the number of objects";

/// A limit on recursion over structures, which may be deeper than the stack.
#[derive(Clone, Copy)]
pub(crate) struct Depth(u64);

impl Depth {
    /// The limit, counted from here.
    pub(crate) fn from_here() -> Depth {
        Depth(stack().saturating_sub(DEPTH << FRACTION))
    }

    /// Whether the stack has reached the limit.
    #[inline(always)]
    pub(crate) fn is_reached(self) -> bool {
        stack() < self.0
    }
}

/// The guard of a run around another one: an invariant may search, too.
pub(crate) struct Outer {
    floor: u64,
    start: u64,
}

/// Whether a run is under way.
pub(crate) fn is_armed() -> bool {
    START.get() > 0
}

/// Starts a run.
#[inline(always)]
pub(crate) fn arm() -> Outer {
    let floor = stack().saturating_sub(FULL);
    Outer { floor: FLOOR.replace(floor), start: START.replace(floor) }
}

/// What an evaluation out of turn may use of the budget of a run: it is repeated in its turn, so it need not be patient.
const OUT_OF_TURN: u64 = FULL / 4;

/// The budget of a run around an evaluation out of turn.
pub(crate) struct Before {
    floor: u64,
    lowered: u64,
}

/// Leaves a part of the budget for what comes next.
#[inline]
pub(crate) fn lower() -> Before {
    let floor = FLOOR.get();
    let lowered = floor.max(stack().saturating_sub(OUT_OF_TURN));
    FLOOR.set(lowered);
    Before { floor, lowered }
}

/// Goes on with the whole budget, without the steps that were taken meanwhile.
#[inline]
pub(crate) fn raise(before: Before) {
    FLOOR.set(before.floor + FLOOR.get().saturating_sub(before.lowered));
}

/// Starts again in the middle of a run.
#[cold]
pub(crate) fn rearm() {
    let floor = stack().saturating_sub(FULL);
    FLOOR.set(floor);
    START.set(floor);
}

/// Ends a run, and goes on with the one around it.
#[inline(always)]
pub(crate) fn disarm(outer: Outer) {
    FLOOR.set(outer.floor);
    START.set(outer.start);
}
