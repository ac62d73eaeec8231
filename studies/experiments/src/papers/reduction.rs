//! Paper 001: disjoint parts, and suites reduced by the decisions of the invariant.

use super::statements::{Heap, Ring, Tree, heap_bounds, ring_bounds, tree_bounds};
use super::{cells, numbers};
use crate::compare::Compared;
use crate::experiment::{Cells, Column, Drawing, Experiment, Unfinished, Watch};
use crate::measure::{count, deliver, next, timed};
use crate::published::Table;
use smallscope::disjoint::Slicing;
use smallscope::search::{AnySearch, Options, Search};
use smallscope::{Bounded, Bounds};
use smallscope_catalogue::node_caching_disjoint as caching;
use smallscope_catalogue::{DisjointRow, disjoint_counts, structure};
use smallscope_runner::criteria::{Classifier, Quota};
use smallscope_viewer::plot::{Axis, Chart, Point, Series};
use std::collections::HashMap;

const PARTS: [Column; 6] = [
    Column::same("valid"),
    Column::same("explored"),
    Column::same("explored, parts"),
    Column::quotient("time / parts", "seconds", "seconds, parts"),
    Column::beside("runs, default engine, parts"),
    Column::quotient("time / default, parts", "seconds", "seconds, default engine"),
];

pub(super) fn experiments() -> Vec<Experiment> {
    let mut all = vec![section_3(), slices()];
    let parts = [
        ("001/table-1", "001/figure-8", "I", "caching lists by nodes, directly and in disjoint parts"),
        ("001/table-2", "001/figure-9", "II", "caching lists by keys, directly and in disjoint parts"),
        ("001/table-3", "001/figure-10", "III", "pairs of binomial heaps, directly and in disjoint parts"),
        (
            "001/table-4",
            "001/figure-11",
            "IV",
            "AVL trees and lists by nodes, directly and in disjoint parts",
        ),
        ("001/table-5", "001/figure-12", "V", "AVL trees and lists by keys, directly and in disjoint parts"),
    ];
    for (id, figure, table, title) in parts {
        let cost = |published: &Table, row: &str| {
            let number = |column| published.number(row, column).unwrap_or_default();
            let values = parts_of(table, row).map_or(0, |parts| parts.valid);
            number("explored") + number("explored, parts") + 2.0 * values as f64
        };
        let experiment = Experiment::new(id, title, &PARTS).steps(cost).drawing(quotients).also(figure);
        all.push(experiment.compute(move |row, watch| in_parts(id, table, row, watch)));
    }
    let reduced = [
        ("001/table-6", "sizes of reduced suites: pairs of binomial heaps", "path"),
        ("001/table-8", "sizes of reduced suites: a binomial heap and a value", "path"),
        ("001/table-10", "sizes of reduced suites: doubly linked lists", "path"),
        ("001/table-12", "sizes of reduced suites: a search tree and a value", "path"),
        ("001/table-14", "sizes of reduced suites: a red-black tree and a key", "simple-path"),
    ];
    for (id, title, path) in reduced {
        let columns = if path == "path" { &REDUCED } else { &REDUCED_SIMPLE };
        let cost = |table: &Table, row: &str| table.number(row, "valid").unwrap_or(1.0).sqrt() * 100.0;
        let remark = match id {
            "001/table-6" => {
                "By decision, a pair is in the class of its first heap: the published sizes are those. (By both heaps there would be \
                 more classes.)"
            }
            _ => "",
        };
        let experiment = Experiment::new(id, title, columns).steps(cost).remark(remark);
        all.push(experiment.compute(move |row, watch| reduce(id, row, watch)));
    }
    all
}

fn section_3() -> Experiment {
    let columns = [Column::same("explored"), Column::same("valid")];
    Experiment::new("001/section-3", "the caching list of section 3", &columns).compute(|row, watch| {
        let found = structure("node-caching-linked-list").expect("a structure of the catalogue");
        let search = (found.open)(&(found.bounds)(&numbers(row)), Options::korat());
        let outcome = count(&mut search.map_err(Unfinished::because)?, watch)?;
        Ok(cells([("explored", outcome.explored.to_string()), ("valid", outcome.valid.to_string())]))
    })
}

/// Which statements are about which part, as figures 3 and 4 of the paper show it.
fn slices() -> Experiment {
    let columns = ["statements", "valid", "explored", "explored, conjunction"].map(Column::beside);
    let rows = ["list", "cache", "both"].map(|part| (part.to_owned(), 1.0));
    Experiment::new("001/figure-3", "the invariant of the caching list, sliced by disjoint parts", &columns)
        .rows(rows)
        .remark(
            "In scope 8,3,4,2. The invariant has the statements of figure 3; `#[rep_ok(statements)]` makes them conjuncts, and \
             the search finds out which part each is about: those of figure 4. The last column is about the same invariant \
             written as a conjunction.",
        )
        .compute(|row, _| {
            let options = Options::korat().disjoint();
            let of_statements = caching::bounds_of_statements(3, 4, 2);
            let statements = slicing::<caching::CachingListOfStatements>(&of_statements, options)?;
            let conjunction = slicing::<caching::DisjointCachingList>(&caching::bounds(3, 4, 2), options)?;
            let part = |slicing: &Slicing| slicing.parts.iter().find(|part| part.name == row).cloned();
            let (Some(part), Some(other)) = (part(&statements), part(&conjunction)) else {
                return Ok(cells([("statements", statements.global.len().to_string())]));
            };
            let explored = |explored: Option<u64>| explored.map_or("-".to_owned(), |n| n.to_string());
            Ok(cells([
                ("statements", part.conjuncts.clone().unwrap_or_default().join("; ")),
                ("valid", part.valid.to_string()),
                ("explored", explored(part.explored)),
                ("explored, conjunction", explored(other.explored)),
            ]))
        })
}

fn slicing<T: Bounded>(bounds: &Bounds, options: Options) -> Result<Slicing, Unfinished> {
    let mut search = Search::<T>::new(bounds, options).map_err(Unfinished::because)?;
    let slicing = search.slicing().map_err(Unfinished::because)?;
    slicing.ok_or_else(|| Unfinished::because("the search has no parts"))
}

fn parts_of(table: &str, row: &str) -> Option<DisjointRow> {
    disjoint_counts().into_iter().find(|parts| parts.table == table && parts.scope == row)
}

/// One search for everything, and the parts with every combination delivered.
fn in_parts(id: &str, table: &str, row: &str, watch: &Watch<'_>) -> Result<Cells, Unfinished> {
    let parts =
        parts_of(table, row).ok_or_else(|| Unfinished::because("the catalogue has no parts for this row"))?;
    let found = structure(parts.structure).expect("a structure of the catalogue");
    let bounds = (found.bounds)(&parts.args);
    let all = |options: Options| {
        timed(|| {
            let mut search = (found.open)(&bounds, options.disjoint()).map_err(Unfinished::because)?;
            deliver(&mut search, watch)
        })
    };
    let (outcome, seconds) = all(Options::korat())?;
    let (default, default_seconds) = all(Options::default())?;
    if outcome.valid != default.valid {
        return Err(Unfinished::because("the engines do not agree on the number of values"));
    }
    let mut cells = cells([
        ("explored, parts", outcome.explored.to_string()),
        ("seconds, parts", format!("{seconds:.6}")),
        ("valid", outcome.valid.to_string()),
        ("runs, default engine, parts", default.explored.to_string()),
        ("seconds, default engine", format!("{default_seconds:.6}")),
    ]);
    // The paper's direct search for the largest pairs of heaps ran out of time.
    if Table::of(id).get(row, "explored").is_some() {
        let (name, args) = match parts.structure {
            "node-caching-disjoint" => ("node-caching-linked-list", numbers(row)),
            "binomial-heap-inputs" => ("binomial-heap-pair", parts.args.clone()),
            _ => ("avl-list", numbers(row)),
        };
        let found = structure(name).expect("a structure of the catalogue");
        let bounds = (found.bounds)(&args);
        let (direct, seconds) = timed(|| {
            deliver(&mut (found.open)(&bounds, Options::korat()).map_err(Unfinished::because)?, watch)
        })?;
        if direct.valid != outcome.valid {
            return Err(Unfinished::because(
                "the parts do not have as many combinations as there are values",
            ));
        }
        cells.insert("explored".into(), direct.explored.to_string());
        cells.insert("seconds".into(), format!("{seconds:.6}"));
    }
    Ok(cells)
}

/// Figures 8 to 12: how many times longer the direct search takes.
fn quotients(compared: &Compared) -> Drawing {
    let numbers: Vec<_> = compared.rows.iter().map(|row| compared.numbers(row, "time / parts")).collect();
    let line = |name: &str, values: Vec<Option<f64>>| {
        let points = values.into_iter().zip(1..).filter_map(|(y, x)| Some(Point::new(x, y?)));
        Series::new(name, points)
    };
    let chart = Chart::new(
        "Time of one search, in times of the search in parts",
        Axis::linear("row of the table"),
        Axis::decimal("times"),
    );
    let published = line("published", numbers.iter().map(|pair| pair.0).collect());
    let ours = line("ours, with the published algorithm", numbers.iter().map(|pair| pair.1).collect());
    Drawing::Chart(chart.line(published).line(ours))
}

macro_rules! reduced {
    ($($criterion:literal),*) => {
        [Column::same("valid"), $(
            Column::same(concat!($criterion, ", 10 %")),
            Column::same(concat!($criterion, ", 1 %")),
            Column::same(concat!($criterion, ", classes")),
        )*]
    };
}

const REDUCED: [Column; 10] = reduced!["decision", "cdc", "path"];
const REDUCED_SIMPLE: [Column; 10] = reduced!["decision", "cdc", "simple-path"];

/// The sizes of suites that are reduced by each criterion of the table.
fn reduce(id: &str, row: &str, watch: &Watch<'_>) -> Result<Cells, Unfinished> {
    let args = numbers(row);
    let path = if id == "001/table-14" { "simple-path" } else { "path" };
    let criteria = ["decision", "cdc", path];
    let classes = match (id, &args[..]) {
        ("001/table-6", &[n, _]) => {
            pairs(&criteria, class_sizes(open::<Heap>(&heap_bounds(n))?, &criteria, watch)?)
        }
        // The invariant does not read the value, and the key only to see that it is there.
        ("001/table-8", &[n]) => times(n, class_sizes(open::<Heap>(&heap_bounds(n))?, &criteria, watch)?),
        ("001/table-10", &[entries, min, max, elements]) => {
            class_sizes(open::<Ring>(&ring_bounds(entries, min, max, elements))?, &criteria, watch)?
        }
        ("001/table-14", &[nodes, min, max, keys]) => {
            times(keys, class_sizes(open::<Tree>(&tree_bounds(nodes, min, max, keys))?, &criteria, watch)?)
        }
        _ => {
            let found = structure("search-tree-value").expect("a structure of the catalogue");
            let search =
                (found.open)(&(found.bounds)(&args), Options::default()).map_err(Unfinished::because)?;
            class_sizes(search, &criteria, watch)?
        }
    };
    let mut cells = Cells::new();
    for (criterion, sizes) in criteria.iter().zip(&classes) {
        let all: u64 = sizes.iter().sum();
        for (ratio, name) in [("0.1", "10 %"), ("0.01", "1 %")] {
            let quota = Quota::Ratio(ratio.parse().map_err(Unfinished::because)?);
            let most = quota.most(all, sizes.len() as u64);
            let kept: u64 = sizes.iter().map(|&size| size.min(most)).sum();
            cells.insert(format!("{criterion}, {name}"), kept.to_string());
        }
        cells.insert(format!("{criterion}, classes"), sizes.len().to_string());
        cells.insert("valid".into(), all.to_string());
    }
    Ok(cells)
}

fn open<T: Bounded>(bounds: &Bounds) -> Result<AnySearch, Unfinished> {
    Ok(Search::<T>::new(bounds, Options::default()).map_err(Unfinished::because)?.into_any())
}

/// How many values each class has, by criterion.
fn class_sizes(
    mut search: AnySearch,
    criteria: &[&str],
    watch: &Watch<'_>,
) -> Result<Vec<Vec<u64>>, Unfinished> {
    let mut classifiers = vec![];
    for criterion in criteria {
        let criterion = criterion.parse().map_err(Unfinished::because)?;
        classifiers.push((Classifier::new(criterion).map_err(Unfinished::because)?, HashMap::new()));
    }
    let (mut trace, mut current) = (vec![], None);
    while next(&mut search, watch)? {
        if current != Some(search.run_number()) {
            current = Some(search.run_number());
            search.decisions(&mut trace).map_err(Unfinished::because)?;
        }
        let values = 1 + search.skip_rest();
        for (classifier, sizes) in &mut classifiers {
            *sizes.entry(classifier.class(&trace)).or_insert(0) += values;
        }
    }
    Ok(classifiers.into_iter().map(|(_, sizes)| sizes.into_values().collect()).collect())
}

/// Every value with each of `n` others that the invariant does not look at.
fn times(n: i64, classes: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
    classes.into_iter().map(|sizes| sizes.iter().map(|size| size * n as u64).collect()).collect()
}

/// Pairs of values. The class of a pair consists of both classes; by `decision` it is that of the first one, as published.
fn pairs(criteria: &[&str], classes: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
    let of_pairs = |(criterion, sizes): (&&str, Vec<u64>)| {
        let all: u64 = sizes.iter().sum();
        match *criterion {
            "decision" => sizes.iter().map(|size| size * all).collect(),
            _ => sizes.iter().flat_map(|a| sizes.iter().map(move |b| a * b)).collect(),
        }
    };
    criteria.iter().zip(classes).map(of_pairs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    /// Small rows of each table have the published sizes by each criterion.
    #[test]
    fn statements_have_the_published_decisions() {
        static GO_ON: AtomicBool = AtomicBool::new(false);
        let watch = Watch { end: None, is_stopped: &GO_ON };
        let rows = [
            ("001/table-6", "4,4"),
            ("001/table-8", "4"),
            ("001/table-10", "5,0,5,5"),
            ("001/table-12", "3,0,3,6"),
            ("001/table-14", "4,0,4,8"),
        ];
        for (id, row) in rows {
            let table = Table::of(id);
            for (column, value) in reduce(id, row, &watch).unwrap() {
                if !column.starts_with("simple-path") {
                    assert_eq!(Some(value.as_str()), table.get(row, &column), "{id}, {row}, {column}");
                }
            }
        }
    }
}
