//! The arguments of `mutate`.

use crate::cli::time;
use crate::options::{self, Given};
use clap::{Args, ValueHint};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Default)]
pub(crate) struct MutateArgs {
    /// A test of your crate, or a part of its name; or a structure of the catalogue
    #[arg(value_name = "TEST|STRUCTURE")]
    pub(crate) test: String,
    /// An operation of the structure
    pub(crate) operation: Option<String>,
    /// The arguments of the structure, in the order that `list` shows, instead of a scope
    #[arg(long, value_name = "A,B,..", allow_hyphen_values = true, conflicts_with_all = ["scope", "size"])]
    pub(crate) args: Option<String>,
    /// Only this mutant, by its id; may be given several times
    #[arg(long, value_name = "ID")]
    pub(crate) mutant: Vec<String>,
    /// Only mutants on lines that this diff changes, as `git diff` prints it; `-` reads standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) in_diff: Option<PathBuf>,
    /// Run on the values of this suite only (see `run --save`)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["scope", "size"])]
    pub(crate) suite: Option<PathBuf>,
    /// Run every mutant on every value, and compare parts of the values; `--json` prints the whole matrix
    #[arg(long)]
    pub(crate) matrix: bool,
    /// Also print how many mutants each scope kills, and which scope is enough
    #[arg(long)]
    pub(crate) by_scope: bool,
    /// Print the mutants of the code that the test runs, and run none
    #[arg(long)]
    pub(crate) list: bool,
    /// Also print the mutants that are killed, each with the smallest value that kills it
    #[arg(long)]
    pub(crate) killed: bool,
    /// End with exit code 1 if a mutant survives that is not marked as equivalent
    #[arg(long)]
    pub(crate) check: bool,
    /// How long a mutant may take: `10s`, `2m` [default: 10s and 20 times as long as the original]
    #[arg(long, value_name = "T", value_parser = time)]
    pub(crate) timeout: Option<Duration>,
    #[command(flatten)]
    pub(crate) bounds: Given<options::Number>,
    #[command(flatten)]
    pub(crate) length: Given<options::Length>,
    #[command(flatten)]
    pub(crate) limits: Given<options::MutantLimits>,
    /// Print the result as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
