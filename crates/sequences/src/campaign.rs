//! Everything that is to be done with a context, in one value: what the test attribute and the tool put together.

mod conclusion;
mod cover;
mod meter;
mod request;

pub use conclusion::Conclusion;
pub use cover::{CodeCoverage, Cover, Missing};
pub use request::{Matching, Traversal, Which};

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use num_bigint::BigUint;

use crate::context::{Builder, Context, Error};
use crate::explore::{Explorer, RandomSearch};
use crate::pulse::Pulse;
use crate::run::Runner;
use crate::strategy::Strategy;
use meter::Meter;

/// More calls than this are made by nobody who does not say so: at ten million in a second, they take eleven days.
const TOO_MANY_CALLS: u64 = 10_000_000_000_000;

/// Nobody waits longer for a call that others make millions of times in a second.
const CALL_LIMIT: Duration = Duration::from_secs(10);

/// Which tests of a context are run, and how far that goes. Everything that is not said has a default.
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
/// assert_eq!(found.covered(), "all sequences of up to 4 calls: they lead to 16 states, and 22 calls were made");
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
    /// How many calls a test has; for explorations, at most.
    pub length: Option<usize>,
    /// How many tests are run, at most.
    pub tests: Option<u64>,
    /// What random choices are made with.
    pub seed: u64,
    /// Explorations: in which order.
    pub order: Traversal,
    /// Explorations: which states are the same.
    pub matching: Matching,
    /// Explorations: compare whole linearizations, rather than fingerprints.
    pub exact: bool,
    /// Explorations: at most so many states.
    pub max_states: Option<u64>,
    /// The position to begin at.
    pub from: Option<BigUint>,
    /// The position to end before.
    pub to: Option<BigUint>,
    /// The part `k` of `n` parts of the positions, counted from one.
    pub shard: Option<(u64, u64)>,
    /// At most so long.
    pub budget: Option<Duration>,
    /// How long a call may take, before it is said that it does not return: ten seconds, if nothing else is said.
    pub call_limit: Option<Duration>,
    /// How many threads.
    pub threads: Option<usize>,
    /// Go on after failures, and group those that look alike.
    pub clusters: bool,
    /// What is looked at in the code under test.
    pub cover: Cover,
}

/// Who watches a campaign.
#[derive(Default, Clone, Copy)]
pub struct Watch<'w> {
    /// Set to stop early.
    pub interrupt: Option<&'w AtomicBool>,
    /// Is told how far it is, from time to time and from any thread.
    pub progress: Option<&'w (dyn Fn(CampaignProgress) + Send + Sync)>,
    /// Is told where threads are, so that a call which does not return can be found.
    pub pulse: Option<&'w Pulse>,
    /// Keep a sequence of calls for each state of an exploration.
    pub keeps_sequences: bool,
}

/// How far a campaign is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CampaignProgress {
    /// Tests that were run, or states that were found.
    pub done: u64,
    /// What was counted.
    pub unit: &'static str,
    /// The share of the tests that lies behind, if it is known how many there are.
    pub fraction: Option<f64>,
}

/// What a function with `#[smallscope::sequences]` returns.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no context for sequences of calls",
    label = "expected `Builder`, `Context` or `Result<Context, Error>`",
    note = "return what `Context::builder().pool(..).api::<MyType>()` makes, of type `smallscope::sequences::Builder`"
)]
pub trait IntoContext {
    /// The context, or what is wrong with it.
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
    /// How long a call may take.
    pub fn call_limit(&self) -> Duration {
        self.call_limit.unwrap_or(CALL_LIMIT)
    }

    /// Runs it.
    pub fn run(&self, context: &Context, watch: &Watch<'_>) -> Result<Conclusion, Error> {
        self.check()?;
        let meter = Meter::new(self.cover, context)?;
        match self.which {
            Which::States => self.explore(context, watch, meter),
            _ => self.run_tests(context, watch, meter),
        }
    }

    /// The tests, if it is a list of them that is run.
    pub fn strategy(&self, context: &Context) -> Result<Strategy, Error> {
        self.check()?;
        let (length, tests, seed) = (self.length.unwrap_or(0), self.tests.unwrap_or(0), self.seed);
        let strategy = match self.which {
            Which::Be => Strategy::be(context, length),
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

    fn run_tests(&self, context: &Context, watch: &Watch<'_>, mut meter: Meter) -> Result<Conclusion, Error> {
        let strategy = self.strategy(context)?;
        let range = strategy.range();
        let calls = (&range.end - &range.start) * strategy.length();
        if self.tests.is_none() && self.budget.is_none() && calls > BigUint::from(TOO_MANY_CALLS) {
            return Err(Error::BadRequest {
                what: format!(
                    "there is no end to these tests, which have {} calls together: give a number of tests or a budget, a smaller \
                     length or smaller pools",
                    conclusion::in_words(&calls)
                ),
            });
        }
        // For a bar: digits do not matter.
        let size: f64 = (&range.end - &range.start).to_string().parse().unwrap_or(f64::INFINITY);
        let size = self.tests.map_or(size, |tests| size.min(tests as f64)).max(1.0);
        let mut runner = Runner::new(context, strategy).threads(self.threads.unwrap_or(1));
        if let (Some(tests), false) = (self.tests, self.which.is_sample()) {
            runner = runner.max_tests(tests);
        }
        if let Some(budget) = self.budget {
            runner = runner.budget(budget);
        }
        if self.clusters {
            runner = runner.keep_going();
        }
        if let Some(pulse) = watch.pulse {
            runner = runner.pulse(pulse);
        }
        if let Some(flag) = watch.interrupt {
            runner = runner.interrupted_by(flag);
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

    fn explore(&self, context: &Context, watch: &Watch<'_>, mut meter: Meter) -> Result<Conclusion, Error> {
        let mut explorer = self.matching.apply(Explorer::new(context));
        if self.order == Traversal::Depth {
            explorer = explorer.depth_first();
        }
        if self.exact {
            explorer = explorer.exact();
        }
        if let Some(threads) = self.threads {
            explorer = explorer.threads(threads);
        }
        if let Some(length) = self.length {
            explorer = explorer.max_length(length);
        }
        if let Some(states) = self.max_states {
            explorer = explorer.max_states(states);
        }
        if let Some(budget) = self.budget {
            explorer = explorer.budget(budget);
        }
        if self.clusters {
            explorer = explorer.keep_going();
        }
        if let Some(pulse) = watch.pulse {
            explorer = explorer.pulse(pulse);
        }
        if let Some(flag) = watch.interrupt {
            explorer = explorer.interrupted_by(flag);
        }
        if watch.keeps_sequences {
            explorer = explorer.keep_sequences();
        }
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
