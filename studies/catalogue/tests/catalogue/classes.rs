//! The search by classes: the published counts to the candidate; and every engine covers each class that the exhaustive
//! search covers.

use smallscope::search::{Candidate, Found, Options};
use smallscope::{Classes, Engine, Stop};
use smallscope_catalogue::{class_counts, structure};
use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;

/// Rows with more candidates than this are left to `cargo run --release --example class_counts`.
const SMALL: u64 = 60_000;

/// The values that a search has delivered.
struct Delivered {
    explored: u64,
    stop: Stop,
    values: Vec<Candidate>,
    /// How many values each class has.
    classes: BTreeMap<String, u64>,
    /// The first value of each.
    witnesses: BTreeMap<String, Candidate>,
}

fn deliver(name: &str, args: &[i64], options: Options) -> Delivered {
    let structure = structure(name).unwrap_or_else(|| panic!("no structure {name}"));
    let mut search = (structure.open)(&(structure.bounds)(args), options).unwrap();
    let mut values = vec![];
    while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {
        // The real invariant checks it, too.
        search.check_value().unwrap();
        values.push(search.candidate());
    }
    let outcome = search.outcome();
    assert_eq!(outcome.valid, values.len() as u64);
    let table = search.take_classes();
    assert_eq!(table.delivered(), outcome.valid);
    for row in table.rows() {
        assert_eq!(values[row.first as usize - 1], row.witness, "the first value of {}", row.label);
    }
    Delivered {
        explored: outcome.explored,
        stop: outcome.stop,
        values,
        classes: table.rows().iter().map(|row| (row.label.clone(), row.count)).collect(),
        witnesses: table.rows().iter().map(|row| (row.label.clone(), row.witness.clone())).collect(),
    }
}

#[test]
fn small_rows_are_pruned_exactly_as_published() {
    let rows: Vec<_> = class_counts().into_iter().filter(|row| row.explored <= SMALL).collect();
    assert_eq!(rows.len(), 12, "the table is there");
    for row in rows {
        let options = Options { classes: Classes::Pruned, ..Options::korat() };
        let found = deliver(row.structure, &row.args, options);
        assert_eq!(found.stop, Stop::ClassesCovered);
        assert_eq!(
            (found.explored, found.values.len() as u64, found.classes.len()),
            (row.explored, row.valid, row.classes),
            "{} {:?}",
            row.structure,
            row.args
        );
    }
}

#[test]
fn every_class_is_covered_by_every_engine() {
    let rows: &[(&str, &[i64])] = &[
        ("list-as-set", &[2, 3, 3]),
        ("list-as-set", &[4, 4, 3]),
        ("binomial-heap-pair", &[2]),
        ("binomial-heap-pair", &[3]),
        ("search-tree-value", &[3, 0, 3, 4]),
        ("search-tree-value", &[4, 0, 4, 4]),
    ];
    for &(name, args) in rows {
        let mut counts = None;
        for engine in [Engine::Korat, Engine::Owned, Engine::Lazy] {
            let at = format!("{name} {args:?} {engine}");
            let with = |classes| deliver(name, args, Options { engine, classes, ..Options::default() });
            let (all, pruned, one) = (with(Classes::All), with(Classes::Pruned), with(Classes::One));
            assert_eq!((all.stop, pruned.stop), (Stop::Exhausted, Stop::ClassesCovered), "{at}");
            // The same values are in the same classes with every engine.
            assert_eq!(counts.get_or_insert(all.classes.clone()), &all.classes, "{at}");
            let known: HashSet<_> = all.values.iter().collect();
            assert_eq!(known.len(), all.values.len(), "{at}");
            for part in [&pruned, &one] {
                assert!(part.classes.keys().eq(all.classes.keys()), "{at}");
                assert!(part.values.iter().all(|value| known.contains(value)), "{at}");
                assert_eq!(part.values.iter().collect::<HashSet<_>>().len(), part.values.len(), "{at}");
                assert!(part.explored <= all.explored, "{at}");
            }
            assert!(
                one.values.len() <= pruned.values.len() && pruned.values.len() < all.values.len(),
                "{at}"
            );
            assert!(one.classes.values().all(|count| *count == 1), "{at}");
            // In the published order, that is the first value of all.
            if engine == Engine::Korat {
                assert_eq!(one.witnesses, all.witnesses, "{at}");
            }
        }
    }
}

#[test]
fn without_classes_nothing_changes() {
    for engine in [Engine::Korat, Engine::Owned, Engine::Lazy] {
        let with = |classes| {
            deliver("search-tree-value", &[3, 0, 3, 4], Options { engine, classes, ..Options::default() })
        };
        let structure = structure("search-tree-value").unwrap();
        let options = Options { engine, ..Options::default() };
        let outcome = (structure.count)(&(structure.bounds)(&[3, 0, 3, 4]), options).unwrap();
        let all = with(Classes::All);
        assert_eq!((outcome.explored, outcome.valid), (all.explored, all.values.len() as u64), "{engine}");
    }
}
