//! A process of the test binary that runs mutants.

use super::subject::Subject;
use super::verdict::Death;
use crate::problem::Problem;
use smallscope_runner::session::{
    AtValue, Event, KeptValues, ListedMutant, MutantAnswer, MutantQuery, MutantRun, MutantValue, OriginalRun,
    Print, REQUEST, Refused, RowRun,
};
use smallscope_support::memory::Bytes;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

/// The stack of the test's thread: a mutant that recurses without end should reach its limit of steps first.
const STACK: u64 = 256 << 20;

/// A process that answers queries about mutants. It ends when its standard input closes.
pub(crate) struct Worker {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

/// What a process has said.
pub(crate) enum Heard {
    /// Nothing yet.
    Nothing,
    Listed(ListedMutant),
    Original(OriginalRun),
    Value(MutantValue),
    Mutant(MutantRun),
    At(AtValue),
    Row(RowRun),
    Suite(KeptValues),
    /// There are no more answers.
    Last,
    Refused(Problem),
    /// The process has ended.
    End(Death),
}

impl Worker {
    pub(crate) fn start(subject: &Subject, request: &str, memory: Bytes) -> Result<Worker, Problem> {
        let mut command = limited(subject.process()?, memory);
        command.env(REQUEST, request).env("RUST_MIN_STACK", STACK.to_string()).env_remove("RUST_BACKTRACE");
        // What a mutant prints is of no use.
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C is for the tool.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| subject.not_started(&error))?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in stdout.into_iter().flat_map(|stdout| BufReader::new(stdout).split(b'\n')) {
                let Ok(line) = line else { return };
                if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    return;
                }
            }
        });
        Ok(Worker { child, stdin, lines })
    }

    /// Asks. If the process has ended, its silence says so.
    pub(crate) fn ask(&mut self, query: &MutantQuery) {
        if let Some(stdin) = &mut self.stdin {
            let _ = writeln!(stdin, "{}", query.to_line()).and_then(|()| stdin.flush());
        }
    }

    /// Waits for an answer.
    pub(crate) fn hear(&mut self, patience: Duration) -> Heard {
        let line = match self.lines.recv_timeout(patience) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => return Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => {
                return Heard::End(self.child.wait().map_or(Death::Exit(None), Death::of));
            }
        };
        match Event::in_output(&line) {
            Some(Event::Print(Print { text })) => match MutantAnswer::from_line(&text) {
                Ok(MutantAnswer::Listed(mutant)) => Heard::Listed(mutant),
                Ok(MutantAnswer::Original(run)) => Heard::Original(run),
                Ok(MutantAnswer::Value(value)) => Heard::Value(value),
                Ok(MutantAnswer::Mutant(run)) => Heard::Mutant(run),
                Ok(MutantAnswer::At(at)) => Heard::At(at),
                Ok(MutantAnswer::Row(row)) => Heard::Row(row),
                Ok(MutantAnswer::Suite(suite)) => Heard::Suite(suite),
                Ok(MutantAnswer::End(())) => Heard::Last,
                Err(_) => Heard::Nothing,
            },
            Some(Event::Refused(Refused { text, code })) => Heard::Refused(Problem::remote(text, code)),
            // Output of the code under test.
            _ => Heard::Nothing,
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stdin = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Limits the memory of a process, where the system's shell can.
fn limited(command: Command, memory: Bytes) -> Command {
    if !cfg!(unix) {
        return command;
    }
    let kibibytes = (memory.0 + 2 * STACK) >> 10;
    let mut shell = Command::new("sh");
    shell
        .arg("-c")
        .arg(format!("ulimit -v {kibibytes} 2>/dev/null; ulimit -c 0 2>/dev/null; exec \"$0\" \"$@\""));
    shell.arg(command.get_program()).args(command.get_args());
    if let Some(directory) = command.get_current_dir() {
        shell.current_dir(directory);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell
}
