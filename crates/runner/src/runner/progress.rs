//! ProgressLines lines on stderr: off by default, and at most one per second in the whole process.

use smallscope_core::Outcome;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Prints progress lines, if they are on.
pub(crate) struct ProgressLines {
    on: bool,
}

/// The least time between two lines.
const INTERVAL: Duration = Duration::from_secs(1);

impl ProgressLines {
    pub(crate) fn new(on: bool) -> ProgressLines {
        if on {
            // The first line is due an interval after the first run starts.
            let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
            last.get_or_insert_with(Instant::now);
        }
        ProgressLines { on }
    }

    /// Prints how far the run is, if a line is due.
    pub(crate) fn tick(&self, name: &str, scope: Option<u32>, tested: u64, outcome: &Outcome) {
        self.tick_with(|| {
            let scope = scope.map(|s| format!(" in scope {s}")).unwrap_or_default();
            let explored = outcome.explored;
            format!("{name}: {tested} values tested so far; {explored} candidates looked at{scope}")
        });
    }

    /// Prints a text, if a line is due.
    pub(crate) fn tick_with(&self, text: impl FnOnce() -> String) {
        if self.on && is_due(Instant::now()) {
            super::say(&text());
        }
    }
}

/// When the last line was printed.
static LAST: Mutex<Option<Instant>> = Mutex::new(None);

fn is_due(now: Instant) -> bool {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let due = last.is_none_or(|last| now.saturating_duration_since(last) >= INTERVAL);
    if due {
        *last = Some(now);
    }
    due
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_most_one_line_per_second() {
        let now = Instant::now() + Duration::from_secs(100);
        assert!(is_due(now));
        assert!(!is_due(now + Duration::from_millis(900)));
        assert!(is_due(now + Duration::from_millis(1100)));
    }
}
