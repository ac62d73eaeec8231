//! Runs: search, deliver, save, write checkpoints, stop, resume.

use crate::criteria::Reduction;
use crate::session::error::Error;
use crate::session::files::{Delivery, Provenance};
use crate::session::filled;
use crate::session::job::{Job, Limits};
use crate::session::observer::Observer;
use crate::session::parallel;
use crate::session::paths;
use crate::session::reduce;
use crate::session::request::{Resume, Run};
use crate::session::subject::Subject;
use crate::session::summary::Summary;
use crate::session::unlisted;
use smallscope_core::{AnySearch, Classes, Found, Limit, Position, Stop, Summaries};
use smallscope_suite::{Checkpoint, Ending, Writer};
use smallscope_support::panics::catch;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

/// Where a run begins.
pub(crate) enum Start {
    /// At a position.
    At(Position),
    /// After a valid candidate.
    After(Vec<u32>),
}

impl Start {
    pub(crate) fn apply(&self, search: &mut AnySearch) -> Result<(), Error> {
        match self {
            Start::At(position) if position.is_start() => Ok(()),
            Start::At(position) => search.start_at(position).map_err(Error::Bounds),
            Start::After(path) => search.start_after(path).map_err(Error::Bounds),
        }
    }
}

/// Performs a run from its beginning.
pub(crate) fn run(
    subject: &Subject<'_>,
    request: &Run,
    observer: &mut dyn Observer,
) -> Result<Summary, Error> {
    let settings = &request.space.settings;
    let mut provenance = Provenance::new(&request.space)?;
    if settings.one_per_path == Some(true) {
        provenance = provenance.one_per_path()?;
    }
    provenance.classes = settings.classes.unwrap_or_default();
    let reduction = Reduction::of(settings).map_err(Error::Usage)?;
    check_classes(provenance.classes, request)?;
    check_disjoint(&provenance, request)?;
    let search = provenance.search(subject)?;
    let (long, again) = (search.long_lengths().to_vec(), provenance.clone());
    let summary = run_search(subject, request, (provenance, search), reduction, observer)?;
    if long.is_empty() {
        return Ok(summary);
    }
    let filled = filled::list(subject, again, long, (request, &summary), observer)?;
    Ok(Summary { filled, ..summary })
}

/// Performs a run on what the search finds.
fn run_search(
    subject: &Subject<'_>,
    request: &Run,
    (provenance, mut search): (Provenance, AnySearch),
    reduction: Option<Reduction>,
    observer: &mut dyn Observer,
) -> Result<Summary, Error> {
    let settings = &request.space.settings;
    let header = provenance.header(subject, &search);
    let limits = Limits::new(settings, request.checkpoint_every);
    let begun = Instant::now();
    let is_listed = request.print
        || request.save.is_some()
        || request.checkpoint.is_some()
        || settings.max.is_some()
        || reduction.is_some();
    if let Some(counted) = unlisted::count(&mut search, &provenance)?.filter(|_| !is_listed) {
        let summary = Job::new(subject, provenance, &search, header, limits).finish(Stop::Exhausted, None)?;
        let valid = counted.count.parse().unwrap_or(u64::MAX);
        return Ok(Summary { valid, unlisted: Some(counted), elapsed: begun.elapsed(), ..summary });
    }
    let start = Start::At(provenance.from.clone());
    if let Some(reduction) = reduction {
        let job = Job::new(subject, provenance, &search, header, limits);
        return reduce::run(job, search, &start, reduction, request, observer);
    }
    let mut job = Job::new(subject, provenance, &search, header, limits);
    job.print = request.print;
    job.checkpoint.clone_from(&request.checkpoint);
    if let Some(file) = &request.checkpoint {
        check_checkpoint(file, request)?;
    }
    if let Some(path) = &request.save {
        job.create(path, request.force)?;
    }
    carry_out(job, search, start, observer)
}

/// Refuses options about runs of the whole invariant, if disjoint parts are searched separately or helpers summarised.
fn check_disjoint(provenance: &Provenance, request: &Run) -> Result<(), Error> {
    let other = match provenance {
        Provenance { disjoint: false, summaries: Summaries::Off, .. } => return Ok(()),
        Provenance { criterion: Delivery::OnePerPath, .. } => "--one-per-path",
        _ if request.space.settings.criterion.is_some() => "--criterion",
        _ => return Ok(()),
    };
    Err(Error::Usage(format!(
        "`{other}` cannot be combined with `{}`: it is about runs of the whole invariant; leave one of them out",
        if provenance.disjoint { "--disjoint" } else { "--summaries" }
    )))
}

/// Refuses options that need a run by class to begin in the middle: which values it skips depends on all values before.
fn check_classes(classes: Classes, request: &Run) -> Result<(), Error> {
    let refused = |option: &str, why: &str| {
        Err(Error::Usage(format!(
            "`{option}` cannot be combined with `--classes {classes}`: {why}; leave one of them out"
        )))
    };
    if classes == Classes::Ignored {
        return Ok(());
    }
    let settings = &request.space.settings;
    if settings.one_per_path == Some(true) {
        return refused("--one-per-path", "both skip values, for different reasons");
    }
    if settings.criterion.is_some() {
        return refused("--criterion", "classes come from the structure's `eq_class` or from the criterion");
    }
    if request.checkpoint.is_some() {
        return refused("--checkpoint", "a run by class cannot be resumed");
    }
    let is_range = settings.from.is_some() || settings.to.is_some();
    if is_range && classes != Classes::All {
        let option = if settings.from.is_some() { "--from" } else { "--to" };
        return refused(option, "which values are skipped depends on all values before them");
    }
    Ok(())
}

/// Refuses to replace a checkpoint, which may be all that is left of another run.
fn check_checkpoint(file: &Path, request: &Run) -> Result<(), Error> {
    if request.save.as_deref() == Some(file) {
        return Err(Error::Usage(format!(
            "{} cannot be both the suite and the checkpoint; give them different names",
            file.display()
        )));
    }
    if file.exists() && !request.force {
        return Err(Error::Usage(format!(
            "{} exists already and was not changed; give the checkpoint another name, `--force` to replace it, \
             or `resume` to continue it",
            file.display()
        )));
    }
    Ok(())
}

/// Resumes a run that was stopped or killed.
pub(crate) fn resume(
    subject: &Subject<'_>,
    request: &Resume,
    observer: &mut dyn Observer,
) -> Result<Summary, Error> {
    let limits = Limits::new(&request.settings, request.checkpoint_every);
    match Checkpoint::load(&request.file) {
        Ok(checkpoint) => resume_checkpoint(subject, request, limits, checkpoint, observer),
        Err(smallscope_suite::Error::NotACheckpoint { .. }) => {
            resume_suite(subject, request, limits, observer)
        }
        Err(error) => Err(Error::suite(&request.file)(error)),
    }
}

fn resume_checkpoint(
    subject: &Subject<'_>,
    request: &Resume,
    limits: Limits,
    checkpoint: Checkpoint,
    observer: &mut dyn Observer,
) -> Result<Summary, Error> {
    let header = checkpoint.header;
    let provenance = Provenance::from_header(&request.file, &header)?;
    let search = provenance.search_again(subject, &request.file, &header)?;
    let position = Position(checkpoint.position);
    let suite = match checkpoint.extra.get("suite") {
        Some(suite) => {
            let suite = paths::from_text(suite);
            let suite = suite.map_err(|error| Error::Suite { path: request.file.clone(), error })?;
            Some(request.file.with_file_name("").join(suite))
        }
        None => None,
    };
    let point = (&header, &position, checkpoint.valid);
    provenance.check_order_before(subject, &request.file, point, suite.as_deref())?;
    let mut job = Job::new(subject, provenance, &search, header, limits);
    job.go_on_from(checkpoint.explored, checkpoint.valid);
    job.checkpoint = Some(request.file.clone());
    if let Some(path) = suite {
        let writer = Writer::reopen_at(&path, checkpoint.written, &checkpoint.pending);
        job.go_on_with(path.clone(), writer.map_err(Error::suite(&path))?);
    }
    carry_out(job, search, Start::At(position), observer)
}

fn resume_suite(
    subject: &Subject<'_>,
    request: &Resume,
    limits: Limits,
    observer: &mut dyn Observer,
) -> Result<Summary, Error> {
    let path = &request.file;
    // Everything is checked before the file is changed.
    let mut reader = crate::session::files::open(path)?;
    let header = reader.header().clone();
    let provenance = Provenance::from_header(path, &header)?;
    let outcome = reader.ending().map(|ending| ending.outcome.as_str());
    let what = match (outcome, provenance.criterion) {
        (Some("range"), Delivery::All) => Some("everything of its range"),
        (Some("range"), Delivery::OnePerPath) => Some("one value of each path of its range"),
        (Some(Ending::ONE_PER_PATH), _) => Some("one value of each path"),
        _ => None,
    };
    if let Some(what) = what {
        let error = format!("this suite has {what}, so there is nothing to continue");
        return Err(Error::Suite { path: path.clone(), error });
    }
    let header = reader.header().clone();
    reduce::refuse_to_resume(path, &header)?;
    let provenance = Provenance::from_header(path, &header)?;
    if provenance.classes != Classes::Ignored {
        let error = format!(
            "this suite was made by class (`--classes {}`), and which values such a run skips depends on all values \
             before; run it again with `--force`",
            provenance.classes
        );
        return Err(Error::Suite { path: path.clone(), error });
    }
    let search = provenance.search_again(subject, path, &header)?;
    provenance.check_order(subject, path, &mut reader)?;
    drop(reader);
    let (writer, _, place) = Writer::reopen(path).map_err(Error::suite(path))?;
    let start = match (place.at_position, place.entries) {
        (true, _) => Start::At(Position(place.position)),
        (false, 0) => Start::At(provenance.from.clone()),
        (false, _) => Start::After(place.position),
    };
    let mut job = Job::new(subject, provenance, &search, header, limits);
    job.go_on_from(place.explored, place.entries);
    job.go_on_with(path.clone(), writer);
    carry_out(job, search, start, observer)
}

fn carry_out(
    mut job: Job<'_>,
    mut search: AnySearch,
    start: Start,
    observer: &mut dyn Observer,
) -> Result<Summary, Error> {
    start.apply(&mut search)?;
    let (stop, position) = find(&mut job, &mut search, &start, observer)?;
    job.finish(stop, position)
}

/// Searches for the values of a job. Returns why the search stopped, and where.
pub(crate) fn find(
    job: &mut Job<'_>,
    search: &mut AnySearch,
    start: &Start,
    observer: &mut dyn Observer,
) -> Result<(Stop, Option<Position>), Error> {
    if job.is_full() {
        return Ok((Stop::LimitReached(Limit::Valid), search.position()));
    }
    // Panics of the invariant are part of its failure and are not printed.
    let ran = catch(|| match job.threads {
        1 => sequential(job, search, observer),
        _ => parallel::run(job, search, start, observer),
    });
    let ended = ran.unwrap_or_else(|caught| Err(Error::panic(&caught)))?;
    job.classes.append(search.take_classes());
    job.why_direct = search.why_direct().map(str::to_owned);
    job.why_not_summarised = search.why_not_summarised().map(str::to_owned);
    Ok(ended)
}

/// Searches on this thread.
fn sequential(
    job: &mut Job<'_>,
    search: &mut AnySearch,
    observer: &mut dyn Observer,
) -> Result<(Stop, Option<Position>), Error> {
    let base = (job.explored, job.valid);
    let looks_at_values = job.wants_values() || job.collector.is_some();
    let counts = job.provenance.classes == Classes::Ignored;
    loop {
        let found = loop {
            let found = search.find_next(&mut |_| match job.is_due() || observer.is_stopped() {
                true => ControlFlow::Break(Stop::Interrupted),
                false => ControlFlow::Continue(()),
            })?;
            if looks_at_values || found != Found::Valid {
                break found;
            }
            if counts {
                search.count_rest();
            }
        };
        let outcome = search.outcome();
        job.tally(base.0 + outcome.explored, base.1 + outcome.valid);
        if found == Found::Valid {
            job.deliver(search, observer)?;
            if job.is_full() {
                return Ok((Stop::LimitReached(Limit::Valid), search.position()));
            }
        } else if found == Found::End {
            return Ok((outcome.stop, search.position()));
        } else {
            let position = search.position();
            if let Some(stop) = job.stop(observer.is_stopped()) {
                return Ok((stop, position));
            }
            job.report(observer, search.fraction(), position.as_ref());
            if let Some(position) = position.filter(|_| job.is_checkpoint_due()) {
                job.save_checkpoint(&position)?;
            }
        }
    }
}
