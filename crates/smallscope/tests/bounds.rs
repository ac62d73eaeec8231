//! What bounds mean: the scope rule, what goes over what, and every way in which they can make no sense.

use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds, Error};

/// Every value, in the order of the search.
fn values<T: Bounded>(bounds: &Bounds) -> Vec<T> {
    let mut search = Search::<T>::new(bounds, Options::audited()).unwrap_or_else(|e| panic!("{e}"));
    let values =
        std::iter::from_fn(|| search.next_value()).map(|v| v.unwrap_or_else(|f| panic!("{f}"))).collect();
    assert!(search.outcome().is_exhaustive());
    values
}

fn count<T: Bounded>(bounds: &Bounds) -> usize {
    values::<T>(bounds).len()
}

/// The error that the bounds end in.
fn error<T: Bounded>(bounds: &Bounds) -> Error {
    match Search::<T>::new(bounds, Options::default()) {
        Ok(_) => panic!("the bounds are accepted"),
        Err(e) => e,
    }
}

/// The same as text.
fn message<T: Bounded>(bounds: &Bounds) -> String {
    error::<T>(bounds).to_string()
}

mod bounds {
    mod attributes;
    mod builder;
    mod candidates;
    mod contradictions;
    mod deepening;
    mod names;
    mod pools;
    mod scope_rule;
    mod size;
}
