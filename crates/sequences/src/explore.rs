//! State matching: a sequence that reaches a known state is not continued.

mod abstraction;
mod breadth;
mod comparison;
mod coverage;
mod depth;
mod fields;
mod history;
mod machine;
mod navigate;
mod parts;
mod random;
mod states;
mod threads;
mod walker;

pub use abstraction::Abstraction;
pub(crate) use abstraction::changing_pools;
pub use comparison::{Comparison, Completeness};
pub use coverage::{Coverage, Suite, Witness};
pub use navigate::{Navigator, Transition};
pub(crate) use parts::Merged;
pub use parts::{Known, Part};
pub use random::RandomSearch;

use std::fmt;
use std::time::{Duration, Instant};

use smallscope_support::panics;

use crate::context::{Context, Error, Values};
use crate::options::{Options, option_methods};
use crate::outcome::{Limit, Stop};
use crate::run::{Cluster, Counts, clusters_of};
use crate::sink::Sink;
use crate::test::Test;
use abstraction::Matching;
use comparison::Omissions;
use machine::Setting;
use walker::{Limits, Listeners, Walker};

/// Explores the states that calls lead to.
///
/// It goes breadth first by default, so each state is reached by a shortest sequence. Every call is tried in every new
/// state; the abstraction decides which states are new.
///
/// ```
/// use smallscope_sequences::{Context, Explorer, Pool, Stop, by_mut, into, nothing, value};
///
/// let context = Context::builder()
///     .pool(Pool::<Vec<u8>>::empty(1).cloned().hashed())
///     .pool(Pool::of([0u8, 1]))
///     .function("Vec::new", (), into(), |()| Vec::<u8>::new())
///     .method("push", (by_mut::<Vec<u8>>(), value::<u8>()), nothing(), |(v, x)| v.push(x))
///     .method("pop", (by_mut::<Vec<u8>>(),), nothing(), |(v,)| {
///         v.pop();
///     })
///     .build()?;
///
/// let found = Explorer::new(&context).max_length(4).explore()?;
/// assert_eq!(found.stop, Stop::Exhausted);
/// // No vector; the empty one; those with one, two and three numbers.
/// assert_eq!(found.levels, [1, 1, 2, 4, 8]);
/// # Ok::<(), smallscope_sequences::Error>(())
/// ```
pub struct Explorer<'a> {
    context: &'a Context,
    matching: Matching<'a>,
    is_depth_first: bool,
    is_exact: bool,
    is_vouched: bool,
    last_calls: usize,
    replays: bool,
    max_length: usize,
    max_states: u64,
    pub(crate) options: Options<'a>,
    coverage: Option<&'a mut dyn Coverage>,
    on_state: Option<Box<OnState<'a>>>,
    keeps_sequences: bool,
}

type OnState<'a> = dyn FnMut(&Values, usize) + 'a;

/// The result of an exploration.
#[derive(Debug, Clone)]
pub struct Exploration {
    /// Why it stopped. [`Stop::Exhausted`] only if nothing was left out: every sequence of calls up to the length leads
    /// to one of the states, and states are compared completely, or in a way that the author vouches for.
    pub stop: Stop,
    /// What "the same state" means.
    pub compared_by: Comparison,
    /// Whether no sequence of any length leads to another state, as far as the comparison can tell.
    pub is_closed: bool,
    /// The states.
    pub states: u64,
    /// The number of states reached by no call, by one, by two and so on. Breadth first, these are the fewest calls.
    pub levels: Vec<u64>,
    /// Breadth first: every sequence of up to this many calls leads to one of the states. If a limit ended the
    /// exploration, longer ones may be missing. Zero if that is not known, or if calls failed.
    pub whole_length: usize,
    /// How the memory limit was reached, if it ended the exploration.
    pub exceeded: Option<String>,
    /// Calls that were made in a state.
    pub transitions: u64,
    /// How the calls ended.
    pub counts: Counts,
    /// The memory of the table of states, in bytes.
    pub bytes: usize,
    /// The failures, grouped by similarity.
    pub clusters: Vec<Cluster>,
    /// The first sequences that reached something in the code.
    pub suite: Suite,
    /// A sequence for each state, in the order in which they were found, if they are [kept](Explorer::keep_sequences).
    /// The state before any call has none.
    pub sequences: Vec<Test>,
    /// The duration.
    pub time: Duration,
}

struct Ending {
    explored: Explored,
    stop: Option<Stop>,
}

struct Explored {
    is_closed: bool,
    levels: Vec<u64>,
    /// All calls were made in the states of fewer calls than this.
    whole: usize,
}

option_methods!(Explorer);

impl<'a> Explorer<'a> {
    /// An exploration with complete matching, breadth first, without limits.
    pub fn new(context: &'a Context) -> Explorer<'a> {
        Explorer {
            context,
            matching: Matching::Values(Abstraction::Complete),
            is_depth_first: false,
            is_exact: false,
            is_vouched: false,
            last_calls: 0,
            replays: false,
            max_length: usize::MAX,
            max_states: u64::from(u32::MAX - 1),
            options: Options::new(context),
            coverage: None,
            on_state: None,
            keeps_sequences: false,
        }
    }

    /// Sets which parts of a state decide whether it is new.
    pub fn abstraction(mut self, abstraction: Abstraction) -> Self {
        self.matching = Matching::Values(abstraction);
        self
    }

    /// Treats states as equal if a function writes the same for them. The result is lossy, since the function may leave
    /// parts of the state out, unless you [vouch](Explorer::vouched) for it.
    pub fn abstraction_by(mut self, write: impl Fn(&Values, &mut Sink) + Send + Sync + 'a) -> Self {
        self.matching = Matching::Custom(Box::new(write));
        self
    }

    /// Vouches for the comparison of states: states that compare as equal behave equally in all calls. Then the result is
    /// not lossy, and says that it relies on your word. [`Pool::vouched`](crate::Pool::vouched) does the same for the
    /// values of one pool.
    pub fn vouched(mut self) -> Self {
        self.is_vouched = true;
        self
    }

    /// Also tells states apart by the last calls that led to them, up to this number. A lossy comparison loses less by
    /// that: a state that looks like a known one, and was reached in another way, is explored as well. Calls that
    /// cannot change a value do not count. The number of states grows with every call that is added.
    ///
    /// ```
    /// use smallscope_sequences::{Context, Explorer, Pool, Stop, by_mut, nothing};
    ///
    /// /// Fails when it is turned for the third time. `Debug` does not show how often it was.
    /// #[derive(Clone, Default)]
    /// struct Wheel(u8);
    ///
    /// impl std::fmt::Debug for Wheel {
    ///     fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
    ///         f.write_str("Wheel")
    ///     }
    /// }
    ///
    /// let context = Context::builder()
    ///     .pool(Pool::empty(1).and(Wheel::default()).cloned().debugged())
    ///     .method("turn", (by_mut::<Wheel>(),), nothing(), |(wheel,)| {
    ///         wheel.0 += 1;
    ///         assert!(wheel.0 < 3);
    ///     })
    ///     .build()?;
    /// assert_eq!(Explorer::new(&context).explore()?.stop, Stop::Lossy);
    /// assert_eq!(Explorer::new(&context).last_calls(2).explore()?.stop, Stop::FirstFailure);
    /// # Ok::<(), smallscope_sequences::Error>(())
    /// ```
    pub fn last_calls(mut self, calls: usize) -> Self {
        self.last_calls = calls;
        self
    }

    /// Uses no abstraction, for comparison with a model checker that sees the whole program: the number of calls and
    /// the last call are parts of the state.
    pub fn classical(mut self) -> Self {
        self.matching = Matching::Classical;
        self
    }

    /// Explores depth first.
    pub fn depth_first(mut self) -> Self {
        self.is_depth_first = true;
        self
    }

    /// Compares whole linearizations instead of fingerprints of 128 bits.
    pub fn exact(mut self) -> Self {
        self.is_exact = true;
        self
    }

    /// Reaches states by repeating their calls instead of cloning values. This is always so if some values cannot be
    /// cloned.
    pub fn replaying(mut self) -> Self {
        self.replays = true;
        self
    }

    /// Limits the number of calls in a sequence.
    pub fn max_length(mut self, calls: usize) -> Self {
        self.max_length = calls;
        self
    }

    /// Limits the number of states.
    pub fn max_states(mut self, states: u64) -> Self {
        self.max_states = states.min(self.max_states);
        self
    }

    /// Records the first sequence that reaches each target in the code, as [`Exploration::suite`].
    ///
    /// With the feature `cover`, and `#[smallscope::cover]` on the impl block:
    ///
    /// ```
    /// use smallscope::cover::{Coverage, Criterion};
    /// use smallscope::sequences::{Context, Explorer, Linearize, Pool};
    ///
    /// #[derive(Clone, Linearize)]
    /// pub struct Counter(u8);
    ///
    /// #[smallscope::api]
    /// #[smallscope::cover]
    /// impl Counter {
    ///     pub fn new() -> Self {
    ///         Counter(0)
    ///     }
    ///     pub fn add(&mut self, n: u8) -> bool {
    ///         let fits = self.0 + n < 3;
    ///         if fits {
    ///             self.0 += n;
    ///         }
    ///         fits
    ///     }
    /// }
    ///
    /// let context = Context::builder()
    ///     .pool(Pool::<Counter>::empty(1).cloned().linearized())
    ///     .pool(Pool::of([1u8]))
    ///     .api::<Counter>()
    ///     .build()?;
    /// let mut coverage = Coverage::of::<Counter>(Criterion::Blocks);
    /// let found = Explorer::new(&context).coverage(&mut coverage).explore()?;
    /// assert!(coverage.is_complete());
    /// assert_eq!(found.suite.to_string(), "3 of 3 targets reached by 2 sequences of up to 2 calls, 1.5 on average");
    /// # Ok::<(), smallscope_sequences::Error>(())
    /// ```
    pub fn coverage(mut self, coverage: &'a mut dyn Coverage) -> Self {
        self.coverage = Some(coverage);
        self
    }

    /// Passes each new state to a function, with the number of calls that led to it. The state before any call is not
    /// passed.
    pub fn on_state(mut self, on_state: impl FnMut(&Values, usize) + 'a) -> Self {
        self.on_state = Some(Box::new(on_state));
        self
    }

    /// Keeps a sequence of calls for each state that was found.
    pub fn keep_sequences(mut self) -> Self {
        self.keeps_sequences = true;
        self
    }

    /// Explores.
    pub fn explore(self) -> Result<Exploration, Error> {
        let (is_depth_first, threads) = (self.is_depth_first, self.options.threads);
        self.run(|walker| match is_depth_first {
            true => depth::explore(walker),
            false => breadth::explore(walker, threads),
        })
    }

    /// Runs random sequences, for comparison. States are not matched, so the result is never exhaustive.
    pub fn random(self, search: RandomSearch) -> Result<Exploration, Error> {
        self.run(|walker| random::explore(walker, search))
    }

    /// Looks at states one by one. Nothing is explored before a function asks for it; the limits on length, states and time do
    /// not count.
    ///
    /// ```
    /// use smallscope_sequences::{Context, Explorer, Pool, by_mut, nothing};
    ///
    /// let context = Context::builder()
    ///     .pool(Pool::empty(1).and(0u8).named("n").cloned().hashed().shown())
    ///     .method("add", (by_mut::<u8>(),), nothing(), |(n,)| *n += 1)
    ///     .build()?;
    /// Explorer::new(&context).navigate(|states| {
    ///     // A counter that can only grow: each state leads to one more.
    ///     let next = *states.transitions(0)[0].to.as_ref().unwrap();
    ///     assert_eq!(states.len(), 2);
    ///     assert_eq!(states.values(next), [("n[0]".to_owned(), "1".to_owned())]);
    ///     assert_eq!(states.path(next).unwrap().to_line(&context), "n[0].add()");
    /// })?;
    /// # Ok::<(), smallscope_sequences::Error>(())
    /// ```
    pub fn navigate<R>(self, look: impl FnOnce(&mut Navigator<'_>) -> R) -> Result<R, Error> {
        navigate::navigate(&self, look)
    }

    fn run(mut self, explore: impl FnOnce(&mut Walker<'_>) -> Ending) -> Result<Exploration, Error> {
        let begun = Instant::now();
        let context = self.context;
        self.options.check(context)?;
        let omissions = Omissions::default();
        let listeners = Listeners {
            coverage: self.coverage.take().map(|coverage| coverage as &mut dyn Coverage),
            on_state: self.on_state.take().map(|on_state| on_state as Box<OnState<'_>>),
        };
        let limits = Limits {
            length: self.max_length,
            states: self.max_states,
            budget: self.options.budget,
            memory: self.options.memory,
            keeps_sequences: self.keeps_sequences,
            interrupt: self.options.interrupt,
        };
        let keeps_sequences = self.keeps_sequences;
        let mut walker = Walker::new(Setting::new(&self, &omissions), limits, listeners)?;
        let Ending { explored, stop } = panics::silently(|| explore(&mut walker));
        if let Matching::Values(Abstraction::ShapeAnd(fields)) = &self.matching {
            panics::silently(|| fields::check(&mut walker, fields))?;
        }
        let exceeded = walker.exceeded().filter(|_| stop == Some(Stop::LimitReached(Limit::Memory)));
        let failures = std::mem::take(&mut walker.failures);
        let sequences = if keeps_sequences { walker.states.sequences() } else { vec![] };
        let contexts = [Some(context), self.options.gold];
        let compared_by =
            comparison::describe(&self.matching, contexts, &omissions, self.last_calls, self.is_vouched);
        let failing = !failures.is_empty() || context.is_avoiding();
        let stop = stop.unwrap_or(match (failing, compared_by.is_lossy()) {
            // Nothing was tried after calls that failed.
            (true, _) => Stop::Failures,
            (_, true) => Stop::Lossy,
            _ => Stop::Exhausted,
        });
        Ok(Exploration {
            stop,
            compared_by,
            is_closed: explored.is_closed && !failing,
            states: walker.states.len() as u64,
            levels: explored.levels,
            whole_length: if failing { 0 } else { explored.whole },
            exceeded,
            transitions: walker.machine.transitions,
            counts: walker.machine.counts,
            bytes: walker.states.bytes(),
            clusters: clusters_of(context, self.options.oracles(), failures),
            suite: std::mem::take(&mut walker.suite),
            sequences,
            time: begun.elapsed(),
        })
    }
}

impl Exploration {
    /// Whether states that compare as equal may differ, so that sequences may be missing.
    pub fn is_lossy(&self) -> bool {
        self.compared_by.is_lossy()
    }

    /// The memory of the table of states, in bytes per state.
    pub fn bytes_per_state(&self) -> f64 {
        self.bytes as f64 / self.states.max(1) as f64
    }
}

impl fmt::Display for Exploration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = self.levels.len() - 1;
        writeln!(f, "{} states by sequences of length 0 to {length}, {}", self.states, self.stop)?;
        writeln!(f, "states compared by: {}", self.compared_by)?;
        writeln!(f, "{} transitions, {} kB for the states", self.transitions, self.bytes.div_ceil(1000))?;
        if self.suite.total.is_some() || !self.suite.witnesses.is_empty() {
            writeln!(f, "{}, in {:.2} s", self.suite, self.time.as_secs_f64())?;
        }
        if self.is_closed {
            match self.compared_by.is_lossy() {
                true => writeln!(f, "no call in one of these states leads to a state that compares as new")?,
                false => writeln!(f, "no sequence of calls leads to another state")?,
            }
        }
        for cluster in &self.clusters {
            let failing = cluster.failing;
            let calls = if failing == 1 { "call fails" } else { "calls fail" };
            writeln!(f, "{failing} {calls} like this one:\n{}", cluster.first)?;
        }
        Ok(())
    }
}
