//! Staying within a disjoint part: while one is searched on its own, the slots of the others are not there.

use super::{DeadEnd, Heap, Kind, State};
use std::panic::resume_unwind;

/// In place of a part: all are there, and it is noted which of them are asked for.
pub(crate) const OBSERVE: u32 = u32::MAX;

impl Heap {
    /// Ends the run if the slot belongs to another part than the one that is searched.
    #[inline]
    pub(crate) fn stay_in_part(&self, slot: u32) {
        if self.focus.get() != 0 {
            self.check_part(slot);
        }
    }

    #[cold]
    fn check_part(&self, slot: u32) {
        if self.focus.get() == OBSERVE {
            let part = self.state.borrow().infos[slot as usize].part;
            self.asked.set(self.asked.get() | 1 << part);
        } else if self.is_foreign(slot) {
            self.foreign.set(self.foreign.get().or(Some(slot)));
            resume_unwind(Box::new(DeadEnd));
        }
    }

    /// Whether the slot belongs to another part than the one that is searched.
    pub(crate) fn is_foreign(&self, slot: u32) -> bool {
        let focus = self.focus.get();
        let arena = |s: &State| match s.slots[slot as usize].kind {
            Kind::Index { arena, .. } => s.infos[arena as usize].part,
            _ => focus,
        };
        focus != 0 && focus != OBSERVE && {
            let s = self.state.borrow();
            s.infos[slot as usize].part != focus || arena(&s) != focus
        }
    }
}
