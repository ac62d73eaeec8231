//! What requests of the tool need to know about a check.

use super::Check;
use crate::runner::plan::{Identity, Plan};
use crate::settings::Settings;
use smallscope_core::{Bounds, Classes, Engine};

impl Check {
    /// Returns the bounds of the check.
    pub(crate) fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Returns the engine and the treatment of classes.
    pub(crate) fn engine_and_classes(&self) -> (Engine, Classes) {
        let (engine, classes) = (self.settings.engine, self.settings.classes);
        (engine.unwrap_or(self.options.engine), classes.unwrap_or(self.options.classes))
    }

    /// Returns how a shard of the check runs: on one thread, and without a time budget. It reads and writes no records: the
    /// plan has those of the test. `settings` go over those of the check.
    pub(crate) fn in_shards(&self, bounds: Bounds, settings: Settings) -> Result<Plan, String> {
        if let Some(mistake) = &self.mistake {
            return Err(mistake.clone());
        }
        let own = &self.settings;
        let refused = [
            ("max", own.max.is_some()),
            ("suite", own.suite.is_some()),
            ("criterion", own.criterion.is_some()),
            ("order_types", own.order_types == Some(true)),
            ("classes", self.engine_and_classes().1 != Classes::Ignored),
            ("clusters", own.clusters == Some(true)),
        ];
        if let Some((name, _)) = refused.iter().find(|(_, is_given)| *is_given) {
            return Err(format!(
                "`{name}` of the test: which values it selects or groups depends on all values before, so the test cannot be \
                 divided into shards; leave it out, or use `--values-only`"
            ));
        }
        // As in a run of the test.
        let edges = Some(own.edges.unwrap_or(true));
        let own =
            Settings { edges, threads: Some(1), budget: None, shard: None, sparse: None, ..own.clone() };
        let identity = Identity { regressions: None, ..self.identity.clone() };
        Ok(Plan::new(identity, bounds, self.options, own, settings))
    }

    /// Returns the place and the position of each recorded failure of the check.
    pub(crate) fn records(&self) -> Result<Vec<(String, String)>, String> {
        let Some(regressions) = &self.identity.regressions else { return Ok(vec![]) };
        let mut records = vec![];
        for record in regressions.load(&self.identity.name)? {
            let place = format!("{}:{}", regressions.short_path(), record.line);
            records.push((place, record.position.to_string()));
        }
        Ok(records)
    }

    /// Returns the check as it runs on mutants: on one thread, and without records. `settings` go over the variables of the
    /// process.
    #[cfg(feature = "mutate")]
    pub(crate) fn on_mutants(&self, settings: Settings) -> Result<Check, String> {
        let mut check = self.clone().edges_by_default();
        check.identity.regressions = None;
        let process = check.variables.take().unwrap_or_else(Settings::of_process)?;
        let variables =
            Settings { threads: Some(1), clusters: Some(false), html: Some(false), ..settings.or(process) };
        check.variables =
            Some(Ok(Settings { replay: None, report: None, progress: None, shard: None, ..variables }));
        Ok(check)
    }

    /// Returns the check of [`Check::on_mutants`] for values within the bounds only.
    #[cfg(feature = "mutate")]
    pub(crate) fn within_bounds(&self) -> Check {
        let mut check = self.clone().edges(false);
        if let Some(Ok(variables)) = &mut check.variables {
            variables.edges = None;
        }
        check
    }

    /// Returns the bounds with the number that the variables of [`Check::on_mutants`] give.
    #[cfg(feature = "mutate")]
    pub(crate) fn bounds_with_variables(&self) -> Bounds {
        let variables = self.variables.clone().and_then(Result::ok).unwrap_or_default();
        let own = self.settings.clone();
        Plan::new(self.identity.clone(), self.bounds.clone(), self.options, own, variables).bounds
    }
}
