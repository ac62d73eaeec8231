//! Every row of the table of exact counts, searched by the published algorithm, with a column that says whether
//! the numbers agree, and the rate. The runs of the other two engines stand beside it, which have to find as many values;
//! `--korat` leaves them out. Give names of structures to see only these, and `--most N` to leave out rows
//! with more than N candidates.

use smallscope::Engine;
use smallscope::search::Options;
use smallscope_catalogue::{counts, structure};
use std::time::Instant;

fn main() {
    let mut most = u64::MAX;
    let mut names = vec![];
    let mut others = &[Engine::Owned, Engine::Lazy][..];
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        if arg == "--most" {
            most = args.next().and_then(|n| n.parse().ok()).unwrap_or_else(|| usage("--most needs a number"));
        } else if arg == "--korat" {
            others = &[];
        } else if structure(&arg).is_some() {
            names.push(arg);
        } else {
            usage(&format!("there is no structure `{arg}`"));
        }
    }
    print!(
        "{:<26}{:<18}{:>12}{:>12}{:>8}{:>10}{:>10}",
        "structure", "arguments", "explored", "valid", "match", "seconds", "M/s"
    );
    others.iter().for_each(|engine| print!("{:>12}", engine.to_string()));
    println!();
    let mut differ = 0;
    for row in counts()
        .into_iter()
        .filter(|r| r.explored <= most && (names.is_empty() || names.iter().any(|n| n == r.structure)))
    {
        let structure = structure(row.structure).expect("the table names structures of the catalogue");
        let bounds = (structure.bounds)(&row.args);
        let count = |options| (structure.count)(&bounds, options).unwrap_or_else(|e| panic!("{e}"));
        let start = Instant::now();
        let outcome = count(Options::korat());
        let seconds = start.elapsed().as_secs_f64();
        let runs: Vec<_> =
            others.iter().map(|&engine| count(Options { engine, ..Options::default() })).collect();
        let same = (outcome.explored, outcome.valid) == (row.explored, row.valid)
            && runs.iter().all(|other| other.valid == row.valid);
        differ += usize::from(!same);
        let arguments = row.args.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
        let rate = outcome.explored as f64 / seconds / 1e6;
        print!(
            "{:<26}{:<18}{:>12}{:>12}{:>8}{:>10.3}{:>10.1}",
            row.structure,
            arguments,
            outcome.explored,
            outcome.valid,
            if same { "yes" } else { "NO" },
            seconds,
            rate
        );
        runs.iter().for_each(|other| print!("{:>12}", other.explored));
        println!();
    }
    if differ > 0 {
        eprintln!("{differ} rows differ");
        std::process::exit(1);
    }
}

fn usage(problem: &str) -> ! {
    eprintln!(
        "{problem}\nusage: cargo run --release -p smallscope-catalogue --example counts -- [STRUCTURE..] [--most CANDIDATES] \
         [--korat]"
    );
    std::process::exit(2);
}
