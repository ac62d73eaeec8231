//! One search on several threads, with the results in the order of one.
//!
//! The work is a list of ranges, in the order of the search. Each is searched by one thread; when a thread is out
//! of work, another one splits its range and puts the later part into the list behind it. What a range has found
//! is passed on when all ranges before it are done. So the result does not depend on the number of threads, and
//! everything before the front of the list is done, which is what checkpoints need.

use crate::criteria::{Collector, Reducer};
use crate::session::error::Error;
use crate::session::job::Job;
use crate::session::observer::Observer;
use crate::session::run::Start;
use smallscope_core::{AnySearch, ClassTable, Found, Limit, Outcome, Position, Stop};
use smallscope_support::panics::catch;
use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How many numbers may wait for ranges before theirs, in all, before threads are held up.
const MOST_WAITING: usize = 32 << 20;
/// How many numbers a thread collects before it hands them over.
const BATCH: usize = 1 << 16;
/// How long it collects them.
const BATCH_TIME: Duration = Duration::from_millis(10);

/// A range that nobody has begun. Without a position, it begins where the run does.
struct Range {
    id: usize,
    start: Option<Position>,
    end: Option<Position>,
}

/// What a thread has found in a part of its range.
#[derive(Default)]
struct Batch {
    /// For each value: how many choices it shares with the one before, how many are new, how many candidates the
    /// range has had (two numbers), and the new choices.
    values: Vec<u32>,
    /// Candidates and values of the range so far.
    explored: u64,
    valid: u64,
    /// The classes of the values since the last batch.
    classes: ClassTable,
    /// Where the rest begins; none if there is none.
    position: Option<Position>,
    fraction: f64,
    /// What was kept, if not all values are.
    reduced: Option<Reducer<Vec<u32>>>,
    /// Why the range ended, if it did.
    end: Option<Result<Stop, Error>>,
}

/// What is to be done, and what was found.
#[derive(Default)]
struct Board {
    /// Every range that is not passed on yet, in the order of the search.
    order: VecDeque<usize>,
    batches: HashMap<usize, VecDeque<Batch>>,
    unbegun: Vec<Range>,
    ranges: usize,
    waiting: usize,
}

impl Board {
    /// Puts a range into the list, behind another one.
    fn add(&mut self, behind: Option<usize>, start: Option<Position>, end: Option<Position>) {
        let id = self.ranges;
        self.ranges += 1;
        let place = behind.and_then(|behind| self.order.iter().position(|&id| id == behind));
        self.order.insert(place.map_or(0, |place| place + 1), id);
        self.batches.insert(id, VecDeque::new());
        self.unbegun.push(Range { id, start, end });
    }

    /// The earliest range that nobody has begun.
    fn take(&mut self) -> Option<Range> {
        let first = self.order.iter().find_map(|id| self.unbegun.iter().position(|range| range.id == *id))?;
        Some(self.unbegun.swap_remove(first))
    }

    fn hand_over(&mut self, id: usize, batch: Batch) {
        self.waiting += batch.values.len();
        self.batches.entry(id).or_default().push_back(batch);
    }
}

/// What the threads share.
#[derive(Default)]
struct Shared {
    board: Mutex<Board>,
    /// Something has changed.
    news: Condvar,
    /// Threads without work.
    idle: AtomicUsize,
    is_over: AtomicBool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, board: MutexGuard<'a, Board>) -> MutexGuard<'a, Board> {
        let waited = self.news.wait_timeout(board, Duration::from_millis(50));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// What was laid out once cannot be laid out again; nobody should wait for what will not come.
    fn give_up(&self, error: Error) {
        let mut board = self.lock();
        if let Some(&front) = board.order.front() {
            board.hand_over(front, Batch { end: Some(Err(error)), ..Batch::default() });
        }
        self.news.notify_all();
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

/// Runs the job on its threads.
pub(crate) fn run(
    job: &mut Job<'_>,
    search: &mut AnySearch,
    start: &Start,
    observer: &mut dyn Observer,
) -> Result<(Stop, Option<Position>), Error> {
    let shared = Shared::default();
    shared.lock().add(None, None, job.provenance.to.clone());
    let (subject, provenance, wants_values) = (job.subject, job.provenance.clone(), job.wants_values());
    let collectors = job.collectors()?;
    std::thread::scope(|scope| {
        for collector in collectors {
            let (shared, provenance) = (&shared, provenance.clone());
            scope.spawn(move || {
                let laid_out = catch(|| provenance.whole_search(subject));
                match laid_out.unwrap_or_else(|caught| Err(Error::panic(&caught))) {
                    Ok(search) => Worker { shared, search, start, wants_values, collector }.work(),
                    Err(error) => shared.give_up(error),
                }
            });
        }
        let result = catch(|| pass_on(&shared, job, search, observer));
        shared.is_over.store(true, Ordering::Relaxed);
        shared.news.notify_all();
        result
    })
    .unwrap_or_else(|caught| Err(Error::panic(&caught)))
}

/// Passes the results on in order, until the end or a reason to stop.
fn pass_on(
    shared: &Shared,
    job: &mut Job<'_>,
    search: &mut AnySearch,
    observer: &mut dyn Observer,
) -> Result<(Stop, Option<Position>), Error> {
    // What lies before the front range.
    let (mut explored, mut valid) = (job.explored, job.valid);
    let mut position = search.position();
    // Of the first value comes only what differs from where the search begins.
    let mut path = search.path();
    loop {
        if let Some(stop) = job.stop(observer.is_stopped()) {
            return Ok((stop, position));
        }
        let Some(batch) = next_batch(shared) else { continue };
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
        let Some(end) = batch.end else { continue };
        let stop = end?;
        (explored, valid) = (job.explored, job.valid);
        let mut board = shared.lock();
        if let Some(done) = board.order.pop_front() {
            board.batches.remove(&done);
        }
        if board.order.is_empty() {
            return Ok((stop, position));
        }
    }
}

/// The next batch of the front range, if it comes soon.
fn next_batch(shared: &Shared) -> Option<Batch> {
    let mut board = shared.lock();
    for _ in 0..2 {
        let front = *board.order.front()?;
        if let Some(batch) = board.batches.get_mut(&front).and_then(VecDeque::pop_front) {
            board.waiting -= batch.values.len();
            shared.news.notify_all();
            return Some(batch);
        }
        board = shared.wait(board);
    }
    None
}

/// A thread that searches one range after the other.
struct Worker<'a> {
    shared: &'a Shared,
    search: AnySearch,
    start: &'a Start,
    wants_values: bool,
    collector: Option<Collector>,
}

impl Worker<'_> {
    fn work(mut self) {
        while let Some(range) = self.next_range() {
            let id = range.id;
            let searched = catch(|| self.search(range));
            let end = match searched {
                Ok(Ok(None)) => continue,
                Ok(Ok(Some(batch))) => batch,
                Ok(Err(error)) => Batch { end: Some(Err(error)), ..Batch::default() },
                Err(caught) => Batch { end: Some(Err(Error::panic(&caught))), ..Batch::default() },
            };
            self.shared.lock().hand_over(id, end);
            self.shared.news.notify_all();
        }
    }

    /// Waits for a range; none at the end of the run.
    fn next_range(&self) -> Option<Range> {
        let mut board = self.shared.lock();
        self.shared.idle.fetch_add(1, Ordering::Relaxed);
        loop {
            if self.shared.is_over() {
                return None;
            }
            if let Some(range) = board.take() {
                self.shared.idle.fetch_sub(1, Ordering::Relaxed);
                return Some(range);
            }
            board = self.shared.wait(board);
        }
    }

    /// Searches a range, handing over what it finds, except for the last batch, which it returns.
    fn search(&mut self, range: Range) -> Result<Option<Batch>, Error> {
        let Range { id, start, mut end } = range;
        match &start {
            None => self.start.apply(&mut self.search)?,
            Some(position) => self.search.start_at(position).map_err(Error::Bounds)?,
        }
        self.search.until(end.as_ref().unwrap_or(&Position::START));
        let before = self.search.outcome();
        let (mut batch, mut since, mut new) = (Batch::default(), Instant::now(), vec![]);
        loop {
            let looks_at_values = self.wants_values || self.collector.is_some();
            let found = loop {
                let found = self.search.find_next(&mut |_| ControlFlow::Break(Stop::Interrupted))?;
                if looks_at_values || found != Found::Valid {
                    break found;
                }
            };
            let outcome = self.search.outcome();
            if found == Found::Valid {
                if let Some(collector) = &mut self.collector {
                    collector.visit(&mut self.search)?;
                } else if self.wants_values {
                    self.note(&mut batch.values, outcome.explored - before.explored, &mut new);
                }
            } else if found == Found::End {
                self.close(&mut batch, &before);
                batch.end = Some(Ok(outcome.stop));
                return Ok(Some(batch));
            } else if self.shared.is_over() {
                return Ok(None);
            } else {
                let is_wanted = self.shared.idle.load(Ordering::Relaxed) > 0;
                if is_wanted && let Some(cut) = self.search.split() {
                    let mut board = self.shared.lock();
                    board.add(Some(id), Some(cut.clone()), end.replace(cut));
                    self.shared.news.notify_all();
                }
                if batch.values.len() >= BATCH || since.elapsed() >= BATCH_TIME {
                    self.close(&mut batch, &before);
                    self.hand_over(id, std::mem::take(&mut batch));
                    since = Instant::now();
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

    /// Notes in a batch how far the range is.
    fn close(&mut self, batch: &mut Batch, before: &Outcome) {
        let outcome = self.search.outcome();
        batch.explored = outcome.explored - before.explored;
        batch.valid = outcome.valid - before.valid;
        batch.classes = self.search.take_classes();
        batch.position = self.search.position();
        batch.fraction = self.search.fraction();
        batch.reduced = self.collector.as_mut().map(Collector::take);
    }

    /// Hands a batch over, and waits if too much has to wait for ranges before this one.
    fn hand_over(&self, id: usize, batch: Batch) {
        let mut board = self.shared.lock();
        board.hand_over(id, batch);
        self.shared.news.notify_all();
        while board.waiting > MOST_WAITING && board.order.front() != Some(&id) && !self.shared.is_over() {
            board = self.shared.wait(board);
        }
    }
}
