//! Queries to a test binary that stays open, for the page.

use super::{Listener, harness, not_started};
use crate::problem::Problem;
use crate::user_tests::Test;
use smallscope_runner::session::{Event, Print, REQUEST, Refused};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// A test binary that answers queries. It ends when its standard input closes.
pub(crate) struct Conversation {
    test: Test,
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Conversation {
    /// Sends a request to the test's binary.
    pub(crate) fn start(test: Test, request: &str) -> Result<Conversation, Problem> {
        let mut command = harness(&test);
        command.env(REQUEST, request).stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C is for the tool.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| not_started(&test, &error))?;
        let stdin = child.stdin.take();
        let Some(stdout) = child.stdout.take() else {
            return Err(not_started(&test, &std::io::ErrorKind::BrokenPipe.into()));
        };
        Ok(Conversation { test, child, stdin, stdout: BufReader::new(stdout) })
    }

    /// Asks, and waits for the answer.
    pub(crate) fn ask(&mut self, query: &str) -> Result<String, Problem> {
        if let Some(stdin) = &mut self.stdin {
            // If the binary has ended, its output says why.
            let _ = writeln!(stdin, "{query}").and_then(|()| stdin.flush());
        }
        let mut listener = Listener::new(&self.test);
        let mut line = vec![];
        loop {
            line.clear();
            match self.stdout.read_until(b'\n', &mut line) {
                Ok(len) if len > 0 => {}
                _ => break,
            }
            let line = String::from_utf8_lossy(&line);
            match Event::in_output(&line) {
                Some(Event::Print(Print { text })) => return Ok(text),
                Some(Event::Refused(Refused { text, code })) => return Err(Problem::remote(text, code)),
                Some(_) => {}
                None => listener.overhear(line.trim_end_matches('\n')),
            }
        }
        self.stdin = None;
        let status = self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        Err(listener.no_answer(&status))
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        self.stdin = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
