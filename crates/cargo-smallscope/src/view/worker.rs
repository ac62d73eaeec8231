//! The side that has the values: a thread of this process for the catalogue, the test binary for a test.

use crate::catalogue;
use crate::driver::Conversation;
use crate::problem::Problem;
use crate::target::Target;
use crate::user_tests::Test;
use smallscope_runner::session::{Browse, Next, Observer, Progress, Queries, Request};
use std::io;
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

/// Answers queries, one at a time.
pub(super) struct Worker(Mutex<Side>);

enum Side {
    Thread {
        queries: Sender<String>,
        answers: Receiver<String>,
        thread: Option<JoinHandle<Result<(), Problem>>>,
    },
    Test(Box<Conversation>),
}

impl Worker {
    pub(super) fn start(target: Target, request: Browse) -> Result<Worker, Problem> {
        let request = Request::Browse(request);
        match target {
            Target::Structure(structure) => {
                Worker::in_thread(move |channel| catalogue::observe(structure, &request, channel).map(|_| ()))
            }
            Target::Test(test) => Worker::in_test(*test, &request.to_line()),
        }
    }

    /// Lets a test binary answer.
    pub(super) fn in_test(test: Test, request: &str) -> Result<Worker, Problem> {
        Ok(Worker(Mutex::new(Side::Test(Box::new(Conversation::start(test, request)?)))))
    }

    /// Lets a thread of this process answer.
    pub(super) fn in_thread(
        work: impl FnOnce(&mut dyn Observer) -> Result<(), Problem> + Send + 'static,
    ) -> Result<Worker, Problem> {
        let (queries, from_page) = mpsc::channel();
        let (to_page, answers) = mpsc::channel();
        let work = move || work(&mut Channel { queries: from_page, answers: to_page });
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(work)?;
        Ok(Worker(Mutex::new(Side::Thread { queries, answers, thread: Some(thread) })))
    }

    /// Asks, and waits for the answer.
    pub(super) fn ask(&self, query: &str) -> Result<String, Problem> {
        match &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Side::Test(conversation) => conversation.ask(query),
            Side::Thread { queries, answers, thread } => {
                let answer = queries.send(query.to_owned()).ok().and_then(|()| answers.recv().ok());
                answer.ok_or_else(|| match thread.take().map(JoinHandle::join) {
                    Some(Ok(Err(problem))) => problem,
                    _ => Problem::failed("the search has ended with a panic; start the command again"),
                })
            }
        }
    }
}

/// The stack of the thread: as large as that of the main thread.
const STACK: usize = 8 << 20;

/// The other ends of both channels.
struct Channel {
    queries: Receiver<String>,
    answers: Sender<String>,
}

impl Observer for Channel {
    fn print(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn progress(&mut self, _: &Progress) {}

    fn is_stopped(&self) -> bool {
        false
    }

    fn queries(&mut self) -> Option<&mut dyn Queries> {
        Some(self)
    }
}

impl Queries for Channel {
    fn next(&mut self, waits: bool) -> Next {
        let query = match waits {
            true => self.queries.recv().map_err(|_| TryRecvError::Disconnected),
            false => self.queries.try_recv(),
        };
        match query {
            Ok(query) => Next::Query(query),
            Err(TryRecvError::Empty) => Next::Nothing,
            Err(TryRecvError::Disconnected) => Next::End,
        }
    }

    fn answer(&mut self, json: String) {
        // The page may have gone.
        let _ = self.answers.send(json);
    }
}
