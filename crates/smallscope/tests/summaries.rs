//! Summaries: helpers of the invariant are answered for whole groups of subtrees. The set of values is that of the plain
//! search, and natural invariants need few runs.
#![expect(
    clippy::vec_box,
    clippy::manual_flatten,
    clippy::needless_lifetimes,
    clippy::needless_range_loop,
    clippy::redundant_closure,
    reason = "invariants as users write them"
)]

use smallscope::search::{Found, Options, Search};
use smallscope::summaries::{Limits, Population, Report, Summaries, with_limits};
use smallscope::{Bounded, Bounds, Failure};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

#[path = "summaries/bars.rs"]
mod bars;
#[path = "summaries/bush.rs"]
mod bush;
#[path = "summaries/layers.rs"]
mod layers;
#[path = "summaries/natural.rs"]
mod natural;
#[path = "summaries/random.rs"]
mod random;
#[path = "summaries/random_vectors.rs"]
mod random_vectors;
#[path = "summaries/sampling.rs"]
mod sampling;
#[path = "summaries/soundness.rs"]
mod soundness;
#[path = "summaries/vectors.rs"]
mod vectors;

fn on() -> Options {
    Options { summaries: Summaries::On, ..Options::default() }
}

fn search<T: Bounded>(bounds: &Bounds, options: Options) -> Search<T> {
    Search::new(bounds, options).unwrap_or_else(|e| panic!("{e}"))
}

/// What is summarised, or why nothing is.
fn report<T: Bounded>(bounds: &Bounds) -> Result<Report, String> {
    let mut search = search::<T>(bounds, on());
    let plan = search.plan(&mut |_| ControlFlow::Continue(())).unwrap().unwrap();
    plan.summaries().expect("they are on").cloned().map_err(str::to_owned)
}

/// All values, without listing them.
fn population<T: Bounded>(bounds: &Bounds) -> Population {
    let mut search = search::<T>(bounds, on());
    let plan = search.plan(&mut |_| ControlFlow::Continue(())).unwrap().unwrap();
    plan.population().unwrap_or_else(|why| panic!("{why}"))
}

/// The candidates of all values, and the runs of the invariant.
fn candidates<T: Bounded>(bounds: &Bounds, options: Options) -> Result<(BTreeSet<String>, u64), Failure> {
    let mut search = search::<T>(bounds, options);
    let mut all = BTreeSet::new();
    while search.find_next(&mut |_| ControlFlow::Continue(()))? == Found::Valid {
        let candidate = search.candidate().to_string();
        assert!(all.insert(candidate), "delivered twice:\n{}", search.graph());
        // The real invariant accepts it.
        search.value()?;
    }
    assert!(search.outcome().is_exhaustive());
    Ok((all, search.outcome().explored))
}

/// The values are the same as without summaries, and so are their number and their parts. Returns how many there are.
fn same<T: Bounded>(bounds: &Bounds) -> usize {
    let plain = candidates::<T>(bounds, Options::default()).unwrap_or_else(|f| panic!("{f}"));
    let summarised = candidates::<T>(bounds, on()).unwrap_or_else(|f| panic!("{f}"));
    assert!(plain.0 == summarised.0, "{:?}", plain.0.symmetric_difference(&summarised.0).next());
    // What groups say about subtrees is what helpers say. Without summaries, nothing is audited.
    let _ = with_limits(Limits { audited: 2, ..Limits::default() }, || report::<T>(bounds));
    let counted = search::<T>(bounds, on()).count().unwrap_or_else(|f| panic!("{f}"));
    assert_eq!(counted.valid, plain.0.len() as u64);
    plain.0.len()
}

/// The values with their order, and all runs: those of the summaries, and those of the search.
fn runs<T: Bounded>(bounds: &Bounds) -> (u64, u64) {
    let made = report::<T>(bounds).unwrap_or_else(|why| panic!("{why}")).runs;
    let outcome = search::<T>(bounds, on()).count().unwrap_or_else(|f| panic!("{f}"));
    assert!(outcome.is_exhaustive());
    (outcome.valid, made + outcome.explored)
}
