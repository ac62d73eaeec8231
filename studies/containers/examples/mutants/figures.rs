//! The figures, as tables and as images.

use std::fs;
use std::path::Path;

use smallscope_sequences::density::{Axis, Chart, Point, Series};

use crate::experiment::{Findings, LENGTHS, LONGEST_EXHAUSTIVE, Technique, Trial};

pub fn print(findings: &Findings) {
    println!("| container | distinct calls | mutants | killed | by `be` only |\n|---|---|---|---|---|");
    for container in &findings.containers {
        let (name, calls, mutants) = (container.name, container.calls, container.mutants);
        println!("| {name} | {calls} | {mutants} | {} | {} |", container.killed, container.only_exhaustive);
    }
    let total =
        |of: fn(&crate::experiment::PerContainer) -> usize| findings.containers.iter().map(of).sum::<usize>();
    println!(
        "| in all | | {} | {} | {} |\n",
        total(|s| s.mutants),
        total(|s| s.killed),
        total(|s| s.only_exhaustive)
    );
    println!("not killed by anything:");
    for mutant in &findings.alive {
        println!("    {} {}: {}", mutant.number, mutant.function, mutant.change);
    }
    for (_, chart) in charts(findings) {
        println!("\n{}\n{chart}", chart.title);
    }
}

pub fn write(findings: &Findings, directory: &Path) -> Result<(), String> {
    for (name, chart) in charts(findings) {
        let path = directory.join(name);
        fs::write(&path, chart.to_svg()).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn charts(findings: &Findings) -> Vec<(&'static str, Chart)> {
    vec![
        ("mutants-density.svg", densities(findings)),
        ("mutants-density-per-call.svg", densities_per_call(findings)),
        ("mutants-be-and-random.svg", sooner(findings)),
        ("mutants-killed.svg", killed(findings)),
    ]
}

/// Lines of means over seeds.
fn line(name: &str, findings: &Findings, of: impl Fn(usize, u64) -> Option<f64>) -> Series {
    let point = |length: usize| {
        let values: Vec<f64> = (1..=findings.seeds).filter_map(|seed| of(length, seed)).collect();
        Point::mean(length as f64, &values)
    };
    Series::new(name, LENGTHS.into_iter().filter_map(point))
}

/// The mean failure density of the mutants that can be killed.
fn density(findings: &Findings, technique: Technique, length: usize, seed: u64) -> Option<f64> {
    let trials = findings.trials(technique, length).filter(|trial| trial.seed == seed);
    let densities: Vec<f64> =
        trials.filter_map(|trial| Some(trial.failing? as f64 / trial.tests as f64)).collect();
    (!densities.is_empty()).then(|| densities.iter().sum::<f64>() / densities.len() as f64)
}

/// Figure 4.
fn densities(findings: &Findings) -> Chart {
    let of = |technique| move |length, seed| density(findings, technique, length, seed);
    Chart::new(
        "Mean failure density of the mutants that can be killed",
        Axis::binary("length of tests"),
        Axis::linear("part of the tests that fails"),
    )
    .line(line("methods drawn, then arguments (R)", findings, of(Technique::Paths)))
    .line(line("calls drawn (random)", findings, of(Technique::Random)))
}

fn densities_per_call(findings: &Findings) -> Chart {
    let of = |technique| {
        move |length: usize, seed| Some(density(findings, technique, length, seed)? / length as f64)
    };
    Chart::new(
        "Mean failure density per call",
        Axis::binary("length of tests"),
        Axis::linear("part of the tests that fails, for each call"),
    )
    .line(line("methods drawn, then arguments (R)", findings, of(Technique::Paths)))
    .line(line("calls drawn (random)", findings, of(Technique::Random)))
}

/// Of the mutants that the second technique has killed, the part that the first one killed with fewer tests.
fn sooner_than(
    findings: &Findings,
    one: Technique,
    other: Technique,
    length: usize,
    seed: u64,
) -> Option<f64> {
    let of = |technique| {
        let trials = findings.killed.iter().map(move |killed| {
            let wanted =
                |trial: &&Trial| trial.technique == technique && trial.length == length && trial.seed == seed;
            killed.trials.iter().find(wanted).and_then(|trial| trial.first)
        });
        trials.collect::<Vec<_>>()
    };
    let pairs: Vec<_> = of(one).into_iter().zip(of(other)).filter_map(|(a, b)| Some((a, b?))).collect();
    let fewer = pairs.iter().filter(|(a, b)| a.is_some_and(|a| a < *b)).count();
    (!pairs.is_empty()).then(|| 100.0 * fewer as f64 / pairs.len() as f64)
}

/// Figure 5, and the same the other way round, since there are ties.
fn sooner(findings: &Findings) -> Chart {
    let of = |one, other| move |length: usize, seed| sooner_than(findings, one, other, length, seed);
    let exhaustive = |length: usize, seed| {
        (length <= LONGEST_EXHAUSTIVE).then(|| of(Technique::Be, Technique::Paths)(length, seed)).flatten()
    };
    Chart::new(
        "Of the mutants that R kills, the part for which fewer tests are enough",
        Axis::binary("length of tests"),
        Axis::linear("per cent"),
    )
    .line(line("be", findings, exhaustive))
    .line(line("bobw", findings, of(Technique::Bobw, Technique::Paths)))
    .line(line("random", findings, of(Technique::Random, Technique::Paths)))
}

/// How many mutants a technique has killed.
fn kills(findings: &Findings, technique: Technique, length: usize, seed: u64) -> Option<f64> {
    let mut trials = findings.trials(technique, length).filter(|trial| trial.seed == seed).peekable();
    trials.peek()?;
    Some(trials.filter(|trial| trial.first.is_some()).count() as f64)
}

/// Figure 6.
fn killed(findings: &Findings) -> Chart {
    let of = |technique| move |length, seed| kills(findings, technique, length, seed);
    let all = findings.killed.len() as f64;
    Chart::new(
        format!("Mutants killed by {} tests of a length", findings.tests),
        Axis::binary("length of tests"),
        Axis::linear("mutants"),
    )
    .line(line("bobw", findings, of(Technique::Bobw)))
    .line(line("random", findings, of(Technique::Random)))
    .line(line("random_paths (R)", findings, of(Technique::Paths)))
    .line(line("the published generator", findings, of(Technique::Published)))
    .line(line("mutants that can be killed", findings, |_, _| Some(all)))
}

/// With fewer seeds, nothing can be said about their spread.
const MIN_SEEDS: u64 = 5;

/// An error if `bobw` kills fewer mutants at some length than `random` does with any seed.
pub fn verdict(findings: &Findings) -> Result<(), String> {
    let mut differences = vec![];
    for length in LENGTHS {
        let of = |technique| {
            let values: Vec<f64> =
                (1..=findings.seeds).filter_map(|seed| kills(findings, technique, length, seed)).collect();
            Point::mean(length as f64, &values).expect("there are seeds")
        };
        let (bobw, random) = (of(Technique::Bobw), of(Technique::Random));
        if findings.seeds >= MIN_SEEDS && bobw.y < random.spread.0 {
            return Err(format!("length {length}: bobw kills fewer mutants than random does with any seed"));
        }
        differences.push(bobw.y - random.y);
    }
    let (least, most) = differences.iter().fold((0.0f64, 0.0f64), |(a, b), d| (a.min(*d), b.max(*d)));
    println!("bobw kills {least:+.1} to {most:+.1} mutants more than random, in the mean over seeds");
    Ok(())
}
