//! Runs the tests of a strategy.

mod cluster;
mod coverage;
mod examiner;
mod habits;
mod oracle;
mod replay;
mod shrink;
mod threads;
mod world;

pub use cluster::{Cluster, Failure};
pub use examiner::Counts;
pub use oracle::{Fault, Panics};
pub use replay::{Replayed, Step};

pub(crate) use cluster::{clusters_at, clusters_of};
pub(crate) use oracle::{Assertion, Checks, Oracles, check_gold};
pub(crate) use replay::replay;
pub(crate) use shrink::shrink_by;
pub(crate) use world::World;

use std::fmt;
use std::time::{Duration, Instant};

use num_bigint::BigUint;

use crate::context::{CallId, Context, Error};
use crate::density::Fraction;
use crate::explore::{Coverage, Suite};
use crate::options::{Options, option_methods};
use crate::outcome::{Limit, Stop};
use crate::strategy::Strategy;
use threads::{Found, Work};

/// The tests that show which calls achieve little.
const FIRST_TESTS: u64 = 400;

/// Runs the tests of a strategy and checks them with oracles.
///
/// It always checks for panics and broken invariants of pools; a reference implementation and assertions are optional.
///
/// ```
/// use smallscope_sequences::{Context, Pool, Runner, Stop, Strategy, by_mut, into, nothing, value};
///
/// // Fails when it holds the same number twice.
/// let context = Context::builder()
///     .pool(Pool::<Vec<u8>>::empty(1).named("v").shown().invariant(|v| v.is_sorted_by(|a, b| a < b)))
///     .pool(Pool::of([7u8, 9]))
///     .function("Vec::new", (), into(), |()| Vec::<u8>::new())
///     .method("insert", (by_mut::<Vec<u8>>(), value::<u8>()), nothing(), |(v, x)| {
///         v.insert(v.partition_point(|y| *y < x), x);
///     })
///     .build()?;
///
/// let report = Runner::new(&context, Strategy::be(&context, 4)?).run()?;
/// assert_eq!(report.stop, Stop::FirstFailure);
/// assert_eq!(report.clusters[0].first.source, "let mut v: Vec<u8> = Vec::new();\nv.insert(7);\nv.insert(7);\n");
/// # Ok::<(), smallscope_sequences::Error>(())
/// ```
pub struct Runner<'a> {
    context: &'a Context,
    strategy: Strategy,
    pub(crate) options: Options<'a>,
    max_tests: Option<u64>,
    max_calls: Option<u64>,
    shrinks: bool,
    progress: Option<Box<dyn Fn(u64) + Send + Sync + 'a>>,
    /// Is told about each test.
    pub(crate) observer: Option<&'a Observer<'a>>,
    /// Whether calls become rarer that the first tests show to achieve little.
    pub(crate) adapts: bool,
    coverage: Option<&'a mut (dyn Coverage + Send + Sync)>,
}

/// A test that was run, for an observer.
#[derive(Debug)]
pub struct Observation<'o> {
    /// Its calls.
    pub calls: &'o [CallId],
    /// The call after which something was wrong, counted from zero, and what.
    pub fault: Option<(usize, &'o Fault)>,
    /// How many of its calls could not be made. None if that is not known.
    pub skipped: Option<u64>,
    /// How long it took. None if that is not known.
    pub time: Option<Duration>,
}

/// Is told about each test, on any thread.
pub(crate) type Observer<'a> = dyn Fn(&Observation<'_>) + Send + Sync + 'a;

/// The result of a run.
#[derive(Debug, Clone)]
pub struct Report {
    /// Why it stopped.
    pub stop: Stop,
    /// The tests that were run: those from the beginning of the range, none left out.
    pub tests: u64,
    /// How many of them failed.
    pub failing: u64,
    /// How many tests of this length there are.
    pub all_tests: BigUint,
    /// How the calls ended. With several threads, this includes calls that other threads made after the first failure.
    pub counts: Counts,
    /// The failures, grouped by similarity.
    pub clusters: Vec<Cluster>,
    /// The first sequences that reached something in the code.
    pub suite: Suite,
    /// The position to resume from.
    pub next: BigUint,
    /// How the memory limit was reached, if it ended the run.
    pub exceeded: Option<String>,
    /// The duration.
    pub time: Duration,
}

option_methods!(Runner);

impl<'a> Runner<'a> {
    /// A runner that stops at the first failure and uses one thread.
    pub fn new(context: &'a Context, strategy: Strategy) -> Runner<'a> {
        Runner {
            context,
            strategy,
            options: Options::new(context),
            max_tests: None,
            max_calls: None,
            shrinks: true,
            progress: None,
            observer: None,
            adapts: false,
            coverage: None,
        }
    }

    /// Limits the number of tests.
    pub fn max_tests(mut self, tests: u64) -> Self {
        self.max_tests = Some(tests);
        self
    }

    /// Limits the number of calls: as many whole tests are run as fit.
    pub fn max_calls(mut self, calls: u64) -> Self {
        self.max_calls = Some(calls);
        self
    }

    /// Does not reduce failing tests.
    pub fn without_shrinking(mut self) -> Self {
        self.shrinks = false;
        self
    }

    /// Passes the number of tests run so far to a function, from time to time, on any thread.
    pub fn progress(mut self, progress: impl Fn(u64) + Send + Sync + 'a) -> Self {
        self.progress = Some(Box::new(progress));
        self
    }

    /// Records the first sequence that reaches each target in the code, as [`Report::suite`]: the calls of a test that
    /// were not skipped, up to the one that reached it. The result does not depend on the number of threads. Coverage
    /// that belongs to the whole process is measured with one thread.
    ///
    /// ```
    /// use smallscope::cover::{Coverage, Criterion};
    /// use smallscope::sequences::{Context, Pool, Runner, Strategy};
    ///
    /// pub struct Counter(u8);
    ///
    /// #[smallscope::api]
    /// #[smallscope::cover]
    /// impl Counter {
    ///     pub fn new() -> Self {
    ///         Counter(0)
    ///     }
    ///     pub fn add(&mut self, n: u8) {
    ///         if self.0 < 3 {
    ///             self.0 += n;
    ///         }
    ///     }
    /// }
    ///
    /// let context =
    ///     Context::builder().pool(Pool::<Counter>::empty(1)).pool(Pool::of([1u8])).api::<Counter>().build()?;
    /// let mut coverage = Coverage::of::<Counter>(Criterion::Blocks);
    /// let report = Runner::new(&context, Strategy::bobw(&context, 4, 1)?).coverage(&mut coverage).run()?;
    /// assert_eq!(coverage.covered(), 3);
    /// assert_eq!(report.suite.to_string(), "3 of 3 targets reached by 2 sequences of up to 2 calls, 1.5 on average");
    /// # Ok::<(), smallscope_sequences::Error>(())
    /// ```
    pub fn coverage(mut self, coverage: &'a mut (dyn Coverage + Send + Sync)) -> Self {
        self.coverage = Some(coverage);
        self
    }

    /// Runs the tests.
    pub fn run(mut self) -> Result<Report, Error> {
        self.options.check(self.context)?;
        if let Some(pulse) = self.options.pulse {
            pulse.number_by(&self.strategy);
        }
        let begun = Instant::now();
        let mut coverage = self.coverage.take();
        let strategy = &self.strategy;
        let (tests, limit) = self.limit();
        let deadline = self.options.budget.and_then(|budget| begun.checked_add(budget));
        let mut found = match self.adapts {
            true => self.run_adapting(tests, deadline, coverage.as_deref_mut()),
            false => {
                let work = Work::new(&self, strategy, 0..tests.unwrap_or(u64::MAX), deadline);
                work.run(self.options.threads, coverage.as_deref_mut())
            }
        };
        let suite = match coverage {
            Some(coverage) => {
                coverage::suite(found.take_reached(), strategy.length(), found.first_failure, coverage)
            }
            None => Suite::default(),
        };
        let clusters = found.clusters(&self, strategy, found.first_failure);
        if let Some(first) = found.first_failure {
            // Tests that other threads ran after it do not count.
            found.tests = first + 1;
            found.failing = 1;
        }
        let stop = if found.first_failure.is_some() {
            Stop::FirstFailure
        } else if tests == Some(found.tests) {
            let end = if self.context.is_avoiding() { Stop::Failures } else { Stop::Exhausted };
            limit.map_or(end, Stop::LimitReached)
        } else if found.is_interrupted {
            Stop::Interrupted
        } else if found.exceeded.is_some() {
            Stop::LimitReached(Limit::Memory)
        } else {
            Stop::LimitReached(Limit::Time)
        };
        Ok(Report {
            stop,
            tests: found.tests,
            failing: found.failing,
            all_tests: strategy.tests_in_all().clone(),
            counts: found.counts,
            clusters,
            suite,
            next: &strategy.range().start + found.tests,
            exceeded: found.exceeded.filter(|_| stop == Stop::LimitReached(Limit::Memory)),
            time: begun.elapsed(),
        })
    }

    /// Runs the first tests, and the others with calls rarer that achieve little.
    fn run_adapting(
        &self,
        tests: Option<u64>,
        deadline: Option<Instant>,
        mut coverage: Option<&mut (dyn Coverage + Send + Sync + 'a)>,
    ) -> Found {
        let first = tests.map_or(FIRST_TESTS, |tests| tests.min(FIRST_TESTS));
        let threads = self.options.threads;
        let mut work = Work::new(self, &self.strategy, 0..first, deadline);
        work.notes_habits = true;
        let found = work.run(threads, coverage.as_deref_mut());
        let is_over = found.first_failure.is_some() || found.is_interrupted || found.exceeded.is_some();
        if found.tests < first || tests == Some(first) || is_over {
            return found;
        }
        let strategy = self.strategy.adapted(self.context, &found.habits.rarer());
        let work = Work::new(self, &strategy, first..tests.unwrap_or(u64::MAX), deadline);
        work.continues(found).run(threads, coverage)
    }

    /// The number of tests to run, and the limit that is reached after them.
    pub(crate) fn limit(&self) -> (Option<u64>, Option<Limit>) {
        let all = self.strategy.remaining();
        let end = match (self.strategy.is_exhaustive(), self.strategy.is_sample()) {
            (true, _) => None,
            (_, true) => Some(Limit::Sample),
            _ => Some(Limit::Range),
        };
        let by_calls = self.max_calls.map(|calls| calls / self.strategy.length() as u64);
        let limits = [(all, end), (self.max_tests, Some(Limit::Tests)), (by_calls, Some(Limit::Calls))];
        // The first of equal ones: a limit that is no smaller did not stop the run.
        let smallest = limits.into_iter().filter_map(|(tests, limit)| Some((tests?, limit)));
        smallest.min_by_key(|(tests, _)| *tests).map_or((None, None), |(tests, limit)| (Some(tests), limit))
    }
}

impl Report {
    /// The share of the tests that failed.
    pub fn density(&self) -> Fraction {
        Fraction::new(self.failing.into(), self.tests.max(1).into())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { calls, skipped, errors, panics, .. } = self.counts;
        writeln!(f, "{} tests of {}, {}", self.tests, self.all_tests, self.stop)?;
        writeln!(f, "{calls} calls: {skipped} skipped, {errors} returned an error, {panics} panicked")?;
        for cluster in &self.clusters {
            let failing = cluster.failing;
            let tests = if failing == 1 { "test fails" } else { "tests fail" };
            writeln!(f, "{failing} {tests} like this one, found at position {}:", cluster.first.position)?;
            writeln!(f, "{}", cluster.first)?;
        }
        Ok(())
    }
}
