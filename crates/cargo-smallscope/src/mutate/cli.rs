//! The arguments of `mutate`.

use crate::cli::time;
use crate::options::{self, Given};
use clap::Args;
use std::time::Duration;

#[derive(Args)]
pub(crate) struct MutateArgs {
    /// A test of your crate, or a part of its name
    pub(crate) test: String,
    /// Only this mutant, by its id; may be given several times
    #[arg(long, value_name = "ID")]
    pub(crate) mutant: Vec<String>,
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
    pub(crate) limits: Given<options::MutantLimits>,
    /// Print the result as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
