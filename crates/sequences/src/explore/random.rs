//! Random search: sequences of random calls, each from the beginning. States are counted, but not matched.

use smallscope_support::random::SplitMix;

use super::walker::{Step, Walker};
use super::{Ending, Explored};
use crate::outcome::{Limit, Stop};

/// The number, length and seed of random sequences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RandomSearch {
    /// The number of sequences.
    pub runs: u64,
    /// The number of calls in each.
    pub length: usize,
    /// The seed of the calls.
    pub seed: u64,
}

pub(super) fn explore(walker: &mut Walker<'_>, search: RandomSearch) -> Ending {
    let mut levels = vec![1];
    let mut stop = Stop::LimitReached(Limit::Sample);
    'runs: for run in 0..search.runs {
        let mut random = SplitMix::stream(search.seed, run);
        walker.go_along(&[], 0);
        for length in 1..=search.length {
            let call = random.below(walker.calls());
            walker.drops_values = length == search.length;
            let step = walker.step(call);
            if let Some(reason) = walker.stop() {
                stop = reason;
                break 'runs;
            }
            match step {
                Step::To { id, is_new } => {
                    levels.resize(levels.len().max(length + 1), 0);
                    levels[length] += u64::from(is_new);
                    if !walker.drops_values {
                        walker.go_on(call, id);
                    }
                }
                Step::Skipped => {}
                Step::Failed => break,
            }
        }
    }
    Ending { explored: Explored { is_closed: false, levels, whole: 0 }, stop: Some(stop) }
}
