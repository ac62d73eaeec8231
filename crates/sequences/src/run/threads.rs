//! Runs the tests of a strategy on several threads, in pieces of its range. Every piece that is begun is finished, so the
//! tests that were run are always a range from the beginning, unless a failure ends the run.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use smallscope_support::memory::{Exceeded, Meter};
use smallscope_support::ordered::{Numbers, Pieces};
use smallscope_support::panics;

use super::cluster::{Cluster, Failure, Key};
use super::coverage::{Reached, repeat_for_coverage};
use super::examiner::{Counts, Examiner};
use super::habits::Habits;
use super::{Observation, Runner};
use crate::context::CallId;
use crate::explore::Coverage;
use crate::stack;
use crate::strategy::{Cursor, Strategy};

/// Calls in a piece: about a millisecond.
const CALLS_PER_PIECE: usize = 20_000;

/// What the threads share.
pub(super) struct Work<'r, 'a> {
    runner: &'r Runner<'a>,
    strategy: &'r Strategy,
    deadline: Option<Instant>,
    /// The tests by their numbers. What was found is put together in `found`, which needs no order.
    pieces: Pieces<Numbers, ()>,
    is_late: AtomicBool,
    is_interrupted: AtomicBool,
    /// The measurement of memory that ended the run.
    exceeded: OnceLock<Exceeded>,
    /// Whether it is noted what calls do.
    pub notes_habits: bool,
    found: Mutex<Found>,
}

/// What the threads have found.
#[derive(Default)]
pub(super) struct Found {
    pub tests: u64,
    pub failing: u64,
    pub counts: Counts,
    /// The first failure that ends the run.
    pub first_failure: Option<u64>,
    pub is_interrupted: bool,
    /// How the memory limit was reached.
    pub exceeded: Option<String>,
    /// What calls did, if that is noted.
    pub habits: Habits,
    clusters: HashMap<Key, Seen>,
    reached: Vec<Reached>,
}

/// A cluster before its first failure is shrunk.
struct Seen {
    failing: u64,
    first: u64,
    test: Vec<CallId>,
}

impl<'r, 'a> Work<'r, 'a> {
    /// Some tests of the strategy, by their numbers.
    pub(super) fn new(
        runner: &'r Runner<'a>,
        strategy: &'r Strategy,
        tests: Range<u64>,
        deadline: Option<Instant>,
    ) -> Self {
        let pieces = Pieces::new(usize::MAX);
        if !tests.is_empty() {
            let piece = (CALLS_PER_PIECE / strategy.length()).max(1) as u64;
            pieces.add(Numbers { range: tests, piece });
        }
        pieces.seal();
        Work {
            runner,
            strategy,
            deadline,
            pieces,
            is_late: AtomicBool::new(false),
            is_interrupted: AtomicBool::new(false),
            exceeded: OnceLock::new(),
            notes_habits: false,
            found: Mutex::default(),
        }
    }

    /// Adds to what was found before.
    pub(super) fn continues(self, found: Found) -> Self {
        Work { found: Mutex::new(found), ..self }
    }

    pub(super) fn run(
        self,
        threads: usize,
        coverage: Option<&mut (dyn Coverage + Send + Sync + 'a)>,
    ) -> Found {
        // Each thread has its own record of coverage. If there can be only one, there is one thread.
        let forks: Option<Vec<_>> = (0..threads)
            .map(|_| match &coverage {
                None => Some(None),
                Some(coverage) => coverage.fork().map(Some),
            })
            .collect();
        match forks {
            Some(forks) if threads > 1 => std::thread::scope(|scope| {
                for fork in forks {
                    let work = &self;
                    let worker = move || {
                        let mut fork = fork;
                        fork.iter_mut().for_each(|fork| fork.begin());
                        work.worker(fork.as_deref_mut().map(|fork| fork as &mut dyn Coverage));
                    };
                    stack::thread().spawn_scoped(scope, worker).expect("a thread can be started");
                }
            }),
            _ => self.worker(coverage.map(|coverage| coverage as &mut dyn Coverage)),
        }
        let found = self.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let exceeded = self.exceeded.into_inner().map(|exceeded| exceeded.to_string());
        Found { is_interrupted: self.is_interrupted.into_inner(), exceeded, ..found }
    }

    fn worker(&self, mut coverage: Option<&mut dyn Coverage>) {
        panics::silently(|| {
            let mut examiner = Examiner::new(self.runner.context, self.runner.options.oracles());
            if self.notes_habits {
                examiner.note_habits();
            }
            // The number of its next test comes with the cursor.
            let mut cursor: Option<(u64, Cursor)> = None;
            let meter = Meter::new(self.runner.options.memory);
            while !self.is_over(&meter) {
                let Some(piece) = self.pieces.next(|| {}) else { break };
                let Range { start, end } = piece.work.range;
                let mut tests = match cursor.take() {
                    Some((next, tests)) if next == start => tests,
                    _ => self.strategy.cursor(start),
                };
                let coverage = coverage.as_mut().map(|coverage| &mut **coverage as &mut dyn Coverage);
                if self.run_piece(&mut examiner, &mut tests, start..end, coverage).is_break() {
                    piece.end_here();
                }
                cursor = Some((end, tests));
            }
            let mut found = self.lock();
            found.counts.add(examiner.counts);
            if let Some(habits) = &examiner.habits {
                found.habits.add(habits);
            }
        });
    }

    /// Runs some tests. Breaks at a failure that ends the run.
    fn run_piece(
        &self,
        examiner: &mut Examiner<'_>,
        tests: &mut Cursor,
        offsets: Range<u64>,
        mut coverage: Option<&mut dyn Coverage>,
    ) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        let mut done = 0;
        let is_adapted = self.strategy.is_adapted();
        for offset in offsets {
            let Some(test) = tests.next() else { break };
            done += 1;
            match is_adapted {
                false => examiner.beat.begin_test(offset),
                true => examiner.beat.begin(test),
            }
            let before = self.runner.observer.map(|observer| (observer, examiner.counts, Instant::now()));
            let failure = examiner.run_begun(test);
            if let Some((observer, before, begun)) = before {
                observer(&Observation {
                    calls: test,
                    fault: failure.as_ref().map(|(at, fault)| (*at, fault)),
                    skipped: Some(examiner.counts.skipped - before.skipped),
                    time: Some(begun.elapsed()),
                });
            }
            if let Some(coverage) = coverage.as_deref_mut().filter(|coverage| coverage.has_news()) {
                let made = failure.as_ref().map_or(test.len(), |(at, _)| at + 1);
                let (context, beat) = (self.runner.context, &*examiner.beat);
                let reached = repeat_for_coverage(context, offset, &test[..made], coverage, beat);
                self.lock().reached.extend(reached);
            }
            let Some((at, fault)) = failure else { continue };
            let key = Key::of(self.runner.context, test[at], &fault);
            let mut found = self.lock();
            found.add(key, offset, test);
            if self.runner.options.stops_at_failure {
                found.first_failure = Some(found.first_failure.map_or(offset, |first| first.min(offset)));
                flow = ControlFlow::Break(());
                break;
            }
        }
        examiner.beat.rest();
        let mut found = self.lock();
        found.tests += done;
        if let Some(progress) = &self.runner.progress {
            progress(found.tests);
        }
        flow
    }

    fn is_over(&self, meter: &Meter) -> bool {
        if self.runner.options.is_interrupted() {
            self.is_interrupted.store(true, Ordering::Relaxed);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.is_late.store(true, Ordering::Relaxed);
        }
        if let Some(exceeded) = meter.is_over().then(|| meter.exceeded()).flatten() {
            // Another thread may have noticed first.
            let _ = self.exceeded.set(exceeded);
        }
        self.is_interrupted.load(Ordering::Relaxed)
            || self.is_late.load(Ordering::Relaxed)
            || self.exceeded.get().is_some()
    }

    fn lock(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Found {
    fn add(&mut self, key: Key, offset: u64, test: &[CallId]) {
        self.failing += 1;
        let seen = self.clusters.entry(key).or_insert_with(|| Seen {
            failing: 0,
            first: offset,
            test: test.to_vec(),
        });
        seen.failing += 1;
        if offset < seen.first {
            seen.first = offset;
            seen.test = test.to_vec();
        }
    }

    /// Returns the tests that were the first of their threads to reach a target.
    pub(super) fn take_reached(&mut self) -> Vec<Reached> {
        std::mem::take(&mut self.reached)
    }

    /// Returns the clusters up to a position, in the order of their first failures, which are reduced.
    pub(super) fn clusters(
        &mut self,
        runner: &Runner<'_>,
        strategy: &Strategy,
        end: Option<u64>,
    ) -> Vec<Cluster> {
        let mut seen: Vec<_> = self.clusters.drain().collect();
        seen.retain(|(_, seen)| end.is_none_or(|end| seen.first <= end));
        seen.sort_by_key(|(_, seen)| seen.first);
        let mut examiner = Examiner::new(runner.context, runner.options.oracles());
        panics::silently(|| {
            let clusters = seen.into_iter().map(|(key, seen)| {
                let position = &strategy.range().start + seen.first;
                let key = runner.shrinks.then_some(&key);
                let first = Failure::new(runner.context, &mut examiner, position, &seen.test, key);
                let failing = if end.is_some() { 1 } else { seen.failing };
                Cluster { failing, first }
            });
            clusters.collect()
        })
    }
}
