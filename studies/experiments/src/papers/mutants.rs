//! The mutant tables of papers 000 and 001: how many mutants of an operation each suite leaves alive.

use crate::experiment::{Column, Experiment};

const WHY: &str = "the tables need mutants of the catalogue's operations, and suites to run them on";

pub(super) fn experiments() -> Vec<Experiment> {
    let tables = [
        ("000/mutants-list-as-set", "mutants alive: list to set"),
        ("000/mutants-binomial-heap", "mutants alive: merging binomial heaps"),
        ("000/mutants-search-tree", "mutants alive: deleting from a search tree"),
        ("001/table-7", "mutants alive: merging binomial heaps"),
        ("001/table-9", "mutants alive: operations of binomial heaps"),
        ("001/table-11", "mutants alive: palindromes in doubly linked lists"),
        ("001/table-13", "mutants alive: operations of search trees"),
        ("001/table-15", "mutants alive: operations of red-black trees"),
    ];
    let columns = [Column::beside("mutants"), Column::beside("alive, all")];
    tables.into_iter().map(|(id, title)| Experiment::new(id, title, &columns).missing(WHY)).collect()
}
