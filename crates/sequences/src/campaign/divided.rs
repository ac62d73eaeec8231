//! A campaign in shards, which may run in different processes. The result of all of them is that of one run.

use std::ops::Range;

use num_bigint::BigUint;
use smallscope_support::panics;

use super::{Campaign, Conclusion, Cover, Traversal, Watch, Which};
use crate::context::{CallId, Context, Error};
use crate::explore::{Known, Merged, Part, Suite};
use crate::outcome::{Limit, Stop};
use crate::run::{Cluster, Counts, Report, Runner, clusters_at};

/// A campaign whose shards are run one by one. A list of tests is divided by ranges of positions, an exploration by
/// ranges of the states of a level.
///
/// ```
/// use smallscope_sequences::{Campaign, Context, Divided, Pool, Watch, Which, by_mut, nothing, value};
///
/// let context = Context::builder()
///     .pool(Pool::empty(1).and(0u8).named("n").cloned().hashed().shown())
///     .pool(Pool::of([1u16, 2]))
///     .method("add", (by_mut::<u8>(), value::<u16>()), nothing(), |(n, by)| *n += by as u8)
///     .build()?;
/// let campaign = Campaign { which: Which::Be, length: Some(3), ..Campaign::default() };
/// let divided = Divided::new(&campaign, &context)?;
/// let all = divided.positions()?;
/// assert_eq!(all, 0u8.into()..8u8.into());
///
/// let shards = [all.start..5u8.into(), 5u8.into()..all.end];
/// let parts = shards.map(|range| divided.run_tests(range, &Watch::default()).unwrap().unwrap().0);
/// let merged = divided.merge_tests(parts)?;
/// assert_eq!(merged.covered(), campaign.run(&context, &Watch::default())?.covered());
/// # Ok::<(), smallscope_sequences::Error>(())
/// ```
pub struct Divided<'c> {
    campaign: Campaign,
    context: &'c Context,
}

/// The result of a range of a list of tests.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TestsPart {
    /// The tests that were run.
    pub tests: u64,
    /// How many of them failed.
    pub failing: u64,
    /// How the calls ended.
    pub counts: Counts,
    /// For each group of failures, how many there are, and the position of the first.
    pub failures: Vec<(u64, BigUint)>,
}

/// What merging the parts of an exploration has led to.
pub enum MergedParts {
    /// The parts of the next level are missing.
    Missing {
        /// The states up to that level.
        known: Known,
        /// The states of the level, by their numbers.
        states: Range<u32>,
        /// How many calls lead to them.
        level: usize,
    },
    /// Everything was merged.
    Done(Box<Conclusion>),
}

impl<'c> Divided<'c> {
    /// Divides a campaign, without its limits on time and threads: these are for one run in one process. An error if it
    /// cannot be divided.
    pub fn new(campaign: &Campaign, context: &'c Context) -> Result<Divided<'c>, Error> {
        campaign.check()?;
        let refused = |what: &str| Err(Error::BadRequest { what: what.to_owned() });
        if campaign.cover != Cover::Nothing {
            return refused(
                "coverage of the code is measured in one process: leave `cover` out, or use `sequences run`",
            );
        }
        if campaign.shard.is_some() {
            return refused("a part of the tests cannot be divided again: leave `shard` out");
        }
        if campaign.which == Which::States {
            if campaign.order != Traversal::Breadth {
                return refused(
                    "shards explore states level by level: leave `order` out, or choose `bfs`, which is the default",
                );
            }
            if campaign.length.is_none() && campaign.max_states.is_none() {
                return refused(
                    "a budget limits a run in one process; for shards, give a length or a number of states",
                );
            }
        }
        let campaign = Campaign { budget: None, default_budget: None, threads: Some(1), ..campaign.clone() };
        Ok(Divided { campaign, context })
    }

    /// The campaign.
    pub fn campaign(&self) -> &Campaign {
        &self.campaign
    }

    /// The positions of the tests that one run would run.
    pub fn positions(&self) -> Result<Range<BigUint>, Error> {
        let Range { start, end } = self.campaign.strategy(self.context)?.range().clone();
        let end = match self.campaign.tests {
            Some(tests) => end.min(&start + tests),
            None => end,
        };
        Ok(start..end)
    }

    /// Runs the tests of a range. Also returns the failures. `None` if the caller or the limit on memory stopped it.
    pub fn run_tests(
        &self,
        range: Range<BigUint>,
        watch: &Watch<'_>,
    ) -> Result<Option<(TestsPart, Vec<Cluster>)>, Error> {
        let whole = Campaign { tests: None, from: None, to: None, ..self.campaign.clone() };
        let sample = self.campaign.tests.filter(|_| self.campaign.which.is_sample());
        let (from, to) = (Some(range.start), Some(range.end));
        let found = Campaign { tests: sample, from, to, ..whole }.run(self.context, watch)?;
        let Conclusion::Tests { report, .. } = found else {
            return Err(Error::BadRequest { what: "an exploration has no list of tests".into() });
        };
        if matches!(report.stop, Stop::Interrupted | Stop::LimitReached(Limit::Time | Limit::Memory)) {
            return Ok(None);
        }
        let failures =
            report.clusters.iter().map(|cluster| (cluster.failing, cluster.first.position.clone())).collect();
        let Report { tests, failing, counts, clusters, .. } = report;
        Ok(Some((TestsPart { tests, failing, counts, failures }, clusters)))
    }

    /// Puts the results of all ranges together, in the order of their positions. The first failure ends the run, unless
    /// failures are grouped; what comes after it may be missing.
    pub fn merge_tests(&self, parts: impl IntoIterator<Item = TestsPart>) -> Result<Conclusion, Error> {
        let campaign = &self.campaign;
        let strategy = campaign.strategy(self.context)?;
        let (start, all_tests) = (strategy.range().start.clone(), strategy.tests_in_all().clone());
        let mut sum = TestsPart::default();
        for part in parts {
            sum.tests += part.tests;
            sum.failing += part.failing;
            sum.counts.add(part.counts);
            sum.failures.extend(part.failures);
            if sum.failing > 0 && !campaign.clusters {
                break;
            }
        }
        let mut runner = Runner::new(self.context, strategy);
        if let (Some(tests), false) = (campaign.tests, campaign.which.is_sample()) {
            runner = runner.max_tests(tests);
        }
        let stop = match (sum.failing > 0 && !campaign.clusters, runner.limit().1) {
            (true, _) => Stop::FirstFailure,
            (false, None) => Stop::Exhausted,
            (false, Some(limit)) => Stop::LimitReached(limit),
        };
        let clusters = panics::silently(|| clusters_at(&runner, &sum.failures))?;
        let report = Report {
            stop,
            tests: sum.tests,
            failing: sum.failing,
            all_tests,
            counts: sum.counts,
            clusters,
            suite: Suite::default(),
            next: start + sum.tests,
            exceeded: None,
            time: std::time::Duration::ZERO,
        };
        Ok(Conclusion::Tests { campaign: campaign.clone(), report, coverage: None })
    }

    /// Makes every call in some of the known states. Also returns the failures. `None` if the caller stopped it.
    pub fn explore(
        &self,
        known: &Known,
        states: Range<u32>,
        watch: &Watch<'_>,
    ) -> Result<Option<(Part, Vec<Cluster>)>, Error> {
        self.campaign.explorer(self.context, watch).explore_part(known, states)
    }

    /// Puts the results of parts together, level by level. `next` returns the part that begins with a state, if it is there.
    pub fn merge_states(
        &self,
        watch: &Watch<'_>,
        mut next: impl FnMut(u32) -> Result<Option<Part>, Error>,
    ) -> Result<MergedParts, Error> {
        Ok(match self.campaign.explorer(self.context, watch).merge_parts(&mut next)? {
            Merged::Missing { known, states, level } => MergedParts::Missing { known, states, level },
            Merged::Done(found) => MergedParts::Done(Box::new(Conclusion::States {
                campaign: self.campaign.clone(),
                found,
                coverage: None,
            })),
        })
    }

    /// The number of distinct calls.
    pub fn calls(&self) -> CallId {
        self.context.calls
    }
}
