//! `cargo bench -p smallscope-catalogue`: the engines `korat` and `lazy` on the structures that the original tool was
//! measured on, beside what was recorded for it, and beside generators written by hand.
//!
//! Arguments after `--`: parts of names select structures, `--quick` takes small scopes, `--rounds N` measures N times.
//! `--search` is for `cargo xtask instructions`.

mod by_hand;
mod collected;
mod measure;
mod original;

use measure::{Measured, Rounds};
use original::Row;
use std::collections::BTreeSet;
use std::io::Write;
use std::time::Duration;

const USAGE: &str = "usage: cargo bench -p smallscope-catalogue -- [--quick] [--rounds N] [PART OF A NAME..]";

/// The head of the first table.
const COUNTING: &str = "                                             |     original          |        korat                       |         lazy                       | korat /
structure           arguments         values |         runs  seconds |         runs   seconds  runs/value |         runs   seconds  runs/value |    lazy  rounds";

/// The head of the second table.
const PER_VALUE: &str =
    "                                             |      korat |       lazy           |    by hand
structure           arguments         values |    counted |    counted     built |    visited     built";

struct Arguments {
    is_quick: bool,
    rounds: Option<usize>,
    names: Vec<String>,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [option, search @ ..] = &args[..]
        && option == "--search"
    {
        return collected::run(search);
    }
    let arguments = arguments(args.into_iter());
    let rows: Vec<Row> = original::rows().into_iter().filter(|row| arguments.selects(row)).collect();
    if rows.is_empty() {
        let names: BTreeSet<&str> = original::rows().iter().map(|row| row.structure).collect();
        let names = names.into_iter().collect::<Vec<_>>().join(", ");
        usage(&format!("no structure has such a name; there are {names}"));
    }
    by_hand::check();
    let rounds = match arguments {
        Arguments { rounds: Some(n), .. } => Rounds { least: n, most: n, time: Duration::ZERO },
        Arguments { is_quick: true, .. } => Rounds { least: 3, most: 5, time: Duration::from_millis(200) },
        _ => Rounds { least: 3, most: 15, time: Duration::from_secs(8) },
    };
    println!(
        "Runs of the invariant, and seconds, for counting the values. The original's were recorded elsewhere.\n"
    );
    println!("{COUNTING}");
    let mut problems = vec![];
    let measured: Vec<(Row, Measured)> = rows
        .into_iter()
        .map(|row| {
            let measured = counting(&row, &rounds);
            problems.extend(differences(&row, &measured));
            (row, measured)
        })
        .collect();
    println!("\nNanoseconds per value.\n\n{PER_VALUE}");
    measured.iter().for_each(|(row, measured)| per_value(row, measured));
    if !problems.is_empty() {
        problems.iter().for_each(|problem| eprintln!("{problem}"));
        std::process::exit(1);
    }
}

/// Measures a row, and prints its line of the first table, beginning with the columns that are known before.
fn counting(row: &Row, rounds: &Rounds) -> Measured {
    print!(
        "{:<20}{:<14}{:>10} | {:>12}{:>9.3} | ",
        row.structure, row.arguments, row.valid, row.candidates, row.seconds
    );
    // If flushing fails, the line is printed later.
    let _ = std::io::stdout().flush();
    let m = measure::measure(row, rounds);
    let per_value = |runs: u64| runs as f64 / row.valid as f64;
    println!(
        "{:>12}{:>10.5}{:>12.2} | {:>12}{:>10.5}{:>12.2} | {:>7.2}{:>8}",
        m.korat.explored,
        m.korat_seconds,
        per_value(m.korat.explored),
        m.lazy.explored,
        m.lazy_seconds,
        per_value(m.lazy.explored),
        m.ratio,
        m.rounds
    );
    m
}

/// Prints a line of the second table.
fn per_value(row: &Row, m: &Measured) {
    let nanoseconds = |seconds: f64| {
        let each = seconds * 1e9 / row.valid as f64;
        if each < 1000.0 { format!("{each:.1}") } else { format!("{each:.0}") }
    };
    let [visited, built] = m.by_hand.map_or(["-", "-"].map(str::to_owned), |both| both.map(nanoseconds));
    println!(
        "{:<20}{:<14}{:>10} | {:>10} | {:>10}{:>10} | {visited:>10}{built:>10}",
        row.structure,
        row.arguments,
        row.valid,
        nanoseconds(m.korat_seconds),
        nanoseconds(m.lazy_seconds),
        nanoseconds(m.built_seconds),
    );
}

/// The counts that differ from the original's. With other counts, times cannot be compared.
fn differences(row: &Row, m: &Measured) -> Vec<String> {
    let mut problems = vec![];
    let name = format!("{} {}", row.structure, row.arguments);
    if (m.korat.explored, m.korat.valid) != (row.candidates, row.valid) {
        let (runs, values) = (m.korat.explored, m.korat.valid);
        problems.push(format!("{name}: `korat` has {runs} runs and {values} values, unlike the original"));
    }
    if m.lazy.valid != row.valid {
        problems.push(format!("{name}: `lazy` has {} values, unlike the original", m.lazy.valid));
    }
    problems
}

impl Arguments {
    fn selects(&self, row: &Row) -> bool {
        let is_named = self.names.is_empty() || self.names.iter().any(|name| row.structure.contains(&**name));
        is_named && row.is_quick == self.is_quick
    }
}

fn arguments(mut rest: impl Iterator<Item = String>) -> Arguments {
    let mut arguments = Arguments { is_quick: false, rounds: None, names: vec![] };
    while let Some(arg) = rest.next() {
        match arg.as_str() {
            // From cargo.
            "--bench" => {}
            "--quick" => arguments.is_quick = true,
            "--rounds" => {
                let rounds = rest.next().and_then(|n| n.parse().ok()).filter(|n| *n > 0);
                arguments.rounds = rounds.or_else(|| usage("--rounds needs a number"));
            }
            option if option.starts_with('-') => usage(&format!("there is no option `{option}`")),
            _ => arguments.names.push(arg),
        }
    }
    arguments
}

fn usage(problem: &str) -> ! {
    eprintln!("{problem}\n{USAGE}");
    std::process::exit(2);
}
