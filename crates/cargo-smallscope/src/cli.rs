//! The commands and their arguments.

use crate::mutate::cli::MutateArgs;
use crate::options::{self, Given};
use crate::reproduce::ReproduceArgs;
use crate::sequences::cli::SequencesArgs;
use crate::shard::cli::{ShardArgs, ShardCommand};
use crate::submit::SubmitArgs;
use clap::{Args, Parser, Subcommand, ValueHint};
use smallscope::summaries::Natural;
use smallscope_runner::session::{Format, have_gaps};
use smallscope_sequences::Cover;
use smallscope_support::duration;
use smallscope_viewer::Rule;
use std::path::PathBuf;
use std::time::Duration;

/// Every valid structure within bounds: generate, count, save, resume, show, export, explain.
///
/// Works on the catalogue of structures that comes with it. In a crate that uses smallscope, it works on the inputs of
/// the crate's `#[smallscope::test]`s: it builds the test binary and sends it requests, so no code has to change.
#[derive(Parser)]
#[command(name = "cargo smallscope", bin_name = "cargo smallscope", version)]
#[command(after_help = "Examples:
  cargo smallscope list
  cargo smallscope run search-tree --scope 3 --print
  cargo smallscope count search-tree --args 6,6,6,0,5 --engine korat --json
  cargo smallscope run sorted-list --args 8,8,9,8 --save lists.suite
  cargo smallscope show lists.suite --at 1
  cargo smallscope export lists.suite --to jsonl

Exit codes:
  0    done, also if a limit ended the run (`--max`, `--budget`, `--memory`)
  1    the invariant misbehaved, a replayed test failed, a sequence of calls did, or a mutant survived with `--check`
  2    usage error
  3    a file cannot be read or written, or is damaged
  4    your crate does not build, or its test binary did not answer
  130  interrupted
  141  the output pipe was closed")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
}

#[derive(Subcommand)]
#[expect(clippy::large_enum_variant, reason = "there is one, and it is moved once")]
pub(crate) enum Command {
    /// List the structures of the catalogue, or the smallscope tests of your crate
    ///
    /// Structures are listed with the parameters for `--args`; tests with their arguments, their place in the source,
    /// and their own bounds.
    #[command(after_help = "Examples:
  cargo smallscope list
  cargo smallscope list --catalogue")]
    List,
    /// Search for every valid value
    ///
    /// Prints how many there are, how many candidates were tried, and whether everything within the bounds was covered.
    /// The values themselves are printed (--print), saved (--save), or just counted.
    ///
    /// Ctrl-C stops the run. The values up to then are kept, and `resume` continues it. Settings that are not given are
    /// as the test says, or have a default.
    #[command(after_help = "Examples:
  cargo smallscope run search-tree --scope 3 --print
  cargo smallscope run search-tree --args 3,3,3,0,2 --engine korat
  cargo smallscope run red-black-tree --scope 5 --save trees.suite --budget 10m
  cargo smallscope run list-as-set --args 4,4,3 --classes one --print
  cargo smallscope run insert_keeps_the_order --scope 6      (a test of your crate)")]
    Run(Box<RunArgs>),
    /// Count the valid values: a `run` that prints and saves nothing
    #[command(after_help = "Examples:
  cargo smallscope count search-tree --args 6,6,6,0,5
  cargo smallscope count search-tree --size 6 --by-size
  cargo smallscope count red-black-shape-natural --args 80,80,80 --summaries on
  cargo smallscope count binary-tree --args 12,12,12 --engine korat --threads 2 --json")]
    Count(Box<CountingArgs>),
    /// Print the size of the space, without searching it
    #[command(after_help = "Example:
  cargo smallscope size search-tree --scope 5")]
    Size(SpaceArgs),
    /// Print the fields, their values, the order in which the invariant reads them, and where it rejects candidates
    ///
    /// Without bounds, a structure of the catalogue is explained for scope 3, and a test for its own bounds.
    #[command(after_help = "Examples:
  cargo smallscope explain search-tree
  cargo smallscope explain sorted-list --args 3,3,4,3")]
    Explain(SpaceArgs),
    /// Print the values of a suite as text graphs, or the value with a number
    ///
    /// TARGET is a suite. It can also be a structure of the catalogue, or a test of your crate, if summaries of helpers decide
    /// the whole invariant: then the value with a number is found without listing those before it.
    #[command(after_help = "Examples:
  cargo smallscope show trees.suite
  cargo smallscope show trees.suite --at 17
  cargo smallscope show red-black-shape-natural --args 80,80,80 --at 3000000000000000000000000")]
    Show(ShowArgs),
    /// Convert a suite to JSON lines, Graphviz or a Rust test
    #[command(after_help = "Examples:
  cargo smallscope export trees.suite --to jsonl
  cargo smallscope export trees.suite --to dot | dot -Tsvg -O
  cargo smallscope export trees.suite --to rust --output src/generated.rs --type 'crate::SearchTree<u8>'
  cargo smallscope export trees.suite --to corpus --output fuzz/corpus/insert")]
    Export(ExportArgs),
    /// Run one value again
    ///
    /// A value of a structure of the catalogue is drawn, and checked with the invariant. A test of your crate runs on
    /// this value only.
    #[command(after_help = "Examples:
  cargo smallscope replay search-tree 1.0.0.0.1 --scope 3
  cargo smallscope replay remove_removes_one_key 3:1.1.2.0.0.0.3.2.0.0.3.1@0015290da6fdeb61")]
    Replay(ReplayArgs),
    /// Reduce a suite: keep some values of each class
    ///
    /// Values are in the same class if the criterion does not distinguish the decisions of the invariant on them. A
    /// smaller suite makes tests faster; every class stays covered.
    ///
    /// `run` with the same options keeps the same values while it generates them.
    #[command(after_help = "Examples:
  cargo smallscope reduce trees.suite --criterion cdc --ratio 0.1 --save fewer.suite
  cargo smallscope reduce trees.suite --criterion path --per-class 1 --list-classes
  cargo smallscope run red-black-tree --scope 5 --criterion cdc --keep 1000 --save fewer.suite

Criteria, by what makes two values different:
  decision     whether a decision (`if`, `while`, `match`, `a && b`) was ever taken with an outcome
  condition    the same for conditions, the operands of `&&` and `||`
  mcdc         the same, and whether the condition made the decision by itself
  cdc          how often each decision was taken with each outcome
  simple-path  in which order decisions were taken with an outcome for the first time
  path         in which order decisions were taken")]
    Reduce(ReduceArgs),
    /// Resume a run that was stopped or killed
    ///
    /// FILE is the suite of the run, or its checkpoint. The finished suite is the same, byte by byte, as that of a run
    /// that was never stopped.
    #[command(after_help = "Examples:
  cargo smallscope resume trees.suite
  cargo smallscope resume night.checkpoint --budget 8h")]
    Resume(ResumeArgs),
    /// Look at values in the browser: a page that is served to you only, or one file
    ///
    /// TARGET is a suite, a structure of the catalogue, or a test of your crate. The page draws each value as people draw
    /// it, finds values by filters, compares two of them, and steps through the search.
    ///
    /// The page is served on the loopback interface until Ctrl-C, at an address with a secret token. Nothing is loaded from
    /// elsewhere.
    #[command(after_help = "Examples:
  cargo smallscope view search-tree --scope 3
  cargo smallscope view trees.suite
  cargo smallscope view insert_keeps_the_order      (a test of your crate)
  cargo smallscope view binomial-heap --field degree=hide
  cargo smallscope view red-black-tree --scope 4 --html trees.html")]
    View(ViewArgs),
    /// Test types through their own methods: call sequences, and the states that they lead to
    ///
    /// In a crate with tests that are marked `#[smallscope::sequences]`, it works on these; elsewhere on the containers
    /// that come with smallscope.
    #[command(after_help = "Examples:
  cargo smallscope sequences list
  cargo smallscope sequences run tree-map --length 5
  cargo smallscope sequences count tree-map --length 100")]
    Sequences(SequencesArgs),
    /// Run a test on mutants of the code under test, and say which it tells from the original
    ///
    /// Mutants are small changes of code that has `#[smallscope::mutate]`. A mutant is killed if the test does not pass on
    /// it. A mutant that passes on every value within the bounds is equivalent to the original as far as this test can tell.
    ///
    /// Each mutant runs in a process of its own until its first failure, with limits on its time, memory and steps.
    ///
    /// Of the catalogue, name a structure and one of its operations: what the mutant does is compared with what the original
    /// does.
    #[command(after_help = "Examples:
  cargo smallscope mutate insert_keeps_the_order
  cargo smallscope mutate insert_keeps_the_order --scope 4 --killed
  cargo smallscope mutate binomial-heap-pair merge --args 5
  cargo smallscope mutate insert_keeps_the_order --mutant tree::Tree::insert::ror::1c9e04")]
    Mutate(Box<MutateArgs>),
    /// Compute the tables and figures of the papers behind smallscope again, the published figures beside ours
    ///
    /// Rows are computed cheapest first, at least one of every table. Finished rows are kept in a folder, where the next call
    /// finds them: a longer run extends a shorter one. A page with all tables and drawings is written there, too.
    #[command(after_help = "Examples:
  cargo smallscope reproduce --list
  cargo smallscope reproduce 000/binomial-heap
  cargo smallscope reproduce 001 --up-to 60
  cargo smallscope reproduce all --up-to 600")]
    Reproduce(ReproduceArgs),
    /// Divide a search among many machines: plan, run and merge shards
    #[command(after_help = "Examples:
  cargo smallscope shard plan search-tree --args 10,10,10,0,9 --engine korat --parts 256 --plan trees.plan
  cargo smallscope shard run trees.plan --shard 3/16
  cargo smallscope shard merge trees.plan")]
    Shard(ShardArgs),
    /// Give the shards of a plan to a scheduler, follow them, and merge them
    ///
    /// Shards that are done are not run again, and shards of a lost worker are. Ctrl-C ends what was submitted; the same
    /// command continues.
    #[command(after_help = "Examples:
  cargo smallscope submit trees.plan --on local --workers 8
  cargo smallscope submit trees.plan --on hyperqueue
  cargo smallscope submit trees.plan --on slurm --workers 200 --option=--partition=long")]
    Submit(SubmitArgs),
}

impl Command {
    /// Whether the command needs the decisions of the invariant.
    pub(crate) fn has_criterion(&self) -> bool {
        match self {
            Command::Run(run) => run.reduction.given.settings.criterion.is_some(),
            Command::Reduce(_) => true,
            _ => false,
        }
    }

    /// Whether the command needs long vectors, whose elements are filled.
    pub(crate) fn has_gaps(&self) -> bool {
        let bounds = match self {
            Command::Run(run) => &run.count.space.bounds,
            Command::Count(counting) => &counting.count.space.bounds,
            Command::Shard(ShardArgs { command: ShardCommand::Plan(plan), .. }) => &plan.bounds,
            _ => return false,
        };
        let lengths = bounds.given.settings.len.as_deref().unwrap_or_default();
        have_gaps(lengths).unwrap_or(false)
    }
}

/// The place of the structure.
#[derive(Args, Clone)]
#[command(next_help_heading = "In a crate of your own")]
pub(crate) struct PlaceArgs {
    /// Use the structures of the catalogue, even in a crate that uses smallscope
    #[arg(long, global = true, conflicts_with_all = ["package", "manifest_path", "features", "release"])]
    pub(crate) catalogue: bool,
    /// The package whose tests are used; may be given several times
    #[arg(short, long, global = true, value_name = "NAME")]
    pub(crate) package: Vec<String>,
    /// The Cargo.toml of the package, if it is not in this folder or above
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) manifest_path: Option<PathBuf>,
    /// Features of the package to build its tests with
    #[arg(long, global = true, value_name = "FEATURES")]
    pub(crate) features: Vec<String>,
    /// Build the tests with optimisations: searches are ten times faster
    #[arg(long, global = true)]
    pub(crate) release: bool,
    /// Build the tests so that decisions of invariants are reported.
    #[arg(skip)]
    pub(crate) criteria: bool,
    /// Build the tests so that elements of long vectors are filled.
    #[arg(skip)]
    pub(crate) filled: bool,
    /// Build the tests with mutants of the code under test.
    #[arg(skip)]
    pub(crate) mutate: bool,
    /// Build the tests with this coverage of the code under test.
    #[arg(skip)]
    pub(crate) cover: Cover,
}

/// What is searched, and how.
#[derive(Args)]
pub(crate) struct SpaceArgs {
    /// A structure of the catalogue; in your crate a test, or a part of its name (see `list`)
    pub(crate) structure: String,
    #[command(flatten)]
    pub(crate) bounds: BoundsArgs,
}

#[derive(Args)]
pub(crate) struct BoundsArgs {
    /// The arguments of the original tool's finitization, in its order (see `list`), instead of a scope
    #[arg(long, value_name = "A,B,..", allow_hyphen_values = true, conflicts_with_all = ["scope", "size"])]
    pub(crate) args: Option<String>,
    #[command(flatten)]
    pub(crate) given: Given<options::Space>,
}

#[derive(Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) count: CountArgs,
    /// Print every value as a text graph
    #[arg(long)]
    pub(crate) print: bool,
    /// Save the values in a suite
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) save: Option<PathBuf>,
    /// Replace the suite and the checkpoint if they exist
    #[arg(long)]
    pub(crate) force: bool,
    /// Write a checkpoint to this file at intervals; `resume` continues from it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) checkpoint: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) rhythm: RhythmArgs,
    #[command(flatten)]
    pub(crate) reduction: ReductionArgs,
}

/// Which values are kept.
#[derive(Args)]
pub(crate) struct ReductionArgs {
    #[command(flatten)]
    pub(crate) given: Given<options::Reduction>,
    /// Print the classes: how many values each has, how many were kept, and what they have in common
    #[arg(long, help_heading = "Some values of each class")]
    pub(crate) list_classes: bool,
}

#[derive(Args)]
pub(crate) struct ReduceArgs {
    /// The suite
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) reduction: ReductionArgs,
    /// Save the kept values in a suite
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) save: Option<PathBuf>,
    /// Replace that suite if it exists
    #[arg(long)]
    pub(crate) force: bool,
    /// Print every kept value as a text graph
    #[arg(long)]
    pub(crate) print: bool,
    #[command(flatten)]
    pub(crate) memory: Given<options::Memory>,
    /// Print the summary as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct CountArgs {
    #[command(flatten)]
    pub(crate) space: SpaceArgs,
    #[command(flatten)]
    pub(crate) selection: Given<options::Selection>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// The arguments of `count`.
#[derive(Args)]
pub(crate) struct CountingArgs {
    #[command(flatten)]
    pub(crate) count: CountArgs,
    /// Count within each size from 0 to that of the bounds, or within each scope, and print a table
    #[arg(long, conflicts_with_all = ["args", "from", "to", "one_per_path", "classes", "max"])]
    pub(crate) by_size: bool,
}

/// Limits of a run, and the form of its summary.
#[derive(Args)]
pub(crate) struct LimitArgs {
    #[command(flatten)]
    pub(crate) given: Given<options::Limits>,
    /// Print the summary as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// The interval of checkpoints.
#[derive(Args)]
pub(crate) struct RhythmArgs {
    /// How often to write the checkpoint: `500ms`, `10s`, `2m`, `1h`
    #[arg(long, value_name = "T", default_value = "10s", value_parser = time)]
    pub(crate) checkpoint_every: Duration,
}

#[derive(Args)]
pub(crate) struct ShowArgs {
    /// A suite; a structure of the catalogue; in your crate a test, or a part of its name
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) target: PathBuf,
    /// Only the value with this number, counted from 1
    #[arg(long, value_name = "I", value_parser = place)]
    pub(crate) at: Option<Natural>,
    #[command(flatten)]
    pub(crate) bounds: BoundsArgs,
}

#[derive(Args)]
pub(crate) struct ViewArgs {
    /// A suite; a report in JSON (of `mutate`, `count` or `sequences`); a structure or a container of the catalogue; in your
    /// crate a test, or a part of its name
    pub(crate) target: String,
    #[command(flatten)]
    pub(crate) bounds: BoundsArgs,
    /// How a field is drawn: `hide`, `inline`, `color` or `rename:TEXT`, and where the objects belong that it leads to: `left`,
    /// `right`, `below`, `next`, `previous` or `parent`; may be given several times [default: by the name of the field]
    #[arg(long, value_name = "NAME=HOW")]
    pub(crate) field: Vec<Rule>,
    /// Write the page to this file instead, and replace it if it exists
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["port", "no_open"])]
    pub(crate) html: Option<PathBuf>,
    /// How many values the file has at most
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(crate) most: u64,
    /// The port of the page [default: any free one]
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) port: Option<u16>,
    /// Print the address of the page, and do not open it in the browser
    #[arg(long)]
    pub(crate) no_open: bool,
}

#[derive(Args)]
pub(crate) struct ExportArgs {
    /// The suite
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// `jsonl`: an object per line; `dot`: Graphviz; `rust`: a module with a test; `corpus`: a file per value for a fuzzer
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Format,
    /// Write to this file, and replace it if it exists [default: standard output]. For `corpus` the folder, such as
    /// `fuzz/corpus/TARGET`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, required_if_eq("to", "corpus"))]
    pub(crate) output: Option<PathBuf>,
    /// For `rust`: the path of the type where the module will be, if the compiler's path is private
    #[arg(long = "type", value_name = "PATH")]
    pub(crate) type_path: Option<String>,
}

#[derive(Args)]
pub(crate) struct ReplayArgs {
    /// A structure of the catalogue; in your crate a test, or a part of its name
    pub(crate) structure: String,
    /// The value: numbers joined by dots, as `show` and reports print them. The scope may come before it, and the
    /// fingerprint after it (`3:1.0.2@8f3a91c2d4e5f607`)
    pub(crate) candidate: String,
    #[command(flatten)]
    pub(crate) bounds: BoundsArgs,
}

#[derive(Args)]
pub(crate) struct ResumeArgs {
    /// The suite or the checkpoint
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) rhythm: RhythmArgs,
}

/// The number of a value, counted from 1.
fn place(text: &str) -> Result<Natural, String> {
    let number: Natural = text.parse()?;
    if number.to_u64() == Some(0) { Err("values are counted from 1".to_owned()) } else { Ok(number) }
}

pub(crate) fn time(text: &str) -> Result<Duration, String> {
    duration::parse(text)
        .ok_or_else(|| "a time is a number with a unit: `500ms`, `10s`, `2m`, `1h`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }
}
