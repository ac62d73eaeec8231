//! Order types: one value for each way in which the keys compare.
//!
//! Behind the steps of the invariant, the path gets the steps of the rest of the structure except for keys, then decisions
//! about the order of the keys, and at last the keys, each with the lowest value that is possible. The keys are never
//! advanced: every other value would compare in the same way.

use super::set::PathSet;
use crate::invariant::{Incomplete, Structure, catching_dead_ends};
use crate::walk::Walk;

/// Opens every reachable slot, and decides how the keys compare that the invariant has left open.
pub(super) fn complete(structure: Structure, set: &mut PathSet) -> Result<(), Incomplete> {
    let keys = catching_dead_ends(|| Walk::all_but_keys(structure.heap, structure.root));
    let keys = keys.ok_or(Incomplete::DeadEnd)??;
    let mut s = structure.heap.state.borrow_mut();
    s.decide_order(&keys);
    // Some of the keys may be on the path already.
    set.keys.get_or_insert(s.path.len());
    drop(s);
    structure.complete()
}
