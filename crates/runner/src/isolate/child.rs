//! A test in a process of its own.

use super::{CASE_LIMIT, CHILD, DEATHS, Death, Phase, Verdict, beside, file_name, folder};
use crate::attribute::TestSite;
use crate::runner::say;
use smallscope_support::duration;
use smallscope_support::flight::{Flight, Record};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// More deaths than this end a run. Each one runs the test again.
const MOST_DEATHS: usize = 20;

/// The last lines of a dead process that a report shows.
const LAST_WORDS: usize = 3;

/// How much of the output of a process is kept.
const MOST_OUTPUT: usize = 1 << 20;

/// The longest pause between two looks at a process.
const PAUSE: Duration = Duration::from_millis(20);

/// The line behind which the output is that of the test, and not that of the harness.
const BEGIN: &str = "\u{1e}smallscope begins\u{1e}";

/// Prints the line behind which the output is that of the test.
pub(super) fn mark_begin() {
    println!("{BEGIN}");
}

/// How a process ended.
pub(crate) enum Ended {
    Verdict(Verdict),
    /// It died, or was killed. In words, and what it was doing.
    Died(String, Flight),
    /// It could not be started, or the harness did not run the test.
    NotStarted(String),
}

/// A test that runs in a process of its own.
pub(crate) struct Isolated<'a> {
    pub(crate) site: &'a TestSite,
    /// How long one case may take.
    pub(crate) case_limit: Option<Duration>,
    /// How long everything may take. A process that does not notice is killed.
    pub(crate) budget: Duration,
}

impl Isolated<'_> {
    /// Runs the test until a process ends with a verdict.
    pub(crate) fn run(&self) -> Verdict {
        let mut deaths: Vec<Death> = vec![];
        loop {
            let lines: Vec<String> = deaths.iter().map(Death::to_line).collect();
            let (how, flight) = match self.execute(&[(DEATHS, &lines.join("\n"))]) {
                Ended::Verdict(verdict) => return verdict,
                Ended::NotStarted(why) => return Verdict::NotRun(self.cannot_be_run(&why)),
                Ended::Died(how, flight) => (how, flight),
            };
            let death = of_record(flight.records().first(), how);
            let again = deaths.last().is_some_and(|last| last.number >= death.number);
            if again || deaths.len() > MOST_DEATHS {
                return Verdict::Failed(format!(
                    "`{}`: {}\n\nthe value cannot be told: {}",
                    self.site.harness_name(),
                    death.how,
                    match again {
                        true => "the next process died earlier, so the test does not do the same each time",
                        false => "too many processes died",
                    }
                ));
            }
            deaths.push(death);
        }
    }

    fn cannot_be_run(&self, why: &str) -> String {
        format!(
            "`{}` cannot be run in a process of its own: {why}; without `isolate` it runs in this one",
            self.site.harness_name()
        )
    }

    /// Executes the test binary for this test, with some variables.
    pub(crate) fn execute(&self, variables: &[(&str, &str)]) -> Ended {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let make = || {
            let folder = folder().ok_or(io::ErrorKind::NotFound)?;
            fs::create_dir_all(&folder)?;
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let name = format!("child-{}-{}-{number}", file_name(self.site), std::process::id());
            let flight = Flight::create(folder.join(name))?;
            let output = File::create(beside(flight.path(), "output"))?;
            Ok((flight, output))
        };
        let (flight, output) = match make() {
            Ok(made) => made,
            Err::<_, io::Error>(error) => {
                return Ended::NotStarted(format!("what it does cannot be recorded: {error}"));
            }
        };
        let waited = self.start(&flight, output, variables).and_then(|child| self.wait(child, &flight));
        let text = output_of(flight.path());
        let verdict = Verdict::read(flight.path());
        for ending in ["output", "verdict", "unfinished"] {
            let _ = fs::remove_file(beside(flight.path(), ending));
        }
        let how = match waited {
            Ok(how) => how,
            Err(error) => return Ended::NotStarted(error.to_string()),
        };
        let Some(text) = text else {
            return Ended::NotStarted(format!(
                "the harness did not run `{}` when it was started with `--exact` and this name ({how})",
                self.site.harness_name()
            ));
        };
        match verdict {
            Some(verdict) => {
                pass_on(&text);
                Ended::Verdict(verdict)
            }
            None => Ended::Died(with_last_words(how, &text), flight),
        }
    }

    fn start(&self, flight: &Flight, output: File, variables: &[(&str, &str)]) -> io::Result<Child> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["--exact", &self.site.harness_name(), "--nocapture"]);
        if self.site.is_ignored {
            command.arg("--include-ignored");
        }
        command.env(CHILD, flight.path()).env("SMALLSCOPE_THREADS", "1");
        command.envs(variables.iter().copied());
        command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
        command.spawn()
    }

    /// Waits until the process ends, or kills it because it does not go on. Returns how it ended, in words.
    fn wait(&self, mut child: Child, flight: &Flight) -> io::Result<String> {
        let limit = self.case_limit.unwrap_or(CASE_LIMIT);
        let begun = Instant::now();
        let mut seen = ((0, 0), begun);
        let mut pause = Duration::from_millis(1);
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(in_words(status));
            }
            let now = Instant::now();
            if let Some(record) = flight.records().first() {
                let (number, beats) =
                    (record.number.load(Ordering::Relaxed), record.beats.load(Ordering::Relaxed));
                if seen.0 != (number, beats) {
                    seen = ((number, beats), now);
                }
                let is_in_case = matches!(Phase::of(number), Phase::Building | Phase::Running);
                let is_late = is_in_case || now - begun > self.budget.saturating_add(limit);
                if now - seen.1 > limit && is_late {
                    child.kill()?;
                    child.wait()?;
                    return Ok(format!("does not return: it was given up after {}", duration::print(limit)));
                }
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(PAUSE);
        }
    }
}

fn of_record(record: Option<&Record>, how: String) -> Death {
    let stored = record.map_or(0, |record| record.number.load(Ordering::Relaxed));
    Death { number: stored >> 2, phase: Phase::of(stored), how }
}

/// "the process was ended by signal 6 (SIGABRT)", "the process exited with code 0".
fn in_words(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("the process exited with code {code}"),
        None => {
            let text = status.to_string();
            let text = text.strip_suffix(" (core dumped)").unwrap_or(&text);
            format!("the process was ended by {}", text.replacen("signal: ", "signal ", 1))
        }
    }
}

/// The output of the test; none if it was not begun.
fn output_of(flight: &Path) -> Option<String> {
    let bytes = fs::read(beside(flight, "output")).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let (_, text) = text.split_once(BEGIN)?;
    let text = text.strip_prefix('\n').unwrap_or(text);
    let mut from = text.len().saturating_sub(MOST_OUTPUT);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    Some(text[from..].to_owned())
}

/// Adds what a process wrote last to how it ended, without backtraces.
fn with_last_words(how: String, output: &str) -> String {
    let is_frame = |line: &str| {
        let line = line.trim_start();
        line.starts_with("at ") || line.starts_with(|c: char| c.is_ascii_digit()) && line.contains(": ")
    };
    let is_kept = |line: &&str| {
        !(line.trim().is_empty()
            || is_frame(line)
            || *line == "stack backtrace:"
            || line.starts_with("note: "))
    };
    let lines: Vec<&str> = output.lines().filter(is_kept).collect();
    let last = &lines[lines.len().saturating_sub(LAST_WORDS)..];
    if last.is_empty() { how } else { format!("{how}; it had written:\n{}", last.join("\n")) }
}

/// Prints the output of a process as that of this test: our own lines past the capture, the others into it.
fn pass_on(output: &str) {
    for line in output.lines() {
        match line.strip_prefix("smallscope: ") {
            Some(text) => say(text),
            None => println!("{line}"),
        }
    }
    let _ = io::stdout().flush();
}
