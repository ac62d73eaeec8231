//! Gives damaged and malicious files to the readers, and checks that they do not panic, do not need too much memory,
//! and agree: `cargo run --release -p smallscope-suite --example fuzz -- 10000000 [random seed]`.
//!
//! With `made` instead of a number, writes the files from which it starts (`crates/suite/seeds`); with the path of a
//! file, tries that file. Saves inputs that fail.

#[path = "../tests/suite/counting.rs"]
mod counting;
#[path = "../tests/suite/layout.rs"]
mod layout;
#[path = "../tests/suite/mutate.rs"]
mod mutate;
#[path = "../tests/suite/random.rs"]
mod random;
#[path = "../tests/suite/seeds.rs"]
mod seeds;
#[path = "../tests/suite/streams.rs"]
mod streams;
#[path = "../tests/suite/target.rs"]
mod target;

use mutate::Mutator;
use random::Random;
use smallscope_suite::Error;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::exit;
use std::time::{Duration, Instant};

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let first = arguments.next().unwrap_or_else(|| "100000".into());
    if first == "made" {
        fs::create_dir_all(seeds::directory())?;
        for (name, bytes) in seeds::made()? {
            fs::write(seeds::directory().join(name), bytes)?;
        }
        return Ok(());
    }
    let scratch = std::env::temp_dir().join(format!("smallscope-fuzz-{}", std::process::id()));
    match first.parse() {
        Ok(inputs) => {
            run(inputs, arguments.next().and_then(|seed| seed.parse().ok()).unwrap_or(0), &scratch)?
        }
        Err(_) => {
            let input = fs::read(first)?;
            println!("{}", if target::check(&input) { "a good file" } else { "a bad file" });
            target::check_reopen(&input, &input, &scratch);
        }
    }
    Ok(fs::remove_file(scratch)?)
}

fn run(inputs: u64, seed: u64, scratch: &Path) -> Result<(), Error> {
    let start = Instant::now();
    let seeds = seeds::kept();
    let suite = seeds[3].clone();
    let mut mutator = Mutator { random: Random::new(seed), seeds };
    let mut good = 0;
    let mut slowest = Duration::ZERO;
    for i in 0..inputs {
        let input = mutator.input();
        let begun = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| {
            if i % 200 == 0 {
                target::check_reopen(&input, &suite, scratch);
            }
            target::check(&input)
        }));
        slowest = slowest.max(begun.elapsed());
        match result {
            Ok(is_good) => good += u64::from(is_good),
            Err(_) => {
                let path = std::env::temp_dir().join(format!("smallscope-fuzz-failure-{seed}-{i}"));
                fs::write(&path, input)?;
                eprintln!("input {i} of seed {seed} fails, and was saved as {}", path.display());
                exit(1);
            }
        }
    }
    println!(
        "{inputs} inputs of seed {seed}, {good} of them good files: nothing found in {:.0?}; the slowest took {slowest:.1?}",
        start.elapsed()
    );
    Ok(())
}
