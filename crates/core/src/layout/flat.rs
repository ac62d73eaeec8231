//! Structures of plain data and pointers only. All slots of an object in use are reachable, so the reachable slots can be
//! counted without a walk.

use super::{Kind, Layout, Slot};
use crate::ids::SlotId;

/// How many slots there are.
pub(crate) struct Flat {
    /// How many belong to no object.
    pub of_root: usize,
    /// Those among them that hold plain data, in the order of walks.
    pub data_of_root: Vec<SlotId>,
    /// In an object of each pool.
    pub of_object: Vec<usize>,
}

impl Flat {
    /// Counts the slots, if the structure is of this kind.
    pub fn of(layout: &Layout) -> Option<Flat> {
        let is_flat = |slot: &Slot| slot.is_plain && !slot.is_key || matches!(slot.kind, Kind::Pointer(_));
        if !layout.slots.iter().all(is_flat) {
            return None;
        }
        let mut flat = Flat { of_root: 0, data_of_root: vec![], of_object: vec![0; layout.pools.len()] };
        for id in layout.slot_ids() {
            match layout.info(id).object {
                None => {
                    flat.of_root += 1;
                    if layout.slot(id).is_plain {
                        flat.data_of_root.push(id);
                    }
                }
                Some((pool, object)) => flat.of_object[pool.index()] += usize::from(object.number() == 0),
            }
        }
        Some(flat)
    }
}
