//! Where the objects of boxes are in memory, and which cells are inside of which values. Summaries find out from that which
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
    let mut boxed: Vec<&'static dyn Any> = vec![];
    for (object, pooled) in (0..).map(ObjectId::new).zip(objects) {
        let start = std::ptr::from_ref(pooled) as usize;
        let end = start + size_of::<Pooled<O>>();
        layout.addresses.push(Addresses { start, end, object: (pool, object) });
        boxed.push(pooled);
    }
    layout.boxed.push((pool, boxed));
}

/// Notes where the values of an object are that is an enum: a reference to it leads there.
pub(super) fn note_values<T>(layout: &mut Layout, object: Option<(PoolId, ObjectId)>, table: &'static [T]) {
    let Some(object) = object.filter(|_| cfg!(feature = "summaries")) else { return };
    let start = table.as_ptr() as usize;
    layout.addresses.push(Addresses { start, end: start + size_of_val(table), object });
}
