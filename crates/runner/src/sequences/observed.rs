//! Observations of call sequences: a line for each test, or for each state of an exploration.

use crate::observation::Line;
use crate::observe::Lines;
use smallscope_sequences::{Campaign, Conclusion, Context, Observation, Test};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The file for the observations of a campaign.
pub(super) struct Observed {
    lines: Mutex<Lines>,
    /// How sequences are generated.
    how: String,
}

impl Observed {
    pub(super) fn open(path: &Path, test: &str, campaign: &Campaign) -> Result<Observed, String> {
        let how = format!("strategy `{}`", campaign.which);
        Ok(Observed { lines: Mutex::new(Lines::open(path, test)?), how })
    }

    /// Writes a test of a list.
    pub(super) fn write(&self, context: &Context, observed: &Observation<'_>) {
        let Ok(test) = Test::new(context, observed.calls.iter().copied()) else { return };
        let failure = observed.fault.map(|(at, fault)| format!("after {} calls: {fault}", at + 1));
        let mut features = vec![("calls", test.len() as u64)];
        features.extend(observed.skipped.map(|skipped| ("skipped", skipped)));
        let sequence = test.to_line(context);
        let arguments = [("sequence".to_owned(), sequence.clone())];
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).write(&Line {
            failure: failure.as_deref(),
            representation: &test.to_source(context),
            arguments: &arguments,
            how: &self.how,
            features: &features,
            time: observed.time,
            metadata: ("sequence", &sequence),
        });
    }

    /// Writes what an exploration has found: a sequence for each state, and those that failed. Then ends the file.
    pub(super) fn close(self, context: &Context, found: &Conclusion) -> Result<(), String> {
        if let Conclusion::States { found, .. } = found {
            for test in &found.sequences {
                self.write(
                    context,
                    &Observation { calls: test.calls(), fault: None, skipped: None, time: None },
                );
            }
            for cluster in &found.clusters {
                let (test, fault) = (&cluster.first.test, &cluster.first.fault);
                let fault = Some((test.len().saturating_sub(1), fault));
                self.write(context, &Observation { calls: test.calls(), fault, skipped: None, time: None });
            }
        }
        self.lines.into_inner().unwrap_or_else(PoisonError::into_inner).close()
    }
}
