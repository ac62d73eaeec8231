//! The function [`check`], and the builder behind it and the test attribute.

mod quiet;
#[cfg(feature = "suites")]
mod requested;

use crate::criteria::Ratio;
use crate::property::{Arguments, Property};
use crate::runner::plan::{Identity, Order, Plan, harness_name};
use crate::runner::regressions::Regressions;
use crate::runner::report::Report;
use crate::runner::{self, Case, Held, Shared, SharedCase, TestBody};
use crate::settings::Settings;
pub(crate) use quiet::quietly;
use smallscope_core::{Bounded, Bounds, Classes, Disjoint, Engine, Options, Summaries};
use smallscope_support::duration::DEFAULT_BUDGET;
use smallscope_support::memory::Bytes;
use smallscope_support::settings::MOST_THREADS;
use std::ffi::OsString;
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Runs a closure on every valid value within the bounds, smallest first, and panics with a report on the
/// first one for which it panics or returns an error.
///
/// A closure with several arguments gets every combination of independent values. The bounds are a scope
/// number or [`Bounds`]; the `SMALLSCOPE_*` variables apply. Where types are `Debug`, the attribute
/// `#[smallscope::test]` gives better reports.
///
/// An argument can be a reference, if the closure need not own its value. In structures of `Box`, `Vec`, `Option`,
/// arrays and plain data, the library then turns the last value into the next one, which is faster than building a new
/// value. Structures with other pointers, and maps, are built from scratch each time.
///
/// ```
/// smallscope::check(3, |mut v: Vec<u8>, x: u8| {
///     v.push(x);
///     assert_eq!(v.last(), Some(&x));
/// });
/// smallscope::check(3, |v: &Vec<u8>, x: u8| assert_eq!(v.contains(&x), v.iter().any(|y| *y == x)));
/// ```
#[track_caller]
pub fn check<A: Arguments>(bounds: impl Into<Bounds>, property: impl Property<A>) {
    let location = Location::caller();
    let harness_name = harness_name();
    let place = format!("{}:{}", location.file(), location.line());
    let name = harness_name.map_or(place.clone(), |name| format!("{name} ({place})"));
    Check::new(name, bounds).anonymous().run(property).expect_ok();
}

/// A check with a name and settings. Running it returns a report and does not panic.
///
/// ```
/// use smallscope::{Bounds, Check};
/// let bounds = Bounds::exact().ints("input.value", 0..=9);
/// let report = Check::new("digits", bounds).max(20).run(|x: u8| assert!(x < 10));
/// assert!(report.is_exhaustive());
/// assert_eq!(report.tested, 10);
/// ```
#[derive(Debug, Clone)]
pub struct Check {
    identity: Identity,
    bounds: Bounds,
    options: Options,
    settings: Settings,
    /// Used instead of the variables of the process.
    variables: Option<Result<Settings, String>>,
    /// The first mistake in the settings.
    mistake: Option<String>,
    default_budget: Duration,
}

impl Check {
    /// Creates a check with default settings.
    pub fn new(name: impl Into<String>, bounds: impl Into<Bounds>) -> Check {
        let identity = Identity { name: name.into(), harness_name: harness_name(), ..Identity::default() };
        Check {
            identity,
            bounds: bounds.into(),
            options: Options::default(),
            settings: Settings::default(),
            variables: None,
            mistake: None,
            default_budget: DEFAULT_BUDGET,
        }
    }

    /// A check that no attribute has named.
    pub(crate) fn anonymous(mut self) -> Check {
        self.identity.is_anonymous = true;
        self.edges_by_default()
    }

    /// How long the check may take, if that is given.
    pub(crate) fn time(&self) -> Option<Duration> {
        let variables = self.variables.clone().unwrap_or_else(Settings::of_process);
        variables.ok().and_then(|variables| variables.budget).or(self.settings.budget)
    }

    pub(crate) fn with_identity(mut self, identity: Identity) -> Check {
        self.identity = identity;
        self
    }

    /// Sets all options of the search.
    #[inline]
    pub fn options(mut self, options: Options) -> Check {
        self.options = options;
        let settings = self.settings;
        self.settings = Settings { engine: None, classes: None, order_types: None, audit: None, ..settings };
        self
    }

    /// Sets the engine.
    pub fn engine(mut self, engine: Engine) -> Check {
        self.settings.engine = Some(engine);
        self
    }

    /// Runs the test on one value per order type of the [`Key`](smallscope_core::Key)s. For tests that do nothing with
    /// keys but compare them.
    ///
    /// ```
    /// use smallscope::{Check, Key};
    /// let report = Check::new("pairs", 100).order_types().run(|a: Key, b: Key| assert!(a <= b || b < a));
    /// // Less, equal, greater; without `order_types` there are 10,000.
    /// assert_eq!(report.tested, 3);
    /// assert!(!report.is_exhaustive());
    /// ```
    pub fn order_types(mut self) -> Check {
        self.settings.order_types = Some(true);
        self
    }

    /// Also builds rejected candidates, and checks that the real invariant rejects them.
    pub fn audit(mut self) -> Check {
        self.settings.audit = Some(true);
        self
    }

    /// Sets the treatment of the classes of `#[eq_class]`. With [`Classes::Pruned`] and [`Classes::One`] the run skips
    /// values, is not exhaustive, and uses one thread.
    ///
    /// ```
    /// use smallscope::{Bounded, Check, Classes, eq_class};
    ///
    /// #[derive(Bounded)]
    /// #[bounded(no_invariant)]
    /// struct Pair {
    ///     a: u8,
    ///     b: u8,
    /// }
    ///
    /// #[eq_class]
    /// impl Pair {
    ///     fn eq_class(&self) -> std::cmp::Ordering {
    ///         self.a.cmp(&self.b)
    ///     }
    /// }
    ///
    /// let report = Check::new("pairs", 10).classes(Classes::One).run(|_: &Pair| {});
    /// assert_eq!((report.tested, report.class_table.len()), (3, 3));
    /// assert!(report.is_ok() && !report.is_exhaustive());
    /// ```
    pub fn classes(mut self, classes: Classes) -> Check {
        self.settings.classes = Some(classes);
        self
    }

    /// Stops after this time. A case that is running is not interrupted. Without a budget, a check stops after a minute,
    /// and says so; [`Duration::MAX`] is no limit.
    pub fn budget(mut self, time: Duration) -> Check {
        self.settings.budget = Some(time);
        self
    }

    /// Replaces the budget of a minute. For tests of this library, which cannot wait.
    #[doc(hidden)]
    pub fn default_budget(mut self, time: Duration) -> Check {
        self.default_budget = time;
        self
    }

    /// Stops when this process has more than this many bytes of resident memory. By default a run stops when the process
    /// has more memory than it leaves free. What other tests of the process hold counts, too.
    pub fn memory(mut self, bytes: u64) -> Check {
        self.settings.memory = Some(Bytes(bytes));
        self
    }

    /// Stops after this many values.
    pub fn max(mut self, values: u64) -> Check {
        self.settings.max = Some(values);
        self
    }

    /// Sets the largest number of threads. It applies to functions with `#[smallscope::test]` and to
    /// [`Check::run_parallel`]. The default is the number of processors; `SMALLSCOPE_THREADS` overrides it. A run with
    /// a limit on values or a shard uses one thread.
    #[inline]
    pub fn threads(mut self, threads: usize) -> Check {
        if threads as u64 > MOST_THREADS {
            let error = format!("{threads} threads are too many; set a number from 1 to {MOST_THREADS}");
            self.mistake = self.mistake.or(Some(error));
        }
        self.settings.threads = Some(threads.max(1));
        self
    }

    /// Sets whether disjoint parts, such as several arguments, are searched separately and then combined. By default
    /// they are where that pays ([`Disjoint::Auto`]).
    ///
    /// ```
    /// use smallscope::{Check, Disjoint};
    /// let check = Check::new("apart", 3).disjoint(Disjoint::On);
    /// let report = check.run(|v: &Vec<u8>, x: u8| assert!(v.iter().filter(|y| **y == x).count() <= 3));
    /// assert_eq!(report.tested, 40 * 3);
    /// ```
    pub fn disjoint(mut self, disjoint: Disjoint) -> Check {
        self.settings.disjoint = Some(disjoint);
        self
    }

    /// Sets whether helpers of the invariant are answered for whole groups of subtrees. By default they are not
    /// ([`Summaries::Off`]). Needs the feature `summaries`.
    ///
    /// ```
    /// use smallscope::{Check, summaries::Summaries};
    /// let check = Check::new("sorted", 3).summaries(Summaries::Auto);
    /// assert_eq!(check.run(|v: &Vec<u8>| assert!(v.len() <= 3)).tested, 40);
    /// ```
    pub fn summaries(mut self, summaries: Summaries) -> Check {
        self.settings.summaries = Some(summaries);
        self
    }

    /// Sets the order in which values are tried.
    pub fn order(mut self, order: Order) -> Check {
        self.settings.order = Some(order.name().to_owned());
        self
    }

    /// Runs the test on this many values from all over the bounds before the search. Most failures show early there,
    /// even if the bounds take hours. Such a failure need not be the smallest one.
    pub fn sparse(mut self, values: u64) -> Check {
        self.settings.sparse = Some(values);
        self
    }

    /// Runs the test on this many random values of a larger size after the search: see the book. Needs the feature
    /// `summaries`.
    pub fn sample(mut self, values: u64) -> Check {
        self.settings.sample = Some(values);
        self
    }

    /// Sets how many objects the random values of [`Check::sample`] have. The default is 32.
    pub fn sample_size(mut self, objects: u32) -> Check {
        self.settings.sample_size = Some(objects);
        self
    }

    /// Sets whether edge values are tried after the search: see the book. `#[smallscope::test]` and [`check`] try them by
    /// default, a `Check` does not.
    pub fn edges(mut self, yes: bool) -> Check {
        self.settings.edges = Some(yes);
        self
    }

    /// Sets whether a failure writes a page with a drawing of its value. Needs the feature `html`.
    pub fn html(mut self, yes: bool) -> Check {
        self.settings.html = Some(yes);
        self
    }

    /// Tries edge values, unless that is set. Under Miri, a second search takes too long.
    pub(crate) fn edges_by_default(mut self) -> Check {
        self.settings.edges.get_or_insert(!smallscope_support::miri::IS_RUNNING);
        self
    }

    /// Runs only on the values of a saved suite. Bounds and engine come from the file. Needs the feature `suites`.
    pub fn suite(mut self, path: impl Into<PathBuf>) -> Check {
        self.settings.suite = Some(path.into());
        self
    }

    /// Runs only on some values of each class of a criterion: `"decision"`, `"condition"`, `"mcdc"`, `"cdc"`, `"path"`
    /// or `"simple-path"`; see the book. One of [`Check::ratio`], [`Check::keep`] and [`Check::per_class`] sets how
    /// many. Needs the feature `criteria`. Such a run is never exhaustive, but it covers every class.
    ///
    /// ```
    /// use smallscope::Check;
    /// let report = Check::new("some", 4).criterion("cdc").per_class(2).run(|v: Vec<u8>| assert!(v.len() <= 4));
    /// assert!(!report.is_exhaustive());
    /// ```
    pub fn criterion(mut self, name: impl Into<String>) -> Check {
        match name.into().parse() {
            Ok(criterion) => self.settings.criterion = Some(criterion),
            Err(error) => self.mistake = self.mistake.or(Some(error)),
        }
        self
    }

    /// Keeps a share of all values, greater than 0 and at most 1, divided equally among the classes of
    /// [`Check::criterion`]. Every class keeps at least one value.
    #[inline]
    pub fn ratio(mut self, ratio: f64) -> Check {
        match Ratio::from_f64(ratio) {
            Ok(ratio) => self.settings.ratio = Some(ratio),
            Err(error) => self.mistake = self.mistake.or(Some(error)),
        }
        self
    }

    /// Keeps this many values in all, divided equally among the classes of [`Check::criterion`]. Every class keeps at
    /// least one value.
    pub fn keep(mut self, values: u64) -> Check {
        self.settings.keep = Some(values);
        self
    }

    /// Keeps this many values of each class of [`Check::criterion`].
    pub fn per_class(mut self, values: u64) -> Check {
        self.settings.per_class = Some(values);
        self
    }

    /// Keeps random values of each class of [`Check::criterion`] instead of the first ones; or sets the seed of
    /// [`Check::sample`]. The same seed gives the same values.
    pub fn seed(mut self, seed: u64) -> Check {
        self.settings.seed = Some(seed);
        self
    }

    /// Continues after failures of the test, on one thread, and groups them by place and message: [`Report::clusters`].
    ///
    /// ```
    /// use smallscope::Check;
    /// let report = Check::new("grouped", 10).clusters(true).run(|x: u8| {
    ///     assert!(x < 5, "{x} is too large");
    ///     assert_ne!(x, 3);
    /// });
    /// let counts: Vec<u64> = report.clusters.iter().map(|cluster| cluster.count).collect();
    /// assert_eq!(counts, [1, 5]);
    /// assert_eq!(report.clusters[1].message.as_deref(), Some("# is too large"));
    /// assert_eq!(report.clusters[1].witness.message, "5 is too large");
    /// ```
    pub fn clusters(mut self, yes: bool) -> Check {
        self.settings.clusters = Some(yes);
        self
    }

    /// Lets a run pass that tests nothing: no value within the bounds is valid, or the time is up before the first value.
    /// By default such a run fails.
    ///
    /// ```
    /// use smallscope::{Bounded, Check, rep_ok};
    /// #[derive(Bounded)]
    /// struct Large(u8);
    /// #[rep_ok]
    /// impl Large {
    ///     fn rep_ok(&self) -> bool {
    ///         self.0 > 5
    ///     }
    /// }
    /// let report = Check::new("large", 3).run(|_: Large| {});
    /// assert!(report.nothing_tested().unwrap().contains("scope 7 is the smallest scope with a valid value"));
    /// assert!(Check::new("large", 3).allow_empty().run(|_: Large| {}).is_ok());
    /// ```
    pub fn allow_empty(mut self) -> Check {
        self.settings.allow_empty = Some(true);
        self
    }

    /// Prints nothing on stderr. What the run would print, such as that a limit has cut it short, is in the report.
    pub fn quiet(mut self) -> Check {
        self.identity.is_quiet = true;
        self
    }

    /// Runs a test that has an attribute in a process of its own. Other checks run in the process that calls them.
    #[doc(hidden)]
    pub fn isolate(mut self, yes: bool) -> Check {
        self.settings.isolate = Some(yes);
        self
    }

    /// Sets how long an isolated test may run on one value.
    #[doc(hidden)]
    pub fn call_limit(mut self, time: Duration) -> Check {
        self.settings.call_limit = Some(time);
        self
    }

    /// Returns the settings with the variables of this process over them, if these can be read.
    pub(crate) fn with_variables(&self) -> Option<Settings> {
        let variables = self.variables.clone().unwrap_or_else(Settings::of_process).ok()?;
        Some(variables.or(self.settings.clone()))
    }

    /// Refuses to run the test.
    #[cfg(not(feature = "isolate"))]
    pub(crate) fn refused(self, why: &str) -> Check {
        Check { mistake: self.mistake.or(Some(why.to_owned())), ..self }
    }

    /// Resolves the path of the suite against a folder, if it is relative.
    pub(crate) fn suite_in(mut self, folder: Option<&Path>) -> Check {
        if let (Some(path), Some(folder)) = (&mut self.settings.suite, folder) {
            *path = folder.join(&*path);
        }
        self
    }

    /// Records failures, and tries recorded failures first. The file has the name of this check, in the folder
    /// `smallscope-regressions` of this directory.
    pub fn record_in(mut self, directory: impl AsRef<Path>) -> Check {
        self.identity.regressions = Some(Regressions::new(directory.as_ref(), &self.identity.name));
        self
    }

    /// Uses these variables instead of those of the process.
    pub fn environment<K: Into<OsString>, V: Into<OsString>>(
        mut self,
        variables: impl IntoIterator<Item = (K, V)>,
    ) -> Check {
        let variables = variables.into_iter().map(|(k, v)| (k.into(), v.into()));
        self.variables = Some(Settings::from_variables(variables));
        self
    }

    /// Runs a closure on every valid value. Prints on stderr what was not covered, and which records are stale.
    pub fn run<A: Arguments, P: Property<A>>(self, mut property: P) -> Report {
        let test = |place: &mut A::Place| property.test(place);
        self.run_case::<A::Input>(&mut Held::<A::Input, _, _>::new(test), None)
    }

    /// Runs a closure on as many threads as [`Check::threads`] allows. Values are built where they are tested, so their
    /// types need not be `Send`.
    ///
    /// ```
    /// use smallscope::Check;
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// let sum = AtomicU64::new(0);
    /// let add = |x: u8| drop(sum.fetch_add(x.into(), Ordering::Relaxed));
    /// assert!(Check::new("sum", 10).run_parallel(add).is_exhaustive());
    /// assert_eq!(sum.into_inner(), 45);
    /// ```
    pub fn run_parallel<A: Arguments, P: Property<A> + Clone + Sync>(self, property: P) -> Report {
        let test = |place: &mut A::Place| property.clone().test(place);
        let shared = Shared::<A::Input, _, _>::new(test);
        self.run_case::<A::Input>(&mut Held::<A::Input, _, _>::new(test), Some(&shared))
    }

    fn run_case<T: Bounded>(self, case: &mut dyn Case, shared: Option<&dyn SharedCase>) -> Report {
        self.run_body(TestBody { lay_out: runner::lay_out::<T>, case, shared, show: &|_| None, tally: None })
    }

    /// Runs a test that can also show its arguments.
    pub(crate) fn run_body(self, body: TestBody<'_>) -> Report {
        let Check { identity, mut bounds, options, mut settings, variables, mistake, default_budget } = self;
        let variables = match variables.unwrap_or_else(Settings::of_process) {
            Ok(variables) => variables,
            Err(error) => return identity.error(error),
        };
        if let Some(mistake) = mistake {
            return identity.error(mistake);
        }
        if let Some(calls) = variables.replay.as_ref().filter(|replay| replay.candidate.is_none()) {
            return identity.error(format!(
                "SMALLSCOPE_REPLAY is a sequence of calls, `{calls}`, and this test takes values; run the test that reported it \
                 alone, as its report says",
            ));
        }
        if let Some(path) = &settings.suite {
            match runner::suite_provenance(path) {
                Ok(suite) => {
                    bounds = suite.bounds;
                    settings.engine = Some(suite.engine);
                    settings.classes = Some(suite.classes);
                    settings.disjoint = Some(suite.disjoint);
                    settings.summaries = Some(suite.summaries);
                    settings.order_types = Some(false);
                }
                Err(error) => return identity.error(error),
            }
        }
        let TestBody { lay_out, case, shared, show, tally } = body;
        let plan = Plan { default_budget, ..Plan::new(identity, bounds, options, settings, variables) };
        if cfg!(not(feature = "summaries")) && plan.options.summaries != Summaries::Off {
            return plan.identity.error(crate::NO_SUMMARIES.into());
        }
        runner::page::prepare(&plan);
        crate::observe::run(&plan, TestBody { lay_out, case, shared, show, tally })
    }
}
