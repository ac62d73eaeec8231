//! Breadth first: states in the order in which they were found, so each by a shortest sequence.

use super::walker::Walker;
use super::{Ending, Explored};
use crate::outcome::Stop;

pub(super) fn explore(walker: &mut Walker<'_, '_>) -> Ending {
    // The states of each length, as numbers.
    let mut levels = vec![1];
    let mut next = 0;
    while next < walker.states.len() && levels.len() <= walker.max_length() {
        let end = walker.states.len();
        for id in next..end {
            walker.go_to(id as u32);
            for call in 0..walker.calls() {
                walker.step(call);
                if let Some(stop) = walker.stop() {
                    return ending(stop, walker, levels, end);
                }
            }
        }
        next = end;
        if walker.states.len() > end {
            levels.push((walker.states.len() - end) as u64);
        }
    }
    Ending { explored: Explored { is_closed: next == walker.states.len(), levels }, stop: None }
}

fn ending(stop: Stop, walker: &Walker<'_, '_>, mut levels: Vec<u64>, end: usize) -> Ending {
    if walker.states.len() > end {
        levels.push((walker.states.len() - end) as u64);
    }
    Ending { explored: Explored { is_closed: false, levels }, stop: Some(stop) }
}
