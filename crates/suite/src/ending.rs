//! How a run ended.

/// How the run that wrote a suite ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ending {
    /// In one word: [`EXHAUSTED`](Ending::EXHAUSTED), or the reason why the run stopped earlier.
    pub outcome: String,
    /// Candidates that were visited.
    pub explored: u64,
    /// Candidates that were valid.
    pub valid: u64,
    /// The position of a run that stopped early.
    pub position: Option<Vec<u32>>,
}

impl Ending {
    /// The outcome of a run that covered everything. A suite with this outcome cannot be continued.
    pub const EXHAUSTED: &str = "exhausted";

    /// The outcome of a run that covered everything and delivered one value per path.
    pub const ONE_PER_PATH: &str = "one-per-path";
}
