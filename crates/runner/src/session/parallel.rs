//! One search on several threads, with the results in the order of one thread.
//!
//! The threads share the ranges of the search, in its order. The values of a range are delivered when all ranges before
//! it are done. So the result does not depend on the number of threads, and everything before the position in a
//! checkpoint is done.

use crate::criteria::{Collector, Reducer};
use crate::planning;
use crate::range::{Range, share};
use crate::session::error::Error;
use crate::session::job::Job;
use crate::session::observer::Observer;
use crate::session::run::Start;
use smallscope_core::{AnySearch, ClassTable, Classes, Found, Limit, Outcome, Position, Stop};
use smallscope_support::ordered::{Piece, Pieces};
use smallscope_support::panics::catch;
use std::ops::ControlFlow;
use std::task::Poll;
use std::time::{Duration, Instant};

/// How many numbers may wait for earlier ranges before threads are paused.
const MOST_WAITING: usize = 32 << 20;
/// How many numbers a thread collects before it hands them over.
const BATCH: usize = 1 << 16;
/// How long it collects them.
const BATCH_TIME: Duration = Duration::from_millis(10);

/// The result of a thread for a part of its range.
#[derive(Default)]
struct Batch {
    /// For each value: how many choices it shares with the value before it, how many are new, the candidates of the
    /// range so far (two numbers), and the new choices.
    values: Vec<u32>,
    /// Candidates and values of the range so far.
    explored: u64,
    valid: u64,
    /// The classes of the values since the last batch.
    classes: ClassTable,
    /// Where the rest begins; none if there is none.
    position: Option<Position>,
    fraction: f64,
    /// The values that were kept, if not all are.
    reduced: Option<Reducer<Vec<u32>>>,
    /// Why the range ended, if it did.
    end: Option<Result<Stop, Error>>,
}

impl Batch {
    fn error(error: Error) -> Batch {
        Batch { end: Some(Err(error)), ..Batch::default() }
    }
}

/// Runs the job on its threads.
pub(crate) fn run(
    job: &mut Job<'_>,
    search: &mut AnySearch,
    start: &Start,
    observer: &mut dyn Observer,
) -> Result<(Stop, Option<Position>), Error> {
    let pieces = Pieces::new(MOST_WAITING);
    pieces.add(Range { start: None, end: job.provenance.to.clone() });
    pieces.seal();
    let (subject, provenance, wants_values) = (job.subject, job.provenance.clone(), job.wants_values());
    let counts = provenance.classes == Classes::Ignored;
    let plan = planning::plan(search, job.threads, &mut || job.stop(observer.is_stopped()).is_some())?;
    let (collectors, limits) = (job.collectors()?, job.limits());
    std::thread::scope(|scope| {
        for collector in collectors {
            let (pieces, provenance, plan, limits) = (&pieces, provenance.clone(), &plan, &limits);
            scope.spawn(move || {
                let _guard = limits.guard_layouts();
                let laid_out = catch(|| provenance.whole_search(subject));
                match laid_out.unwrap_or_else(|caught| Err(Error::panic(&caught))) {
                    Ok(mut search) => {
                        plan.iter().for_each(|plan| search.adopt(plan));
                        Worker { pieces, search, start, wants_values, counts, collector }.work();
                    }
                    Err(error) => {
                        if let Some(piece) = pieces.next(|| {}) {
                            piece.hand_over(0, Batch::error(error));
                        }
                    }
                }
            });
        }
        let result = catch(|| pass_on(&pieces, job, search, observer));
        pieces.stop();
        result
    })
    .unwrap_or_else(|caught| Err(Error::panic(&caught)))
}

/// Delivers the results in order, until the end or a reason to stop.
fn pass_on(
    pieces: &Pieces<Range, Batch>,
    job: &mut Job<'_>,
    search: &mut AnySearch,
    observer: &mut dyn Observer,
) -> Result<(Stop, Option<Position>), Error> {
    // The counts of everything before the front range.
    let (mut explored, mut valid) = (job.explored, job.valid);
    let mut position = search.position();
    // The first value is given relative to where the search begins.
    let mut path = search.path();
    let mut stop = Stop::Interrupted;
    loop {
        let batch = match pieces.result() {
            Poll::Ready(None) => return Ok((stop, position)),
            Poll::Ready(Some(batch)) => Some(batch),
            Poll::Pending => None,
        };
        if let Some(stop) = job.stop(observer.is_stopped()) {
            return Ok((stop, position));
        }
        let Some(batch) = batch else { continue };
        let mut values = &batch.values[..];
        while let [kept, len, low, high, rest @ ..] = values {
            let new;
            (new, values) = rest.split_at(*len as usize);
            path.truncate(*kept as usize);
            path.extend_from_slice(new);
            job.valid += 1;
            job.explored = explored + (u64::from(*high) << 32 | u64::from(*low));
            job.deliver_path(*kept as usize, new, &path, search, observer)?;
            if job.is_full() {
                search.start_after(&path).map_err(Error::Bounds)?;
                return Ok((Stop::LimitReached(Limit::Valid), search.position()));
            }
        }
        if let (Some(collector), Some(reduced)) = (&mut job.collector, batch.reduced) {
            collector.merge(reduced);
        }
        job.tally(explored + batch.explored, valid + batch.valid);
        job.classes.append(batch.classes);
        position = batch.position;
        job.report(observer, batch.fraction, position.as_ref());
        if let Some(position) = position.as_ref().filter(|_| job.is_checkpoint_due()) {
            job.save_checkpoint(position)?;
        }
        if let Some(end) = batch.end {
            stop = end?;
            (explored, valid) = (job.explored, job.valid);
        }
    }
}

/// A thread that searches one range after the other.
struct Worker<'a> {
    pieces: &'a Pieces<Range, Batch>,
    search: AnySearch,
    start: &'a Start,
    wants_values: bool,
    /// Whether only the number of values counts, and not their classes.
    counts: bool,
    collector: Option<Collector>,
}

impl Worker<'_> {
    fn work(mut self) {
        while let Some(mut piece) = self.pieces.next(|| {}) {
            let searched = catch(|| self.search(&mut piece));
            let last = match searched {
                Ok(Ok(None)) => continue,
                Ok(Ok(Some(batch))) => batch,
                Ok(Err(error)) => Batch::error(error),
                Err(caught) => Batch::error(Error::panic(&caught)),
            };
            piece.hand_over(last.values.len(), last);
        }
    }

    /// Searches a range. Hands over what it finds, except for the last batch, which it returns.
    fn search(&mut self, piece: &mut Piece<'_, Range, Batch>) -> Result<Option<Batch>, Error> {
        match &piece.work.start {
            None => self.start.apply(&mut self.search)?,
            Some(position) => self.search.start_at(position).map_err(Error::Bounds)?,
        }
        self.search.until(piece.work.end.as_ref().unwrap_or(&Position::START));
        let before = self.search.outcome();
        let looks_at_values = self.wants_values || self.collector.is_some();
        let (mut batch, mut since, mut new) = (Batch::default(), Instant::now(), vec![]);
        loop {
            let found = loop {
                let found = self.search.find_next(&mut |_| ControlFlow::Break(Stop::Interrupted))?;
                if looks_at_values || found != Found::Valid {
                    break found;
                }
                if self.counts {
                    self.search.count_rest();
                }
            };
            let outcome = self.search.outcome();
            match found {
                Found::Valid => {
                    if let Some(collector) = &mut self.collector {
                        collector.visit(&mut self.search)?;
                    } else if self.wants_values {
                        self.note(&mut batch.values, outcome.explored - before.explored, &mut new);
                    }
                }
                Found::End => {
                    self.close(&mut batch, &before);
                    batch.end = Some(Ok(outcome.stop));
                    return Ok(Some(batch));
                }
                Found::Paused if self.pieces.is_stopped() => return Ok(None),
                Found::Paused => {
                    share(piece, &mut self.search);
                    if batch.values.len() >= BATCH || since.elapsed() >= BATCH_TIME {
                        self.close(&mut batch, &before);
                        let batch = std::mem::take(&mut batch);
                        piece.hand_over(batch.values.len(), batch);
                        since = Instant::now();
                    }
                }
            }
        }
    }

    /// Adds the current value to a batch.
    fn note(&mut self, values: &mut Vec<u32>, explored: u64, new: &mut Vec<u32>) {
        let kept = self.search.changes(new);
        values.extend([kept as u32, new.len() as u32, explored as u32, (explored >> 32) as u32]);
        values.extend_from_slice(new);
    }

    /// Sets the counts and the position of a batch.
    fn close(&mut self, batch: &mut Batch, before: &Outcome) {
        let outcome = self.search.outcome();
        batch.explored = outcome.explored - before.explored;
        batch.valid = outcome.valid - before.valid;
        batch.classes = self.search.take_classes();
        batch.position = self.search.position();
        batch.fraction = self.search.fraction();
        batch.reduced = self.collector.as_mut().map(Collector::take);
    }
}
