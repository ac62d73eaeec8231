//! Reduced suites of the catalogue: the published sizes, every class, the quotas. Classes do not depend on the engine.

use smallscope::Engine;
use smallscope::search::{AnySearch, Candidate, Found, Options};
use smallscope_catalogue::{counts, reductions, structure};
use smallscope_runner::criteria::{Class, Classifier, Collector, Criterion, Quota, Reduction};
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

fn next(search: &mut AnySearch) -> bool {
    search.find_next(&mut |_| ControlFlow::Continue(())).unwrap_or_else(|e| panic!("{e}")) == Found::Valid
}

fn open(name: &str, args: &[i64], engine: Engine) -> AnySearch {
    let structure = structure(name).unwrap();
    (structure.open)(&(structure.bounds)(args), Options { engine, ..Options::default() }).unwrap()
}

/// How many values are kept of classes of these sizes.
fn left(sizes: &[u64], ratio: &str) -> u64 {
    let most = Quota::Ratio(ratio.parse().unwrap()).most(sizes.iter().sum(), sizes.len() as u64);
    sizes.iter().map(|size| size.min(&most)).sum()
}

/// The book says where our invariants make other decisions than the paper's, and why.
fn is_equal_to_the_paper(table: &str, criterion: &str) -> bool {
    table == "XII" || matches!((table, criterion), ("VI" | "VIII" | "X", "cdc" | "path"))
}

#[test]
fn sizes_are_those_of_the_paper() {
    let (most, rows) = if cfg!(debug_assertions) { (20_000, 36) } else { (100_000, 41) };
    let mut equal = 0;
    for row in reductions().iter().filter(|row| row.all <= most) {
        let mut search = row.search(Options::default());
        let mut classifier = Classifier::new(row.criterion.parse().unwrap()).unwrap();
        let (mut sizes, mut trace) = (HashMap::<Class, u64>::new(), vec![]);
        while next(&mut search) {
            search.decisions(&mut trace).unwrap();
            *sizes.entry(classifier.class(&trace)).or_default() += 1 + search.skip_rest();
        }
        let sizes: Vec<u64> = sizes.into_values().collect();
        assert_eq!(sizes.iter().sum::<u64>(), row.all, "{row:?}");
        if is_equal_to_the_paper(row.table, row.criterion) {
            let ours = (sizes.len() as u64, left(&sizes, "0.1"), left(&sizes, "0.01"));
            assert_eq!(ours, (row.classes, row.tenth, row.hundredth), "{row:?}");
            equal += 1;
        }
    }
    assert_eq!(equal, rows);
}

/// For each structure, the largest row of the exact counts that is small.
fn small() -> Vec<(&'static str, Vec<i64>)> {
    let mut rows = BTreeMap::new();
    for row in counts().into_iter().filter(|row| row.explored <= 3000 && row.valid > 1) {
        let best = rows.entry(row.structure).or_insert((0, vec![]));
        if row.explored > best.0 {
            *best = (row.explored, row.args);
        }
    }
    assert!(rows.len() >= 15, "{rows:?}");
    rows.into_iter().map(|(name, (_, args))| (name, args)).collect()
}

#[test]
fn classes_do_not_depend_on_the_engine() {
    for (name, args) in small() {
        for criterion in Criterion::ALL {
            let [lazy, owned, korat] = [Engine::Lazy, Engine::Owned, Engine::Korat].map(|engine| {
                let mut search = open(name, &args, engine);
                let mut collector =
                    Collector::new(format!("{criterion} per-class 1 first").parse().unwrap(), 0).unwrap();
                let mut classes: BTreeMap<Candidate, Class> = BTreeMap::new();
                while next(&mut search) {
                    classes.insert(search.candidate(), collector.class(&mut search).unwrap());
                }
                classes
            });
            assert!(!owned.is_empty(), "{name} {args:?}");
            assert!(lazy == owned, "{name} {criterion}");
            assert!(owned == korat, "{name} {criterion}");
        }
    }
}

#[test]
fn finer_criteria_have_more_classes() {
    for (name, args) in small() {
        let count = |criterion: Criterion| {
            let mut search = open(name, &args, Engine::Lazy);
            let mut collector =
                Collector::new(format!("{criterion} size 1 first").parse().unwrap(), 0).unwrap();
            while next(&mut search) {
                collector.visit(&mut search).unwrap();
            }
            collector.finish().classes.len()
        };
        use Criterion::{Cdc, Condition, Decision, Mcdc, Path, SimplePath};
        for (coarse, fine) in
            [(Decision, Cdc), (Decision, SimplePath), (Cdc, Path), (SimplePath, Path), (Condition, Mcdc)]
        {
            assert!(count(coarse) <= count(fine), "{name}: {coarse} and {fine}");
        }
    }
}

#[test]
fn every_class_is_kept_and_quotas_are_respected() {
    for how in [
        "cdc ratio 0.1 first",
        "path ratio 0.5 first",
        "cdc ratio 0.1 random 3",
        "path size 40 random 3",
        "decision per-class 7 random 3",
        "mcdc size 1 first",
    ] {
        let reduction: Reduction = how.parse().unwrap();
        // Classes one after the other, some of them again.
        for (name, args) in
            [("search-tree-value", &[3, 0, 3, 6][..]), ("binomial-heap-pair", &[3]), ("ring", &[4, 0, 4, 4])]
        {
            let mut sizes: BTreeMap<Class, u64> = BTreeMap::new();
            let mut search = open(name, args, Engine::Lazy);
            let mut collector = Collector::new(reduction, 0).unwrap();
            while next(&mut search) {
                *sizes.entry(collector.class(&mut search).unwrap()).or_default() += 1;
            }
            let total: u64 = sizes.values().sum();
            let most = reduction.quota.most(total, sizes.len() as u64);
            let mut collector = Collector::new(reduction, total).unwrap();
            let mut search = open(name, args, Engine::Lazy);
            while next(&mut search) {
                collector.visit(&mut search).unwrap();
            }
            let reduced = collector.finish();
            assert_eq!((reduced.values, reduced.most), (total, most), "{name} {how}");
            assert_eq!(reduced.classes.len(), sizes.len(), "{name} {how}");
            // The class of each value that was kept.
            let mut kept: BTreeMap<Class, u64> = BTreeMap::new();
            let mut collector = Collector::new(reduction, 0).unwrap();
            for (place, path) in reduced.kept.iter().enumerate() {
                search.restore(0, path).unwrap();
                let class = collector.class(&mut search).unwrap();
                *kept.entry(class).or_default() += 1;
                let row = reduced.classes.iter().find(|row| row.class == class).unwrap();
                assert!(row.witness <= place);
            }
            for row in &reduced.classes {
                assert_eq!(row.size, sizes[&row.class], "{name} {how}");
                assert_eq!(
                    (row.kept, kept[&row.class]),
                    (most.min(row.size), most.min(row.size)),
                    "{name} {how}"
                );
            }
        }
    }
}
