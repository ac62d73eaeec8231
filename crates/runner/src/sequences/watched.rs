//! A context whose calls may take a time and no longer: they are made on another thread, which is left alone if need be.

use super::Bad;
use crate::runner::progress::Progress as Lines;
use smallscope_sequences::{Campaign, CampaignProgress, Conclusion, Context, Fault, Pulse, Test, Watch};
use std::sync::Arc;
use std::time::Duration;

pub(super) struct Watched {
    pub context: Arc<Context>,
    /// What a call may take.
    pub limit: Duration,
}

impl Watched {
    /// Runs a campaign. The inner error is a call that does not return, with what led to it.
    pub(super) fn run(
        &self,
        name: &str,
        campaign: Campaign,
        shows_progress: bool,
    ) -> Result<Result<Conclusion, (Test, Fault)>, Bad> {
        let (context, name) = (Arc::clone(&self.context), name.to_owned());
        let found = self.watch(move |pulse| {
            let lines = Lines::new(shows_progress);
            let progress = |CampaignProgress { done, unit, .. }: CampaignProgress| {
                lines.tick_with(|| format!("{name}: {done} {unit} so far"));
            };
            let progress = shows_progress.then_some(&progress as &(dyn Fn(CampaignProgress) + Send + Sync));
            campaign.run(&context, &Watch { progress, pulse: Some(pulse), ..Watch::default() })
        })?;
        match found {
            Ok(found) => found.map(Ok).map_err(|error| Bad::Error(error.to_string())),
            Err(stuck) => Ok(Err(stuck)),
        }
    }

    /// Runs one test: what is wrong, and after which calls.
    pub(super) fn replay(&self, test: &Test) -> Result<Option<(Test, Fault)>, Bad> {
        let (context, test) = (Arc::clone(&self.context), test.clone());
        let replayed =
            self.watch(move |pulse| context.replay_watched(&test, pulse).fault.map(|fault| (test, fault)))?;
        Ok(replayed.unwrap_or_else(Some))
    }

    fn watch<R: Send + 'static>(
        &self,
        work: impl FnOnce(&Pulse) -> R + Send + 'static,
    ) -> Result<Result<R, (Test, Fault)>, Bad> {
        Pulse::watch(self.limit, work, || {})
            .map_err(|error| Bad::Error(format!("no thread can be started: {error}")))
    }
}
