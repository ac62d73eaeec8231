//! Depth first. A state that is reached again by fewer calls is explored again: otherwise states that follow it within
//! the length would be missed.

use super::walker::{Step, Walker};
use super::{Ending, Explored};

pub(super) fn explore(walker: &mut Walker<'_>) -> Ending {
    // The fewest calls by which each state was reached.
    let mut lengths: Vec<u32> = vec![0];
    // The states on the current path, with the next call to try in each.
    let mut stack = vec![(0u32, 0u32)];
    let mut path = vec![];
    let mut is_cut = false;
    let mut stop = None;
    walker.go_along(&path, 0);
    while let Some((id, call)) = stack.last_mut() {
        if *call == walker.calls() || path.len() >= walker.limits.length {
            is_cut |= *call < walker.calls();
            stack.pop();
            path.pop();
            if let Some((id, _)) = stack.last() {
                walker.go_along(&path, *id);
            }
            continue;
        }
        let (from, this) = (*id, *call);
        *call += 1;
        let step = walker.step(this);
        stop = walker.stop();
        if stop.is_some() {
            break;
        }
        let Step::To { id, is_new } = step else { continue };
        let length = path.len() as u32 + 1;
        if is_new {
            lengths.push(length);
        } else if length < lengths[id as usize] {
            lengths[id as usize] = length;
            walker.states.set_parent(id, from, this);
        } else {
            continue;
        }
        path.push(this);
        stack.push((id, 0));
        walker.go_along(&path, id);
    }
    lengths.resize(walker.states.len(), path.len() as u32 + 1);
    let mut levels = vec![];
    for length in lengths {
        let length = length as usize;
        levels.resize(levels.len().max(length + 1), 0);
        levels[length] += 1;
    }
    let is_closed = stop.is_none() && !is_cut;
    Ending { explored: Explored { is_closed, levels, whole: 0 }, stop }
}
