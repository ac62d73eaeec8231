//! A budget for one run of an invariant, so that endless loops and unbounded recursion end in a report instead
//! of a hang or an abort. Instrumented code calls [`step`] in every function and every loop round.
//!
//! One number bounds both: the lowest address that the stack may grow down to. It rises a little with every
//! step, so a run ends when it recurses too deeply or when it goes on for too long. A step is two loads, a
//! store and a comparison.
//!
//! While a thread makes summaries, the floor is above every address, so that each step looks closer. Then helpers can
//! ask for their answers, which costs other runs nothing.

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
/// Added to the floor while the thread makes summaries. Without the feature there are none.
const SUMMARISING: u64 = if cfg!(feature = "summaries") { 1 << 63 } else { 0 };

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
        look_closer(floor);
    }
}

/// Counts a call of a helper. Returns whether the thread makes summaries, so that the helper has to ask for its answer.
#[cfg(feature = "summaries")]
#[inline(always)]
pub fn step_of_helper() -> bool {
    let floor = FLOOR.get();
    FLOOR.set(floor + RISE);
    stack() < floor && look_closer(floor)
}

/// Ends a run whose budget is used up. Returns whether the thread makes summaries.
#[cold]
#[inline(never)]
fn look_closer(floor: u64) -> bool {
    let mode = floor & SUMMARISING;
    let floor = floor - mode;
    // Unguarded code (a mirror used outside of a run) starts at 0 and may go on for ever.
    if floor >= FULL && stack() < floor {
        let risen = floor - START.get();
        // Destructors that run while unwinding must not be stopped.
        FLOOR.set(mode);
        resume_unwind(Box::new(if risen >= FULL / 2 { Exhausted::Steps } else { Exhausted::Stack }));
    }
    mode != 0
}

/// Says whether the thread makes summaries.
#[cfg(feature = "summaries")]
pub(crate) fn set_summarising(is_summarising: bool) {
    FLOOR.set(FLOOR.get() & !SUMMARISING | if is_summarising { SUMMARISING } else { 0 });
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

/// The same for building, which goes on without recursion.
const BUILDING: u64 = 1 << 18;

/// A limit on recursion over structures, which may be deeper than the stack.
#[derive(Clone, Copy, Default)]
pub(crate) struct Depth(u64);

impl Depth {
    /// The limit, counted from here.
    pub(crate) fn from_here() -> Depth {
        Depth(stack().saturating_sub(DEPTH << FRACTION))
    }

    /// The limit for building, counted from here.
    #[inline(always)]
    pub(crate) fn of_building() -> Depth {
        Depth(stack().saturating_sub(BUILDING << FRACTION))
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
    let (floor, outer) = (stack().saturating_sub(FULL), FLOOR.get());
    FLOOR.set(floor | outer & SUMMARISING);
    Outer { floor: outer, start: START.replace(floor) }
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
    let lowered = floor.max(stack().saturating_sub(OUT_OF_TURN) | floor & SUMMARISING);
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
    FLOOR.set(floor | FLOOR.get() & SUMMARISING);
    START.set(floor);
}

/// Ends a run, and goes on with the one around it.
#[inline(always)]
pub(crate) fn disarm(outer: Outer) {
    FLOOR.set(outer.floor);
    START.set(outer.start);
}

#[cfg(all(test, feature = "summaries"))]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    fn recurse(depth: u64) -> u64 {
        step();
        match std::hint::black_box(depth) {
            u64::MAX => 0,
            depth => recurse(depth + 1) + 1,
        }
    }

    /// Runs code with a budget while the thread makes summaries. Returns why it ends, if the budget ends it.
    fn summarising(run: fn()) -> Option<Exhausted> {
        set_summarising(true);
        let outer = arm();
        let result = catch_unwind(run);
        disarm(outer);
        assert!(step_of_helper(), "the thread still makes summaries");
        set_summarising(false);
        result.err().map(|thrown| *thrown.downcast().expect("the budget"))
    }

    #[test]
    fn helpers_ask_only_while_summaries_are_made() {
        assert!(!step_of_helper());
        let inside = summarising(|| {
            assert!(step_of_helper());
            let before = lower();
            assert!(step_of_helper());
            raise(before);
            rearm();
            assert!(step_of_helper());
        });
        assert!(inside.is_none());
        assert!(!step_of_helper());
    }

    #[test]
    fn the_budget_holds_while_summaries_are_made() {
        let steps = summarising(|| {
            loop {
                step();
            }
        });
        assert!(matches!(steps, Some(Exhausted::Steps)));
        let stack = summarising(|| {
            recurse(0);
        });
        assert!(matches!(stack, Some(Exhausted::Stack)));
    }
}
