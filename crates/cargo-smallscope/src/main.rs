//! `cargo smallscope`: searches the structures of the catalogue and the inputs of a crate's `#[smallscope::test]`s, and
//! saves, resumes, shows, exports and explains the results.

mod catalogue;
mod cli;
mod commands;
mod console;
mod driver;
mod instrument;
mod listing;
mod marks;
mod mutate;
mod options;
mod package;
mod problem;
mod progress;
mod reproduce;
mod sequences;
mod shard;
mod signals;
mod submit;
mod suggest;
mod target;
mod user_tests;
mod view;

use clap::Parser;
use problem::{Problem, USAGE};
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = instrument::as_compiler() {
        return code;
    }
    if let Some(code) = mutate::subject::as_worker() {
        return code;
    }
    let performed = match cli::Cli::try_parse_from(arguments(std::env::args_os())) {
        Ok(cli) => commands::perform(&cli),
        // Help, the version, or a usage error.
        Err(text) => print(&text),
    };
    match performed {
        Ok(code) => ExitCode::from(code),
        Err(problem) => {
            problem.report();
            ExitCode::from(problem.code)
        }
    }
}

/// Prints help on standard output, or an error on standard error, and returns the exit code.
fn print(text: &clap::Error) -> Result<u8, Problem> {
    let printed = text.print().and_then(|()| std::io::stdout().flush());
    if text.use_stderr() { Ok(USAGE) } else { Ok(printed.map(|()| 0)?) }
}

/// Returns the arguments without the word `smallscope`, which cargo adds for an installed subcommand.
fn arguments(mut given: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = given.next().into_iter().collect();
    let mut rest = given.peekable();
    rest.next_if(|first| first == "smallscope");
    arguments.extend(rest);
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_that_cargo_adds_is_dropped_once() {
        let of = |text: &str| arguments(text.split(' ').map(OsString::from));
        assert_eq!(of("cargo-smallscope smallscope list"), ["cargo-smallscope", "list"]);
        assert_eq!(of("cargo-smallscope list"), ["cargo-smallscope", "list"]);
        assert_eq!(of("cargo-smallscope run smallscope"), ["cargo-smallscope", "run", "smallscope"]);
    }
}
