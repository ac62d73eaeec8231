//! A run of the tests of a context, described by one value, which the test attribute and the tool fill in.

mod conclusion;
mod cover;
mod divided;
mod empty;
mod meter;
mod request;

pub use conclusion::Conclusion;
pub use cover::{CodeCoverage, Cover, Missing};
pub use divided::{Divided, MergedParts, TestsPart};
pub use request::{Matching, Traversal, Which};

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use num_bigint::BigUint;
use smallscope_support::flight::Flight;
use smallscope_support::memory;

use crate::context::{Builder, Context, Error};
use crate::explore::{Explorer, Navigator, RandomSearch};
use crate::options::Options;
use crate::pulse::{self, Pulse};
use crate::run::{Observation, Runner};
use crate::strategy::Strategy;
use crate::test::Test;
use meter::Meter;

/// More long sequences than a campaign of states has time for.
const MOST_TESTS: u64 = 1 << 40;

/// More calls than this are refused without an explicit limit: at ten million per second, they take eleven days.
const TOO_MANY_CALLS: u64 = 10_000_000_000_000;

/// The default limit for one call. Most calls take less than a microsecond.
const CALL_LIMIT: Duration = Duration::from_secs(10);

/// Which tests of a context are run, and within which limits. Every field has a default.
///
/// ```
/// use smallscope_sequences::{Campaign, Context, Pool, Watch, Which, by_mut, into, nothing, value};
///
/// let context = Context::builder()
///     .pool(Pool::<Vec<u8>>::empty(1).named("v").cloned().hashed())
///     .pool(Pool::of([0u8, 1]))
///     .function("Vec::new", (), into(), |()| Vec::<u8>::new())
///     .method("push", (by_mut::<Vec<u8>>(), value::<u8>()), nothing(), |(v, x)| v.push(x))
///     .build()?;
///
/// let states = Campaign { length: Some(4), ..Campaign::default() };
/// let found = states.run(&context, &Watch::default())?;
/// assert_eq!(
///     found.covered(),
///     "all sequences of up to 4 calls: they lead to 16 states, and 22 calls were made; states compared by: all values \
///      (complete)"
/// );
///
/// let all = Campaign { which: Which::Be, ..states };
/// let found = all.run(&context, &Watch::default())?;
/// assert_eq!(found.covered(), "all 81 sequences of 4 calls");
/// # Ok::<(), smallscope_sequences::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Campaign {
    /// The strategy.
    pub which: Which,
    /// The number of calls in a test; for explorations, the maximum.
    pub length: Option<usize>,
    /// The maximum number of tests.
    pub tests: Option<u64>,
    /// The seed of random choices.
    pub seed: u64,
    /// Explorations: the order in which states are visited.
    pub order: Traversal,
    /// Explorations: which states count as equal.
    pub matching: Matching,
    /// Explorations: the author vouches that states that compare as equal behave equally.
    pub vouched: bool,
    /// Explorations: how many of the last calls are a part of the state.
    pub last_calls: Option<usize>,
    /// Explorations: compare whole linearizations instead of fingerprints.
    pub exact: bool,
    /// Explorations: the maximum number of states.
    pub max_states: Option<u64>,
    /// The first position.
    pub from: Option<BigUint>,
    /// The end of the positions, exclusive.
    pub to: Option<BigUint>,
    /// Shard `k` of `n` of the positions, counted from 1.
    pub shard: Option<(u64, u64)>,
    /// The time limit of the run. [`Duration::MAX`] is no limit.
    pub budget: Option<Duration>,
    /// The time limit of a run without a `budget`. It does not count as a limit where one is required.
    pub default_budget: Option<Duration>,
    /// The most resident memory of this process, in bytes. By default it is as much as the process leaves free.
    pub memory: Option<u64>,
    /// The time after which a call counts as one that does not return. The default is ten seconds.
    pub call_limit: Option<Duration>,
    /// The number of threads.
    pub threads: Option<usize>,
    /// Continue after failures, and group similar ones.
    pub clusters: bool,
    /// What is measured in the code under test.
    pub cover: Cover,
    /// Run the test in a process of its own, so that a crash is a failure with its sequence. Only the test attribute does.
    pub isolate: bool,
    /// Explorations that take long: also run long sequences in random order. Only the test attribute does, unless it names a
    /// strategy.
    pub mixes: bool,
    /// Pass even if no call could be made: see [`Conclusion::why_empty`].
    pub allow_empty: bool,
}

/// How a campaign is watched and stopped.
#[derive(Default, Clone, Copy)]
pub struct Watch<'w> {
    /// Stops the campaign when it is set.
    pub interrupt: Option<&'w AtomicBool>,
    /// Receives the progress from time to time, on any thread.
    pub progress: Option<&'w (dyn Fn(CampaignProgress) + Send + Sync)>,
    /// Tracks the threads, so that a call that does not return is found.
    pub pulse: Option<&'w Pulse>,
    /// Keeps a sequence of calls for each state of an exploration.
    pub keeps_sequences: bool,
    /// Is told about each test that is run, on any thread. An exploration has none; it has a sequence for each state.
    pub observer: Option<&'w (dyn Fn(&Observation<'_>) + Send + Sync)>,
}

/// The progress of a campaign.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CampaignProgress {
    /// The number of tests run, or of states found.
    pub done: u64,
    /// What is counted: `tests` or `states`.
    pub unit: &'static str,
    /// The fraction of the tests that are done, if their number is known.
    pub fraction: Option<f64>,
}

/// What a function with `#[smallscope::sequences]` returns.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a context for call sequences",
    label = "expected `Builder`, `Context` or `Result<Context, Error>`",
    note = "return what `Context::builder().pool(..).api::<MyType>()` makes, of type `smallscope::sequences::Builder`"
)]
pub trait IntoContext {
    /// Returns the context, or what is wrong with it.
    fn into_context(self) -> Result<Context, Error>;
}

impl IntoContext for Context {
    fn into_context(self) -> Result<Context, Error> {
        Ok(self)
    }
}

impl IntoContext for Builder {
    fn into_context(self) -> Result<Context, Error> {
        self.build()
    }
}

impl<C: IntoContext> IntoContext for Result<C, Error> {
    fn into_context(self) -> Result<Context, Error> {
        self?.into_context()
    }
}

impl Campaign {
    /// Returns the time limit of a call.
    pub fn call_limit(&self) -> Duration {
        self.call_limit.unwrap_or(CALL_LIMIT)
    }

    /// Runs the campaign.
    pub fn run(&self, context: &Context, watch: &Watch<'_>) -> Result<Conclusion, Error> {
        self.check()?;
        let meter = Meter::new(self.cover, context)?;
        match self.which {
            Which::States => self.explore(context, watch, meter),
            _ => self.run_tests(context, watch, meter),
        }
    }

    /// Returns the sequences that another process was in when it died in this campaign, by its flight recorder.
    #[doc(hidden)]
    pub fn interrupted(&self, context: &Context, flight: &Flight) -> Vec<Test> {
        let tests = self.strategy(context).ok();
        let recorded = pulse::recorded(flight, tests.as_ref());
        recorded.into_iter().filter_map(|calls| Test::new(context, calls).ok()).collect()
    }

    /// Returns the list of tests. An exploration has none.
    pub fn strategy(&self, context: &Context) -> Result<Strategy, Error> {
        self.check()?;
        let (length, tests, seed) = (self.length.unwrap_or(0), self.tests.unwrap_or(0), self.seed);
        let strategy = match self.which {
            Which::Be => Strategy::be(context, length),
            // The long sequences of a campaign of states.
            Which::Bobw if self.mixes => Strategy::weighted(context, length, MOST_TESTS, seed),
            Which::Bobw => Strategy::bobw(context, length, seed),
            Which::Random => Strategy::random(context, length, tests, seed),
            Which::RandomPaths => Strategy::random_paths(context, length, tests, seed),
            Which::States => {
                return Err(Error::BadRequest { what: "an exploration has no list of tests".into() });
            }
        }?;
        let strategy = if self.from.is_some() || self.to.is_some() {
            let start = self.from.clone().unwrap_or_default();
            let end = self.to.clone().unwrap_or_else(|| strategy.tests_in_all().clone());
            strategy.within(start..end)?
        } else {
            strategy
        };
        match self.shard {
            Some((k, n)) => strategy.shard(k, n),
            None => Ok(strategy),
        }
    }

    fn set_options<'w>(&self, watch: &Watch<'w>, options: &mut Options<'w>) {
        options.threads = self.threads.unwrap_or(1);
        options.budget = self.budget.or(self.default_budget);
        options.memory = memory::Limit::new(self.memory);
        options.stops_at_failure = !self.clusters;
        options.pulse = watch.pulse;
        options.interrupt = watch.interrupt;
    }

    fn run_tests(&self, context: &Context, watch: &Watch<'_>, mut meter: Meter) -> Result<Conclusion, Error> {
        let strategy = self.strategy(context)?;
        let range = strategy.range();
        let calls = (&range.end - &range.start) * strategy.length();
        if self.tests.is_none() && self.budget.is_none() && calls > BigUint::from(TOO_MANY_CALLS) {
            return Err(Error::BadRequest {
                what: format!(
                    "these tests have {} calls together, which takes too long: give a number of tests or a budget, a smaller \
                     length or smaller pools",
                    conclusion::in_words(&calls)
                ),
            });
        }
        // For a progress bar, so rounding does no harm.
        let size: f64 = (&range.end - &range.start).to_string().parse().unwrap_or(f64::INFINITY);
        let size = self.tests.map_or(size, |tests| size.min(tests as f64)).max(1.0);
        let mut runner = Runner::new(context, strategy);
        self.set_options(watch, &mut runner.options);
        runner.observer = watch.observer;
        // The long sequences of a campaign of states.
        runner.adapts = self.which == Which::Bobw && self.mixes;
        if let (Some(tests), false) = (self.tests, self.which.is_sample()) {
            runner = runner.max_tests(tests);
        }
        if let Some(progress) = watch.progress {
            runner = runner.progress(move |done| {
                progress(CampaignProgress {
                    done,
                    unit: "tests",
                    fraction: Some((done as f64 / size).min(1.0)),
                });
            });
        }
        if let Some(coverage) = meter.coverage() {
            runner = runner.coverage(coverage);
        }
        let mut report = runner.run()?;
        meter.shorten(context, &mut report.suite, watch.pulse.unwrap_or(&Pulse::default()));
        let coverage = meter.conclude(conclusion::no_test(self, &report));
        Ok(Conclusion::Tests { campaign: self.clone(), report, coverage })
    }

    /// Looks at states one by one, compared as the campaign says. See [`Explorer::navigate`].
    pub fn navigate<R>(
        &self,
        context: &Context,
        look: impl FnOnce(&mut Navigator<'_>) -> R,
    ) -> Result<R, Error> {
        self.explorer(context, &Watch::default()).navigate(look)
    }

    /// Returns an explorer with the choices and limits of the campaign.
    fn explorer<'a>(&self, context: &'a Context, watch: &Watch<'a>) -> Explorer<'a> {
        let mut explorer = self.matching.apply(Explorer::new(context));
        self.set_options(watch, &mut explorer.options);
        if self.order == Traversal::Depth {
            explorer = explorer.depth_first();
        }
        if self.exact {
            explorer = explorer.exact();
        }
        if self.vouched {
            explorer = explorer.vouched();
        }
        if let Some(calls) = self.last_calls {
            explorer = explorer.last_calls(calls);
        }
        if let Some(length) = self.length {
            explorer = explorer.max_length(length);
        }
        if let Some(states) = self.max_states {
            explorer = explorer.max_states(states);
        }
        if watch.keeps_sequences {
            explorer = explorer.keep_sequences();
        }
        explorer
    }

    fn explore(&self, context: &Context, watch: &Watch<'_>, mut meter: Meter) -> Result<Conclusion, Error> {
        let mut explorer = self.explorer(context, watch);
        if let Some(progress) = watch.progress {
            let mut done = 0;
            explorer = explorer.on_state(move |_, _| {
                done += 1;
                progress(CampaignProgress { done, unit: "states", fraction: None });
            });
        }
        if let Some(coverage) = meter.coverage() {
            explorer = explorer.coverage(coverage);
        }
        let mut found = match self.order {
            Traversal::Random => {
                let (runs, length) = (self.tests.unwrap_or(0), self.length.unwrap_or(0));
                explorer.random(RandomSearch { runs, length, seed: self.seed })?
            }
            _ => explorer.explore()?,
        };
        if self.order != Traversal::Breadth {
            meter.shorten(context, &mut found.suite, watch.pulse.unwrap_or(&Pulse::default()));
        }
        let coverage = meter.conclude(conclusion::no_sequence(self, &found));
        Ok(Conclusion::States { campaign: self.clone(), found, coverage })
    }
}
