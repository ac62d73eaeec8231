//! Requests for a structure, or for the input of a test.

use crate::Check;
use crate::session::wire::{as_text, message, messages};
use crate::settings::Settings;
use smallscope_core::{Bounds, Candidate, Classes};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

messages! {
    /// A request.
    #[derive(Debug, Clone)]
    pub enum Request {
        /// Search for the values.
        Run(Run) = "run",
        /// Count the values within each size up to a bound, or within each scope.
        Table(Table) = "table",
        /// Resume a run that was stopped or killed.
        Resume(Resume) = "resume",
        /// Print the size of the space.
        Size(Space) = "size",
        /// Print the slots, the order in which they are read, and where candidates are rejected.
        Explain(Space) = "explain",
        /// Draw the values of a suite.
        Show(Show) = "show",
        /// Draw the value with a number, which is found without listing those before it.
        Nth(Nth) = "nth",
        /// Draw one value, given by its candidate.
        Replay(Replay) = "replay",
        /// Convert a suite to another format.
        Export(Export) = "export",
        /// Keep some values of a suite.
        Reduce(Reduce) = "reduce",
        /// Answer queries about single values, for the page.
        Browse(Browse) = "browse",
        /// Answer queries about mutants of the code under test.
        Mutants(Mutants) = "mutants",
        /// Divide a run into shards.
        ShardPlan(ShardPlan) = "shard-plan",
        /// Run shards of a plan.
        ShardRun(ShardRun) = "shard-run",
        /// Save the values of all shards in a suite.
        ShardMerge(ShardMerge) = "shard-merge",
    }
}

message! {
    /// What is searched, and how.
    #[derive(Debug, Clone, Default)]
    pub struct Space {
        /// The bounds; none for those of the test.
        pub bounds: Option<Bounds>,
        /// The arguments of the original's finitization that the bounds were made from, for reports.
        pub args: Option<String>,
        /// Everything else: another scope number, the engine, limits.
        pub settings: Settings,
    }
}

message! {
    /// A run.
    #[derive(Debug, Clone)]
    pub struct Run {
        /// What is searched, and how.
        pub space: Space,
        /// Print every value as a text graph.
        pub print: bool,
        /// Save the values in this file.
        pub save: Option<PathBuf>,
        /// Replace that file if it exists.
        pub force: bool,
        /// Where to write checkpoints.
        pub checkpoint: Option<PathBuf>,
        /// How often.
        pub checkpoint_every: Duration,
        /// Print the classes of the values.
        pub list_classes: bool,
    }
}

message! {
    /// A table of counts.
    #[derive(Debug, Clone)]
    pub struct Table {
        /// The run within the last size.
        pub run: Run,
        /// Print a JSON object for each size.
        pub json: bool,
    }
}

message! {
    /// A reduction of a suite.
    #[derive(Debug, Clone)]
    pub struct Reduce {
        /// The suite.
        pub file: PathBuf,
        /// Which values to keep.
        pub settings: Settings,
        /// Save them in this file.
        pub save: Option<PathBuf>,
        /// Replace that file if it exists.
        pub force: bool,
        /// Print them as text graphs.
        pub print: bool,
        /// Print the classes of the values.
        pub list_classes: bool,
    }
}

message! {
    /// A run to resume.
    #[derive(Debug, Clone)]
    pub struct Resume {
        /// The suite or the checkpoint.
        pub file: PathBuf,
        /// Limits. The limit on values includes those of the run that is resumed.
        pub settings: Settings,
        /// How often to write a checkpoint, if the run has one.
        pub checkpoint_every: Duration,
    }
}

message! {
    /// Values of a suite.
    #[derive(Debug, Clone)]
    pub struct Show {
        /// The suite.
        pub file: PathBuf,
        /// Only the value with this number, counted from 1.
        pub at: Option<u64>,
    }
}

message! {
    /// The value with a number.
    #[derive(Debug, Clone)]
    pub struct Nth {
        /// What is searched.
        pub space: Space,
        /// The number, counted from 1, in decimal digits.
        pub at: String,
    }
}

message! {
    /// One value.
    #[derive(Debug, Clone)]
    pub struct Replay {
        /// Its bounds and engine.
        pub space: Space,
        /// The candidate in canonical form, as reports print it.
        pub candidate: Candidate,
    }
}

message! {
    /// Values to look at.
    #[derive(Debug, Clone, Default)]
    pub struct Browse {
        /// What is searched, and how; for a suite, its header says so.
        pub space: Space,
        /// The suite.
        pub file: Option<PathBuf>,
    }
}

message! {
    /// Mutants to run a test on.
    #[derive(Debug, Clone, Default)]
    pub struct Mutants {
        /// Bounds and limits of each run.
        pub settings: Settings,
        /// Run on the values of this suite only.
        pub suite: Option<PathBuf>,
    }
}

message! {
    /// A suite in another format.
    #[derive(Debug, Clone)]
    pub struct Export {
        /// The suite.
        pub file: PathBuf,
        /// The format.
        pub to: Format,
        /// The path of the type in generated source, if the compiler's name of it cannot be used.
        pub type_path: Option<String>,
    }
}

message! {
    /// A run to divide.
    #[derive(Debug, Clone)]
    pub struct ShardPlan {
        /// What is searched, and how.
        pub space: Space,
        /// How many shards there are to be.
        pub parts: usize,
        /// Keep the values.
        pub keep_values: bool,
        /// Run the test on the values.
        pub test: bool,
        /// The file for the plan.
        pub plan: PathBuf,
        /// Replace that file if it exists.
        pub force: bool,
    }
}

message! {
    /// Shards to run.
    #[derive(Debug, Clone)]
    pub struct ShardRun {
        /// The plan.
        pub plan: PathBuf,
        /// The numbers of the shards, from 1, as `numbers` writes them.
        pub numbers: String,
        /// Where the results are.
        pub directory: PathBuf,
        /// Also run shards that are done.
        pub force: bool,
        /// Limits on time and memory.
        pub settings: Settings,
    }
}

message! {
    /// Shards to merge.
    #[derive(Debug, Clone)]
    pub struct ShardMerge {
        /// The plan.
        pub plan: PathBuf,
        /// Where the results are.
        pub directory: PathBuf,
        /// Save the values in this file. Without it, the shards are those of a test that has failed.
        pub save: Option<PathBuf>,
        /// Replace that file if it exists.
        pub force: bool,
    }
}

/// A format to export to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One JSON object per line.
    Jsonl,
    /// Graphviz.
    Dot,
    /// A Rust module with a test.
    Rust,
    /// The text of a candidate per line; the tool writes each into a file of its own.
    Corpus,
}

as_text!(Format);

impl Request {
    /// Adds the settings of the test, where the request has none.
    pub(crate) fn with_defaults(mut self, check: &Check) -> Request {
        let (engine, classes) = check.engine_and_classes();
        if let Request::Run(Run { space, .. })
        | Request::Table(Table { run: Run { space, .. }, .. })
        | Request::ShardPlan(ShardPlan { space, .. }) = &mut self
        {
            if classes != Classes::Ignored {
                space.settings.classes.get_or_insert(classes);
            }
        }
        if let Request::Run(Run { space, .. })
        | Request::Table(Table { run: Run { space, .. }, .. })
        | Request::Size(space)
        | Request::Explain(space)
        | Request::Nth(Nth { space, .. })
        | Request::Replay(Replay { space, .. })
        | Request::Browse(Browse { space, file: None })
        | Request::ShardPlan(ShardPlan { space, .. }) = &mut self
        {
            space.bounds.get_or_insert_with(|| check.bounds().clone());
            space.settings.engine.get_or_insert(engine);
        }
        self
    }
}

impl Format {
    /// Returns its name in commands.
    pub fn name(self) -> &'static str {
        match self {
            Format::Jsonl => "jsonl",
            Format::Dot => "dot",
            Format::Rust => "rust",
            Format::Corpus => "corpus",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = String;
    fn from_str(s: &str) -> Result<Format, String> {
        [Format::Jsonl, Format::Dot, Format::Rust, Format::Corpus]
            .into_iter()
            .find(|format| format.name() == s)
            .ok_or_else(|| {
                format!("unknown format `{s}`; the formats are `jsonl`, `dot`, `rust` and `corpus`")
            })
    }
}
