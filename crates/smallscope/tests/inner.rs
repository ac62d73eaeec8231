//! Invariants of parts: a value whose type has an invariant satisfies it wherever it occurs.

use smallscope::search::{FailureKind, Found, Options, Search};
use smallscope::{Bounded, Bounds, Disjoint, Engine, Failure, rep_ok};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::ops::ControlFlow;

#[path = "inner/kinds.rs"]
mod kinds;
#[path = "inner/order.rs"]
mod order;
#[path = "inner/parts.rs"]
mod parts;
#[path = "inner/recursion.rs"]
mod recursion;
#[path = "inner/unchecked.rs"]
mod unchecked;

/// Of four values in scope 2, three are valid.
#[derive(Bounded, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Interval {
    lo: u8,
    hi: u8,
}

#[rep_ok]
impl Interval {
    fn rep_ok(&self) -> bool {
        self.lo <= self.hi
    }
}

const ENGINES: [Engine; 3] = [Engine::Lazy, Engine::Owned, Engine::Korat];

fn options(engine: Engine) -> Options {
    let options = if engine == Engine::Korat { Options::korat() } else { Options::default() };
    Options { engine, ..options }
}

/// All values, each as text by its candidate. Candidates in which boxes share an object are passed over.
fn values<T: Bounded + Debug>(bounds: &Bounds, options: Options) -> BTreeMap<String, String> {
    let search = || Search::<T>::new(bounds, options).unwrap_or_else(|e| panic!("{e}"));
    let (mut search, mut builder) = (search(), search());
    let mut values = BTreeMap::new();
    while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap_or_else(|f| panic!("{f}"))
        == Found::Valid
    {
        let candidate = search.candidate();
        builder.go_to(&candidate).unwrap();
        match builder.value() {
            Ok(value) => {
                let known = values.insert(candidate.to_string(), format!("{value:?}"));
                assert_eq!(known, None, "{candidate} is delivered twice");
            }
            Err(Failure { kind: FailureKind::Unbuildable { .. }, .. }) if options.engine == Engine::Korat => {
            }
            Err(failure) => panic!("{failure}"),
        }
    }
    assert!(search.outcome().is_exhaustive());
    values
}

/// Every value as text, the same ones in all engines, in audit mode and by counting.
fn all<T: Bounded + Debug>(bounds: &Bounds) -> Vec<String> {
    let all = values::<T>(bounds, Options::default());
    for other in ENGINES.map(options).into_iter().chain([Options::audited()]) {
        assert!(values::<T>(bounds, other).keys().eq(all.keys()), "{other:?}");
    }
    let counted = Search::<T>::new(bounds, Options::default()).unwrap().count().unwrap();
    assert_eq!(counted.valid, all.len() as u64);
    all.into_values().collect()
}

fn count<T: Bounded + Debug>(bounds: &Bounds) -> usize {
    all::<T>(bounds).len()
}

fn refusal<T: Bounded>(bounds: &Bounds, options: Options) -> String {
    match Search::<T>::new(bounds, options) {
        Ok(_) => panic!("the bounds are accepted"),
        Err(e) => e.to_string(),
    }
}

/// All values with disjoint parts, which the options demand.
fn disjoint<T: Bounded + Debug>(bounds: &Bounds) -> (Vec<String>, smallscope::disjoint::Slicing) {
    let options = Options { disjoint: Disjoint::On, ..Options::default() };
    let slicing = Search::<T>::new(bounds, options).unwrap().slicing().unwrap().expect("it has parts");
    (values::<T>(bounds, options).into_values().collect(), slicing)
}
