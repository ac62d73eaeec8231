//! The side of the test binary: the request is in a variable, events are lines on standard output.

use crate::Check;
use crate::attribute::TestSite;
use crate::runner::TestBody;
use crate::session::browse::{Next, Queries};
use crate::session::error::Error;
use crate::session::observer::{Observer, Progress, Status};
use crate::session::request::Request;
use crate::session::shard;
use crate::session::subject::{Open, Subject, TestPlace};
use crate::session::wire::{message, messages};
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, TryRecvError};

/// The variable with the request. It is not a setting, so its name does not begin with `SMALLSCOPE_`.
pub const REQUEST: &str = "CARGO_SMALLSCOPE_REQUEST";

/// The beginning of every line with an event.
pub const EVENT: &str = "\u{1e}smallscope ";

messages! {
    /// A message from a test binary to the tool.
    #[derive(Debug, Clone, PartialEq)]
    pub enum Event {
        /// Text for standard output.
        Print(Print) = "print",
        /// The progress of a run.
        Progress(Progress) = "progress",
        /// The progress of a run without candidates.
        Working(Status) = "working",
        /// How the run ended.
        Answer(Answer) = "answer",
        /// The request is done, and has no summary.
        Done(()) = "done",
        /// The request was not fulfilled.
        Refused(Refused) = "refused",
    }
}

message! {
    /// Text for standard output.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Print {
        /// The text.
        pub text: String,
    }
}

message! {
    /// How a run ended.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Answer {
        /// In words.
        pub text: String,
        /// As JSON.
        pub json: String,
        /// In one word: `interrupted` if the user stopped the run, `failed` if a call sequence failed.
        pub outcome: String,
    }
}

message! {
    /// Why a request was not fulfilled.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Refused {
        /// In words.
        pub text: String,
        /// The exit code for it.
        pub code: u8,
    }
}

impl Event {
    /// Returns the event in a line of output, if there is one. The harness may have written something before it.
    pub fn in_output(line: &str) -> Option<Event> {
        let (_, event) = line.split_once(EVENT)?;
        Event::from_line(event.trim_end_matches('\n')).ok()
    }
}

impl From<&Error> for Event {
    fn from(error: &Error) -> Event {
        Event::Refused(Refused { text: error.to_string(), code: error.exit_code() })
    }
}

/// Returns the request in the environment of this process, if there is one.
pub(crate) fn request_of_process() -> Option<String> {
    std::env::var(REQUEST).ok()
}

/// Performs a request of the tool with the input of a test.
pub(crate) fn serve(site: &TestSite, check: &Check, open: &Open<'_>, body: TestBody<'_>, text: &str) {
    let name = site.harness_name();
    let place = Some(TestPlace { crate_name: site.crate_name().to_owned(), file: site.place().0.to_owned() });
    let subject = Subject { name, package: site.package.map(str::to_owned), place, open };
    let mut lines = Lines::listen();
    let result = Request::from_line(text).map_err(Error::version).and_then(|request| {
        match request.with_defaults(check) {
            Request::ShardPlan(request) if request.test => {
                shard::plan_test(&subject, check, body, &request, &mut lines).map(|()| None)
            }
            Request::ShardRun(request) if shard::runs_test(&request) => {
                shard::run_test(&subject, check, body, &request, &mut lines).map(|()| None)
            }
            Request::ShardMerge(request) if request.save.is_none() => {
                shard::merge_test(&subject, check, body, &request, &mut lines).map(Some)
            }
            #[cfg(feature = "mutate")]
            Request::Mutants(request) => {
                crate::session::mutants::serve(site, check, body, &request, &mut lines).map(|()| None)
            }
            request => {
                let summary = crate::session::perform(&subject, &request, &mut lines)?;
                Ok(summary.map(|summary| summary.answer()))
            }
        }
    });
    let event = match result {
        Ok(Some(answer)) => Event::Answer(answer),
        Ok(None) => Event::Done(()),
        Err(error) => Event::from(&error),
    };
    let _ = lines.send(&event);
}

/// Writes events to standard output. The tool keeps standard input open; when it closes, the run stops. Lines of standard
/// input are queries of the page.
pub(crate) struct Lines {
    stopped: Arc<AtomicBool>,
    queries: Receiver<String>,
}

impl Lines {
    pub(crate) fn listen() -> Lines {
        let stopped = Arc::new(AtomicBool::new(false));
        let flag = stopped.clone();
        let (sender, queries) = mpsc::channel();
        std::thread::spawn(move || {
            for line in io::stdin().lock().lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
            flag.store(true, Ordering::Relaxed);
        });
        Lines { stopped, queries }
    }

    /// Returns a function that says whether the tool has closed the standard input.
    #[cfg(feature = "mutate")]
    pub(crate) fn stop_flag(&self) -> impl Fn() -> bool + use<> {
        let stopped = self.stopped.clone();
        move || stopped.load(Ordering::Relaxed)
    }

    /// Answers a query about mutants.
    #[cfg(feature = "mutate")]
    pub(crate) fn tell(&mut self, answer: &crate::session::MutantAnswer) {
        self.answer(answer.to_line());
    }

    pub(crate) fn send(&mut self, event: &Event) -> io::Result<()> {
        // Not `print!`, whose output the test harness captures.
        let mut out = io::stdout().lock();
        writeln!(out, "{EVENT}{}", event.to_line())?;
        out.flush()
    }
}

impl Observer for Lines {
    fn print(&mut self, text: &str) -> io::Result<()> {
        self.send(&Event::Print(Print { text: text.to_owned() }))
    }

    fn progress(&mut self, progress: &Progress) {
        let _ = self.send(&Event::Progress(progress.clone()));
    }

    fn working(&mut self, status: &Status) {
        let _ = self.send(&Event::Working(status.clone()));
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn queries(&mut self) -> Option<&mut dyn Queries> {
        Some(self)
    }
}

impl Queries for Lines {
    fn next(&mut self, waits: bool) -> Next {
        let query = if waits {
            self.queries.recv().map_err(|_| TryRecvError::Disconnected)
        } else {
            self.queries.try_recv()
        };
        match query {
            Ok(query) => Next::Query(query),
            Err(TryRecvError::Empty) => Next::Nothing,
            Err(TryRecvError::Disconnected) => Next::End,
        }
    }

    fn answer(&mut self, json: String) {
        let _ = self.send(&Event::Print(Print { text: json }));
    }
}
