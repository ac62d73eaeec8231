//! Phi, failure densities and best lengths, as tables and as images.
//!
//! `cargo run --release -p smallscope-sequences --example densities [-- <calls> <failing> [<longest>]] [--figures <directory>]`
//!
//! With numbers, what the model says for so many distinct calls and a failing sequence of so many calls. Without, everything that
//! the book shows: best lengths, the model, the measured densities of a real context, and which calls of a test
//! vary.

mod real;

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use smallscope_sequences::density::{Axis, Chart, Point, Series, best_length, calculate, density};
use smallscope_sequences::{Context, Pool, Strategy, Test, nothing, value};

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers: Vec<usize> = vec![];
    let mut figures: Option<PathBuf> = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--figures" {
            figures = Some(arguments.next().ok_or("`--figures` needs a directory")?.into());
            continue;
        }
        let number = argument.parse().ok().filter(|number| *number > 0);
        numbers.push(
            number.ok_or_else(|| format!("`{argument}`: expected a number above zero, or `--figures`"))?,
        );
    }
    let charts = match numbers[..] {
        [] => everything()?,
        [calls, failing] => vec![calculation(calls, failing, 4 * calls)],
        [calls, failing, longest] => vec![calculation(calls, failing, longest)],
        _ => return Err("expected `<calls> <failing> [<longest>]`".into()),
    };
    if let Some(directory) = figures {
        for (name, chart) in charts {
            fs::write(directory.join(name), chart.to_svg())?;
        }
    }
    Ok(())
}

fn everything() -> Result<Vec<(&'static str, Chart)>, Box<dyn Error>> {
    best_lengths()?;
    let mut charts = vec![calculation(10, 3, 200)];
    let (chart, measured) = real::measured()?;
    println!("\n{}\n{measured}", chart.title);
    charts.push(("density-of-a-real-context.svg", chart));
    let chart = calls_that_vary()?;
    println!("\n{}\n{chart}", chart.title);
    charts.push(("bobw-positions.svg", chart));
    Ok(charts)
}

/// The best length for a number of distinct calls (rows) and a length of the failing sequence (columns), with the density.
fn best_lengths() -> Result<(), smallscope_sequences::Error> {
    println!("| calls | k = 1 | 2 | 3 | 4 |\n|---|---|---|---|---|");
    for j in [2, 5, 10, 20, 50, 100] {
        let lengths = (1..=4).map(|k| {
            let length = best_length(j, k, 100_000)?;
            let density = density(j, k, length).to_f64();
            Ok(format!("{length} ({:.2} %)", 100.0 * density))
        });
        let lengths = lengths.collect::<Result<Vec<_>, smallscope_sequences::Error>>()?;
        println!("| {j} | {} |", lengths.join(" | "));
    }
    Ok(())
}

fn calculation(calls: usize, failing: usize, longest: usize) -> (&'static str, Chart) {
    // Every length where there are few, and about a hundred in all.
    let step = longest.div_ceil(100).max(1);
    let calculation = calculate(calls as u64, failing, (1..=longest).step_by(step).chain([longest]));
    println!("\n{calculation}");
    ("density-of-the-model.svg", calculation.chart())
}

/// How many of the distinct calls are ever seen at a position of the first thousand tests, in the mean over positions.
fn calls_that_vary() -> Result<Chart, smallscope_sequences::Error> {
    let (calls, tests) = (30u32, 1000u64);
    let context = Context::builder()
        .pool(Pool::of(0..calls))
        .function("f", (value::<u32>(),), nothing(), |_| ())
        .build()?;
    // What the paper did; it does not say which prime number.
    let prime = 1_000_000_007;
    let mut lines = [vec![], vec![], vec![]];
    for length in [1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 128, 256, 512, 1024] {
        let seen = [
            seen_at_positions(Strategy::bobw(&context, length, 1)?.tests().take(tests as usize)),
            seen_at_positions(Strategy::random(&context, length, tests, 1)?.tests()),
            seen_at_positions(Strategy::linear(&context, length, prime)?.tests().take(tests as usize)),
        ];
        for (line, seen) in lines.iter_mut().zip(seen) {
            line.push(Point::new(length as f64, seen));
        }
    }
    let chart = Chart::new(
        format!("Distinct calls seen at a position of the first {tests} tests, of {calls}"),
        Axis::binary("length of tests"),
        Axis::linear("distinct calls, mean over positions"),
    );
    let names = ["bobw", "random", "the published generator"];
    Ok(names.into_iter().zip(lines).fold(chart, |chart, (name, line)| chart.line(Series::new(name, line))))
}

fn seen_at_positions(tests: impl Iterator<Item = Test>) -> f64 {
    let mut seen: Vec<std::collections::HashSet<u32>> = vec![];
    for test in tests {
        seen.resize_with(test.len(), Default::default);
        for (seen, call) in seen.iter_mut().zip(test.calls()) {
            seen.insert(*call);
        }
    }
    seen.iter().map(|seen| seen.len() as f64).sum::<f64>() / seen.len() as f64
}
