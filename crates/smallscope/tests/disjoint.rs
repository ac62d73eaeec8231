//! Disjoint parts: searched on their own and combined, they give the same values as one search for everything.

use smallscope::search::{Found, Options, Search};
use smallscope::{Bounded, Bounds, Disjoint, Engine};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Mutex;

#[path = "disjoint/inputs.rs"]
mod inputs;
#[path = "disjoint/lending.rs"]
mod lending;
#[path = "disjoint/parts_of_inputs.rs"]
mod parts_of_inputs;
#[path = "disjoint/plans.rs"]
mod plans;
#[path = "disjoint/ranges.rs"]
mod ranges;
#[path = "disjoint/refusals.rs"]
mod refusals;
#[path = "disjoint/slicing.rs"]
mod slicing;
#[cfg(feature = "statements")]
#[path = "disjoint/statements.rs"]
mod statements;

const ENGINES: [Engine; 3] = [Engine::Lazy, Engine::Owned, Engine::Korat];

fn options(engine: Engine, disjoint: Disjoint) -> Options {
    let mut options = if engine == Engine::Korat { Options::korat() } else { Options::default() };
    (options.engine, options.disjoint) = (engine, disjoint);
    options
}

/// The records of all values, in the order of the search.
fn records<T: Bounded>(search: &mut Search<T>) -> Vec<String> {
    let mut records = vec![];
    while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {
        records.push(search.candidate().to_string());
    }
    assert!(search.outcome().is_exhaustive());
    assert_eq!(search.outcome().valid, records.len() as u64);
    records
}

fn all<T: Bounded>(bounds: &Bounds, options: Options) -> Vec<String> {
    records(&mut Search::<T>::new(bounds, options).unwrap())
}

/// Whether an engine is good for an invariant: where boxes may alias, as in Java, some do not end. It takes a
/// while to notice, so it is done once for a type, whose bounds rise in the tests.
fn is_fit<T: Bounded>(bounds: &Bounds, engine: Engine) -> bool {
    static ENDLESS: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
    let name = std::any::type_name::<T>();
    if engine != Engine::Korat || ENDLESS.lock().unwrap().contains(name) {
        return engine != Engine::Korat;
    }
    let is_fit = Search::<T>::new(bounds, options(engine, Disjoint::Off)).unwrap().count().is_ok();
    if !is_fit {
        ENDLESS.lock().unwrap().insert(name);
    }
    is_fit
}

/// Compares combinations with one search for everything, and gives the number of values.
#[track_caller]
fn agrees<T: Bounded>(bounds: &Bounds) -> usize {
    let mut counts = BTreeSet::new();
    for engine in ENGINES {
        if !is_fit::<T>(bounds, engine) {
            continue;
        }
        let direct = all::<T>(bounds, options(engine, Disjoint::Off));
        let combined = all::<T>(bounds, options(engine, Disjoint::On));
        let set = |records: &[String]| records.iter().cloned().collect::<BTreeSet<_>>();
        assert_eq!(set(&combined).len(), combined.len(), "{engine}: no value comes twice");
        assert_eq!(set(&direct), set(&combined), "{engine}");
        counts.insert(direct.len());
        let counted = Search::<T>::new(bounds, options(engine, Disjoint::On)).unwrap().count().unwrap();
        assert_eq!(counted.valid, direct.len() as u64, "{engine}");
        assert!(counted.is_exhaustive());
    }
    counts.last().copied().unwrap_or(0)
}
