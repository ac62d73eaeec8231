//! Recorded disagreements, which are tried first: sequences to values that the invariant rejects, and values that no sequence
//! reaches.

use super::{Agree, Example, Reached, slots_of};
use crate::runner::plan::Identity;
use crate::runner::regressions::Regressions;
use crate::runner::replay::{ReplayCandidate, fingerprint};
use crate::runner::say;
use crate::values::guard_layouts;
use smallscope_core::{Bounded, Bounds, Options, Search};
use smallscope_sequences::{Context, Linearize, Test};
use smallscope_support::panics;
use std::fmt::Debug;

/// Why a recorded disagreement cannot be tried any more.
type Stale = String;

/// Runs a sequence. Returns the value that the invariant rejects after it, if there is one.
pub(super) fn rejected_after<T: Bounded + Linearize + Debug>(
    context: &Context,
    test: &Test,
    bounds: &Bounds,
) -> Result<Option<Example>, String> {
    let slots = slots_of::<T>(context)?;
    let mut reached = Reached::default();
    panics::silently(|| {
        let mut values = context.initial_values();
        for call in test.calls() {
            context.call(*call, &mut values);
        }
        reached.look::<T>(&values, slots, 0, bounds);
    });
    Ok(reached.first_rejected.map(|(_, mut example)| {
        example.after(test, context);
        example
    }))
}

/// Builds a value. None if the invariant rejects it.
pub(super) fn value_at<T: Bounded>(position: &ReplayCandidate, bounds: &Bounds) -> Result<Option<T>, Stale> {
    let _guard = guard_layouts();
    let bounds = position.bounds(bounds);
    let options = Options { engine: position.engine, ..Options::default() };
    let mut search = Search::<T>::new(&bounds, options).map_err(|error| error.to_string())?;
    if position.fingerprint.is_some_and(|known| known != fingerprint(&search, &bounds)) {
        return Err("the type or the bounds have changed since it was recorded".into());
    }
    search.go_to(&position.candidate).map_err(|error| error.to_string())?;
    let is_valid = search.accepts().map_err(|failure| failure.to_string())?;
    match is_valid {
        true => search.value().map(Some).map_err(|failure| failure.to_string()),
        false => Ok(None),
    }
}

/// A recorded disagreement that is still one, and where it is recorded.
pub(super) struct Again {
    pub example: Example,
    pub place: String,
    pub is_rejected: bool,
}

/// Tries the recorded sequences.
pub(super) fn try_sequences<T: Bounded + Linearize + Debug>(
    identity: &Identity,
    context: &Context,
    settings: &Agree,
) -> Result<Option<Again>, String> {
    let Some(records) = identity.regressions.as_ref().map(Regressions::of_sequences) else { return Ok(None) };
    for (line, text) in records.load_texts(&identity.name)? {
        let place = format!("{}:{line}", records.short_path());
        match Test::find(context, &text) {
            Ok(test) => {
                if let Some(example) = rejected_after::<T>(context, &test, &settings.bounds)? {
                    return Ok(Some(Again { example, place, is_rejected: true }));
                }
            }
            Err(stale) => warn(&identity.name, &place, &stale.to_string()),
        }
    }
    Ok(None)
}

/// Looks up the recorded values among those that are reached.
pub(super) fn try_values<T: Bounded + Linearize + Debug>(
    identity: &Identity,
    reached: &Reached,
    settings: &Agree,
) -> Result<Option<Again>, String> {
    let Some(records) = &identity.regressions else { return Ok(None) };
    // Only if all sequences were run, a value that is not reached is a failure.
    if !reached.is_whole || settings.allows_unreached {
        return Ok(None);
    }
    for record in records.load(&identity.name)? {
        let place = format!("{}:{}", records.short_path(), record.line);
        match value_at::<T>(&record.position, &settings.bounds) {
            Ok(Some(value)) if !reached.has(&value) => {
                let example = Example::unreached(&value, &settings.bounds);
                return Ok(Some(Again { example, place, is_rejected: false }));
            }
            Ok(_) => {}
            Err(stale) => warn(&identity.name, &place, &stale),
        }
    }
    Ok(None)
}

fn warn(name: &str, place: &str, stale: &str) {
    say(&format!(
        "warning: {place}: the recorded failure of `{name}` is stale and was not tried: {stale}; delete the line if that is \
         intended"
    ));
}

/// Records a disagreement. Returns the file, or why it cannot be written. None if failures of this test are not recorded.
pub(super) fn record(identity: &Identity, example: &Example) -> Option<String> {
    let values = identity.regressions.as_ref()?;
    let replay = example.replay.as_ref()?;
    let (records, comment) = match example.calls {
        Some(_) => (values.of_sequences(), "reachable but rejected"),
        None => (values.clone(), "accepted but not reached"),
    };
    Some(match records.add_text(&identity.name, replay, comment) {
        Ok(()) => records.short_path(),
        Err(error) => format!("no, {} cannot be written: {error}", records.short_path()),
    })
}
