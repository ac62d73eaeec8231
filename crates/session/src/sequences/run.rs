//! A campaign, watched.

use super::ask::Run;
use super::{Answer, Subject, save};
use crate::error::Error;
use crate::observer::{Observer, Status};
use smallscope_runner::sequences::{describe, json, outcome};
use smallscope_sequences::{Campaign, Conclusion, Progress, Watch};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time between two looks at how far a run is.
const INTERVAL: Duration = Duration::from_millis(100);

/// As much as the main thread of a program has.
const STACK: usize = 8 << 20;

pub(super) fn run(subject: &Subject<'_>, run: &Run, observer: &mut dyn Observer) -> Result<Answer, Error> {
    let mut campaign = run.over(&subject.campaign).map_err(usage)?;
    campaign.threads = campaign.threads.or_else(all_cores);
    if let Some(save) = &run.save {
        save::check(save)?;
    }
    let found = watched(subject, &campaign, run.save.is_some(), observer)?;
    let mut text = match found.clusters() {
        [] => format!("{}: {}", subject.name, found.covered()),
        _ => describe(subject.name, subject.context, &found, |_| None),
    };
    text += &format!(", in {:.1?}", found.time());
    if let Some(next) = found.next() {
        text += &format!("\ngo on with `--from {next}`");
    }
    if let Some(save) = &run.save {
        let saved = save::save(subject, save, &found)?;
        text += &format!("\nsaved: {}, {saved}", save.path.display());
    }
    let outcome = if found.clusters().is_empty() { outcome(found.stop()) } else { "failed" };
    Ok(Answer { text, json: json(subject.name, subject.context, &found), outcome: outcome.to_owned() })
}

/// Runs on a thread of its own, so that this one can listen.
fn watched(
    subject: &Subject<'_>,
    campaign: &Campaign,
    keeps_sequences: bool,
    observer: &mut dyn Observer,
) -> Result<Conclusion, Error> {
    let begun = Instant::now();
    let interrupt = AtomicBool::new(false);
    let latest: Mutex<Option<Progress>> = Mutex::new(None);
    let progress = |progress| *latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
    let watch = Watch { interrupt: Some(&interrupt), progress: Some(&progress), keeps_sequences };
    let (done, waiting) = channel::<()>();
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || {
            let _done = done;
            campaign.run(subject.context, &watch)
        });
        let worker = worker.map_err(Error::Output)?;
        while waiting.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
            if observer.is_stopped() {
                interrupt.store(true, Ordering::Relaxed);
            }
            if let Some(progress) = latest.lock().unwrap_or_else(PoisonError::into_inner).take() {
                observer.working(&status(progress, begun.elapsed()));
            }
        }
        match worker.join() {
            Ok(found) => found.map_err(usage),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// As many threads as can run at a time. What is found does not depend on it.
fn all_cores() -> Option<usize> {
    std::thread::available_parallelism().ok().map(usize::from)
}

fn status(progress: Progress, elapsed: Duration) -> Status {
    let Progress { done, unit, fraction } = progress;
    let rate = (done as f64 / elapsed.as_secs_f64().max(0.001)) as u64;
    Status { text: format!("{done} {unit}, {rate}/s"), elapsed, fraction }
}

fn usage(error: smallscope_sequences::Error) -> Error {
    Error::Usage(error.to_string())
}
