//! Reduced suites, made while values are generated or from a suite of all values.
//!
//! Both ways keep the same values and write the same file: its header says how it was reduced and from what, and
//! nothing that only one of them knows.

use crate::criteria::{Collector, Reduced, Reduction};
use crate::runner::report::ReducedTo;
use crate::session::error::Error;
use crate::session::files::{self, Provenance};
use crate::session::job::{Job, Limits};
use crate::session::observer::Observer;
use crate::session::request::{Reduce, Run};
use crate::session::run::{Start, find};
use crate::session::show::SavedValues;
use crate::session::subject::Subject;
use crate::session::summary::{Summary, outcome_word};
use smallscope_core::{AnySearch, Limit, Stop};
use smallscope_suite::Header;
use smallscope_support::memory::Meter;
use std::path::Path;
use std::time::Duration;

/// Runs a search and keeps only some values. A suite of all values is not written.
pub(crate) fn run(
    mut job: Job<'_>,
    mut search: AnySearch,
    start: &Start,
    reduction: Reduction,
    request: &Run,
    observer: &mut dyn Observer,
) -> Result<Summary, Error> {
    check(request)?;
    let subject = job.subject;
    let mut total = 0;
    job.collector = Some(Collector::new(reduction, total).map_err(Error::Usage)?);
    if reduction.quota.needs_total() {
        let mut counting =
            Job::new(subject, job.provenance.clone(), &search, job.header.clone(), job.limits());
        let mut other = job.provenance.search(subject)?;
        start.apply(&mut other)?;
        let (stop, position) = find(&mut counting, &mut other, start, observer)?;
        total = counting.valid;
        if stop != Stop::Exhausted && job.provenance.to.is_none() {
            return counting.finish(stop, position);
        }
        job.collector = Some(Collector::new(reduction, total).map_err(Error::Usage)?);
    }
    start.apply(&mut search)?;
    let (stop, _) = find(&mut job, &mut search, start, observer)?;
    let Some(collector) = job.collector.take() else { unreachable!("only this function takes it") };
    job.valid = collector.seen();
    let source = format!("{} values ({})", job.valid, outcome_word(stop));
    job.header = reduced_header(&job.header, reduction, &source);
    let reduced = collector.finish();
    let kept = KeptOutput {
        reduction,
        save: request.save.as_deref(),
        force: request.force,
        print: request.print,
        of_suite: false,
    };
    if request.list_classes {
        print_classes(&reduced, observer)?;
    }
    kept.deliver(&mut job, &mut search, reduced, observer)?;
    job.finish(stop, None)
}

/// Refuses options that a reduction cannot have.
fn check(request: &Run) -> Result<(), Error> {
    if request.checkpoint.is_some() {
        return Err(Error::Usage(
            "a run that keeps some values of each class cannot be resumed, so it has no checkpoint; save all values with \
             `run --save`, and `reduce` the suite afterwards"
                .into(),
        ));
    }
    if request.space.settings.max.is_some() {
        return Err(Error::Usage(
            "`--max` ends a run early, so classes would be missing; `--keep N` keeps so many values of all classes".into(),
        ));
    }
    request.save.as_deref().map_or(Ok(()), |path| Job::check_place(path, request.force))
}

/// Reduces a suite.
pub(crate) fn reduce(
    subject: &Subject<'_>,
    request: &Reduce,
    observer: &mut dyn Observer,
) -> Result<Summary, Error> {
    let Reduce { file, settings, save, force, .. } = request;
    let reduction = Reduction::of(settings).map_err(Error::Usage)?.ok_or_else(|| {
        Error::Usage("say by which criterion and to what: `--criterion cdc --ratio 0.1`, for example".into())
    })?;
    if let Some(save) = save {
        if std::path::absolute(save).ok() == std::path::absolute(file).ok() {
            return Err(Error::Usage(format!(
                "{} cannot be both the suite and what is left of it",
                save.display()
            )));
        }
        Job::check_place(save, *force)?;
    }
    let mut saved = SavedValues::open(subject, file)?;
    let header = saved.reader.header().clone();
    let (values, ending) = (saved.reader.len(), saved.reader.ending().cloned());
    let mut collector = Collector::new(reduction, values).map_err(Error::Usage)?;
    let limits =
        Limits { budget: None, max: None, threads: 1, ..Limits::new(settings, Duration::from_secs(3600)) };
    let meter = Meter::new(limits.memory);
    let (mut is_stopped, mut is_over) = (false, false);
    saved.for_each(observer, |_, search, observer| {
        is_stopped = observer.is_stopped();
        if meter.is_over() {
            is_over = true;
            return Ok(false);
        }
        collector.visit_one(search)?;
        Ok(true)
    })?;
    is_stopped |= collector.seen() < values;
    let (outcome, explored) =
        ending.map_or(("unfinished".to_owned(), 0), |ending| (ending.outcome, ending.explored));
    let mut source = format!("{values} values ({outcome})");
    if let Some(before) = files::reduction(&header) {
        source.push_str(&format!(" by `{before}` from {}", header.get("source").unwrap_or("others")));
    }
    let provenance = Provenance::from_header(file, &header)?;
    let header = reduced_header(&header, reduction, &source);
    let mut job = Job::new(subject, provenance, &saved.search, header, limits);
    (job.explored, job.valid, job.meter) = (explored, values, meter);
    if is_over {
        return job.finish(Stop::LimitReached(Limit::Memory), None);
    }
    if is_stopped {
        return job.finish(Stop::Interrupted, None);
    }
    let reduced = collector.finish();
    if request.list_classes {
        print_classes(&reduced, observer)?;
    }
    let kept =
        KeptOutput { reduction, save: save.as_deref(), force: *force, print: request.print, of_suite: true };
    kept.deliver(&mut job, &mut saved.search, reduced, observer)?;
    job.finish(if outcome == "exhausted" { Stop::Exhausted } else { Stop::LimitReached(Limit::Suite) }, None)
}

/// Refuses to resume a reduced suite, which has no position.
pub(crate) fn refuse_to_resume(path: &Path, header: &Header) -> Result<(), Error> {
    match files::reduction(header) {
        None => Ok(()),
        Some(reduction) => Err(Error::Suite {
            path: path.to_owned(),
            error: format!(
                "this suite was reduced (`{reduction}`), so there is nothing to continue; make a new one with \
                 `run --criterion`"
            ),
        }),
    }
}

/// Returns the header of the reduced suite.
fn reduced_header(header: &Header, reduction: Reduction, source: &str) -> Header {
    header.clone().with("reduction", reduction.to_string()).with("source", source)
}

/// What to do with the values that are kept.
struct KeptOutput<'a> {
    reduction: Reduction,
    save: Option<&'a Path>,
    force: bool,
    print: bool,
    of_suite: bool,
}

impl KeptOutput<'_> {
    fn deliver(
        self,
        job: &mut Job<'_>,
        search: &mut AnySearch,
        reduced: Reduced<Vec<u32>>,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        job.print = self.print;
        if let Some(path) = self.save {
            job.create(path, self.force)?;
        }
        let all = job.valid;
        let mut before: &[u32] = &[];
        for (number, path) in (1..).zip(&reduced.kept) {
            let kept = before.iter().zip(path).take_while(|(a, b)| a == b).count();
            job.valid = number;
            job.deliver_path(kept, &path[kept..], path, search, observer)?;
            before = path;
        }
        job.valid = all;
        job.reduced = Some(ReducedTo::new(self.reduction, &reduced));
        job.of_suite = self.of_suite;
        Ok(())
    }
}

/// Prints the classes: the size of each, how many values were kept, and the number of the first of these.
fn print_classes(reduced: &Reduced<Vec<u32>>, observer: &mut dyn Observer) -> Result<(), Error> {
    let mut print = |text: String| observer.print(&text).map_err(Error::Output);
    print(format!(
        "{:>8} {:>12} {:>8} {:>8}  what its values have in common\n",
        "class", "size", "kept", "first"
    ))?;
    for (number, row) in (1..).zip(&reduced.classes) {
        let text = row.description.replace('\n', "; ");
        print(format!(
            "{number:>8} {:>12} {:>8} {:>8}  {text}\n",
            row.size,
            row.kept,
            format!("#{}", row.witness + 1)
        ))?;
    }
    print("\n".to_owned())
}
