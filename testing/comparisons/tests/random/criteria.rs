//! Classes of values do not depend on the engine, nor on whether a run stands for many values or for one. Classifying does
//! not change the search.

use smallscope::search::{AnySearch, Candidate, Found, Options, Search};
use smallscope::{Bounded, Bounds, Engine, Outcome, Stop};
use smallscope_runner::criteria::{Class, Classifier, Criterion};
use std::collections::BTreeMap;
use std::ops::{AddAssign, ControlFlow};

/// How much was compared.
#[derive(Debug, Default)]
pub struct Classes {
    pub values: u64,
    /// Values that share a run with others.
    pub shared: u64,
    /// Cases with more than one class, for each criterion.
    pub several: [u64; 6],
    /// Values that both the published algorithm and the others find.
    pub korat: u64,
}

impl AddAssign for Classes {
    fn add_assign(&mut self, other: Classes) {
        self.values += other.values;
        self.shared += other.shared;
        self.korat += other.korat;
        self.several.iter_mut().zip(other.several).for_each(|(a, b)| *a += b);
    }
}

fn go_on(_: &Outcome) -> ControlFlow<Stop> {
    ControlFlow::Continue(())
}

/// The classes of all values by all criteria.
pub fn criteria<T: Bounded>(bounds: &Bounds) -> Classes {
    let mut found = Classes::default();
    let options = |engine| Options { engine, recheck_every: 0, ..Options::default() };
    let [lazy, owned, korat] = [Engine::Lazy, Engine::Owned, Engine::Korat].map(|engine| {
        Search::<T>::new(bounds, options(engine))
            .ok()
            .map(|search| of_engine(search, options(engine), bounds, &mut found))
    });
    let (Some(lazy), Some(owned), Some(korat)) = (lazy, owned, korat) else { return found };
    assert!(lazy == owned, "the engines differ: {lazy:?}\n{owned:?}");
    for (candidate, classes) in &owned {
        // Only the published algorithm delivers candidates with aliases.
        if let Some(other) = korat.get(candidate) {
            assert_eq!(classes, other, "{candidate}");
            found.korat += 1;
        }
    }
    for (i, several) in found.several.iter_mut().enumerate() {
        let mut all: Vec<Class> = owned.values().map(|classes| classes[i]).collect();
        all.sort();
        all.dedup();
        *several = u64::from(all.len() > 1);
    }
    found
}

fn of_engine<T: Bounded>(
    mut search: Search<T>,
    options: Options,
    bounds: &Bounds,
    found: &mut Classes,
) -> BTreeMap<Candidate, Vec<Class>> {
    let mut untouched = Search::<T>::new(bounds, options).expect("as before");
    let mut plain = Search::<T>::new(bounds, options).expect("as before");
    let mut classifiers = Criterion::ALL.map(|c| Classifier::new(c).expect("decisions are reported"));
    let (mut trace, mut again) = (vec![], vec![]);
    let mut run: Option<(u64, Vec<Class>)> = None;
    let mut all = BTreeMap::new();
    while let Ok(Found::Valid) = search.find_next(&mut go_on) {
        assert_eq!(untouched.find_next(&mut go_on), Ok(Found::Valid));
        assert_eq!(untouched.path(), search.path(), "recording leaves no trace");
        let mut classes =
            |trace: &[_]| classifiers.iter_mut().map(|c| c.class(trace)).collect::<Vec<Class>>();
        search.decisions(&mut trace).unwrap_or_else(|e| panic!("{e}"));
        let own = classes(&trace);
        match &run {
            Some((number, shared)) if *number == search.run_number() => {
                assert_eq!(*shared, own, "one run, one class");
                found.shared += 1;
            }
            _ => run = Some((search.run_number(), own.clone())),
        }
        // One run on this value and no other.
        let candidate = search.candidate();
        if plain.go_to(&candidate).is_ok() {
            plain.decisions(&mut again).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(classes(&again), own, "{candidate}");
        }
        found.values += 1;
        all.insert(candidate, own);
    }
    assert_ne!(untouched.find_next(&mut go_on), Ok(Found::Valid));
    assert_eq!(untouched.outcome(), search.outcome());
    let _: &AnySearch = &search;
    all
}
