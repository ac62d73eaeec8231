//! Which complete candidates are values: every object has the owners that its type needs.

use super::{Path, Step};
use crate::ids::{ObjectId, PoolId};
use crate::layout::{Kind, Layout, Ownership, Pointer};

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
    let mut owned = Objects::none(layout);
    loop {
        let before = owned.count;
        for step in path.iter() {
            let holder = layout.info(step.slot).object;
            if !holder.is_none_or(|holder| owned.contains(holder)) {
                continue;
            }
            if let Some((p, target)) = pointer(step) {
                if p.ownership.owns() || !must_be_owned(&p) {
                    owned.insert(target);
                }
            }
            if let Some((pool, start, len)) = layout.arena(step.slot) {
                for object in start..start + len {
                    owned.insert((pool, ObjectId::new(object)));
                }
            }
        }
        if owned.count == before {
            break;
        }
    }
    let is_orphan = |(p, target): (Pointer, _)| must_be_owned(&p) && !owned.contains(target);
    path.iter().any(|step| pointer(step).is_some_and(is_orphan))
}

/// A set of objects.
struct Objects {
    /// Whether each object is in it, by pool and number.
    has: Vec<Vec<bool>>,
    count: usize,
}

impl Objects {
    fn none(layout: &Layout) -> Objects {
        let mut has = vec![];
        for pool in &layout.pools {
            has.push(vec![false; pool.size as usize]);
        }
        Objects { has, count: 0 }
    }

    fn contains(&self, (pool, object): (PoolId, ObjectId)) -> bool {
        self.has[pool.index()][object.index()]
    }

    /// Adds an object; false if it is in the set.
    fn insert(&mut self, (pool, object): (PoolId, ObjectId)) -> bool {
        let is_new = !std::mem::replace(&mut self.has[pool.index()][object.index()], true);
        self.count += usize::from(is_new);
        is_new
    }
}

/// Whether two unique owners share an object.
pub(crate) fn has_double_owners(layout: &Layout, path: &Path) -> bool {
    let mut owned = Objects::none(layout);
    path.iter().any(|step| match layout.kind(step.slot) {
        Kind::Pointer(p) if p.ownership == Ownership::Unique && step.choice >= p.prefix => {
            !owned.insert((p.pool, p.object(step.choice)))
        }
        _ => false,
    })
}
