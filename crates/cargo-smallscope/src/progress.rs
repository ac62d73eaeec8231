//! Progress on standard error: a bar on a terminal, lines at intervals elsewhere, and nothing for short runs.

use crate::problem::note;
use indicatif::{ProgressBar, ProgressStyle};
use smallscope_runner::session::{Progress, Status};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Runs that are shorter show no bar.
const FIRST_BAR: Duration = Duration::from_millis(400);
/// Runs that are shorter print no line.
const FIRST_LINE: Duration = Duration::from_secs(2);
/// Shorter runs are not estimated.
const FIRST_ESTIMATE: Duration = Duration::from_secs(2);
/// The time between two lines.
const BETWEEN_LINES: Duration = Duration::from_secs(5);
/// The length of the bar, in steps.
const LENGTH: u64 = 1000;

/// How progress is shown, with an estimate.
pub(crate) struct Display {
    form: Form,
    /// When the first share was known, and the share. A run that is resumed does not begin at 0.
    first: Option<(Duration, f64)>,
}

enum Form {
    /// Not at all.
    Hidden,
    /// As a bar, which appears after a moment.
    Bar(Option<ProgressBar>),
    /// As lines, with the time of the last one.
    Lines(Option<Instant>),
}

impl Display {
    /// Chooses the form that fits standard error. A terminal that shows values has no room for a bar.
    pub(crate) fn new(prints: bool) -> Display {
        let form = match (std::io::stderr().is_terminal(), prints && std::io::stdout().is_terminal()) {
            (true, true) => Form::Hidden,
            (true, false) => Form::Bar(None),
            (false, _) => Form::Lines(None),
        };
        Display { form, first: None }
    }

    pub(crate) fn show(&mut self, progress: &Progress) {
        let Progress { elapsed, fraction, .. } = progress;
        let (start, before) = *self.first.get_or_insert((*elapsed, *fraction));
        let left = left(*fraction, elapsed.saturating_sub(start), fraction - before);
        self.update(*elapsed, Some(*fraction), &format!("{}{left}", share(*fraction)), || numbers(progress));
    }

    pub(crate) fn show_status(&mut self, status: &Status) {
        let Status { text, elapsed, fraction } = status;
        let share =
            fraction.map_or_else(String::new, |fraction| format!("{:.0} %", (fraction * 100.0).floor()));
        self.update(*elapsed, *fraction, &share, || text.clone());
    }

    fn update(&mut self, elapsed: Duration, fraction: Option<f64>, share: &str, text: impl Fn() -> String) {
        match &mut self.form {
            Form::Hidden => {}
            Form::Bar(bar) => {
                if elapsed >= FIRST_BAR {
                    let bar = bar.get_or_insert_with(new_bar);
                    bar.set_position((fraction.unwrap_or(0.0) * LENGTH as f64) as u64);
                    bar.set_prefix(share.to_owned());
                    bar.set_message(text());
                }
            }
            Form::Lines(last) => {
                let is_due = match last {
                    None => elapsed >= FIRST_LINE,
                    Some(last) => last.elapsed() >= BETWEEN_LINES,
                };
                if is_due {
                    *last = Some(Instant::now());
                    let between = if share.is_empty() { "" } else { "; " };
                    note(&format!("{share}{between}{}", text()));
                }
            }
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(&mut self) {
        if let Form::Bar(bar) = &mut self.form
            && let Some(bar) = bar.take()
        {
            bar.finish_and_clear();
        }
    }
}

/// Creates a bar of two lines that fit into 80 columns.
fn new_bar() -> ProgressBar {
    let style =
        ProgressStyle::with_template("{bar:20} {prefix}\n{wide_msg}").expect("the template is well-formed");
    ProgressBar::new(LENGTH).with_style(style)
}

/// Describes the counts, the rate and the position.
fn numbers(progress: &Progress) -> String {
    let seconds = progress.elapsed.as_secs_f64().max(0.001);
    format!(
        "{} structures; {} candidates, {}/s; at {}",
        short(progress.valid),
        short(progress.explored),
        short((progress.explored_here as f64 / seconds) as u64),
        progress.position,
    )
}

/// Describes the share of the space before the position, which is an estimate.
fn share(fraction: f64) -> String {
    let percent = (fraction * 100.0).floor();
    match percent {
        ..1.0 => "under 1 % of the space by position (rough)".to_owned(),
        percent => format!("about {percent} % of the space by position (rough)"),
    }
}

/// Says how long the rest takes if it goes on like this: `done` of the space took some time. Empty for short runs.
fn left(fraction: f64, time: Duration, done: f64) -> String {
    if time < FIRST_ESTIMATE || done <= 0.0 {
        return String::new();
    }
    let seconds = time.as_secs_f64() * (1.0 - fraction).max(0.0) / done;
    match seconds {
        ..120.0 => format!(", about {:.0} s left", seconds.max(1.0)),
        ..7200.0 => format!(", about {:.0} min left", seconds / 60.0),
        ..172_800.0 => format!(", about {:.0} h left", seconds / 3600.0),
        ..4e8 => format!(", about {:.0} days left", seconds / 86_400.0),
        _ => ", years left".to_owned(),
    }
}

/// Formats a number with few digits: `9999`, `12.3 k`, `4.5 M`.
fn short(n: u64) -> String {
    let (unit, name) = match n {
        0..10_000 => return n.to_string(),
        10_000..1_000_000 => (1e3, 'k'),
        1_000_000..1_000_000_000 => (1e6, 'M'),
        _ => (1e9, 'G'),
    };
    // Rounded down, so that the number is not exaggerated.
    format!("{:.1} {name}", (n as f64 / unit * 10.0).floor() / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_not_exaggerated() {
        let short = [0, 9_999, 10_000, 999_999, 1_000_000, 12_345_678, 5_000_000_000].map(short);
        assert_eq!(short, ["0", "9999", "10.0 k", "999.9 k", "1.0 M", "12.3 M", "5.0 G"]);
    }

    #[test]
    fn the_time_that_is_left_is_estimated_from_what_this_run_has_done() {
        let s = Duration::from_secs;
        assert_eq!(left(0.5, s(1), 0.5), "");
        assert_eq!(left(0.5, s(10), 0.5), ", about 10 s left");
        assert_eq!(left(0.6, s(10), 0.1), ", about 40 s left", "half of it was done before");
        assert_eq!(left(0.01, s(60), 0.01), ", about 99 min left");
        assert_eq!(left(1e-9, s(60), 1e-9), ", years left");
        assert_eq!(left(0.0, s(60), 0.0), "");
    }

    #[test]
    fn the_estimate_says_that_it_is_one() {
        let progress = Progress {
            explored: 3_000_000,
            valid: 1234,
            elapsed: Duration::from_secs(2),
            explored_here: 1_000_000,
            fraction: 0.129,
            position: "1.0.2".to_owned(),
        };
        assert_eq!(numbers(&progress), "1234 structures; 3.0 M candidates, 500.0 k/s; at 1.0.2");
        assert_eq!(share(progress.fraction), "about 12 % of the space by position (rough)");
        assert_eq!(share(0.0), "under 1 % of the space by position (rough)");
        assert_eq!(share(1.0), "about 100 % of the space by position (rough)");
    }
}
