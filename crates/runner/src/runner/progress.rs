//! Progress on stderr: lines if they are asked for, at most one per second in the whole process; otherwise a bar for long
//! runs, if stderr is a terminal.

use super::estimate::roughly;
use smallscope_core::Outcome;
use smallscope_support::miri;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Shows progress, if it is shown.
pub(crate) struct ProgressLines {
    form: Form,
    start: Instant,
    /// Calls until the next look at the clock.
    calls: AtomicU32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Hidden,
    Lines,
    Bar,
}

/// The least time between two lines.
const INTERVAL: Duration = Duration::from_secs(1);
/// Runs that are shorter show no bar.
const FIRST_BAR: Duration = Duration::from_secs(2);
/// The least time between two states of the bar.
const BETWEEN_BARS: Duration = Duration::from_millis(200);
/// How many calls share a look at the clock.
const CALLS: u32 = 16;
/// How long the bar is, in characters.
const WIDTH: usize = 10;
/// Longer times are not worth an estimate.
const LONGEST: Duration = Duration::from_secs(1000 * 86_400);
/// How many characters of a test's name are shown, so that the bar fits into 80 columns.
const NAME: usize = 18;

/// A part of the work, of which a share is done.
pub(crate) struct Work<'a> {
    pub(crate) name: &'a str,
    /// The scope that is searched, if there are several.
    pub(crate) scope: Option<u32>,
    /// How much of it is done, roughly.
    pub(crate) share: f64,
    /// How long that took.
    pub(crate) elapsed: Duration,
    /// How long the run goes on at most.
    pub(crate) at_most: Duration,
}

impl ProgressLines {
    /// Shows lines, nothing, or what fits stderr if nothing is set.
    pub(crate) fn new(setting: Option<bool>) -> ProgressLines {
        let form = match setting {
            Some(true) => Form::Lines,
            Some(false) => Form::Hidden,
            None if !miri::IS_RUNNING && io::stderr().is_terminal() => Form::Bar,
            None => Form::Hidden,
        };
        if form == Form::Lines {
            // The first line is due an interval after the first run starts.
            let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
            last.get_or_insert_with(Instant::now);
        }
        ProgressLines { form, start: Instant::now(), calls: AtomicU32::new(0) }
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
        if self.form == Form::Lines && is_due(Instant::now(), INTERVAL) {
            say(&text());
        }
    }

    /// Whether the bar is due. To be called often: most calls count only.
    pub(crate) fn is_bar_due(&self) -> bool {
        if self.form != Form::Bar {
            return false;
        }
        let calls = self.calls.load(Ordering::Relaxed);
        self.calls.store(if calls == 0 { CALLS } else { calls - 1 }, Ordering::Relaxed);
        calls == 0 && self.start.elapsed() >= FIRST_BAR
    }

    /// Draws the bar, unless it was drawn just now.
    pub(crate) fn draw(&self, work: &Work<'_>) {
        if self.form == Form::Bar && is_due(Instant::now(), BETWEEN_BARS) {
            let begin = match IS_SHOWN.swap(true, Ordering::Relaxed) {
                // The harness has printed the name of the test, and prints its result behind it.
                false if runs_one_by_one() => "\n",
                _ => ERASE,
            };
            let _ = write!(io::stderr().lock(), "{begin}{work}\r");
        }
    }
}

impl Drop for ProgressLines {
    fn drop(&mut self) {
        if self.form == Form::Bar {
            erase_bar();
        }
    }
}

/// Goes to the beginning of the line and erases it.
const ERASE: &str = "\r\x1b[K";

/// A bar is on the terminal.
static IS_SHOWN: AtomicBool = AtomicBool::new(false);

/// Erases the bar, before something else is printed.
pub(crate) fn erase_bar() {
    if IS_SHOWN.swap(false, Ordering::Relaxed) {
        let _ = write!(io::stderr().lock(), "{ERASE}");
    }
}

/// Whether the harness runs one test after the other. It prints their names before they run then.
fn runs_one_by_one() -> bool {
    let mut arguments = std::env::args().skip_while(|argument| !argument.starts_with("--test-threads"));
    let given = match arguments.next() {
        Some(argument) => argument.strip_prefix("--test-threads=").map(str::to_owned).or(arguments.next()),
        None => std::env::var("RUST_TEST_THREADS").ok(),
    };
    match given {
        Some(threads) => threads == "1",
        None => std::thread::available_parallelism().is_ok_and(|n| n.get() == 1),
    }
}

impl std::fmt::Display for Work<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let share = self.share.clamp(0.0, 1.0);
        let done = (share * WIDTH as f64) as usize;
        let skipped = self.name.chars().count().saturating_sub(NAME);
        let cut = if skipped > 0 { "…" } else { "" };
        let mut name = String::new();
        for (i, c) in self.name.chars().enumerate() {
            if i >= skipped {
                name.push(c);
            }
        }
        write!(f, "{cut}{name} [{}{}] ", "#".repeat(done), "-".repeat(WIDTH - done))?;
        match (share * 100.0).floor() {
            ..1.0 => f.write_str("under 1 %")?,
            percent => write!(f, "{percent} %")?,
        }
        if let Some(scope) = self.scope {
            write!(f, " of scope {scope}")?;
        }
        let left = (share > 0.0).then(|| self.elapsed.as_secs_f64() * (1.0 - share) / share);
        let left =
            left.map_or(Duration::MAX, |left| Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX));
        if left > self.at_most {
            write!(f, ", stops in {}", roughly(self.at_most))
        } else if left < LONGEST {
            write!(f, ", about {} left", roughly(left))
        } else {
            Ok(())
        }
    }
}

/// When the last line was printed, or the bar was drawn.
static LAST: Mutex<Option<Instant>> = Mutex::new(None);

fn is_due(now: Instant, interval: Duration) -> bool {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let due = last.is_none_or(|last| now.saturating_duration_since(last) >= interval);
    if due {
        *last = Some(now);
    }
    due
}

/// Prints a line on stderr, past the capture of test output, so that it is seen even if the test passes.
pub(crate) fn say(text: &str) {
    erase_bar();
    let _ = writeln!(io::stderr().lock(), "smallscope: {text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: Duration = Duration::from_secs(1);

    #[test]
    fn at_most_one_line_per_second() {
        let now = Instant::now() + Duration::from_secs(100);
        assert!(is_due(now, INTERVAL));
        assert!(!is_due(now + Duration::from_millis(900), INTERVAL));
        assert!(is_due(now + Duration::from_millis(1100), INTERVAL));
    }

    #[test]
    fn the_bar_says_how_much_is_left() {
        let work =
            |share, at_most| Work { name: "tests::sets", scope: Some(6), share, elapsed: 10 * S, at_most };
        assert_eq!(
            work(0.25, 60 * S).to_string(),
            "tests::sets [##--------] 25 % of scope 6, about 30 seconds left"
        );
        assert_eq!(
            work(0.01, 50 * S).to_string(),
            "tests::sets [----------] 1 % of scope 6, stops in 50 seconds"
        );
        assert_eq!(work(0.0, Duration::MAX).to_string(), "tests::sets [----------] under 1 % of scope 6");
        assert_eq!(
            work(2.0, 9 * S).to_string(),
            "tests::sets [##########] 100 % of scope 6, about 1 seconds left"
        );
    }

    #[test]
    fn the_bar_fits_into_a_line() {
        let work = Work {
            name: "a::module::with::a::name::that_is_long_and::so_is_its_test",
            scope: Some(12),
            share: 0.001,
            elapsed: S,
            at_most: Duration::from_secs(50 * 365 * 86_400),
        };
        let text = work.to_string();
        assert!(text.chars().count() < 80 && text.starts_with("…"), "{text}");
    }
}
