//! What the search of a part needs from a search.

use crate::candidate::Candidate;
use crate::disjoint::Selected;
use crate::heap::{Heap, State};
use crate::search::{NO_LEAF, SearchCore};

impl SearchCore {
    pub(crate) fn heap_of_parts(&self) -> &'static Heap {
        self.heap
    }

    pub(crate) fn with_state<R>(&self, f: impl FnOnce(&State) -> R) -> R {
        f(&self.heap().state.borrow())
    }

    /// From now on, only a part of the invariant is run, and only one part of the structure is there.
    pub(crate) fn select(&mut self, selected: Option<&'static Selected>, part: u32) {
        self.selected = selected;
        self.heap.focus.set(part);
    }

    /// Values are delivered that the whole bounds have, whatever scope has them.
    pub(crate) fn deliver_whole_only(&mut self) {
        self.left_out = Some(0);
    }

    /// The slot of another part that the last run has asked for, in words.
    pub(crate) fn take_foreign(&mut self) -> Option<String> {
        let slot = self.heap.foreign.take()?;
        let s = self.heap.state.borrow();
        let info = &s.infos[slot as usize];
        Some(format!("`{}` of the part `{}`", info.site, s.parts.name(info.part)))
    }

    /// The current candidate, with the first choices of all slots of other parts.
    pub(crate) fn whole_candidate(&mut self) -> Candidate {
        self.heap.focus.set(0);
        self.leaf = NO_LEAF;
        self.candidate()
    }
}
