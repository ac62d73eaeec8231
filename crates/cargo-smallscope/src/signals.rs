//! Ctrl-C. The first one stops the run, which finishes its files and prints a summary; the second one ends the process
//! at once.

use crate::problem::{INTERRUPTED, note};
use std::process::{Child, ChildStdin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Whether the user has stopped the run, and the process to stop.
#[derive(Default)]
pub(crate) struct Stop {
    asked: AtomicBool,
    /// The test binary of the request. It stops when its standard input closes.
    worker: Mutex<Option<Worker>>,
}

struct Worker {
    stdin: Option<ChildStdin>,
    process: Arc<Mutex<Child>>,
}

impl Stop {
    /// Installs the handler. There is one for the process, and later calls return the same.
    pub(crate) fn listen() -> Arc<Stop> {
        static STOP: OnceLock<Arc<Stop>> = OnceLock::new();
        let stop = STOP.get_or_init(|| {
            let stop = Arc::new(Stop::default());
            let heard = stop.clone();
            if let Err(error) = ctrlc::set_handler(move || heard.ask()) {
                note(&format!("warning: Ctrl-C will end the process without a summary: {error}"));
            }
            stop
        });
        Arc::clone(stop)
    }

    pub(crate) fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// Set when the user stops the run.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.asked
    }

    /// Stops this process, too, when the user stops the run.
    pub(crate) fn tell(&self, stdin: ChildStdin, process: Arc<Mutex<Child>>) {
        *self.worker() = Some(Worker { stdin: Some(stdin), process });
        // The user may have stopped the run already.
        if self.is_asked() {
            self.stop_worker();
        }
    }

    /// Stops only the test binary.
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
