//! Ctrl-C. The first one asks the run to stop, so that its files are finished and a summary is printed; the
//! second one ends the process at once.

use crate::problem::INTERRUPTED;
use std::process::{Child, ChildStdin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Whether the user wants to stop, and whom to tell.
#[derive(Default)]
pub(crate) struct Stop {
    asked: AtomicBool,
    /// A test binary that works for us. It stops when its standard input closes.
    worker: Mutex<Option<Worker>>,
}

struct Worker {
    stdin: Option<ChildStdin>,
    process: Arc<Mutex<Child>>,
}

impl Stop {
    /// Listens from now on. There is one for the process, however often it is asked for.
    pub(crate) fn listen() -> Arc<Stop> {
        static STOP: OnceLock<Arc<Stop>> = OnceLock::new();
        let stop = STOP.get_or_init(|| {
            let stop = Arc::new(Stop::default());
            let heard = stop.clone();
            if let Err(error) = ctrlc::set_handler(move || heard.ask()) {
                eprintln!("warning: Ctrl-C will end the process without a summary: {error}");
            }
            stop
        });
        Arc::clone(stop)
    }

    pub(crate) fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// Tells this process when the user wants to stop.
    pub(crate) fn tell(&self, stdin: ChildStdin, process: Arc<Mutex<Child>>) {
        *self.worker() = Some(Worker { stdin: Some(stdin), process });
        // The user may have been faster.
        if self.is_asked() {
            self.stop_worker();
        }
    }

    /// Asks the process that works for us to stop, and nothing else.
    pub(crate) fn stop_worker(&self) {
        if let Some(worker) = &mut *self.worker() {
            worker.stdin = None;
        }
    }

    fn ask(&self) {
        if !self.asked.swap(true, Ordering::Relaxed) {
            return self.stop_worker();
        }
        if let Some(worker) = &*self.worker() {
            let _ = worker.process.lock().unwrap_or_else(PoisonError::into_inner).kill();
        }
        std::process::exit(INTERRUPTED.into());
    }

    fn worker(&self) -> std::sync::MutexGuard<'_, Option<Worker>> {
        self.worker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
