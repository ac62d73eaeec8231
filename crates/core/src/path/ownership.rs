//! Which complete candidates are values: every object has the owners that its type needs.

use super::{Path, Step};
use crate::ids::ObjectId;
use crate::layout::{Kind, Layout, Ownership, Pointer};
use std::collections::HashSet;

/// Whether an object that needs an owner has none, directly or indirectly: the root must reach it through owning
/// pointers. (Objects that own each other in a ring, reached through a weak pointer only, have leaked.)
pub(crate) fn has_orphans(layout: &Layout, path: &Path) -> bool {
    // Where all pointers own, there is nothing to look for.
    if layout.pointers.iter().all(|(_, ownership)| ownership.owns()) {
        return false;
    }
    let must_be_owned = |p: &Pointer| layout.pool(p.pool).must_be_owned;
    let pointer = |step: &Step| match layout.kind(step.slot) {
        Kind::Pointer(p) if step.choice >= p.prefix && step.is_value() => {
            Some((p, (p.pool, p.object(step.choice))))
        }
        _ => None,
    };
    // If every object was introduced by an owner, the owners lead back to the root.
    let is_introduced_by_others = |step: &Step| {
        step.effect().is_fresh_object()
            && pointer(step).is_some_and(|(p, _)| !p.ownership.owns() && must_be_owned(&p))
    };
    if !path.iter().any(is_introduced_by_others) {
        return false;
    }
    let mut owned = HashSet::new();
    loop {
        let before = owned.len();
        for step in path.iter() {
            let holder = layout.info(step.slot).object;
            if !holder.is_none_or(|h| owned.contains(&h)) {
                continue;
            }
            let owner = pointer(step).filter(|(p, _)| p.ownership.owns() || !must_be_owned(p));
            owned.extend(owner.map(|(_, target)| target));
            if let Some((pool, start, len)) = layout.arena(step.slot) {
                owned.extend((start..start + len).map(|object| (pool, ObjectId::new(object))));
            }
        }
        if owned.len() == before {
            break;
        }
    }
    path.iter().filter_map(pointer).any(|(p, target)| must_be_owned(&p) && !owned.contains(&target))
}

/// Whether two unique owners share an object.
pub(crate) fn has_double_owners(layout: &Layout, path: &Path) -> bool {
    let mut owned = HashSet::new();
    path.iter().any(|step| match layout.kind(step.slot) {
        Kind::Pointer(p) if p.ownership == Ownership::Unique && step.choice >= p.prefix => {
            !owned.insert((p.pool, p.object(step.choice)))
        }
        _ => false,
    })
}
