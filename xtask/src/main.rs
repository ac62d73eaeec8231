//! `cargo xtask tidy`: the rules of the repository that neither the compiler nor clippy knows. `cargo xtask tables`:
//! what is written by machine. `cargo xtask instructions`: what the search costs.
//! `cargo xtask planted`: whether the tests find deliberate errors. `cargo xtask mutants`: what techniques find in mutants.

mod instructions;
mod mutants;
mod planted;
mod tables;
mod tidy;

use std::process::ExitCode;

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("tidy") => {
            let problems = tidy::problems(std::env::args().nth(2).as_deref() == Some("--all"));
            problems.iter().for_each(|p| eprintln!("{p}"));
            if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Some("tables") => {
            tables::write(&tidy::root());
            ExitCode::SUCCESS
        }
        Some("instructions") => instructions::run(&tidy::root(), std::env::args().skip(2)),
        Some("planted") => {
            let names: Vec<String> = std::env::args().skip(2).collect();
            if planted::run(&tidy::root(), &names) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Some("mutants") => {
            let arguments: Vec<String> = std::env::args().skip(2).collect();
            mutants::run(&tidy::root(), &arguments)
        }
        _ => {
            eprintln!(
                "usage: cargo xtask tidy [--all] | tables | instructions | planted [<name>..] | mutants [<option>..]"
            );
            ExitCode::from(2)
        }
    }
}
