//! Every short sequence of calls on each container, in lockstep with a model from the standard library. After each call
//! both have returned the same and hold the same, and the invariant holds.

#![expect(clippy::unit_arg, reason = "calls that return nothing are compared like the others")]

mod lists;
mod maps;
mod others;
mod queues;
mod sets;

use std::fmt::Debug;

/// The calls so far.
struct Trail<'a, C>(&'a [C]);

impl<C: Debug> Trail<'_, C> {
    #[track_caller]
    fn same<T: PartialEq + Debug>(&self, container: T, model: T) {
        assert!(container == model, "{container:?} instead of {model:?} after {:?}", self.0);
    }

    #[track_caller]
    fn holds(&self, holds: bool) {
        assert!(holds, "the invariant does not hold after {:?}", self.0);
    }
}

/// Runs all sequences of at most `length` of these calls, each from the same beginning, and returns how many calls that were.
fn every_sequence<S: Clone, C: Clone + Debug>(
    start: &S,
    calls: &[C],
    length: usize,
    step: &impl Fn(&mut S, &C, &Trail<'_, C>),
) -> u64 {
    fn extend<S: Clone, C: Clone + Debug>(
        state: &S,
        trail: &mut Vec<C>,
        calls: &[C],
        length: usize,
        step: &impl Fn(&mut S, &C, &Trail<'_, C>),
    ) -> u64 {
        let mut count = 0;
        if trail.len() < length {
            for call in calls {
                let mut next = state.clone();
                trail.push(call.clone());
                step(&mut next, call, &Trail(trail));
                count += 1 + extend(&next, trail, calls, length, step);
                trail.pop();
            }
        }
        count
    }
    extend(start, &mut vec![], calls, length, step)
}

/// How many calls all sequences of at most `length` of `calls` calls have in a tree.
fn calls_in_all(calls: usize, length: u32) -> u64 {
    (1..=length).map(|length| (calls as u64).pow(length)).sum()
}

/// Whether it panics.
fn panics(run: impl FnOnce()) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err()
}

#[test]
fn every_sequence_is_run_once() {
    let seen = std::cell::RefCell::new(vec![]);
    let count = every_sequence(&(), &['a', 'b'], 3, &|(), _, trail| seen.borrow_mut().push(trail.0.to_vec()));
    let mut seen = seen.into_inner();
    assert_eq!((seen.len() as u64, count), (14, calls_in_all(2, 3)));
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 14);
}
