//! Searches by class, with random criteria: they cover each class that the exhaustive search covers, and deliver no value
//! that it does not deliver.

use crate::ask::World;
use crate::look::Root;
use crate::program::class_of;
use smallscope::search::{Candidate, FailureKind, Found, Options, Search};
use smallscope::{Bounded, Bounds, Classes, Engine, Outcome, Stop};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{AddAssign, ControlFlow};

/// How much was tried.
#[derive(Debug, Default)]
pub struct Covered {
    pub values: u64,
    pub classes: u64,
    /// Searches that have passed something over, and those with several classes.
    pub pruned: u64,
    pub several: u64,
    /// The same for the lazy engine.
    pub lazily: u64,
}

impl AddAssign for Covered {
    fn add_assign(&mut self, other: Covered) {
        self.values += other.values;
        self.classes += other.classes;
        self.pruned += other.pruned;
        self.several += other.several;
        self.lazily += other.lazily;
    }
}

/// The values that a search has delivered.
#[derive(Default)]
struct Delivered {
    /// Every candidate.
    all: BTreeSet<Candidate>,
    /// How many values each class has, by the table of the search.
    table: BTreeMap<String, u64>,
    /// The same, by the real values. Aliases that are no Rust values are left out.
    real: BTreeMap<String, u64>,
    explored: u64,
}

fn go_on(_: &Outcome) -> ControlFlow<Stop> {
    ControlFlow::Continue(())
}

/// `looks`: reads the position after every value, which must not change anything.
fn deliver<T: Bounded + Root>(bounds: &Bounds, options: Options, looks: bool) -> Option<Delivered> {
    let mut search = Search::<T>::new(bounds, options).ok()?;
    let mut found = Delivered::default();
    let mut unreal = 0;
    while search.find_next(&mut go_on).expect("programs behave") == Found::Valid {
        assert!(found.all.insert(search.candidate()), "nothing is delivered twice");
        if looks {
            let _ = (search.position(), search.fraction());
        }
        match search.value() {
            Ok(value) => {
                *found.real.entry(format!("{:?}", class_of(&value, World::Real))).or_default() += 1;
                std::mem::forget(value);
            }
            Err(failure) if matches!(failure.kind, FailureKind::Unbuildable { .. }) => unreal += 1,
            Err(failure) => panic!("{failure}"),
        }
    }
    let outcome = search.outcome();
    assert_eq!(outcome.valid, found.all.len() as u64);
    found.explored = outcome.explored;
    found.table = search.classes().rows().iter().map(|row| (row.label.clone(), row.count)).collect();
    if options.classes != Classes::Ignored {
        assert_eq!(search.classes().delivered(), outcome.valid);
        if unreal == 0 {
            assert_eq!(found.table, found.real, "a candidate has the class of its value: {options:?}");
        }
    }
    Some(found)
}

/// Searches in every way.
pub fn classes<T: Bounded + Root>(bounds: &Bounds, has_arena: bool) -> Covered {
    let mut covered = Covered::default();
    let mut real = None;
    for engine in [Engine::Lazy, Engine::Owned, Engine::Korat] {
        let with = |classes, recheck_every| {
            deliver::<T>(bounds, Options { engine, classes, recheck_every, ..Options::default() }, false)
        };
        let Some(plain) = with(Classes::Ignored, 0) else { return covered };
        let again = |classes| with(classes, 0).expect("as before");
        let (all, pruned, one) = (again(Classes::All), again(Classes::Pruned), again(Classes::One));
        // Which of several arrangements of an arena is delivered depends on the order of reads.
        if !has_arena {
            assert_eq!(all.all, plain.all, "{engine}: classes change no value");
            assert_eq!(real.get_or_insert_with(|| all.real.clone()), &all.real, "{engine}: engines agree");
        }
        assert_eq!(all.explored, plain.explored, "{engine}: the invariant is not run more often");
        for part in [&pruned, &one] {
            assert!(part.all.is_subset(&all.all), "{engine}: what is passed over is less");
            assert!(part.table.keys().eq(all.table.keys()), "{engine}: every class is covered");
            assert!(part.explored <= all.explored, "{engine}");
        }
        for (classes, part) in [(Classes::Pruned, &pruned), (Classes::One, &one)] {
            let options = Options { engine, classes, recheck_every: 0, ..Options::default() };
            let looked = deliver::<T>(bounds, options, true).expect("as before");
            assert_eq!(looked.all, part.all, "{engine}: a look at the position changes nothing");
        }
        let rechecked = with(Classes::Pruned, 1).expect("as before");
        assert!(rechecked.table.keys().eq(all.table.keys()), "{engine}: classes are stable");
        assert!(one.table.values().all(|count| *count == 1), "{engine}: one of each class");
        let is_less = pruned.all.len() < all.all.len();
        covered += Covered {
            values: all.all.len() as u64,
            classes: all.table.len() as u64,
            pruned: is_less.into(),
            several: (all.table.len() > 1).into(),
            lazily: (is_less && all.table.len() > 1 && engine == Engine::Lazy).into(),
        };
    }
    covered
}
