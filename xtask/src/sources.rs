//! `cargo xtask sources`: random programs, compiled with the real macros, each compared with a brute force.
//!
//! A program is a set of types and an invariant, written out as Rust. It is compiled twice: with smallscope, and without
//! it in a crate that has no dependencies and builds every value within the bounds. Both write values as texts, and the
//! texts are compared as sets, in every mode of the search.

mod builder;
mod conditions;
mod idioms;
mod invariant;
mod planted;
mod program;
mod project;
mod random;
mod shapes;
mod types;

use idioms::Tally;
use program::Program;
use project::Project;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

const USAGE: &str = "\
usage: cargo xtask sources [--count <n>] [--seed <n>] [--only <program>]

  --count <n>       programs, 310 by default
  --seed <n>        the seed that determines all programs, 1 by default
  --only <program>  only the program with this number, and its source";

struct Request {
    count: usize,
    seed: u64,
    only: Option<usize>,
}

/// Programs per crate: a smaller crate is compiled again for less, a larger one repeats less.
const PER_BATCH: usize = 80;

pub fn run(root: &Path, arguments: &[String]) -> ExitCode {
    let request = match parse(arguments) {
        Ok(request) => request,
        Err(problem) => {
            eprintln!("{problem}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match compare(root, &request) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn parse(arguments: &[String]) -> Result<Request, String> {
    let mut request = Request { count: ENOUGH, seed: 1, only: None };
    let mut arguments = arguments.iter();
    while let Some(option) = arguments.next() {
        let value = arguments.next().ok_or(format!("`{option}` needs a number"))?;
        let number: u64 = value.parse().map_err(|_| format!("`{value}` is no number for `{option}`"))?;
        match option.as_str() {
            "--count" if number == 0 => return Err("`--count 0` compares nothing".into()),
            "--count" => request.count = number as usize,
            "--seed" => request.seed = number,
            "--only" => request.only = Some(number as usize),
            _ => return Err(format!("unknown option `{option}`")),
        }
    }
    Ok(request)
}

/// Modes that a run has to compare. A run that does not get to one of them fails.
const MODES: [&str; 20] = [
    "lazy",
    "owned",
    "korat",
    "audit",
    "without improvements",
    "parts",
    "parts, owned",
    "count",
    "ranges, lazy",
    "ranges, owned",
    "deepening",
    "order types",
    "test of values, one thread",
    "test of references, one thread",
    "test of values, two threads",
    "test of references, two threads",
    "two arguments, apart",
    "two arguments, together",
    "programs",
    "planted",
];

/// A run compares at least this many programs, in every mode, with every idiom.
const MANY: u64 = 300;

/// So many programs that some may be too large. Shorter runs need not be complete.
const ENOUGH: usize = 310;

/// Of a hundred programs, this many reject some values and accept others.
const LEAST_DISCRIMINATING: u64 = 70;

/// For a hundred programs, this many others may be too large for the brute force.
const MOST_TOO_LARGE: u64 = 5;

fn compare(root: &Path, request: &Request) -> Result<bool, String> {
    let mut idioms = Tally::default();
    let numbers = match request.only {
        Some(number) => number..number + 1,
        None => 0..request.count,
    };
    let mut programs: Vec<Program> =
        numbers.map(|number| Program::random(request.seed, number, &mut idioms)).collect();
    if request.only.is_none() {
        programs.extend(planted::programs());
    }
    let target = project::target(root).join("sources");
    let project = Project {
        root: root.to_owned(),
        folder: target.join("crates"),
        target: target.join("build"),
        batches: programs.len().div_ceil(PER_BATCH),
    };
    project.write(&programs)?;
    let begin = Instant::now();
    project.compile()?;
    let compiled = begin.elapsed();
    let mut tally = BTreeMap::new();
    let mut is_fine = true;
    for output in project.run()? {
        is_fine &= output.status.success();
        let mut last = "";
        let text = String::from_utf8_lossy(&output.stdout);
        for line in text.lines() {
            match (line.strip_prefix("tally "), line.strip_prefix("begin ")) {
                (Some(line), _) => add(line, &mut tally),
                (_, Some(number)) => last = number,
                _ => println!("{line}"),
            }
        }
        // A process that does not get to its end has printed no sums.
        if output.status.code().is_none() {
            println!("program {last}: the process ends with {}", output.status);
        }
    }
    print_tables(&tally, &idioms);
    println!(
        "\ncompiled in {compiled:.0?}, compared in {:.0?}, seed {}",
        begin.elapsed() - compiled,
        request.seed
    );
    if !is_fine {
        println!("to run a program alone: cargo xtask sources --seed {} --only <program>", request.seed);
    }
    if request.only.is_none() && request.count >= ENOUGH {
        for problem in gaps(&tally, &idioms) {
            println!("{problem}");
            is_fine = false;
        }
    }
    Ok(is_fine)
}

type Sums = BTreeMap<String, (u64, u64)>;

/// What a run should have compared and has not.
fn gaps(tally: &Sums, idioms: &Tally) -> Vec<String> {
    let of = |name: &str| tally.get(name).copied().unwrap_or_default();
    let unused = idioms.unused().into_iter().map(|idiom| format!("no program uses the idiom `{idiom}`"));
    let silent = MODES.into_iter().filter(|mode| of(mode).0 == 0);
    let mut gaps: Vec<String> =
        unused.chain(silent.map(|mode| format!("no program was compared in the mode `{mode}`"))).collect();
    let (programs, discriminating) = (of("programs").0, of("discriminating").0);
    let too_large = of("too-large").0;
    if programs < MANY {
        gaps.push(format!("only {programs} programs were compared, at least {MANY} are required"));
    }
    if too_large * 100 > programs * MOST_TOO_LARGE {
        gaps.push(format!(
            "{too_large} programs are too large for the brute force, and {programs} are not; at most {MOST_TOO_LARGE} \
             of 100 may be"
        ));
    }
    if discriminating * 100 < programs * LEAST_DISCRIMINATING {
        gaps.push(format!(
            "only {discriminating} of {programs} programs reject some values and accept others; \
             {LEAST_DISCRIMINATING} of 100 are required"
        ));
    }
    gaps
}

fn print_tables(tally: &Sums, idioms: &Tally) {
    let of = |name: &str| tally.get(name).copied().unwrap_or_default();
    println!("\n{:34}programs      values", "mode");
    for (mode, (programs, values)) in tally.iter().filter(|(name, _)| MODES[..18].contains(&name.as_str())) {
        println!("{mode:34}{programs:8}{values:12}");
    }
    for (name, (times, _)) in tally.iter().filter(|(name, _)| name.starts_with("refused")) {
        println!("{name:34}{times:8}");
    }
    println!("\nidioms, and the programs that use them");
    let cells: Vec<String> = idioms::IDIOMS
        .iter()
        .map(|idiom| format!("{idiom:31}{:5}", idioms.programs.get(idiom).copied().unwrap_or_default()))
        .collect();
    cells.chunks(3).for_each(|row| println!("{}", row.join("    ")));
    let ((programs, differ), (candidates, valid)) = (of("programs"), of("candidates"));
    println!(
        "\n{programs} programs, {differ} differ; {} others are too large for the brute force\n\
         {} reject some values and accept others\n\
         {candidates} candidates of the brute force, {valid} of them valid\n\
         {} planted differences, {} not reported",
        of("too-large").0,
        of("discriminating").0,
        of("planted").0,
        of("planted").1
    );
}

/// Adds two numbers to those with the same name.
fn add(line: &str, tally: &mut Sums) {
    let mut words = line.rsplitn(3, ' ');
    let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
    let (second, first) = (number(), number());
    let sum = tally.entry(words.next().unwrap_or_default().to_owned()).or_insert((0, 0));
    *sum = (sum.0 + first, sum.1 + second);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_determines_a_program() {
        let text = |seed, number| {
            let program = Program::random(seed, number, &mut Tally::default());
            (program.product, program.plain)
        };
        assert_eq!(text(7, 3), text(7, 3));
        assert_ne!(text(7, 3), text(8, 3));
    }

    #[test]
    fn the_program_of_the_brute_force_does_not_name_smallscope() {
        for number in 0..200 {
            let program = Program::random(5, number, &mut Tally::default());
            assert!(!program.plain.contains("smallscope"), "program {number}");
            assert!(syn::parse_file(&program.plain).is_ok(), "program {number}");
            assert!(syn::parse_file(&program.product).is_ok(), "program {number}");
        }
    }

    #[test]
    fn a_run_uses_every_idiom() {
        for seed in 1..4 {
            let mut idioms = Tally::default();
            (0..ENOUGH).for_each(|number| drop(Program::random(seed, number, &mut idioms)));
            assert_eq!(idioms.unused(), Vec::<&str>::new(), "seed {seed}");
        }
    }

    #[test]
    fn a_run_without_a_mode_or_an_idiom_has_a_gap() {
        let mut tally: Sums = MODES.map(|mode| (mode.to_owned(), (MANY, 10))).into();
        tally.insert("discriminating".into(), (MANY, 0));
        let mut idioms = Tally::default();
        (0..ENOUGH).for_each(|number| drop(Program::random(1, number, &mut idioms)));
        assert_eq!(gaps(&tally, &idioms), Vec::<String>::new());
        tally.insert("korat".into(), (0, 0));
        tally.insert("discriminating".into(), (1, 0));
        assert_eq!(gaps(&tally, &idioms).len(), 2);
        assert_eq!(gaps(&tally, &Tally::default()).len(), 2 + idioms::IDIOMS.len());
        tally.insert("programs".into(), (MANY - 1, 0));
        assert_eq!(gaps(&tally, &idioms).len(), 3);
    }

    #[test]
    fn unknown_options_are_refused() {
        let parsed = |words: &[&str]| parse(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>());
        assert_eq!(parsed(&["--cuont", "3"]).err().as_deref(), Some("unknown option `--cuont`"));
        assert_eq!(parsed(&["--seed"]).err().as_deref(), Some("`--seed` needs a number"));
        assert_eq!(parsed(&["--count", "x"]).err().as_deref(), Some("`x` is no number for `--count`"));
        assert!(parsed(&["--count", "0"]).is_err());
        assert!(parsed(&["--count", "5", "--only", "2"]).is_ok_and(|request| request.only == Some(2)));
    }
}
