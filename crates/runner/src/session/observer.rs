//! The observer of a run.

use crate::session::browse::Queries;
use crate::session::wire::message;
use std::io;
use std::time::Duration;

/// Receives the output and the progress of a run, and can stop it.
pub trait Observer {
    /// Prints output: values as graphs, lines or source.
    fn print(&mut self, text: &str) -> io::Result<()>;

    /// Reports progress; called about ten times a second.
    fn progress(&mut self, progress: &Progress);

    /// Reports the progress of a run without candidates; called about ten times a second.
    fn working(&mut self, _status: &Status) {}

    /// Whether the user wants to stop.
    fn is_stopped(&self) -> bool;

    /// Returns the queries of the page, if there is one.
    fn queries(&mut self) -> Option<&mut dyn Queries> {
        None
    }
}

message! {
    /// The progress of a run.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Progress {
        /// Candidates so far.
        pub explored: u64,
        /// Structures found so far.
        pub valid: u64,
        /// The time that this run has taken, without the run that it resumes.
        pub elapsed: Duration,
        /// Candidates of this run alone, for the rate.
        pub explored_here: u64,
        /// The share of the space before the position, if all branches were equally large. They are not, so it is an
        /// estimate; it never falls.
        pub fraction: f64,
        /// The first choices of the position.
        pub position: String,
    }
}

message! {
    /// The progress of a run, in words.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Status {
        /// What was done.
        pub text: String,
        /// The time that the run has taken.
        pub elapsed: Duration,
        /// The share that is done, if the whole is known.
        pub fraction: Option<f64>,
    }
}
