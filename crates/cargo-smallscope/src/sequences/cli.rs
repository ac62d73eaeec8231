//! The commands about sequences, and their arguments.

use crate::options::{self, Given};
use clap::{Args, Subcommand, ValueHint};
use smallscope_runner::settings::Settings;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct SequencesArgs {
    #[command(subcommand)]
    pub(crate) command: SequencesCommand,
}

#[derive(Subcommand)]
pub(crate) enum SequencesCommand {
    /// List the subjects that come with smallscope with their methods, or the call-sequence tests of your crate
    #[command(after_help = "Examples:
  cargo smallscope sequences list
  cargo smallscope sequences list --catalogue")]
    List,
    /// Run call sequences
    ///
    /// By default those that lead to a new state, up to a length. Prints what was covered, and exits with 1 if a
    /// sequence fails; that sequence is shortened and printed as Rust.
    ///
    /// Ctrl-C stops the run. A run through a list of tests prints where to continue. Settings that are not given are as
    /// the test says, or have a default.
    #[command(after_help = "Examples:
  cargo smallscope sequences run tree-map --length 6
  cargo smallscope sequences run tree-map --abstraction shape --fields color --max-states 10000
  cargo smallscope sequences run linked-list --strategy be --length 4 --threads 2
  cargo smallscope sequences run hash-map --strategy bobw --length 50 --tests 100000 --seed 7
  cargo smallscope sequences run hash-map --strategy bobw --length 50 --from 100000 --budget 10m
  cargo smallscope sequences run stack --length 3 --save stacks.rs
  cargo smallscope sequences run tree-map --size 5 --cover blocks --save maps.rs
  cargo smallscope sequences run my_calls --length 7         (a test of your crate)")]
    Run(Box<RunArgs>),
    /// Print how many distinct calls there are, and how many tests of a length
    #[command(after_help = "Example:
  cargo smallscope sequences count tree-map --length 100")]
    Count(Box<CountArgs>),
    /// Run one test again, and print its calls, its index, and what each call does
    ///
    /// Exits with 1 if the test fails.
    #[command(after_help = "Examples:
  cargo smallscope sequences replay stack 3:17
  cargo smallscope sequences replay stack 'stack[0] = Stack::new(); stack[0].pop()'
  cargo smallscope sequences replay stack --file stacks.txt")]
    Replay(ReplayArgs),
    /// Calculate how long tests should be: how many of them fail, by their length
    ///
    /// A test fails if one sequence of calls occurs in it without a gap; the sequence does not overlap with itself.
    /// Prints, for each length, how many tests fail, their share of all tests, and that share per call: where it is
    /// largest, a call finds the most failures.
    #[command(after_help = "Examples:
  cargo smallscope sequences density 10 3
  cargo smallscope sequences density 10 3 --longest 500 --svg densities.svg")]
    Density(DensityArgs),
}

#[derive(Args)]
pub(crate) struct DensityArgs {
    /// How many distinct calls there are (`sequences count` prints it for a subject)
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) calls: u64,
    /// The length of the failing sequence
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) failing: u16,
    /// The length of the longest tests [default: 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) longest: Option<u16>,
    /// Also draw a chart
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) svg: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct SubjectArgs {
    /// A subject that comes with smallscope; in your crate a test, or a part of its name (see `sequences list`)
    pub(crate) subject: String,
    /// How many keys and values there are for the subjects that come with smallscope [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    pub(crate) size: Option<u8>,
}

#[derive(Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    #[command(flatten)]
    pub(crate) given: Given<options::Sequences>,
    /// Print the summary as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) range: Given<options::Range>,
    #[command(flatten)]
    pub(crate) states: Given<options::States>,
    #[command(flatten)]
    pub(crate) coverage: Given<options::Coverage>,
    /// Save the sequences: one for each state, or the tests that were run; with `--cover` one for each target that is
    /// new. They are functions with `#[test]` if the name ends with `.rs`, otherwise text that `replay --file` reads
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Saving")]
    pub(crate) save: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, help_heading = "Saving")]
    pub(crate) force: bool,
    /// An import of the Rust file, such as `crate::Map`; may be given several times [default: super::*]
    #[arg(long = "use", value_name = "PATH", help_heading = "Saving")]
    pub(crate) uses: Vec<String>,
}

#[derive(Args)]
pub(crate) struct CountArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    #[command(flatten)]
    pub(crate) given: Given<options::Length>,
    /// Print the numbers as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    /// The test: its calls, as reports print them, or its length and its index, such as `3:17`
    #[arg(conflicts_with = "file")]
    pub(crate) sequence: Option<String>,
    /// Run all tests of a text that `run --save` has written, and print those that fail
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
    /// Print the result as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

impl RunArgs {
    /// Returns the settings of all options.
    pub(crate) fn settings(&self) -> Settings {
        let RunArgs { given, range, states, coverage, .. } = self;
        let parts = [&given.settings, &range.settings, &states.settings, &coverage.settings];
        parts.into_iter().fold(Settings::default(), |all, part| all.or(part.clone()))
    }
}
