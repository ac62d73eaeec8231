//! Breadth first: visits states in the order in which they were found, so each is reached by a shortest sequence.

use std::ops::Range;

use super::states::StateId;
use super::threads::Threads;
use super::walker::Walker;
use super::{Ending, Explored};
use crate::outcome::Stop;

pub(super) fn explore(walker: &mut Walker<'_>, threads: usize) -> Ending {
    match Threads::of(walker, threads) {
        None => by_levels(walker, expand),
        Some(threads) => {
            threads.run(|threads| by_levels(walker, |walker, states| threads.expand(walker, states)))
        }
    }
}

/// Explores level by level. `expand` makes every call in each state of a level.
pub(super) fn by_levels(
    walker: &mut Walker<'_>,
    mut expand: impl FnMut(&mut Walker<'_>, Range<StateId>) -> Option<Stop>,
) -> Ending {
    // The number of states of each length.
    let mut levels = vec![1];
    let mut next = 0;
    let mut stop = None;
    let mut whole = 0;
    while stop.is_none() && next < walker.states.len() && levels.len() <= walker.limits.length {
        whole = levels.len() - 1;
        let end = walker.states.len();
        stop = expand(walker, next as StateId..end as StateId);
        next = end;
        if walker.states.len() > end {
            levels.push((walker.states.len() - end) as u64);
        }
    }
    let is_closed = stop.is_none() && next == walker.states.len();
    if stop.is_none() {
        whole = levels.len() - 1;
    }
    Ending { explored: Explored { is_closed, levels, whole }, stop }
}

/// Makes every call in each of some states.
pub(super) fn expand(walker: &mut Walker<'_>, states: Range<StateId>) -> Option<Stop> {
    for id in states {
        walker.go_to(id);
        // Numbers, because a range is a call for each of them in a debug build.
        let (mut call, calls) = (0, walker.calls());
        while call < calls {
            walker.step(call);
            if let Some(stop) = walker.stop() {
                return Some(stop);
            }
            call += 1;
        }
    }
    None
}
