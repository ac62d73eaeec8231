//! Structures of plain data and pointers only: every slot of an object is there, whatever others hold. So it can be counted
//! how many slots are reachable, and often nothing is left to be opened, or only plain data of the root: then nobody has to
//! walk through all objects to see that.

use super::{Guide, Heap, Kind, Slot, State};

/// How many slots there are.
pub(crate) struct Flat {
    /// How many belong to no object.
    of_root: usize,
    /// Those among them that hold plain data, in the order of walks.
    data_of_root: Vec<u32>,
    /// In an object of each class.
    of_object: Vec<usize>,
}

/// With more objects it is left to a walk to see whether the structure is too deep.
const MOST_OBJECTS: u32 = 256;

impl State {
    /// Counts the slots, if the structure is of this kind.
    pub fn find_flat(&mut self) {
        let is_flat = |slot: &Slot| slot.is_plain && !slot.is_key || matches!(slot.kind, Kind::Pointer(_));
        if !self.slots.iter().all(is_flat) {
            return;
        }
        let mut flat = Flat { of_root: 0, data_of_root: vec![], of_object: vec![0; self.classes.len()] };
        for (id, info) in (0..).zip(&self.infos) {
            match info.object {
                None => {
                    flat.of_root += 1;
                    flat.data_of_root.extend(self.slots[id as usize].is_plain.then_some(id));
                }
                Some((class, 0)) => flat.of_object[class as usize] += 1,
                Some(_) => {}
            }
        }
        self.flat = Some(flat);
    }

    /// Whether all reachable slots are open, apart from plain data of the root.
    fn is_all_but_root_open(&self) -> bool {
        let Some(flat) = &self.flat else { return false };
        // Somebody else decides which objects there are.
        if !matches!(self.guide, Guide::First) {
            return false;
        }
        let (mut objects, mut slots) = (0, flat.of_root);
        for (class, of_object) in self.classes.iter().zip(&flat.of_object) {
            objects += class.used;
            slots += class.used as usize * of_object;
        }
        let closed = flat.data_of_root.iter().filter(|&&slot| !self.is_open(slot)).count();
        // Every step opens a slot, or answers a question.
        let open = self.path.len() - self.questions.len();
        objects <= MOST_OBJECTS && slots == open + closed
    }

    /// The first plain data of the root that is not open.
    fn next_of_root(&self) -> Option<u32> {
        self.flat.as_ref()?.data_of_root.iter().copied().find(|&slot| !self.is_open(slot))
    }
}

impl Heap {
    /// Opens every reachable slot, if that takes no walk. May unwind with `DeadEnd`.
    pub(crate) fn complete_without_walk(&self) -> bool {
        if self.focus.get() != 0 || !self.state.borrow().is_all_but_root_open() {
            return false;
        }
        loop {
            let next = self.state.borrow().next_of_root();
            match next {
                Some(slot) => self.open_value(slot),
                None => return true,
            }
        }
    }
}
