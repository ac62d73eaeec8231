//! Invariants and types that misbehave. Whatever they do ends in a verdict with the candidate, in an error, or in
//! a panic of theirs: never in a crash, a hang or a wrong count.

#![allow(
    clippy::while_immutable_condition,
    clippy::manual_is_multiple_of,
    clippy::overly_complex_bool_expr,
    reason = "code like this is the subject"
)]

use smallscope::search::{FailureKind, Options, Search};
use smallscope::{Bounded, Bounds, Failure};

/// Runs a search to its end, building every value; values are not dropped.
fn run<T: Bounded>(bounds: &Bounds, options: Options) -> Result<u64, Failure> {
    let mut search = Search::<T>::new(bounds, options).unwrap_or_else(|e| panic!("{e}"));
    while let Some(value) = search.next_value() {
        std::mem::forget(value?);
    }
    assert!(search.outcome().is_exhaustive());
    Ok(search.outcome().valid)
}

/// The failure that a search ends with; going to its candidate in a new search gives the same one.
fn failure<T: Bounded>(bounds: &Bounds, options: Options) -> FailureKind {
    let failure = run::<T>(bounds, options).expect_err("the search fails");
    let mut again = Search::<T>::new(bounds, options).unwrap_or_else(|e| panic!("{e}"));
    again.go_to(&failure.candidate).unwrap_or_else(|e| panic!("{}: {e}", failure.candidate));
    let replayed = match again.accepts() {
        Ok(true) => again.value().map(std::mem::forget).expect_err("the value fails"),
        Ok(false) => panic!("{} is rejected when replayed", failure.candidate),
        Err(replayed) => replayed,
    };
    assert_eq!(replayed, failure);
    failure.kind
}

/// Does not print the panics of a test that is full of them.
fn quietly<R>(f: impl FnOnce() -> R) -> R {
    use std::cell::Cell;
    use std::sync::Once;
    thread_local! { static QUIET: Cell<bool> = const { Cell::new(false) } }
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                loud(info);
            }
        }));
    });
    let before = QUIET.replace(true);
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f));
    QUIET.set(before);
    result.unwrap_or_else(|thrown| std::panic::resume_unwind(thrown))
}

mod hostile {
    mod disagreement;
    mod endless;
    mod nondeterminism;
    mod out_of_turn;
    mod panics;
    mod sizes;
    mod stashes;
    mod user_code;
}
