//! Structures of plain data and pointers only: every slot of an object is there, whatever others hold. So it can be counted
//! how many slots are reachable, and often nothing is left to be opened, or only slots of the root: then nobody has to walk
//! through all objects to see that.

use super::{Heap, Kind, State};
use crate::cell::LAZY;

/// How many slots there are.
pub(crate) struct Flat {
    /// Those that belong to no object, in the order of walks.
    root: Vec<u32>,
    /// In an object of each class.
    of_object: Vec<usize>,
}

/// With more objects it is left to a walk to see whether the structure is too deep.
const MOST_OBJECTS: u32 = 256;

impl State {
    /// Counts the slots, if the structure is of this kind.
    pub fn find_flat(&mut self) {
        if !self.slots.iter().all(|slot| slot.is_plain || matches!(slot.kind, Kind::Pointer(_))) {
            return;
        }
        let mut flat = Flat { root: vec![], of_object: vec![0; self.classes.len()] };
        for (slot, info) in (0..).zip(&self.infos) {
            match info.object {
                None => flat.root.push(slot),
                Some((class, 0)) => flat.of_object[class as usize] += 1,
                Some(_) => {}
            }
        }
        self.flat = Some(flat);
    }

    /// The slots of the root that are not open, if all other reachable ones are.
    fn only_root_is_left(&self) -> Option<impl Iterator<Item = u32> + use<>> {
        let flat = self.flat.as_ref()?;
        let used = self.classes.iter().map(|class| class.used);
        if used.clone().sum::<u32>() > MOST_OBJECTS {
            return None;
        }
        let of_objects: usize = used.zip(&flat.of_object).map(|(used, slots)| used as usize * slots).sum();
        let open = self.path.iter().filter(|step| step.is_seen()).count();
        let is_left = |slot: &u32| self.slots[*slot as usize].head.index.get() >= LAZY;
        let left: Vec<u32> = flat.root.iter().copied().filter(is_left).collect();
        (flat.root.len() + of_objects == open + left.len()).then(|| left.into_iter())
    }
}

impl Heap {
    /// Opens every reachable slot, if that takes no walk. May unwind with `DeadEnd`.
    pub(crate) fn complete_without_walk(&self) -> bool {
        if self.focus.get() != 0 {
            return false;
        }
        let Some(left) = self.state.borrow().only_root_is_left() else { return false };
        left.for_each(|slot| self.open_value(slot));
        true
    }
}
