//! One run on several threads: pieces of the range in order. Every piece that was begun is finished, unless a failure
//! before it ends the run, so what was run is always a range from the beginning.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use smallscope_support::panics;

use super::Runner;
use super::cluster::{Cluster, Failure, Key};
use super::coverage::{Reached, look_again};
use super::examiner::{Counts, Examiner};
use crate::context::CallId;
use crate::explore::Coverage;
use crate::stack;
use crate::strategy::{Cursor, Strategy};

/// Calls in a piece: about a millisecond.
const CALLS_PER_PIECE: usize = 20_000;

/// What threads share.
pub(super) struct Work<'r, 'a> {
    pub runner: &'r Runner<'a>,
    pub strategy: &'r Strategy,
    /// Tests to be run at most, from the beginning of the range; none if there is no end to them.
    pub tests: Option<u64>,
    pub deadline: Option<Instant>,
    next: AtomicU64,
    /// The first failure that ends the run.
    end: AtomicU64,
    is_late: AtomicBool,
    is_interrupted: AtomicBool,
    found: Mutex<Found>,
}

/// What threads have found.
#[derive(Default)]
pub(super) struct Found {
    pub tests: u64,
    pub failing: u64,
    pub counts: Counts,
    clusters: HashMap<Key, Seen>,
    reached: Vec<Reached>,
}

/// A cluster before its first failure is shrunk.
struct Seen {
    failing: u64,
    first: u64,
    test: Vec<CallId>,
}

/// Why the run is over, if not because everything was done.
pub(super) struct Ending {
    pub first_failure: Option<u64>,
    pub is_interrupted: bool,
}

impl<'r, 'a> Work<'r, 'a> {
    pub(super) fn new(
        runner: &'r Runner<'a>,
        strategy: &'r Strategy,
        tests: Option<u64>,
        deadline: Option<Instant>,
    ) -> Self {
        Work {
            runner,
            strategy,
            tests,
            deadline,
            next: AtomicU64::new(0),
            end: AtomicU64::new(u64::MAX),
            is_late: AtomicBool::new(false),
            is_interrupted: AtomicBool::new(false),
            found: Mutex::default(),
        }
    }

    pub(super) fn run(
        self,
        threads: usize,
        coverage: Option<&mut (dyn Coverage + Send + Sync + 'a)>,
    ) -> (Found, Ending) {
        // Each thread has its own account of what it reaches. Where there can be one only, one thread works.
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
        let end = self.end.into_inner();
        let ending = Ending {
            first_failure: (end != u64::MAX).then_some(end),
            is_interrupted: self.is_interrupted.into_inner(),
        };
        (self.found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()), ending)
    }

    fn worker(&self, mut coverage: Option<&mut dyn Coverage>) {
        panics::silently(|| {
            let mut examiner = Examiner::new(self.runner.context, self.runner.oracles());
            let piece = (CALLS_PER_PIECE / self.strategy.length()).max(1) as u64;
            let mut cursor = None;
            let mut expected = 0;
            while !self.is_over() {
                let start = self.next.fetch_add(piece, Ordering::Relaxed);
                let end = (start + piece).min(self.tests.unwrap_or(u64::MAX));
                if start >= end || start > self.end.load(Ordering::Relaxed) {
                    break;
                }
                if cursor.is_none() || expected != start {
                    cursor = Some(self.strategy.cursor(start));
                }
                let tests = cursor.as_mut().expect("a cursor was made");
                let coverage = coverage.as_mut().map(|coverage| &mut **coverage as &mut dyn Coverage);
                self.piece(&mut examiner, tests, start..end, coverage);
                expected = end;
            }
            self.lock().counts.add(examiner.counts);
        });
    }

    fn piece(
        &self,
        examiner: &mut Examiner<'_>,
        tests: &mut Cursor,
        offsets: Range<u64>,
        mut coverage: Option<&mut dyn Coverage>,
    ) {
        let mut done = 0;
        for offset in offsets {
            let Some(test) = tests.next() else { break };
            done += 1;
            examiner.beat.begin_test(offset);
            let failure = examiner.run_begun(test);
            if let Some(coverage) = &mut coverage
                && coverage.has_news()
            {
                let made = failure.as_ref().map_or(test.len(), |(at, _)| at + 1);
                let (context, beat) = (self.runner.context, &*examiner.beat);
                let reached = look_again(context, offset, &test[..made], &mut **coverage, beat);
                self.lock().reached.extend(reached);
            }
            let Some((at, fault)) = failure else { continue };
            let key = Key::of(self.runner.context, test[at], &fault);
            self.lock().add(key, offset, test);
            if self.runner.stops_at_failure {
                self.end.fetch_min(offset, Ordering::Relaxed);
                break;
            }
        }
        examiner.beat.rest();
        let mut found = self.lock();
        found.tests += done;
        if let Some(progress) = &self.runner.progress {
            progress(found.tests);
        }
    }

    fn is_over(&self) -> bool {
        if self.runner.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            self.is_interrupted.store(true, Ordering::Relaxed);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.is_late.store(true, Ordering::Relaxed);
        }
        self.is_interrupted.load(Ordering::Relaxed) || self.is_late.load(Ordering::Relaxed)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
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

    /// What tests were the first ones of their threads to reach.
    pub(super) fn take_reached(&mut self) -> Vec<Reached> {
        std::mem::take(&mut self.reached)
    }

    /// The clusters up to a position, in the order of their first failures, with these made smaller.
    pub(super) fn clusters(
        &mut self,
        runner: &Runner<'_>,
        strategy: &Strategy,
        end: Option<u64>,
    ) -> Vec<Cluster> {
        let mut seen: Vec<_> = self.clusters.drain().collect();
        seen.retain(|(_, seen)| end.is_none_or(|end| seen.first <= end));
        seen.sort_by_key(|(_, seen)| seen.first);
        let mut examiner = Examiner::new(runner.context, runner.oracles());
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
