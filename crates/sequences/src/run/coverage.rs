//! Finds the first test of a list that reaches each target, independent of the number of threads.

use std::collections::HashSet;

use smallscope_support::panics;

use crate::context::{CallId, Context, Reply};
use crate::explore::{Coverage, Suite, Witness};
use crate::pulse::Beat;
use crate::test::Test;

/// A test reached targets that its thread had not seen.
pub(super) struct Reached {
    /// The test, and how many of its calls were made.
    offset: u64,
    calls: usize,
    /// Its calls that were not skipped, up to the one that reached the targets.
    path: Vec<CallId>,
    targets: Vec<u64>,
}

/// Makes the calls of a test again without clones and oracles, which may have reached the new targets.
#[cold]
pub(super) fn repeat_for_coverage(
    context: &Context,
    offset: u64,
    test: &[CallId],
    coverage: &mut dyn Coverage,
    beat: &Beat,
) -> Vec<Reached> {
    let mut targets = vec![];
    if !coverage.discard() {
        coverage.take_new(&mut targets);
        return vec![Reached { offset, calls: test.len(), path: test.to_vec(), targets }];
    }
    let mut all = vec![];
    let mut path = vec![];
    beat.begin(test);
    let mut values = context.initial_values();
    coverage.discard();
    for (made, &call) in test.iter().enumerate() {
        beat.begin_call(made);
        // A panic that is not the call's own, in a clone or a destructor, ends the test.
        let reply = panics::catch_silenced(|| context.call(call, &mut values));
        if matches!(reply, Ok(Reply::Skipped)) {
            continue;
        }
        path.push(call);
        coverage.take_new(&mut targets);
        if !targets.is_empty() {
            let targets = std::mem::take(&mut targets);
            all.push(Reached { offset, calls: made + 1, path: path.clone(), targets });
        }
        if reply.is_err() {
            break;
        }
    }
    all
}

/// The suite of the tests up to one of them, in their order.
pub(super) fn suite(
    mut reached: Vec<Reached>,
    length: usize,
    end: Option<u64>,
    coverage: &mut (dyn Coverage + Send + Sync),
) -> Suite {
    reached.sort_by_key(|reached| (reached.offset, reached.calls));
    let mut known = HashSet::new();
    let mut suite = Suite { total: coverage.total(), ..Suite::default() };
    for Reached { offset, calls, path, targets } in reached {
        if end.is_some_and(|end| offset > end) {
            break;
        }
        let targets: Vec<u64> = targets.into_iter().filter(|target| known.insert(*target)).collect();
        if targets.is_empty() {
            continue;
        }
        coverage.add(&targets);
        suite.witnesses.push(Witness {
            test: Test::of(&path),
            names: targets.iter().filter_map(|target| coverage.name(*target)).collect(),
            targets,
            transitions: offset * length as u64 + calls as u64,
        });
    }
    suite
}
