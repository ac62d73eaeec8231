//! Where the objects of boxes and the elements of vectors are in memory, and which cells are inside of which values. Summaries find out from that which
//! object a helper was called on, and which fields it has.

use super::Allocation;
use crate::ids::{ObjectId, PoolId, SlotId};
use crate::layout::{Addresses, Layout, There};
use crate::mirror::Pooled;
use crate::site::FieldSite;
use std::any::{Any, TypeId};

/// A table whose values are being linked.
pub(super) struct TableAround {
    pub key: (TypeId, *const FieldSite),
    pub slot: SlotId,
    /// The choices of the slot with which the cells of the value are there.
    pub there: There,
}

/// The value of a choice is linked next, in the innermost table.
pub(super) fn enter_value(around: &mut [TableAround], choice: u32, is_cumulative: bool) {
    if let Some(around) = around.last_mut() {
        around.there = if is_cumulative { There::From(choice) } else { There::With(choice) };
    }
}

/// Notes where the objects of a pool are, if boxes hold them.
pub(super) fn note<O: 'static>(
    layout: &mut Layout,
    how: Allocation,
    pool: PoolId,
    objects: &'static [Pooled<O>],
) {
    if cfg!(not(feature = "summaries")) || how != Allocation::Box {
        return;
    }
    layout.boxed.push((pool, vec![]));
    for pooled in objects {
        note_object(layout, pool, pooled, std::ptr::from_ref(pooled) as usize);
    }
}

/// Notes where the elements of vectors are.
pub(super) fn note_elements<O: 'static>(layout: &mut Layout, pool: PoolId, objects: &'static [O]) {
    if cfg!(not(feature = "summaries")) {
        return;
    }
    layout.boxed.push((pool, vec![]));
    for object in objects {
        note_object(layout, pool, object, std::ptr::from_ref(object) as usize);
    }
}

/// The same for the next object of the last pool.
fn note_object(layout: &mut Layout, pool: PoolId, pooled: &'static dyn Any, start: usize) {
    if let Some((_, boxed)) = layout.boxed.last_mut() {
        let object = ObjectId::new(boxed.len() as u32);
        boxed.push(pooled);
        note_values(layout, Some((pool, object)), start, size_of_val(pooled));
    }
}

/// Notes where the values of an object are that is an enum: a reference to it leads there.
pub(super) fn note_values(
    layout: &mut Layout,
    object: Option<(PoolId, ObjectId)>,
    start: usize,
    bytes: usize,
) {
    if let (true, Some(object)) = (cfg!(feature = "summaries"), object) {
        layout.addresses.push(Addresses { start, end: start + bytes, object });
    }
}
