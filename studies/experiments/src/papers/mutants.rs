//! The mutant tables of papers 000, 001 and 003: how many mutants of an operation each suite leaves alive.
//!
//! The operations are our own code, and so are the mutants: the figures stand beside the published ones.

use super::{cells, numbers};
use crate::experiment::{Cells, Column, Experiment, Unfinished, Watch};
use crate::published::Table;
use smallscope::Bounds;
use smallscope::cover::{Coverage, Criterion};
use smallscope::search::Options;
use smallscope_catalogue::structure;
use smallscope_operations::{Operation, Part, measure, operation, parts, search_tree};
use smallscope_runner::criteria::{Choice, Quota, Reduction};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Suites with more values are left out: each value runs on every mutant that is still alive.
const MOST_VALUES: f64 = 1e6;

/// Steps of a value: it runs on several mutants.
const STEPS: f64 = 200.0;

const REMARK: &str = "Mutants that are alive. Code and mutants are our own, so only the shape of the result can be compared: how much \
                      smaller suites lose. Suites are chosen in the order of the published search.";

const CLASSES: [Column; 4] = [
    Column::beside("mutants"),
    Column::beside("alive, all"),
    Column::beside("alive, pruned"),
    Column::beside("alive, one per class"),
];

macro_rules! reduced {
    ($($criterion:literal),*) => {
        [Column::beside("mutants"), Column::beside("alive, all"), $(
            Column::beside(concat!($criterion, ", 10 %")),
            Column::beside(concat!($criterion, ", 1 %")),
            Column::beside(concat!($criterion, ", one per class")),
        )*]
    };
}

/// A table, the table with the sizes of its suites, its structure, and our operations by their published names.
type Study =
    (&'static str, &'static str, &'static str, &'static str, &'static [(&'static str, &'static str)]);

const STUDIES: [Study; 8] = [
    ("000/mutants-list-as-set", "000/list-as-set", "list-to-set", "list-as-set", &[("", "list-to-set")]),
    (
        "000/mutants-binomial-heap",
        "000/binomial-heap",
        "merging binomial heaps",
        "binomial-heap-pair",
        &[("", "merge")],
    ),
    (
        "000/mutants-search-tree",
        "000/search-tree",
        "deleting from a search tree",
        "search-tree-value",
        &[("", "delete")],
    ),
    ("001/table-7", "001/table-6", "merging binomial heaps", "binomial-heap-pair", &[("", "merge")]),
    (
        "001/table-9",
        "001/table-8",
        "operations of binomial heaps",
        "binomial-heap-value",
        &[("insert", "insert"), ("delete", "delete"), ("find", "find")],
    ),
    ("001/table-11", "001/table-10", "palindromes in doubly linked lists", "ring", &[("", "is-palindromic")]),
    (
        "001/table-13",
        "001/table-12",
        "operations of search trees",
        "search-tree-value",
        &[("delete", "delete"), ("insert", "insert"), ("search", "search")],
    ),
    (
        "001/table-15",
        "001/table-14",
        "operations of red-black trees",
        "red-black-tree-key",
        &[("remove", "remove"), ("add", "insert"), ("contains", "search")],
    ),
];

pub(super) fn experiments() -> Vec<Experiment> {
    let mut all = vec![];
    for (id, sizes, title, structure, operations) in STUDIES {
        let columns = match id {
            "001/table-15" => reduced!["decision", "cdc", "simple-path"].to_vec(),
            _ if id.starts_with("001") => reduced!["decision", "cdc", "path"].to_vec(),
            _ => CLASSES.to_vec(),
        };
        let experiment = Experiment::new(id, title, &columns);
        let sizes = Table::of(sizes);
        let rows = experiment.rows.iter().filter_map(|row| {
            let scope = row.name.split(' ').next()?;
            let values = sizes.number(scope, "valid").filter(|values| *values <= MOST_VALUES)?;
            Some((row.name.clone(), values * STEPS))
        });
        let rows: Vec<_> = rows.collect();
        all.push(experiment.rows(rows).remark(REMARK).compute(move |row, _| {
            let (scope, name) = row.split_once(' ').unwrap_or((row, ""));
            let ours = operations.iter().find(|(published, _)| *published == name).map(|(_, ours)| *ours);
            let ours = ours.ok_or_else(|| Unfinished::because("there is no such operation"))?;
            alive(id, structure, ours, &arguments(id, scope))
        }));
    }
    all.push(by_scope());
    all
}

/// The arguments of the catalogue for a published scope.
fn arguments(id: &str, scope: &str) -> Vec<i64> {
    let numbers = numbers(scope);
    match id {
        "000/mutants-list-as-set" => vec![numbers[1], numbers[4], numbers[6]],
        "001/table-7" => vec![numbers[0]],
        _ => numbers,
    }
}

fn find(structure: &str, name: &str) -> Result<&'static Operation, Unfinished> {
    operation(structure, name).ok_or_else(|| Unfinished::because("there is no such operation"))
}

fn bounds(name: &str, args: &[i64]) -> Bounds {
    (structure(name).expect("a structure of the catalogue").bounds)(args)
}

/// Mutants that some value of the largest bounds reaches, without those that are known to be equivalent.
fn mutants(operation: &'static Operation) -> Result<usize, Unfinished> {
    static KNOWN: Mutex<BTreeMap<(&str, &str), usize>> = Mutex::new(BTreeMap::new());
    let key = (operation.structure, operation.name);
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
    if let Some(known) = known {
        return Ok(known);
    }
    let largest = bounds(operation.structure, operation.largest);
    let (_, all) = measure(operation, &largest, Options::default(), &[], 1).map_err(Unfinished::because)?;
    let count = all.iter().filter(|mutant| mutant.equivalent.is_none()).count();
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner).insert(key, count);
    Ok(count)
}

/// The mutants that each suite leaves alive.
fn alive(id: &str, structure: &str, name: &str, args: &[i64]) -> Result<Cells, Unfinished> {
    let operation = find(structure, name)?;
    let bounds = bounds(structure, args);
    let mut wanted = vec![("alive, all".to_owned(), Part::All)];
    if id.starts_with("000") {
        wanted.push(("alive, pruned".to_owned(), Part::Pruned));
        wanted.push(("alive, one per class".to_owned(), Part::OnePerClass));
    } else {
        let path = if id == "001/table-15" { "simple-path" } else { "path" };
        for criterion in ["decision", "cdc", path] {
            let quotas = [
                ("10 %", Quota::Ratio("0.1".parse().map_err(Unfinished::because)?)),
                ("1 %", Quota::Ratio("0.01".parse().map_err(Unfinished::because)?)),
                ("one per class", Quota::PerClass(1)),
            ];
            for (part, quota) in quotas {
                let criterion_of = criterion.parse().map_err(Unfinished::because)?;
                let reduction = Reduction { criterion: criterion_of, quota, choice: Choice::First };
                wanted.push((format!("{criterion}, {part}"), Part::Reduced(reduction)));
            }
        }
    }
    let (names, chosen): (Vec<String>, Vec<Part>) = wanted.into_iter().unzip();
    let suites = parts(operation, &bounds, Options::korat(), &chosen).map_err(Unfinished::because)?;
    let (_, measured) =
        measure(operation, &bounds, Options::korat(), &suites, 1).map_err(Unfinished::because)?;
    let all = mutants(operation)?;
    let mut found = cells([("mutants", all.to_string())]);
    for (suite, name) in names.into_iter().enumerate() {
        let killed = measured.iter().filter(|m| m.equivalent.is_none() && m.first[suite].is_some()).count();
        found.insert(name, all.saturating_sub(killed).to_string());
    }
    Ok(found)
}

/// The share of the blocks of the removal that values within some bounds run, in per cent.
fn blocks_covered(operation: &Operation, bounds: &Bounds) -> Result<usize, Unfinished> {
    let mut coverage = Coverage::new(&[&search_tree::DELETE], Criterion::Blocks);
    let visited = (operation.each)(bounds, Options::default(), &mut |_, test| {
        test();
        coverage.collect();
        true
    });
    visited.map_err(Unfinished::because)?;
    Ok(100 * coverage.covered() / coverage.total().max(1))
}

/// Figure 3 of paper 003: what each scope covers of the removal from a search tree, and the mutants that it kills.
fn by_scope() -> Experiment {
    let columns = [Column::beside("statements, %"), Column::beside("mutants, %")];
    let title = "statements covered and mutants killed by scope: removal from a search tree";
    Experiment::new("003/figure-3", title, &columns)
        .rows((1..=6).map(|scope: i32| (scope.to_string(), 10f64.powi(scope) * 10.0)))
        .remark(
            "The figure of the paper has no numbers, but two statements about it. Ours are blocks: statements that run as a whole, so \
             that all statements are covered if all blocks are.",
        )
        .compute(|row, _: &Watch<'_>| {
            let operation = find("search-tree-value", "delete")?;
            let scope = numbers(row)[0];
            let bounds = bounds("search-tree-value", &[scope, 0, scope, scope]);
            let suites = parts(operation, &bounds, Options::default(), &[Part::All]).map_err(Unfinished::because)?;
            let measured = measure(operation, &bounds, Options::default(), &suites, 1);
            let (_, measured) = measured.map_err(Unfinished::because)?;
            let killed = measured.iter().filter(|m| m.equivalent.is_none() && m.first[0].is_some()).count();
            let all = mutants(operation)?.max(1);
            let covered = blocks_covered(operation, &bounds)?;
            Ok(cells([("statements, %", covered.to_string()), ("mutants, %", (100 * killed / all).to_string())]))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smaller_suites_leave_more_mutants_alive() {
        let cells = alive("000/mutants-search-tree", "search-tree-value", "delete", &[3, 0, 3, 3]).unwrap();
        let number = |column: &str| cells[column].parse::<usize>().unwrap();
        assert!(number("mutants") > 20, "{cells:?}");
        assert!(number("alive, all") <= number("alive, pruned"), "{cells:?}");
        assert!(number("alive, pruned") < number("alive, one per class"), "{cells:?}");
        assert!(number("alive, one per class") < number("mutants"), "{cells:?}");
    }

    /// A single node has no node with two children.
    #[test]
    fn small_scopes_do_not_run_all_of_the_removal() {
        let delete = find("search-tree-value", "delete").unwrap();
        let covered = |scope: i64| {
            blocks_covered(delete, &bounds("search-tree-value", &[scope, 0, scope, scope])).unwrap()
        };
        assert!(covered(1) < covered(3), "{} {}", covered(1), covered(3));
        assert_eq!(covered(4), 100);
    }
}
