//! BEAPI's table: structures within a scope, counted from their invariants.

use super::cells;
use crate::compare::short;
use crate::experiment::{Cells, Column, Experiment, Unfinished, Watch};
use crate::measure::{count, timed};
use smallscope::search::Options;
use smallscope::summaries::Summaries;
use smallscope_catalogue::structure;

/// Rows with a structure of the catalogue that has the same values: its name and arguments, the work, and whether helpers
/// of the invariant are summarised.
const ROWS: [(&str, &str, &[i64], f64, bool); 10] = [
    ("search tree 12", "search-tree-natural", &[12, 0, 12, 12], 2e5, true),
    ("search tree 14", "search-tree-natural", &[14, 0, 14, 14], 5e5, true),
    ("red-black tree 13", "red-black-tree-natural", &[13, 0, 13, 13], 2e6, true),
    ("red-black tree 8", "red-black-tree-natural", &[8, 0, 8, 8], 1e5, true),
    ("AVL tree 13", "avl-tree-natural", &[13, 0, 13, 13], 1e6, true),
    ("binomial heap 10", "binomial-heap", &[10], 2e7, false),
    ("binomial heap 11", "binomial-heap", &[11], 2e8, false),
    ("doubly linked list 9", "ring", &[10, 0, 9, 8], 1e5, false),
    ("Fibonacci heap 8", "fibonacci-heap", &[8], 2e8, false),
    ("singly linked list 9", "int-list", &[9, 0, 8, 9], 1e5, false),
];

pub(super) fn experiments() -> Vec<Experiment> {
    let columns = [
        Column::same("structures"),
        Column::beside("reached by the API"),
        Column::beside("seconds"),
        Column::beside("seconds, Korat"),
        Column::beside("seconds, BEAPI"),
        Column::beside("runs of the invariant"),
    ];
    vec![
        Experiment::new("beapi/structures", "structures within a scope", &columns)
            .rows(ROWS.map(|(row, _, _, steps, _)| (row.to_owned(), steps)))
            .remark(
                "Sizes are cumulative. Ours are counted: the number of values of a path is known without visiting each, where the \
                 published times are for making all of them. Seconds of other machines stand beside ours. The published \
                 count of node caching lists is of an invariant that its authors found wrong, and is left out.",
            )
            .compute(row),
    ]
}

fn row(row: &str, watch: &Watch<'_>) -> Result<Cells, Unfinished> {
    let found = ROWS.iter().find(|(name, ..)| *name == row);
    let &(_, name, args, _, summarised) = found.ok_or_else(|| Unfinished::because("there is no such row"))?;
    let structure = structure(name).expect("a structure of the catalogue");
    let summaries = if summarised { Summaries::On } else { Summaries::Off };
    let options = Options { summaries, ..Options::default() };
    let bounds = (structure.bounds)(args);
    let (outcome, seconds) =
        timed(|| count(&mut (structure.open)(&bounds, options).map_err(Unfinished::because)?, watch))?;
    Ok(cells([
        ("structures", outcome.valid.to_string()),
        ("seconds", short(seconds)),
        ("runs of the invariant", outcome.explored.to_string()),
    ]))
}
