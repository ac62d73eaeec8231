//! Counts the targets of a campaign, with what this build offers.

use super::cover::{CodeCoverage, Cover};
use crate::context::{Context, Error};
use crate::explore::{Coverage, Suite};
use crate::pulse::Pulse;

#[cfg(feature = "cover")]
use super::cover::Missing;
#[cfg(feature = "cover")]
use crate::{context::CallId, pulse::Beat, test::Test};
#[cfg(feature = "cover")]
use smallscope_cover::{Criterion, LlvmCounters, Target};
#[cfg(feature = "cover")]
use smallscope_support::panics;

/// Counts the targets that were reached.
pub(super) enum Meter {
    Nothing,
    #[cfg(feature = "cover")]
    Probes(smallscope_cover::Coverage),
    #[cfg(feature = "cover")]
    Counters(LlvmCounters),
}

fn wrong<T>(what: &str) -> Result<T, Error> {
    Err(Error::BadRequest { what: what.to_owned() })
}

#[cfg(not(feature = "cover"))]
impl Meter {
    pub(super) fn new(cover: Cover, _: &Context) -> Result<Meter, Error> {
        match cover {
            Cover::Nothing => Ok(Meter::Nothing),
            _ => wrong(
                "coverage of the code under test needs a feature: write `smallscope = { .., features = [\"cover\", \"sequences\"] }` \
                 in Cargo.toml",
            ),
        }
    }

    pub(super) fn coverage(&mut self) -> Option<&mut (dyn Coverage + Send + Sync)> {
        None
    }

    pub(super) fn shorten(&self, _: &Context, _: &mut Suite, _: &Pulse) {}

    pub(super) fn conclude(self, _: Option<String>) -> Option<CodeCoverage> {
        None
    }
}

#[cfg(feature = "cover")]
impl Meter {
    /// Begins to count on this thread.
    pub(super) fn new(cover: Cover, context: &Context) -> Result<Meter, Error> {
        let regions = &context.regions[..];
        let criterion = match cover {
            Cover::Nothing => return Ok(Meter::Nothing),
            Cover::Blocks => Criterion::Blocks,
            Cover::Predicates => Criterion::Predicates,
            Cover::Llvm => {
                return LlvmCounters::new().map(Meter::Counters).or_else(|error| {
                    wrong(&format!(
                        "{error}, and run with LLVM_PROFILE_FILE=/dev/null; `cargo smallscope sequences run .. --cover llvm` does \
                         that. In other builds there are `blocks`, of code with `#[smallscope::cover]`"
                    ))
                });
            }
        };
        if regions.is_empty() {
            return wrong(&format!(
                "coverage of {} is about code with `#[smallscope::cover]`, and the context does not say which: put the attribute on \
                 an impl block, and add `.covers::<MyType>()` to the context, or `.covers_region(&NAME)` for `#[cover(static NAME)]`; \
                 coverage by `llvm` needs neither, but a separate build",
                cover.targets()
            ));
        }
        let mut blocks = regions.iter().flat_map(|region| region.blocks());
        if cover == Cover::Predicates && blocks.all(|block| block.predicates.is_empty()) {
            return wrong(
                "there are no predicates in the code that the context covers: write `#[smallscope::cover(predicates(..))]`, with \
                 conditions about `self` and arguments; or choose coverage of `blocks`",
            );
        }
        Ok(Meter::Probes(smallscope_cover::Coverage::new(regions, criterion)))
    }

    pub(super) fn coverage(&mut self) -> Option<&mut (dyn Coverage + Send + Sync)> {
        match self {
            Meter::Nothing => None,
            Meter::Probes(coverage) => Some(coverage),
            Meter::Counters(counters) => Some(counters),
        }
    }

    /// Removes from each sequence the calls that it does not need to reach its targets. Without these, another call may
    /// not return, so the calls are watched.
    pub(super) fn shorten(&self, context: &Context, suite: &mut Suite, pulse: &Pulse) {
        let fails = |test: &Test| context.replay_watched(test, pulse).fault.is_some();
        let beat = pulse.beat();
        panics::silently(|| {
            for witness in &mut suite.witnesses {
                let is_failing = fails(&witness.test);
                let mut calls = witness.test.calls().to_vec();
                // The last call reached a target, so it stays.
                for at in (0..calls.len().saturating_sub(1)).rev() {
                    let call = calls.remove(at);
                    let is_enough = self.is_reached(context, &calls, &witness.targets, &beat)
                        && (is_failing || !fails(&Test::of(&calls)));
                    if !is_enough {
                        calls.insert(at, call);
                    }
                }
                witness.test = Test::of(&calls);
            }
        });
    }

    /// Whether these calls reach all targets.
    fn is_reached(&self, context: &Context, calls: &[CallId], targets: &[u64], beat: &Beat) -> bool {
        // Before counting begins: creating initial values may reach targets, too.
        let Ok(mut values) = panics::catch_silenced(|| context.initial_values()) else { return false };
        let again: Option<Box<dyn Coverage>> = match self {
            Meter::Nothing => None,
            Meter::Probes(coverage) => {
                Some(Box::new(smallscope_cover::Coverage::new(&coverage.regions(), coverage.criterion())))
            }
            Meter::Counters(_) => {
                LlvmCounters::new().ok().map(|counters| Box::new(counters) as Box<dyn Coverage>)
            }
        };
        let Some(mut again) = again else { return false };
        // A panic of a clone or a destructor ends the sequence.
        beat.begin(calls);
        let _ = panics::catch_silenced(|| {
            for (at, call) in calls.iter().enumerate() {
                beat.begin_call(at);
                context.call(*call, &mut values);
            }
        });
        let mut reached = vec![];
        again.take_new(&mut reached);
        // A destructor may not return either, so it is watched, too.
        drop(values);
        beat.rest();
        targets.iter().all(|target| reached.contains(target))
    }

    /// Returns the result. `none` says which sequences do not reach the missing targets.
    pub(super) fn conclude(self, none: Option<String>) -> Option<CodeCoverage> {
        match self {
            Meter::Nothing => None,
            Meter::Probes(coverage) => Some(CodeCoverage {
                cover: match coverage.criterion() {
                    Criterion::Blocks => Cover::Blocks,
                    Criterion::Predicates => Cover::Predicates,
                },
                covered: coverage.covered() as u64,
                total: coverage.total() as u64,
                missing: coverage.uncovered().map(missing).collect(),
                none,
            }),
            Meter::Counters(counters) => Some(CodeCoverage {
                cover: Cover::Llvm,
                covered: counters.covered() as u64,
                total: counters.total() as u64,
                missing: vec![],
                none,
            }),
        }
    }
}

#[cfg(feature = "cover")]
fn missing(target: &Target) -> Missing {
    Missing {
        place: target.location(),
        block: Target { combination: None, ..*target }.to_string(),
        what: target.to_string(),
        of: target.combination.map_or(1, |_| 1 << target.block.predicates.len()),
    }
}
