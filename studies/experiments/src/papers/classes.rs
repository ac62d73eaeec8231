//! Paper 000: the search by classes (Korat+) on five case studies.

use super::{cells, numbers};
use crate::experiment::{Cells, Column, Experiment, Unfinished, Watch};
use crate::measure::{count, deliver, timed};
use crate::published::Table;
use smallscope::Classes;
use smallscope::search::Options;
use smallscope_catalogue::structure;

const COLUMNS: [Column; 8] = [
    Column::same("explored"),
    Column::same("valid"),
    Column::same("explored, pruned"),
    Column::same("valid, pruned"),
    Column::same("classes"),
    Column::quotient("time / pruned", "seconds", "seconds, pruned"),
    Column::beside("runs, default engine"),
    Column::quotient("time / default", "seconds", "seconds, default engine"),
];

pub(super) fn experiments() -> Vec<Experiment> {
    let study = |id, title, name, arguments: fn(&[i64]) -> Vec<i64>| {
        Experiment::new(id, title, &COLUMNS)
            .steps(explored)
            .compute(move |row, watch| case_study(id, name, &arguments(&numbers(row)), row, watch))
    };
    vec![
        Experiment::new(
            "000/section-2",
            "the example of section 2: sorted lists",
            &[Column::same("space"), Column::same("explored"), Column::same("valid")],
        )
        .compute(|row, watch| worked_example(&numbers(row), watch)),
        study("000/list-as-set", "a list and a set", "list-as-set", |row| vec![row[1], row[4], row[6]]),
        study("000/binomial-heap", "pairs of binomial heaps", "binomial-heap-pair", <[i64]>::to_vec),
        study("000/digraph", "directed graphs", "digraph", <[i64]>::to_vec),
        study("000/weighted-digraph", "weighted directed graphs", "weighted-digraph", <[i64]>::to_vec),
        study("000/search-tree", "search trees and a value to delete", "search-tree-value", <[i64]>::to_vec),
    ]
}

/// The candidates of both searches, as published.
fn explored(table: &Table, row: &str) -> f64 {
    let both = ["explored", "explored, pruned"].map(|column| table.number(row, column).unwrap_or_default());
    both[0] + both[1]
}

fn case_study(id: &str, name: &str, args: &[i64], row: &str, watch: &Watch<'_>) -> Result<Cells, Unfinished> {
    let structure = structure(name).expect("a structure of the catalogue");
    let bounds = (structure.bounds)(args);
    let open = |options| (structure.open)(&bounds, options).map_err(Unfinished::because);
    let pruned = Options { classes: Classes::Pruned, ..Options::korat() };
    let ((outcome, classes), seconds) = timed(|| {
        let mut search = open(pruned)?;
        let outcome = deliver(&mut search, watch)?;
        Ok((outcome, search.classes().len()))
    })?;
    let (default, default_seconds) = timed(|| count(&mut open(Options::default())?, watch))?;
    let mut cells = cells([
        ("explored, pruned", outcome.explored.to_string()),
        ("valid, pruned", outcome.valid.to_string()),
        ("classes", classes.to_string()),
        ("seconds, pruned", format!("{seconds:.6}")),
        ("runs, default engine", default.explored.to_string()),
        ("seconds, default engine", format!("{default_seconds:.6}")),
    ]);
    // The paper's search for everything did not end within five hours on one row; neither would ours.
    if Table::of(id).get(row, "explored").is_some() {
        let (outcome, seconds) = timed(|| deliver(&mut open(Options::korat())?, watch))?;
        if outcome.valid != default.valid {
            return Err(Unfinished::because("the engines do not agree on the number of values"));
        }
        cells.insert("explored".into(), outcome.explored.to_string());
        cells.insert("seconds".into(), format!("{seconds:.6}"));
    }
    cells.insert("valid".into(), default.valid.to_string());
    Ok(cells)
}

/// Sorted lists: how many candidates there are, how many are tried, and how many are valid.
fn worked_example(row: &[i64], watch: &Watch<'_>) -> Result<Cells, Unfinished> {
    let &[min_size, max_size, nodes, elements] = row else {
        return Err(Unfinished::because("a row has sizes, nodes and elements"));
    };
    let bounds = crate::papers::lists::bounds(min_size, max_size, nodes, elements);
    let search =
        smallscope::search::Search::<crate::papers::lists::SortedList>::new(&bounds, Options::korat());
    let mut search = search.map_err(Unfinished::because)?.into_any();
    let space: u64 = search.slots().iter().map(|(_, values)| values).product();
    let outcome = count(&mut search, watch)?;
    Ok(cells([
        ("space", space.to_string()),
        ("explored", outcome.explored.to_string()),
        ("valid", outcome.valid.to_string()),
    ]))
}
