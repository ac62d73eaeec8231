//! Everything that decides how a run goes, resolved: the environment over the test over the defaults.

use super::budget::Shard;
use super::env::{Env, Order};
use super::regressions::Regressions;
use super::replay::ReplayCandidate;
use super::report::{Report, Verdict};
use crate::criteria::Given;
use smallscope_core::{Bounds, Disjoint, Engine, Options};
use std::path::PathBuf;
use std::time::Duration;

/// What a test itself says.
#[derive(Debug, Clone, Default)]
pub(crate) struct Settings {
    pub(crate) bounds: Bounds,
    pub(crate) options: Options,
    pub(crate) budget: Option<Duration>,
    pub(crate) max: Option<u64>,
    pub(crate) order: Order,
    pub(crate) sparse: Option<u64>,
    pub(crate) threads: Option<usize>,
    /// Whether disjoint parts are searched on their own.
    pub(crate) disjoint: Option<Disjoint>,
    /// The file with the values, in place of a search.
    pub(crate) suite: Option<PathBuf>,
    /// Which values are tested, if not all.
    pub(crate) reduction: Given,
    /// Goes on after failures, and groups them.
    pub(crate) clusters: bool,
}

/// Who is being run, and how cargo finds it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Identity {
    /// For people and records.
    pub(crate) name: String,
    /// Nobody gave it a name, so there may be several of the same.
    pub(crate) is_anonymous: bool,
    /// Its name in the test harness.
    pub(crate) harness_name: Option<String>,
    /// Its package.
    pub(crate) package: Option<String>,
    /// It runs only when asked for.
    pub(crate) is_ignored: bool,
    /// Where its failures are recorded.
    pub(crate) regressions: Option<Regressions>,
}

/// How a run goes.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) identity: Identity,
    pub(crate) bounds: Bounds,
    pub(crate) options: Options,
    pub(crate) budget: Option<Duration>,
    pub(crate) max: Option<u64>,
    pub(crate) order: Order,
    /// How many values to look at before the search.
    pub(crate) sparse: Option<u64>,
    pub(crate) shard: Option<Shard>,
    pub(crate) replay: Option<ReplayCandidate>,
    pub(crate) threads: usize,
    pub(crate) progress: bool,
    pub(crate) report: Option<PathBuf>,
    pub(crate) suite: Option<PathBuf>,
    pub(crate) reduction: Given,
    pub(crate) clusters: bool,
}

impl Plan {
    pub(crate) fn new(identity: Identity, settings: Settings, env: Env) -> Plan {
        let Settings {
            bounds,
            options,
            budget,
            max,
            order,
            sparse,
            threads,
            disjoint,
            suite,
            reduction,
            clusters,
        } = settings;
        // Exact bounds have no scope number that could be replaced, and a suite has the values that it has.
        let bounds = match (bounds.scope_number(), env.scope.filter(|_| suite.is_none())) {
            (Some(_), Some(scope)) => bounds.with_scope(scope),
            _ => bounds,
        };
        let engine: Engine = env.engine.filter(|_| suite.is_none()).unwrap_or(options.engine);
        let classes = env.classes.filter(|_| suite.is_none()).unwrap_or(options.classes);
        let disjoint = env.disjoint.filter(|_| suite.is_none()).or(disjoint).unwrap_or(Disjoint::Auto);
        // Which decisions the invariant takes is a question about whole values.
        let disjoint = if reduction.criterion.is_some() { Disjoint::Off } else { disjoint };
        let threads = env.threads.or(threads).unwrap_or_else(all_cores);
        Plan {
            identity,
            bounds,
            options: Options { engine, classes, disjoint, ..options },
            budget: env.budget.or(budget),
            max: env.max.or(max),
            order: env.order.unwrap_or(order),
            sparse: env.sparse.or(sparse).filter(|values| *values > 0),
            shard: env.shard.filter(|shard| shard.count() > 1),
            replay: env.replay.and_then(|replay| replay.position),
            threads,
            progress: env.progress,
            report: env.report,
            suite,
            // Another seed is for tests that have one.
            reduction: Given { seed: reduction.seed.map(|seed| env.seed.unwrap_or(seed)), ..reduction },
            clusters: env.clusters.unwrap_or(clusters),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.identity.name
    }

    /// The command that runs this test on one value only.
    pub(crate) fn command(&self, position: &ReplayCandidate) -> String {
        self.identity.replay(&position.to_string())
    }
}

/// As many threads as can run at a time.
pub(crate) fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

impl Identity {
    /// A report that nothing could be run.
    pub(crate) fn error(&self, error: String) -> Report {
        Report { verdict: Verdict::Error(error), ..Report::new(&self.name) }
    }

    /// The command that runs this test again, and only so.
    pub(crate) fn replay(&self, what: &str) -> String {
        let nextest = std::env::var_os("NEXTEST").is_some();
        self.command(what, nextest)
    }

    fn command(&self, what: &str, nextest: bool) -> String {
        let what = what.replace('\'', r"'\''");
        let mut command = format!("SMALLSCOPE_REPLAY='{what}' cargo ");
        command.push_str(if nextest { "nextest run" } else { "test" });
        if let Some(package) = &self.package {
            command.push_str(&format!(" -p {package}"));
        }
        match (&self.harness_name, nextest) {
            (None, _) => {}
            (Some(name), true) => {
                command.push_str(if self.is_ignored { " --run-ignored all" } else { "" });
                command.push_str(&format!(" -E 'test(={name})'"));
            }
            (Some(name), false) => {
                command.push_str(&format!(" {name} -- --exact"));
                command.push_str(if self.is_ignored { " --include-ignored" } else { "" });
            }
        }
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_goes_over_the_test() {
        let settings = Settings { bounds: Bounds::scope(3), max: Some(5), ..Settings::default() };
        let env =
            Env { scope: Some(4), engine: Some(Engine::Korat), order: Some(Order::Single), ..Env::default() };
        let plan = Plan::new(Identity::default(), settings, env);
        assert_eq!(plan.bounds.scope_number(), Some(4));
        assert_eq!(plan.options.engine, Engine::Korat);
        assert_eq!((plan.max, plan.order), (Some(5), Order::Single));
    }

    #[test]
    fn exact_bounds_do_not_get_a_scope_number() {
        let env = Env { scope: Some(4), ..Env::default() };
        let plan = Plan::new(Identity::default(), Settings::default(), env);
        assert_eq!(plan.bounds.scope_number(), None);
    }

    #[test]
    fn commands_for_both_harnesses() {
        let mut identity = Identity {
            harness_name: Some("tree::works".into()),
            package: Some("app".into()),
            ..Identity::default()
        };
        let command = |identity: &Identity, nextest| identity.command("3:1.0", nextest);
        assert_eq!(
            command(&identity, false),
            "SMALLSCOPE_REPLAY='3:1.0' cargo test -p app tree::works -- --exact"
        );
        identity.is_ignored = true;
        assert_eq!(
            command(&identity, true),
            "SMALLSCOPE_REPLAY='3:1.0' cargo nextest run -p app --run-ignored all -E 'test(=tree::works)'"
        );
        assert_eq!(command(&Identity::default(), false), "SMALLSCOPE_REPLAY='3:1.0' cargo test");
    }
}
