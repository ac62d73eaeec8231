//! One value: running the test on it, and what can go wrong.

use super::failure::Blame;
use super::page::{self, Noted};
use super::{Case, LayOut};
use crate::isolate::Tally;
use smallscope_core::error::FailureKind;
use smallscope_core::{AnySearch, Bounds, Failure, Found, Options, Outcome, Stop};
use smallscope_support::panics::{self, Panic};
use std::ops::ControlFlow;

/// The most values that a test can take.
const MOST_VALUES: usize = 6;

/// A failure on one value.
pub(super) struct Wrong {
    pub(super) blame: Blame,
    pub(super) caught: Panic,
    /// Values that the test has noted before it failed.
    pub(super) noted: Noted,
}

impl Wrong {
    fn new(blame: Blame, caught: Panic) -> Box<Wrong> {
        Box::new(Wrong { blame, caught, noted: page::noted() })
    }

    /// A panic while a value was searched or built.
    pub(super) fn construction(caught: Panic) -> Box<Wrong> {
        Wrong::new(Blame::Construction, caught)
    }

    pub(super) fn invariant(failure: Failure) -> Box<Wrong> {
        let panicked =
            matches!(failure.kind, FailureKind::PredicatePanicked { .. } | FailureKind::ClassPanicked { .. });
        let place = panics::last_place().filter(|_| panicked);
        let caught = Panic { message: failure.kind.to_string(), place };
        Wrong::new(Blame::Invariant(failure), caught)
    }

    fn destructor(caught: Panic) -> Box<Wrong> {
        Wrong::new(Blame::Destructor, caught)
    }

    fn test(caught: Panic) -> Box<Wrong> {
        Wrong::new(Blame::Test, caught)
    }
}

/// Lays out a search. The user code that gives ranges and values may panic there.
pub(super) fn caught_lay_out(
    new: LayOut,
    bounds: &Bounds,
    within: Option<u32>,
    options: Options,
) -> Result<AnySearch, String> {
    match panics::catch(|| new(bounds, within, options)) {
        Ok(result) => result.map_err(|e| e.to_string()),
        Err(caught) => Err(describe_panic(&caught, "while the bounds were laid out")),
    }
}

/// Searches on to the next valid candidate. A value that is built on the way may panic.
pub(crate) fn find_next(
    search: &mut AnySearch,
    tick: &mut dyn FnMut(&Outcome) -> ControlFlow<Stop>,
) -> Result<Result<Found, Failure>, Panic> {
    panics::catch(|| search.find_next(tick))
}

/// Runs a test on the current, valid candidate.
pub(super) fn try_value(
    search: &mut AnySearch,
    case: &mut dyn Case,
    tally: Option<&Tally<'_>>,
) -> Result<(), Box<Wrong>> {
    if let Some(tally) = tally {
        tally.begin();
    }
    page::forget();
    let wrong = match panics::catch(|| case.prepare(search)) {
        Ok(Ok(())) => match panics::catch(|| run(case, tally)) {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(message)) => Wrong::test(Panic { message, place: None }),
            Err(caught) if case.has_dropped() => Wrong::destructor(caught),
            Err(caught) => Wrong::test(caught),
        },
        Ok(Err(failure)) => Wrong::invariant(failure),
        Err(caught) => Wrong::construction(caught),
    };
    discard(case);
    if let Some(tally) = tally {
        tally.end();
    }
    Err(wrong)
}

fn run(case: &mut dyn Case, tally: Option<&Tally<'_>>) -> Result<(), String> {
    let Some(tally) = tally else { return case.run() };
    tally.run();
    let result = case.run();
    tally.end();
    result
}

/// Drops what a run has left, one value after the other: two destructors that panic at the same time end the process.
#[cold]
pub(crate) fn discard(case: &mut dyn Case) {
    for _ in 0..MOST_VALUES {
        if panics::catch(|| case.discard()).is_ok() {
            return;
        }
    }
}

/// Describes a panic of user code: where, during what, and its message.
pub(crate) fn describe_panic(panic: &Panic, during: &str) -> String {
    let at = panic.location().map(|location| format!(" at {location}")).unwrap_or_default();
    format!("a panic{at} {during}: {}", panic.message)
}
