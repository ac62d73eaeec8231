//! Requests to a test binary. The request is in a variable of the environment; events are lines on standard output.
//! When its standard input closes, the binary stops.

mod conversation;

pub(crate) use conversation::Conversation;

use crate::commands::Ended;
use crate::console::Console;
use crate::instrument;
use crate::problem::{FAILED, Problem};
use crate::user_tests::Test;
use smallscope_runner::session::{Event, Observer, Print, REQUEST, Refused};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, ErrorKind, IsTerminal, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

/// How many lines of output are repeated when a binary does not answer.
const LAST_LINES: usize = 10;

/// How many bytes at the end of the output of a replayed test are searched for the words of the harness.
const END_OF_OUTPUT: usize = 1 << 12;

/// Sends a request to the test's binary, and waits for the answer.
pub(crate) fn perform(test: &Test, request: &str, console: &mut Console) -> Result<Ended, Problem> {
    let mut command = harness(test);
    command.env(REQUEST, request).stdin(Stdio::piped()).stdout(Stdio::piped());
    // Ctrl-C is for the tool, which then stops the test.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(|error| not_started(test, &error))?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let child = Arc::new(Mutex::new(child));
    if let Some(stdin) = stdin {
        console.stop.tell(stdin, child.clone());
    }
    let mut listener = Listener::new(test);
    for line in stdout.into_iter().flat_map(|stdout| BufReader::new(stdout).split(b'\n')) {
        let Ok(line) = line else { break };
        listener.hear(&String::from_utf8_lossy(&line), console);
    }
    let ending = lock(&child).wait();
    match listener.verdict {
        Some(verdict) => verdict,
        None => {
            let status = ending.map_or_else(|error| error.to_string(), |status| status.to_string());
            Err(listener.no_answer(&status))
        }
    }
}

/// Runs the test itself on one value, as its reports print it.
pub(crate) fn replay(test: &Test, position: &str) -> Result<u8, Problem> {
    let mut command = harness(test);
    if std::io::stdout().is_terminal() {
        command.args(["--color", "always"]);
    }
    command.env("SMALLSCOPE_REPLAY", position).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| not_started(test, &error))?;
    let said = child.stdout.take().map(pass_on).transpose();
    let status = child.wait().map_err(|error| not_started(test, &error))?;
    let said = said?.unwrap_or_default();
    // A test that ends the process has not passed, whatever its exit code is.
    let has_passed = said.lines().any(|line| line.contains("test result: ") && line.contains(" 1 passed"));
    match (status.success(), has_passed) {
        (true, true) => Ok(0),
        (false, _) => Ok(FAILED),
        (true, false) => Err(Problem::failed(format!(
            "the test `{}` has ended the process ({status}) before its harness could say that it passed",
            test.mark.harness_name()
        ))),
    }
}

/// Passes the output of a process on to standard output as it comes. Returns the end of it.
fn pass_on(mut from: impl Read) -> std::io::Result<String> {
    let mut to = std::io::stdout().lock();
    let (mut end, mut chunk) = (vec![], vec![0; 1 << 12]);
    loop {
        let len = match from.read(&mut chunk) {
            Ok(0) => break,
            Ok(len) => len,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        to.write_all(&chunk[..len])?;
        to.flush()?;
        end.extend_from_slice(&chunk[..len]);
        end.drain(..end.len().saturating_sub(END_OF_OUTPUT));
    }
    Ok(String::from_utf8_lossy(&end).into_owned())
}

/// Returns the command that runs one test, with the same environment as cargo.
pub(crate) fn harness(test: &Test) -> Command {
    let mut command = Command::new(&test.binary);
    command.arg("--exact").arg(test.mark.harness_name());
    command.args(["--nocapture", "--include-ignored", "--test-threads=1"]);
    command.current_dir(test.package.directory());
    instrument::without_profile(&mut command);
    command.env("CARGO_MANIFEST_DIR", test.package.directory()).env("CARGO_PKG_NAME", &test.package.name);
    command
}

pub(crate) fn not_started(test: &Test, error: &std::io::Error) -> Problem {
    Problem::of_crate(format!("the test binary {} cannot be started: {error}", test.binary.display()))
}

fn lock(child: &Mutex<Child>) -> std::sync::MutexGuard<'_, Child> {
    child.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads the output of a test binary.
struct Listener<'a> {
    test: &'a Test,
    /// The result. All output after it comes from the harness.
    verdict: Option<Result<Ended, Problem>>,
    /// The last lines that are not events.
    last: VecDeque<String>,
    /// Why results cannot be printed.
    broken: Option<std::io::Error>,
}

impl Listener<'_> {
    fn new(test: &Test) -> Listener<'_> {
        Listener { test, verdict: None, last: VecDeque::new(), broken: None }
    }

    fn hear(&mut self, line: &str, console: &mut Console) {
        match Event::in_output(line) {
            _ if self.verdict.is_some() => {}
            Some(Event::Print(Print { text })) => {
                if self.broken.is_none() {
                    self.broken = console.print(&text).err();
                    if self.broken.is_some() {
                        console.stop.stop_worker();
                    }
                }
            }
            Some(Event::Progress(progress)) => console.progress(&progress),
            Some(Event::Working(status)) => console.working(&status),
            Some(Event::Answer(answer)) => self.decide(Ok(Ended::Answer(answer))),
            Some(Event::Done(())) => self.decide(Ok(Ended::Done)),
            Some(Event::Refused(Refused { text, code })) => self.decide(Err(Problem::remote(text, code))),
            None => self.overhear(line),
        }
    }

    fn decide(&mut self, verdict: Result<Ended, Problem>) {
        self.verdict = Some(match self.broken.take() {
            Some(error) => Err(error.into()),
            None => verdict,
        });
    }

    /// Passes output of the user's code on to standard error, which has no results.
    fn overhear(&mut self, line: &str) {
        let line = self.without_chatter(line);
        if line.is_empty() {
            return;
        }
        let _ = writeln!(std::io::stderr(), "{line}");
        if self.last.len() == LAST_LINES {
            self.last.pop_front();
        }
        self.last.push_back(line.to_owned());
    }

    /// Removes what the harness prints around a test: `running 1 test`, `test tests::works ... ok`.
    fn without_chatter<'l>(&self, line: &'l str) -> &'l str {
        let name = self.test.mark.harness_name();
        let is_about_the_test = line.strip_prefix("test ").is_some_and(|rest| rest.starts_with(&name));
        let line = match line.split_once(" ... ") {
            Some((_, rest)) if is_about_the_test => rest,
            _ => line,
        };
        match line {
            "running 1 test" | "ok" | "FAILED" => "",
            line => line,
        }
    }

    fn no_answer(&self, status: &str) -> Problem {
        let said = Vec::from_iter(self.last.iter().map(String::as_str)).join("\n");
        let said = if said.is_empty() { "nothing".to_owned() } else { format!("\n{said}\n") };
        Problem::of_crate(format!(
            "the test `{}` of `{}` did not answer: its binary ended with {status}, and said {said}. If the invariant \
             or the type's `Drop` aborts the process, that is the reason; else see that the package uses the same \
             version of smallscope as this tool ({})",
            self.test.mark.harness_name(),
            self.test.package.name,
            env!("CARGO_PKG_VERSION"),
        ))
    }
}
