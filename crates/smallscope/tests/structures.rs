//! Whole structures as users write them: types, an invariant, operations. Each is searched in audit mode; the
//! number of valid values comes from a formula or from a count that knows nothing of us; the operations are
//! tested on every one of them.

use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds};
use std::collections::HashSet;

/// Every valid value, each of them once, each read back into the candidate that it was built from.
fn all<T: Bounded>(bounds: &Bounds) -> Vec<T> {
    let mut search = Search::<T>::new(bounds, Options::audited()).unwrap_or_else(|e| panic!("{e}"));
    let mut reader = Search::<T>::new(bounds, Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let (mut values, mut candidates) = (vec![], HashSet::new());
    while let Some(value) = search.next_value() {
        let value = value.unwrap_or_else(|f| panic!("{f}\n{}", search.graph()));
        assert_eq!(reader.candidate_of(&value), Ok(search.candidate()), "round trip of\n{}", search.graph());
        assert!(candidates.insert(search.candidate()), "delivered twice:\n{}", search.graph());
        values.push(value);
    }
    let outcome = search.outcome();
    assert!(outcome.is_exhaustive());
    let may_have_rejected = outcome.explored > outcome.valid + outcome.pruned;
    assert!(outcome.audited > 0 || !may_have_rejected, "rejected candidates were checked");
    values
}

fn count<T: Bounded>(bounds: &Bounds) -> u64 {
    all::<T>(bounds).len() as u64
}

fn binomial(n: u64, k: u64) -> u64 {
    (1..=k).fold(1, |c, i| c * (n - k + i) / i)
}

fn catalan(n: u64) -> u64 {
    binomial(2 * n, n) / (n + 1)
}

mod structures {
    mod arena_tree;
    mod b_tree;
    mod expression;
    mod fieldless;
    mod graph;
    mod parent_tree;
    mod trie;
}
