//! What `be`, `random` and `bobw` find in mutants of the containers: figures 4 to 6 of Andrews, Zhang and Groce.
//!
//! `cargo xtask mutants` makes a copy of this crate with mutants in it, and runs this there:
//!
//! `cargo xtask mutants [--seeds <n>] [--tests <n>] [--container <name>] [--figures <directory>] [--list]`

mod experiment;
mod figures;
mod options;

use std::process::ExitCode;

use experiment::{Findings, Settings};
use options::Options;
use smallscope_containers::contexts::mutated_containers;
use smallscope_containers::mutation::{is_too_strict, mutants};

fn main() -> ExitCode {
    match Options::read(std::env::args().skip(1)) {
        Ok(options) => match run(&options) {
            Ok(()) => ExitCode::SUCCESS,
            Err(problem) => {
                eprintln!("{problem}");
                ExitCode::FAILURE
            }
        },
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options) -> Result<(), String> {
    let names = mutated_containers().map(|container| container.name);
    if let Some(name) = options.container.as_deref().filter(|name| !names.contains(name)) {
        return Err(format!("there is no container `{name}`; there are {}", names.join(", ")));
    }
    let chosen = |container: &str| options.container.as_deref().is_none_or(|name| name == container);
    let mutants: Vec<_> = mutants().iter().copied().filter(|mutant| chosen(mutant.container)).collect();
    if mutants.is_empty() {
        return Err("there are no mutants in this build: run `cargo xtask mutants`".into());
    }
    if options.list {
        for mutant in &mutants {
            println!("{} {}: {} ({})", mutant.number, mutant.function, mutant.change, mutant.operator);
        }
        return Ok(());
    }
    let settings = Settings { seeds: options.seeds, tests: options.tests };
    let findings = Findings::collect(&mutants, &settings).map_err(|error| error.to_string())?;
    if is_too_strict() {
        return Err("a call of a correct container took too many steps: raise `MAX_STEPS`".into());
    }
    figures::print(&findings);
    if let Some(directory) = &options.figures {
        figures::write(&findings, directory)?;
    }
    figures::verdict(&findings)
}
