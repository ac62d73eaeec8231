//! The commands about shards, and their arguments.

use crate::cli::BoundsArgs;
use crate::options::{self, Given};
use clap::{Args, Subcommand, ValueHint};
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct ShardArgs {
    #[command(subcommand)]
    pub(crate) command: ShardCommand,
}

#[derive(Subcommand)]
pub(crate) enum ShardCommand {
    /// Cut a search into shards of about equal work
    ///
    /// A small sample of the search measures where its work is. The plan has the cuts; `shard run` runs its shards, on any
    /// machine with the same build, and `shard merge` says whether they were everything.
    ///
    /// Call sequences that explore states are cut level by level: when the shards of a level are done, `shard merge` adds
    /// those of the next one to the plan. `submit` runs all levels.
    #[command(after_help = "Examples:
  cargo smallscope shard plan search-tree --args 10,10,10,0,9 --engine korat --parts 256 --plan trees.plan
  cargo smallscope shard plan red-black-tree --scope 7 --parts 64 --plan trees.plan --keep-values
  cargo smallscope shard plan insert_keeps_the_order --scope 8 --parts 1000 --plan night.plan   (a test of your crate)
  cargo smallscope shard plan all_calls --length 7 --parts 64 --plan calls.plan                 (call sequences)
  cargo smallscope shard plan insert_keeps_the_order --mutants --parts 64 --plan mutants.plan   (mutants)")]
    Plan(Box<PlanArgs>),
    /// Run shards of a plan
    ///
    /// Each shard is written to a file when it is done. Shards that are done already are not run again, so a job that was
    /// killed is started again with the same command.
    #[command(after_help = "Examples:
  cargo smallscope shard run trees.plan
  cargo smallscope shard run trees.plan --shard 17
  cargo smallscope shard run trees.plan --shard 3/16
  cargo smallscope shard run trees.plan --shard auto      (in a job of an array: see `shard run --help`)

`--shard auto` takes the number of this job and the number of all jobs from the environment: Bazel and gtest, Slurm arrays,
Kubernetes indexed jobs, AWS Batch arrays, GitLab, CircleCI, Buildkite, Cloud Run, HyperQueue. It says which it took.")]
    Run(Box<RunArgs>),
    /// Say what all shards of a plan have found, and whether they were everything
    ///
    /// The answer is `exhausted` only if each shard of the plan is there once, complete, and made by the same build for the
    /// same bounds. A missing, doubled, foreign, damaged or interrupted shard is named, and the exit code is 3. If a shard
    /// has failed, the first failure in the order of the search is printed, and the exit code is 1.
    #[command(after_help = "Examples:
  cargo smallscope shard merge trees.plan
  cargo smallscope shard merge trees.plan --save trees.suite")]
    Merge(MergeArgs),
    /// Print which shards of a plan are done
    #[command(after_help = "Example:
  cargo smallscope shard status trees.plan")]
    Status(StatusArgs),
    /// Calculate how long the shards of a plan would take on more workers, from the work that they have recorded
    ///
    /// Shards are given out in their order, each to the first worker that is free. Work is counted in runs of the invariant,
    /// and in values if they count. The speed-up is that of the shards alone; planning is shown beside it.
    #[command(after_help = "Example:
  cargo smallscope shard simulate trees.plan --workers 16,64,256,1024,4096")]
    Simulate(SimulateArgs),
}

#[derive(Args)]
pub(crate) struct PlanArgs {
    /// A structure of the catalogue; in your crate a test, or a part of its name (see `list`)
    pub(crate) structure: String,
    #[command(flatten)]
    pub(crate) bounds: BoundsArgs,
    /// How many shards: several times as many as workers, so that no worker waits long for another
    #[arg(long, value_name = "N", default_value_t = 256)]
    pub(crate) parts: usize,
    /// The file for the plan
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) plan: PathBuf,
    /// Replace the plan if it exists
    #[arg(long)]
    pub(crate) force: bool,
    /// Keep the values in the shards, so that `shard merge --save` can make a suite of them
    #[arg(long)]
    pub(crate) keep_values: bool,
    /// Count the values by class: `all`
    #[arg(long, value_name = "CLASSES")]
    pub(crate) classes: Option<smallscope::Classes>,
    /// Search for the values of the test, and do not run it on them; also with `--keep-values` or `--classes`
    #[arg(long)]
    pub(crate) values_only: bool,
    /// Divide the mutants of the code that the test runs (see `mutate`): each shard runs some of them
    #[arg(long, conflicts_with_all = ["keep_values", "classes", "values_only"])]
    pub(crate) mutants: bool,
    /// Run every mutant on every value
    #[arg(long, requires = "mutants")]
    pub(crate) matrix: bool,
    #[command(flatten)]
    pub(crate) planning: Given<options::Planning>,
    #[command(flatten)]
    pub(crate) sequences: Given<options::ShardedSequences>,
}

/// A plan and its results.
#[derive(Args)]
pub(crate) struct PlanFileArgs {
    /// The plan
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) plan: PathBuf,
    /// Where the results of the shards are [default: beside the plan, in a folder that ends with `.shards`]
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) dir: Option<PathBuf>,
}

impl PlanFileArgs {
    /// Returns where the results are.
    pub(crate) fn directory(&self) -> PathBuf {
        self.dir.clone().unwrap_or_else(|| self.plan.with_extension("shards"))
    }
}

#[derive(Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) plan: PlanFileArgs,
    /// Which shards: `3`, `1-16`, `2,5,9`, every n-th of them (`2/8`), or as the environment says (`auto`) [default: all]
    #[arg(long, value_name = "WHICH")]
    pub(crate) shard: Option<String>,
    /// Also run shards that are done
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) limits: Given<options::ShardLimits>,
}

#[derive(Args)]
pub(crate) struct MergeArgs {
    #[command(flatten)]
    pub(crate) plan: PlanFileArgs,
    /// Save the values of all shards in a suite, the same as that of one run
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) save: Option<PathBuf>,
    /// Replace the suite if it exists
    #[arg(long)]
    pub(crate) force: bool,
    /// Print the summary as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct StatusArgs {
    #[command(flatten)]
    pub(crate) plan: PlanFileArgs,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    pub(crate) plan: PlanFileArgs,
    /// Numbers of workers
    #[arg(long, value_name = "N,N,..", value_delimiter = ',', default_value = "16,64,256,1024,4096")]
    pub(crate) workers: Vec<usize>,
    /// How many threads planned the shards, before the first of them began
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) planning_threads: u64,
    /// How much longer the search is than the one that was recorded, with shards that are larger by this factor
    #[arg(long, value_name = "N", default_value_t = 1.0)]
    pub(crate) times: f64,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
