//! A campaign with progress, interruption and a limit on calls.

use super::ask::Run;
use super::{Answer, Subject, save};
use crate::sequences::{
    GIVEN_UP, describe, describe_empty, describe_one, json, json_of_one, outcome, with_settings,
};
use crate::session::error::Error;
use crate::session::observer::{Observer, Status};
use smallscope_sequences::{Campaign, CampaignProgress, Conclusion, Cover, Fault, Pulse, Test, Watch};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub(super) fn run(subject: &Subject<'_>, run: &Run, observer: &mut dyn Observer) -> Result<Answer, Error> {
    let campaign = with_settings(&subject.campaign, &run.settings).map_err(usage)?;
    if let Some(path) = &run.save {
        save::check(path, run.force)?;
    }
    let keeps_sequences = run.save.is_some() && campaign.cover == Cover::Nothing;
    let found = match watched(subject, &campaign, keeps_sequences, observer)? {
        Ok(found) => found,
        Err((test, fault)) => {
            let (name, context) = (subject.name, &*subject.context);
            let mut text = describe_one(name, context, &test, &fault, GIVEN_UP);
            if run.save.is_some() {
                text += "\nnot saved: the results up to then are lost";
            }
            return Ok(Answer {
                text,
                json: json_of_one(name, context, &test, &fault, GIVEN_UP),
                outcome: "failed".to_owned(),
            });
        }
    };
    let empty = found.why_empty(&subject.context);
    let is_passed = found.clusters().is_empty() && empty.is_none();
    let mut text = match &empty {
        Some(why) => describe_empty(subject.name, &found, why),
        None if is_passed => format!("{}: {}", subject.name, found.covered()),
        None => describe(subject.name, &subject.context, &found, |_| None),
    };
    text += &format!(", in {:.1?}", found.time());
    if let Some(reached) = found.reached().filter(|_| is_passed) {
        text += &format!("\n{reached}");
    }
    if let Some(next) = found.next() {
        text += &format!("\ngo on with `--from {next}`");
    }
    if let Some(path) = &run.save {
        let saved = save::save(subject, path, &run.uses, &found)?;
        text += &format!("\nsaved: {}, {saved}", path.display());
    }
    let outcome = if is_passed { outcome(found.stop()) } else { "failed" };
    Ok(Answer { text, json: json(subject.name, &subject.context, &found), outcome: outcome.to_owned() })
}

/// Runs on another thread, so that this one can report progress. The inner error is a call that does not return.
fn watched(
    subject: &Subject<'_>,
    campaign: &Campaign,
    keeps_sequences: bool,
    observer: &mut dyn Observer,
) -> Result<Result<Conclusion, (Test, Fault)>, Error> {
    let begun = Instant::now();
    let latest: Arc<Mutex<Option<CampaignProgress>>> = Arc::default();
    let interrupt = Arc::new(AtomicBool::new(false));
    let work = {
        let (context, campaign) = (Arc::clone(&subject.context), campaign.clone());
        let (latest, interrupt) = (Arc::clone(&latest), Arc::clone(&interrupt));
        move |pulse: &Pulse| {
            let progress = |progress| *lock(&latest) = Some(progress);
            let watch = Watch {
                interrupt: Some(&interrupt),
                progress: Some(&progress),
                pulse: Some(pulse),
                keeps_sequences,
                observer: None,
            };
            campaign.run(&context, &watch)
        }
    };
    let meanwhile = || {
        if observer.is_stopped() {
            interrupt.store(true, Ordering::Relaxed);
        }
        if let Some(progress) = lock(&latest).take() {
            observer.working(&status(progress, begun.elapsed()));
        }
    };
    match Pulse::watch(campaign.call_limit(), work, meanwhile).map_err(Error::Output)? {
        Ok(found) => found.map(Ok).map_err(usage),
        Err(stuck) => Ok(Err(stuck)),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn status(progress: CampaignProgress, elapsed: Duration) -> Status {
    let CampaignProgress { done, unit, fraction } = progress;
    let rate = (done as f64 / elapsed.as_secs_f64().max(0.001)) as u64;
    Status { text: format!("{done} {unit}, {rate}/s"), elapsed, fraction }
}

fn usage(error: smallscope_sequences::Error) -> Error {
    Error::Usage(error.to_string())
}
