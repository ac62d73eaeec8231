//! Paper 004: the model of failing sequences, and strategies on mutants of containers.

use super::cells;
use crate::compare::Compared;
use crate::experiment::{Cells, Column, Drawing, Experiment, Unfinished, Watch};
use smallscope::sequences::density::{best_length, calculate};

const NO_MUTANTS: &str = "the tool has no mutants of the containers; `cargo xtask mutants` of the repository computes it, and the \
                          chapter on the length of sequences shows the result";

pub(super) fn experiments() -> Vec<Experiment> {
    let columns = ["k = 1", "k = 2", "k = 3", "k = 4"].map(Column::beside);
    let lengths = [2, 5, 10, 20, 50, 100].map(|calls: u64| (calls.to_string(), (calls * calls * 40) as f64));
    vec![
        Experiment::new("004/figure-3", "the units, their mutants, and how many are killed", &["lines", "mutants", "killed"].map(Column::beside))
            .missing(NO_MUTANTS),
        Experiment::new("004/figure-4", "failure density by length", &[Column::beside("failure density, %")])
            .rows([("1024".to_owned(), 1.0)])
            .missing(NO_MUTANTS),
        Experiment::new("004/figure-5", "mutants for which BE needs fewer tests than R", &[Column::beside("BE, %")])
            .rows([("8".to_owned(), 1.0)])
            .missing(NO_MUTANTS),
        Experiment::new("004/figure-6", "mutants killed by R, BOBW and the published generator", &[Column::beside("killed")])
            .rows([("1024".to_owned(), 1.0)])
            .missing(NO_MUTANTS),
        Experiment::new("004/per-second", "failures per second of processor time", &["R", "BE"].map(Column::beside))
            .missing(NO_MUTANTS),
        Experiment::new("004/calculators", "the most cost-effective length, by distinct calls and by the failing sequence", &columns)
            .rows(lengths)
            .remark(
                "The paper has statements and no numbers. They hold: above the number of calls unless the failing sequence has one \
                 call, growing quickly with it, and for a hundred calls above 1000 from three calls on.",
            )
            .drawing(model)
            .compute(best_lengths),
    ]
}

/// The lengths after which a longer test is worth less for each call.
fn best_lengths(row: &str, watch: &Watch<'_>) -> Result<Cells, Unfinished> {
    let calls: u64 = row.parse().map_err(Unfinished::because)?;
    let mut found = Cells::new();
    for failing in 1..=4 {
        watch.check()?;
        // Twice the rule of thumb: the square root of 2 (k - 1) j^k.
        let about = (2.0 * (failing - 1) as f64 * (calls as f64).powi(failing)).sqrt();
        let limit = 20 + 2 * about as usize;
        let length = best_length(calls, failing as usize, limit).map_err(Unfinished::because)?;
        found.extend(cells([(format!("k = {failing}").as_str(), length.to_string())]));
    }
    Ok(found)
}

/// The density of the model with ten calls and a failing sequence of three.
fn model(_: &Compared) -> Drawing {
    Drawing::Chart(calculate(10, 3, 1..=200).chart())
}
