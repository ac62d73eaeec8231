//! Every row of the table of counts with classes, searched by the published algorithm, with a column that says whether
//! the numbers agree. Give names of structures to see only these, `--most N` to leave out rows with more than N
//! candidates, and `--engines` to see instead the numbers of values for `all`, `pruned` and `one` with each engine.

use smallscope::search::{Found, Options};
use smallscope::{Classes, Engine};
use smallscope_catalogue::{ClassRow, class_counts, structure};
use std::ops::ControlFlow;
use std::time::Instant;

fn main() {
    let (mut most, mut engines, mut names) = (u64::MAX, false, vec![]);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--most" => {
                most = args
                    .next()
                    .and_then(|n| n.parse().ok())
                    .unwrap_or_else(|| usage("--most needs a number"));
            }
            "--engines" => engines = true,
            name if structure(name).is_some() => names.push(arg),
            other => usage(&format!("there is no structure `{other}`")),
        }
    }
    let is_wanted = |row: &ClassRow| {
        row.explored <= most && (names.is_empty() || names.iter().any(|n| n == row.structure))
    };
    let rows: Vec<ClassRow> = class_counts().into_iter().filter(is_wanted).collect();
    println!(
        "{:<20}{:<10}{:>8}{:>9}{:>13}{:>12}{:>9}{:>12}{:>7}{:>9}",
        "structure",
        "arguments",
        "engine",
        "classes",
        "explored",
        "values",
        "covered",
        "class runs",
        "match",
        "seconds"
    );
    let mut differ = 0;
    for row in &rows {
        if engines {
            for engine in [Engine::Korat, Engine::Owned, Engine::Lazy] {
                for classes in [Classes::All, Classes::Pruned, Classes::One] {
                    search(row, engine, classes, false);
                }
            }
        } else {
            differ += usize::from(!search(row, Engine::Korat, Classes::Pruned, true));
        }
    }
    if differ > 0 {
        eprintln!("{differ} rows differ");
        std::process::exit(1);
    }
}

/// Prints a line. Returns whether the numbers are those of the row.
fn search(row: &ClassRow, engine: Engine, classes: Classes, is_compared: bool) -> bool {
    let structure = structure(row.structure).expect("the table names structures of the catalogue");
    let start = Instant::now();
    let options = Options { engine, classes, recheck_every: 0, ..Options::default() };
    let mut search =
        (structure.open)(&(structure.bounds)(&row.args), options).unwrap_or_else(|e| panic!("{e}"));
    while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap_or_else(|e| panic!("{e}"))
        == Found::Valid
    {}
    let seconds = start.elapsed().as_secs_f64();
    let outcome = search.outcome();
    let (covered, runs) = (search.classes().len(), search.classes().runs());
    let is_same = (outcome.explored, outcome.valid, covered) == (row.explored, row.valid, row.classes);
    let arguments = row.args.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    let verdict = match (is_compared, is_same) {
        (false, _) => "",
        (true, true) => "yes",
        (true, false) => "NO",
    };
    println!(
        "{:<20}{arguments:<10}{:>8}{:>9}{:>13}{:>12}{covered:>9}{runs:>12}{verdict:>7}{seconds:>9.3}",
        row.structure,
        engine.to_string(),
        classes.to_string(),
        outcome.explored,
        outcome.valid
    );
    is_same
}

fn usage(problem: &str) -> ! {
    eprintln!(
        "{problem}\nusage: cargo run --release -p smallscope-catalogue --example class_counts -- [STRUCTURE..] \
         [--most CANDIDATES] [--engines]"
    );
    std::process::exit(2);
}
