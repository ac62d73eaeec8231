//! How a run goes: the variables over the test over the defaults.

use super::regressions::Regressions;
use super::replay::ReplayCandidate;
use super::report::{Report, Verdict};
use crate::settings::Settings;
use smallscope_core::{Bounds, Classes, Disjoint, Engine, Options, Summaries};
use smallscope_support::duration::DEFAULT_BUDGET;
use smallscope_support::miri;
use std::time::Duration;

/// The order in which values are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Order {
    /// Scopes from 0 to the bound, so that the first failure is a smallest one. The default.
    #[default]
    Smallest,
    /// One pass over all values, in the order of the search.
    Single,
}

impl Order {
    /// Returns its name in variables and attributes.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Order::Smallest => "smallest",
            Order::Single => "single",
        }
    }
}

/// How a suite was made.
pub(crate) struct SuiteProvenance {
    pub(crate) bounds: Bounds,
    pub(crate) engine: Engine,
    pub(crate) classes: Classes,
    pub(crate) disjoint: Disjoint,
    pub(crate) summaries: Summaries,
}

/// The test, and how cargo finds it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Identity {
    /// The name in reports and records.
    pub(crate) name: String,
    /// Whether the name is made up from the place, so that several checks may have the same.
    pub(crate) is_anonymous: bool,
    /// Its name in the test harness.
    pub(crate) harness_name: Option<String>,
    /// Its package.
    pub(crate) package: Option<String>,
    /// Whether the harness skips it by default.
    pub(crate) is_ignored: bool,
    /// Whether the run prints nothing: its report has everything.
    pub(crate) is_quiet: bool,
    /// Where its failures are recorded.
    pub(crate) regressions: Option<Regressions>,
}

/// Returns the test that runs on this thread, if the harness names it.
pub(crate) fn harness_name() -> Option<String> {
    std::thread::current().name().filter(|name| *name != "main").map(str::to_owned)
}

/// How a run goes.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) identity: Identity,
    pub(crate) bounds: Bounds,
    pub(crate) options: Options,
    pub(crate) order: Order,
    pub(crate) replay: Option<ReplayCandidate>,
    pub(crate) threads: usize,
    pub(crate) settings: Settings,
    /// The time budget, unless the settings have one.
    pub(crate) default_budget: Duration,
}

impl Plan {
    /// Whether no option groups or selects values, and the engine is not the published algorithm, which stays as it is.
    pub(super) fn is_plain(&self) -> bool {
        let Options { classes, order_types, engine, .. } = self.options;
        classes == Classes::Ignored && !order_types && engine != Engine::Korat
    }

    /// Puts the variables over the settings of the test.
    pub(crate) fn new(
        identity: Identity,
        bounds: Bounds,
        options: Options,
        own: Settings,
        mut variables: Settings,
    ) -> Plan {
        if own.suite.is_some() {
            // The bounds and the engine of a suite are those of the run that made it.
            variables = Settings {
                scope: None,
                size: None,
                engine: None,
                classes: None,
                disjoint: None,
                summaries: None,
                ..variables
            };
        }
        // The variable replaces a seed, but does not turn a choice into a random one.
        let is_random = own.seed.is_some()
            || own.sample.is_some()
            || variables.sample.is_some()
            || bounds.has_long_lengths();
        variables.seed = variables.seed.filter(|_| is_random);
        let mut settings = variables.or(own);
        settings.sparse = settings.sparse.filter(|values| *values > 0);
        settings.shard = settings.shard.filter(|shard| shard.count() > 1);
        let is_slow = miri::IS_RUNNING;
        // Exact bounds have no number to replace.
        let bounds = match (bounds.scope_number(), settings.scope, settings.size) {
            (Some(_), Some(scope), _) => bounds.with_plain_scope(scope),
            (Some(_), None, Some(size)) => bounds.with_size(size),
            // The number of a value to replay, and a suite, belong to the bounds that they were made with.
            (Some(n), None, None) if is_slow && settings.replay.is_none() && settings.suite.is_none() => {
                bounds.with_scope(n.min(miri::SCOPE))
            }
            _ => bounds,
        };
        let threads = settings.threads();
        let options = Options {
            engine: settings.engine.unwrap_or(options.engine),
            classes: settings.classes.unwrap_or(options.classes),
            order_types: settings.order_types.unwrap_or(options.order_types),
            audit: settings.audit.unwrap_or(options.audit),
            disjoint: match settings.criterion {
                // Criteria look at runs of the invariant on whole values.
                Some(_) => Disjoint::Off,
                None => settings.disjoint.unwrap_or(Disjoint::Auto),
            },
            summaries: match settings.criterion {
                // Criteria look at runs of the whole invariant.
                Some(_) => Summaries::Off,
                None => settings.summaries.unwrap_or(options.summaries),
            },
            ..options
        };
        let is_single = settings.order.as_deref() == Some(Order::Single.name());
        Plan {
            identity,
            bounds,
            options,
            order: if is_single { Order::Single } else { Order::Smallest },
            replay: settings.replay.clone().and_then(|replay| replay.candidate),
            threads,
            settings,
            default_budget: DEFAULT_BUDGET,
        }
    }

    /// Says why there are no summaries, if they were requested.
    pub(super) fn unsummarised(&self, report: &Report) -> Option<String> {
        let why = report.why_not_summarised.as_ref()?;
        let is_requested = self.options.summaries == Summaries::On && report.is_ok();
        is_requested.then(|| format!("`{}`: no summaries of helpers: {why}", self.name()))
    }

    /// Returns the time budget.
    pub(crate) fn time(&self) -> Duration {
        self.settings.budget.unwrap_or(self.default_budget)
    }

    pub(crate) fn name(&self) -> &str {
        &self.identity.name
    }

    /// Prints a line that the user should know.
    pub(super) fn say(&self, text: &str) {
        if !self.identity.is_quiet {
            super::say(text);
        }
    }

    /// Returns the command that runs this test on one value only.
    pub(crate) fn command(&self, position: &ReplayCandidate) -> String {
        self.identity.replay(&position.to_string())
    }
}

impl Identity {
    /// Returns a report that nothing could be run.
    pub(crate) fn error(&self, error: String) -> Report {
        Report { verdict: Verdict::Error(error), ..Report::new(&self.name) }
    }

    /// Returns the command that replays a value or a sequence of calls.
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
    use smallscope_core::Engine;

    #[test]
    fn variables_go_over_the_test() {
        let own = Settings { max: Some(5), ..Settings::default() };
        let variables = Settings {
            scope: Some(4),
            engine: Some(Engine::Korat),
            order: Some("single".into()),
            seed: Some(1),
            ..Settings::default()
        };
        let plan = Plan::new(Identity::default(), Bounds::scope(3), Options::default(), own, variables);
        assert_eq!(plan.bounds.scope_number(), Some(4));
        assert_eq!(plan.options.engine, Engine::Korat);
        assert_eq!((plan.settings.max, plan.order), (Some(5), Order::Single));
        assert_eq!(plan.settings.seed, None);
    }

    #[test]
    fn a_run_takes_at_most_a_minute_unless_it_says_otherwise() {
        let plan = |budget: Option<&str>| {
            let budget = budget.map(|text| smallscope_support::duration::parse_budget(text).unwrap());
            let variables = Settings { budget, ..Settings::default() };
            let own = Settings::default();
            Plan::new(Identity::default(), Bounds::scope(3), Options::default(), own, variables).time()
        };
        assert_eq!(plan(None), Duration::from_secs(60));
        assert_eq!(plan(Some("2h")), Duration::from_secs(7200));
        assert_eq!(plan(Some("none")), Duration::MAX);
    }

    #[test]
    fn exact_bounds_do_not_get_a_scope_number() {
        let variables = Settings { scope: Some(4), ..Settings::default() };
        let own = Settings::default();
        let plan = Plan::new(Identity::default(), Bounds::default(), Options::default(), own, variables);
        assert_eq!(plan.bounds.scope_number(), None);
    }

    #[test]
    fn a_variable_replaces_the_number_and_what_it_means() {
        let number = |bounds: Bounds, variables: Settings| {
            let own = Settings::default();
            Plan::new(Identity::default(), bounds, Options::default(), own, variables).bounds.to_string()
        };
        let scope = Settings { scope: Some(4), ..Settings::default() };
        let size = Settings { size: Some(5), ..Settings::default() };
        assert_eq!(number(Bounds::size(3), scope), "scope 4");
        assert_eq!(number(Bounds::scope(3).objects("Node", 2), size.clone()), "size 5\nobjects Node = 2");
        assert_eq!(number(Bounds::exact(), size), "");
    }

    #[test]
    fn a_suite_has_its_own_engine() {
        let own = Settings { suite: Some("a".into()), engine: Some(Engine::Owned), ..Settings::default() };
        let variables = Settings { engine: Some(Engine::Korat), max: Some(2), ..Settings::default() };
        let plan = Plan::new(Identity::default(), Bounds::scope(3), Options::default(), own, variables);
        assert_eq!((plan.options.engine, plan.settings.max), (Engine::Owned, Some(2)));
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
