//! Requests for call sequences.

use crate::session::request::ShardRun;
use crate::session::wire::{message, messages};
use crate::settings::Settings;
use std::path::PathBuf;

messages! {
    /// A request.
    #[derive(Debug, Clone)]
    pub enum Ask {
        /// Run sequences.
        Run(Run) = "sequences-run",
        /// Print how many calls and tests there are.
        Count(Count) = "sequences-count",
        /// Run one test again, and show what each call does.
        Replay(ReplayTest) = "sequences-replay",
        /// Run the tests of a file again.
        ReplayFile(ReplayFile) = "sequences-replay-file",
        /// Answer queries about states, for the page.
        Browse(BrowseStates) = "sequences-browse",
        /// Divide a run into shards.
        ShardPlan(Divide) = "sequences-shard-plan",
        /// Run shards of a plan.
        ShardRun(ShardRun) = "sequences-shard-run",
        /// Merge the shards of a plan.
        ShardMerge(Merge) = "sequences-shard-merge",
    }
}

message! {
    /// Which sequences to run. What is not given is as the test says, or has a default.
    #[derive(Debug, Clone, Default)]
    pub struct Run {
        /// The strategy and its limits.
        pub settings: Settings,
        /// The file to save the sequences in. If its name ends with `.rs`, they are functions with `#[test]`.
        pub save: Option<PathBuf>,
        /// Replace that file if it exists.
        pub force: bool,
        /// The imports of tests in Rust; empty for those of the subject.
        pub uses: Vec<String>,
    }
}

message! {
    /// A run to divide.
    #[derive(Debug, Clone)]
    pub struct Divide {
        /// The strategy and its limits.
        pub settings: Settings,
        /// How many shards there are to be; for explorations, in each level.
        pub parts: usize,
        /// The file for the plan.
        pub plan: PathBuf,
        /// Replace that file if it exists.
        pub force: bool,
    }
}

message! {
    /// Shards to merge.
    #[derive(Debug, Clone)]
    pub struct Merge {
        /// The plan.
        pub plan: PathBuf,
        /// Where the results of the shards are.
        pub directory: PathBuf,
    }
}

message! {
    /// States to look at.
    #[derive(Debug, Clone, Default)]
    pub struct BrowseStates {
        /// How states are compared.
        pub settings: Settings,
    }
}

message! {
    /// How many tests there are.
    #[derive(Debug, Clone)]
    pub struct Count {
        /// The length of the tests.
        pub settings: Settings,
    }
}

message! {
    /// One test.
    #[derive(Debug, Clone)]
    pub struct ReplayTest {
        /// Its calls in canonical form, or its length and index.
        pub sequence: String,
    }
}

message! {
    /// The tests of a file.
    #[derive(Debug, Clone)]
    pub struct ReplayFile {
        /// The file.
        pub file: PathBuf,
    }
}
