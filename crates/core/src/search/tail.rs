//! The end of a valid path that is plain data: values there are tried one after the other without a look at the rest.

use crate::heap::State;

/// The slots at the end of a complete path that nothing else depends on. When one of them is advanced, the same
/// candidate is complete again as soon as those behind it are open.
#[derive(Default)]
pub(super) struct Tail {
    /// Where on the path they begin.
    start: usize,
    slots: Vec<u32>,
}

impl Tail {
    pub(super) fn clear(&mut self) {
        self.slots.clear();
    }

    /// Notes the tail of a complete path, from the first slot on that the invariant has not read.
    pub(super) fn note(&mut self, s: &State, reads: usize) {
        let is_plain = |step: &&crate::heap::Step| s.slots[step.slot as usize].is_plain;
        self.start = s.path.len() - s.path[reads..].iter().rev().take_while(is_plain).count();
        self.slots.extend(s.path[self.start..].iter().map(|step| step.slot));
    }

    /// Opens the slots behind the one at `depth`, which was advanced, if that is all there is to do.
    #[inline]
    pub(super) fn reopen(&self, s: &mut State, depth: usize) -> bool {
        if self.slots.is_empty() || depth < self.start {
            return false;
        }
        for &slot in &self.slots[depth + 1 - self.start..] {
            s.push(slot, 0);
        }
        true
    }
}
