//! Who hears about a run while it goes on.

use crate::session::wire::message;
use std::io;
use std::time::Duration;

/// Hears about a run, and may stop it.
pub trait Observer {
    /// Text that was asked for: the values, as graphs, lines or source.
    fn print(&mut self, text: &str) -> io::Result<()>;

    /// How far the run is; called about ten times a second.
    fn progress(&mut self, progress: &Progress);

    /// How far a run is that has no candidates; called about ten times a second.
    fn working(&mut self, _status: &Status) {}

    /// Whether the user wants to stop.
    fn is_stopped(&self) -> bool;
}

message! {
    /// How far a run is.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Progress {
        /// Candidates so far.
        pub explored: u64,
        /// Structures found so far.
        pub valid: u64,
        /// How long this run has been going on; not counting what it resumes.
        pub elapsed: Duration,
        /// Candidates of this run alone, for the rate.
        pub explored_here: u64,
        /// The share of the space that lies behind, as if all branches were equally large. They are not: it is an
        /// estimate, but it never falls.
        pub fraction: f64,
        /// The first choices of the position.
        pub position: String,
    }
}

message! {
    /// How far a run is, in words.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Status {
        /// What was done.
        pub text: String,
        /// How long it has been going on.
        pub elapsed: Duration,
        /// The share that lies behind, if it is known how much there is.
        pub fraction: Option<f64>,
    }
}
