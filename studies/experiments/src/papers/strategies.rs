//! Paper 004: the model of failing sequences, and strategies on mutants of containers.

mod units;

use super::cells;
use crate::compare::{Compared, short};
use crate::experiment::{Cells, Column, Drawing, Experiment, Unfinished, Watch};
use smallscope::sequences::density::{best_length, calculate};
use smallscope_viewer::plot::{Axis, Chart, Point, Series};
use units::{TESTS, UNITS, Which, each, studied, timed};

/// The lengths of tests.
const LENGTHS: [usize; 15] = [1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 128, 256, 512, 1024];

/// The paper runs the bounded-exhaustive strategy up to this length.
const LONGEST_EXHAUSTIVE: usize = 8;

const OWN_CODE: &str = "The units are our own, after their names in `java.util`, and so are the mutants: the shape is what can be compared. \
                        The original runs in lockstep and is compared after every call, not at the end of a test.";

/// Steps of a mutant of which it is found out whether it can be killed.
const STEPS_OF_A_MUTANT: f64 = 2e5;

pub(super) fn experiments() -> Vec<Experiment> {
    let best = ["k = 1", "k = 2", "k = 3", "k = 4"].map(Column::beside);
    let lengths = [2, 5, 10, 20, 50, 100].map(|calls: u64| (calls.to_string(), (calls * calls * 40) as f64));
    let size = ["lines", "mutants", "killed", "by BE only"].map(Column::beside);
    let density = ["R, %", "R, % per call", "random, %"].map(Column::beside);
    let sooner = ["BE ahead", "BE, %", "ties, %", "R first, %"].map(Column::beside);
    let killed = ["R", "random", "BOBW", "published generator", "can be killed"].map(Column::beside);
    let speed = [Column::beside("R"), Column::beside("BE"), Column::quotient("R / BE", "R", "BE")];
    vec![
        Experiment::new("004/figure-3", "the units, their mutants, and how many are killed", &size)
            .steps(|table, row| STEPS_OF_A_MUTANT * table.number(row, "mutants").unwrap_or(100.0).max(10.0))
            .remark(OWN_CODE)
            .compute(unit),
        Experiment::new("004/figure-4", "failure density by length", &density)
            .rows(by_length(&LENGTHS))
            .remark("The paper draws a curve without numbers: the density climbs steadily with the length. It does here.")
            .drawing(densities)
            .compute(density_at),
        Experiment::new("004/figure-5", "of the mutants that R kills, those for which BE needs fewer tests", &sooner)
            .rows(by_length(&LENGTHS[..LONGEST_EXHAUSTIVE]))
            .remark("The paper says for which lengths BE kills more than half of the mutants with fewer tests.")
            .drawing(who_is_first)
            .compute(sooner_at),
        Experiment::new("004/figure-6", "mutants killed by 1000 tests of a length", &killed)
            .rows(by_length(&LENGTHS))
            .remark(
                "The paper draws curves without numbers: its generator stays behind R and goes flat from length 8 on. It does here, \
                 and the keyed permutation that `bobw` is now does not.",
            )
            .drawing(kills)
            .compute(killed_at),
        Experiment::new("004/per-second", "failing tests per second of processor time", &speed)
            .rows(by_length(&LENGTHS[..LONGEST_EXHAUSTIVE]))
            .remark("Only the quotient can be compared between machines. BE ends at its first failure, or after as many tests as R needed.")
            .compute(speed_at),
        Experiment::new("004/calculators", "the most cost-effective length, by distinct calls and by the failing sequence", &best)
            .rows(lengths)
            .remark(
                "The paper has statements and no numbers. They hold: above the number of calls unless the failing sequence has one \
                 call, growing quickly with it, and for a hundred calls above 1000 from three calls on.",
            )
            .drawing(model)
            .compute(best_lengths),
    ]
}

/// Rows by the length of tests. All of them need the mutants that can be killed.
fn by_length(lengths: &[usize]) -> Vec<(String, f64)> {
    lengths.iter().map(|length| (length.to_string(), 1e9 + 4e5 * *length as f64)).collect()
}

fn length_of(row: &str) -> Result<usize, Unfinished> {
    row.parse().map_err(Unfinished::because)
}

/// Figure 3: a unit, or all of them.
fn unit(row: &str, watch: &Watch<'_>) -> Result<Cells, Unfinished> {
    let (mut lines, mut mutants, mut killed, mut only) = (0, 0, 0, 0);
    for (name, _) in UNITS.iter().filter(|(name, _)| *name == row || row == "Total") {
        let studied = studied(name, watch)?;
        lines += studied.lines;
        mutants += studied.mutants;
        killed += studied.killed.len();
        only += studied.only_exhaustive;
    }
    let numbers = [("lines", lines), ("mutants", mutants), ("killed", killed), ("by BE only", only)];
    Ok(cells(numbers.map(|(name, number)| (name, number.to_string()))))
}

/// The mean of some shares, in per cent.
fn percent(shares: &[f64]) -> f64 {
    100.0 * shares.iter().sum::<f64>() / shares.len().max(1) as f64
}

/// Figure 4: the mean share of tests that fail, over the mutants that can be killed.
fn density_at(row: &str, watch: &Watch<'_>) -> Result<Cells, Unfinished> {
    let length = length_of(row)?;
    let share = |which| {
        each(watch, move |pair| Ok(pair.run(which, length, TESTS, true)?.failing as f64 / TESTS as f64))
    };
    let (paths, random) = (percent(&share(Which::Paths)?), percent(&share(Which::Random)?));
    let per_call = paths / length as f64;
    Ok(cells([("R, %", short(paths)), ("R, % per call", short(per_call)), ("random, %", short(random))]))
}

/// Figure 5: which of two strategies needs fewer tests.
fn sooner_at(row: &str, watch: &Watch<'_>) -> Result<Cells, Unfinished> {
    let length = length_of(row)?;
    let firsts = each(watch, |pair| {
        let Some(by_chance) = pair.run(Which::Paths, length, TESTS, false)?.first else { return Ok(None) };
        // As far as the other one had to go.
        Ok(Some((by_chance, pair.run(Which::Be, length, by_chance, false)?.first)))
    })?;
    let pairs: Vec<(u64, Option<u64>)> = firsts.into_iter().flatten().collect();
    if pairs.is_empty() {
        return Ok(cells([("BE ahead", "none is killed".to_owned())]));
    }
    let share = |is: &dyn Fn(u64, Option<u64>) -> bool| {
        let count = pairs.iter().filter(|(by_chance, in_order)| is(*by_chance, *in_order)).count();
        100.0 * count as f64 / pairs.len() as f64
    };
    let ahead = share(&|by_chance, in_order| in_order.is_some_and(|first| first < by_chance));
    let ties = share(&|by_chance, in_order| in_order == Some(by_chance));
    Ok(cells([
        ("BE ahead", if ahead > 50.0 { "yes" } else { "no" }.to_owned()),
        ("BE, %", short(ahead)),
        ("ties, %", short(ties)),
        ("R first, %", short(100.0 - ahead - ties)),
    ]))
}

/// Figure 6: the mutants that some tests kill.
fn killed_at(row: &str, watch: &Watch<'_>) -> Result<Cells, Unfinished> {
    let length = length_of(row)?;
    let names = [
        ("R", Which::Paths),
        ("random", Which::Random),
        ("BOBW", Which::Bobw),
        ("published generator", Which::Linear),
    ];
    let mut found = Cells::new();
    for (name, which) in names {
        let killed = each(watch, move |pair| Ok(pair.run(which, length, TESTS, false)?.first.is_some()))?;
        found.insert(name.to_owned(), killed.iter().filter(|is_killed| **is_killed).count().to_string());
        found.insert("can be killed".to_owned(), killed.len().to_string());
    }
    Ok(found)
}

/// Failing tests by the processor time.
fn speed_at(row: &str, watch: &Watch<'_>) -> Result<Cells, Unfinished> {
    let length = length_of(row)?;
    let runs = each(watch, |pair| {
        let (by_chance, time) = timed(|| pair.run(Which::Paths, length, TESTS, true));
        let by_chance = by_chance?;
        let most = by_chance.first.unwrap_or(TESTS);
        let (in_order, time_in_order) = timed(|| pair.run(Which::Be, length, most, false));
        Ok([(by_chance.failing, time), (u64::from(in_order?.first.is_some()), time_in_order)])
    })?;
    let rate = |which: usize| {
        let (failing, seconds) =
            runs.iter().fold((0, 0.0), |sum, run| (sum.0 + run[which].0, sum.1 + run[which].1));
        short(failing as f64 / seconds.max(f64::MIN_POSITIVE))
    };
    Ok(cells([("R", rate(0)), ("BE", rate(1))]))
}

/// Lines of some columns over the length.
fn chart(compared: &Compared, title: &str, y: &str, columns: &[&str]) -> Drawing {
    let mut chart = Chart::new(title, Axis::binary("length of tests"), Axis::linear(y));
    for column in columns {
        let points = compared.rows.iter().filter_map(|row| {
            let ours = compared.numbers(row, column).1?;
            Some(Point::new(row.name.parse::<f64>().ok()?, ours))
        });
        chart = chart.line(Series::new(*column, points));
    }
    Drawing::Chart(chart)
}

fn densities(compared: &Compared) -> Drawing {
    chart(
        compared,
        "Mean failure density of the mutants that can be killed",
        "per cent of the tests",
        &["R, %", "random, %"],
    )
}

fn who_is_first(compared: &Compared) -> Drawing {
    let title = "Of the mutants that R kills, the part for which BE or R needs fewer tests";
    chart(compared, title, "per cent", &["BE, %", "R first, %"])
}

fn kills(compared: &Compared) -> Drawing {
    let columns = ["R", "random", "BOBW", "published generator", "can be killed"];
    chart(compared, "Mutants killed by 1000 tests of a length", "mutants", &columns)
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    /// A small unit: what random tests kill, and that the strategies agree about how often.
    #[test]
    fn mutants_of_a_unit_are_killed_by_every_strategy() {
        let watch = Watch { end: None, is_stopped: &AtomicBool::new(false) };
        let cells = unit("HashSet", &watch).unwrap();
        let number = |column: &str| cells[column].parse::<u64>().unwrap();
        assert!(number("lines") > 40 && number("killed") > 0, "{cells:?}");
        assert!(number("killed") <= number("mutants"), "{cells:?}");
        let set = studied("HashSet", &watch).unwrap();
        for pair in &set.killed {
            for which in [Which::Paths, Which::Random, Which::Bobw] {
                let found = pair.run(which, 30, 200, true).unwrap();
                assert!(found.failing > 0 && found.first.is_some_and(|first| first <= 200));
            }
            // Each test once, so as many fail in every order.
            let [in_order, permuted, linear] = [Which::Be, Which::Bobw, Which::Linear]
                .map(|which| pair.run(which, 2, u64::MAX, true).unwrap().failing);
            assert_eq!((in_order, in_order), (permuted, linear));
        }
    }
}
