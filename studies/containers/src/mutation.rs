//! Mutants: copies of the containers with one small error each, to measure what techniques find.
//!
//! This crate has none. `cargo xtask mutants` makes a copy of it in which every mutant is compiled: at each place with
//! a mutant, the copy checks which mutant is active. So there is one build for all, and the original is the same code
//! with no mutant active.
//!
//! A mutant may loop or recurse forever. So the copy counts steps, in loops, closures and functions, and panics when a
//! call takes too many.

mod table;

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

/// A container with a small error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mutant {
    /// Its number, counted from 1.
    pub number: u32,
    /// The container.
    pub container: &'static str,
    /// The function with the error.
    pub function: &'static str,
    /// The kind of change.
    pub operator: &'static str,
    /// The original code, and its replacement.
    pub change: &'static str,
}

/// More steps than any call takes on a correct container with a few thousand elements.
const MAX_STEPS: u32 = 20_000;

/// More elements than a few thousand calls can add.
const MAX_ROOM: usize = 1 << 16;

thread_local! {
    static ACTIVE: Cell<u32> = const { Cell::new(0) };
    static STEPS: Cell<u32> = const { Cell::new(0) };
}

/// Whether a call took too many steps while no mutant was active.
static IS_TOO_STRICT: AtomicBool = AtomicBool::new(false);

/// The mutants that were compiled.
pub fn mutants() -> &'static [Mutant] {
    table::MUTANTS
}

/// Runs a function while a mutant is active; 0 means none.
#[inline]
pub fn with<R>(mutant: u32, run: impl FnOnce() -> R) -> R {
    struct Restore(u32);
    impl Drop for Restore {
        fn drop(&mut self) {
            ACTIVE.set(self.0);
        }
    }
    let _restore = Restore(ACTIVE.replace(mutant));
    STEPS.set(0);
    run()
}

/// The active mutant; 0 if there is none.
#[inline]
pub fn active() -> u32 {
    ACTIVE.get()
}

/// Called in every round of a loop, and at the beginning of functions and closures.
///
/// # Panics
///
/// After too many steps of one call.
#[inline]
pub fn step() {
    let steps = STEPS.get() + 1;
    STEPS.set(steps);
    // Destructors may run after that, and need further steps.
    if steps == MAX_STEPS || steps >= 2 * MAX_STEPS {
        STEPS.set(MAX_STEPS + 1);
        if active() == 0 {
            IS_TOO_STRICT.store(true, Ordering::Relaxed);
        }
        panic!("does not seem to end");
    }
}

/// Whether a call took too many steps while no mutant was active, on any thread: then no measurement is valid.
pub fn is_too_strict() -> bool {
    IS_TOO_STRICT.load(Ordering::Relaxed)
}

/// Checks a capacity, and returns it.
///
/// # Panics
///
/// If it is larger than any that a correct container needs.
pub fn room(elements: usize) -> usize {
    assert!(elements <= MAX_ROOM, "room for {elements} elements");
    elements
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutant_is_on_while_a_function_runs() {
        let inside = with(3, || (active(), with(0, active), active()));
        assert_eq!((inside, active()), ((3, 0, 3), 0));
        let caught = std::panic::catch_unwind(|| with(3, || panic!("{}", active())));
        assert!(caught.is_err() && active() == 0);
    }

    #[test]
    fn what_goes_round_in_circles_ends() {
        let endless = || {
            loop {
                step();
            }
        };
        assert!(std::panic::catch_unwind(|| with(7, endless)).is_err());
        assert!(!is_too_strict());
        assert!(std::panic::catch_unwind(|| with(0, endless)).is_err());
        assert!(is_too_strict());
        with(7, || (0..MAX_STEPS - 1).for_each(|_| step()));
        assert!(std::panic::catch_unwind(|| room(MAX_ROOM + 1)).is_err());
    }
}
