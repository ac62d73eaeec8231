//! The experiments, one module for each paper.

mod beapi;
mod classes;
mod etna;
mod lists;
mod mutants;
mod reduction;
mod state_matching;
mod statements;
mod strategies;
mod trees;

use crate::experiment::{Cells, Experiment};

/// Every experiment, in the order of papers and tables.
pub fn experiments() -> Vec<Experiment> {
    let mut all: Vec<Experiment> = [
        classes::experiments(),
        reduction::experiments(),
        mutants::experiments(),
        state_matching::experiments(),
        trees::experiments(),
        strategies::experiments(),
        beapi::experiments(),
        etna::experiments(),
    ]
    .into_iter()
    .flatten()
    .collect();
    // Tables of mutants stand with the other tables of their papers.
    all.sort_by_key(|experiment| experiment.id.split('/').next());
    all
}

/// The numbers in the name of a row. A minus sign between two numbers is a range, and one before a number belongs to it:
/// `2,-1-1` has 2, -1 and 1.
fn numbers(row: &str) -> Vec<i64> {
    let mut numbers = vec![];
    for part in row.split(',') {
        let (sign, rest) = part.strip_prefix('-').map_or((1, part), |rest| (-1, rest));
        for (n, number) in rest.split('-').enumerate() {
            let number: i64 = number.trim().parse().expect("rows are named by numbers");
            numbers.push(if n == 0 { sign * number } else { number });
        }
    }
    numbers
}

/// Cells from names and values.
fn cells<const N: usize>(cells: [(&str, String); N]) -> Cells {
    cells.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_numbers() {
        assert_eq!(numbers("2,-1-1"), [2, -1, 1]);
        assert_eq!(numbers("0-4,0-4,3,3,3"), [0, 4, 0, 4, 3, 3, 3]);
        assert_eq!(numbers("6,0,6,7,0,6,2"), [6, 0, 6, 7, 0, 6, 2]);
    }

    #[test]
    fn ids_are_unique_and_no_experiment_is_empty() {
        let experiments = experiments();
        let mut ids: Vec<_> = experiments.iter().map(|experiment| experiment.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), experiments.len());
        for experiment in &experiments {
            assert!(!experiment.rows.is_empty() && !experiment.columns.is_empty(), "{}", experiment.id);
        }
    }
}
