//! A context whose calls have a time limit. They run on another thread, which is abandoned if a call does not return.

use super::NotPassed;
use super::observed::Observed;
use crate::runner::progress::{ProgressLines as Lines, Work};
use crate::runner::{estimate, say};
use smallscope_sequences::{
    Campaign, CampaignProgress, Conclusion, Context, Fault, Observation, Pulse, Test, Watch, Which,
};
use smallscope_support::flight::Flight;
use smallscope_support::miri;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub(super) struct Watched {
    pub context: Arc<Context>,
    /// How long a call may take.
    pub limit: Duration,
    /// Notes the calls that are made.
    pub flight: Option<Arc<Flight>>,
    /// The file for observations.
    pub observe: Option<PathBuf>,
}

impl Watched {
    /// Runs a campaign. The inner error is a call that does not return, with the calls before it.
    pub(super) fn run(
        &self,
        name: &str,
        campaign: Campaign,
        shows_progress: Option<bool>,
    ) -> Result<Result<Conclusion, (Test, Fault)>, NotPassed> {
        let (context, name) = (Arc::clone(&self.context), name.to_owned());
        let observed = match &self.observe {
            Some(path) => Some(Observed::open(path, &name, &campaign)?),
            None => None,
        };
        let found = self.watch(move |pulse| {
            let lines = Lines::new(shows_progress);
            let (begun, has_warned) = (Instant::now(), AtomicBool::new(false));
            let budget = campaign.budget.or(campaign.default_budget);
            let progress = |CampaignProgress { done, unit, fraction }: CampaignProgress| {
                lines.tick_with(|| format!("{name}: {done} {unit} so far"));
                let elapsed = begun.elapsed();
                if let Some(share) = fraction.filter(|_| lines.is_bar_due()) {
                    let at_most = budget.map_or(Duration::MAX, |budget| budget.saturating_sub(elapsed));
                    lines.draw(&Work { name: &name, scope: None, share, elapsed, at_most });
                }
                // Sequences that an exploration makes way for need not be all that there are.
                let may_warn = elapsed >= estimate::SLICE && !campaign.mixes;
                if let (Some(share), Some(budget), true) = (fraction, budget, may_warn) {
                    let time = estimate::excess(elapsed, share, budget, Duration::ZERO);
                    if let Some(time) = time.filter(|_| !has_warned.swap(true, Ordering::Relaxed)) {
                        say(&estimate::warning(&name, "running all sequences", time, budget));
                    }
                }
            };
            // The number of states is not known before, so there is nothing to estimate.
            let is_watched = shows_progress == Some(true) || campaign.which != Which::States;
            let progress = is_watched.then_some(&progress as &(dyn Fn(CampaignProgress) + Send + Sync));
            let observe = |observation: &Observation<'_>| {
                if let Some(observed) = &observed {
                    observed.write(&context, observation);
                }
            };
            let keeps_sequences = observed.is_some();
            let observer = keeps_sequences.then_some(&observe as &(dyn Fn(&Observation<'_>) + Send + Sync));
            let watch = Watch { progress, pulse: Some(pulse), keeps_sequences, observer, ..Watch::default() };
            let found = campaign.run(&context, &watch).map_err(|error| error.to_string())?;
            if let Some(observed) = observed {
                observed.close(&context, &found)?;
            }
            Ok(found)
        })?;
        match found {
            Ok(found) => found.map(Ok).map_err(NotPassed::Error),
            Err(stuck) => Ok(Err(stuck)),
        }
    }

    /// Runs one test. Returns the fault, and the calls up to it.
    pub(super) fn replay(&self, test: &Test) -> Result<Option<(Test, Fault)>, NotPassed> {
        let (context, test) = (Arc::clone(&self.context), test.clone());
        let replayed =
            self.watch(move |pulse| context.replay_watched(&test, pulse).fault.map(|fault| (test, fault)))?;
        Ok(replayed.unwrap_or_else(Some))
    }

    fn watch<R: Send + 'static>(
        &self,
        work: impl FnOnce(&Pulse) -> R + Send + 'static,
    ) -> Result<Result<R, (Test, Fault)>, NotPassed> {
        if miri::IS_RUNNING {
            // Without a second thread. Miri ends a run that waits for itself, and one that is endless is stopped by hand.
            return Ok(Ok(work(&Pulse::default())));
        }
        Pulse::watch_recorded(self.limit, self.flight.clone(), work, || {})
            .map_err(|error| NotPassed::Error(format!("no thread can be started: {error}")))
    }
}
