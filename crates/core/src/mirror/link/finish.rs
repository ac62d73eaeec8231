//! What needs the whole layout: checking attributes, connecting indices with their arenas, and finding pointers that
//! nothing depends on.

use super::Asked;
use crate::bounds::{Bounds, FIRST_PAYLOAD};
use crate::error::Error;
use crate::ids::{PoolId, SlotId};
use crate::layout::{Kind, Layout, Ownership, Pool, Total};
use crate::site::{FieldSite, TypeSite};

/// Checks that every attribute was of use.
pub(super) fn check_attributes(
    fields: &[&'static FieldSite],
    asked: &[(&'static FieldSite, Asked)],
) -> Result<(), Error> {
    for &site in fields {
        let a = &site.attrs;
        for (is_given, what, why) in [
            (a.range.is_some(), Asked::Ints, "has a `range`, but the field holds no integers"),
            (a.set.is_some(), Asked::Ints, "has a `set` of integers, but the field holds none"),
            (a.len.is_some(), Asked::Lengths, "has a `len`, but the field has no length"),
            (a.alphabet.is_some(), Asked::Alphabet, "has an `alphabet`, but the field holds no characters"),
            (a.variants.is_some(), Asked::Variants, "lists `variants`, but the field is no plain enum"),
            (a.non_null, Asked::Null, "says `non_null`, but the field cannot be null"),
        ] {
            let is_asked = |(of, known): &(&FieldSite, Asked)| std::ptr::eq(*of, site) && *known == what;
            if is_given && !asked.iter().any(is_asked) {
                let why = format!("its attribute {why}");
                return Err(Error::Contradiction { at: site.to_string(), why });
            }
        }
    }
    Ok(())
}

/// Connects each index with the one vector that it indexes into.
pub(super) fn resolve_indices(
    layout: &mut Layout,
    indices: &[(SlotId, &'static FieldSite)],
) -> Result<(), Error> {
    let mut vectors = vec![];
    for slot in layout.slot_ids() {
        if let Kind::Items { .. } = layout.kind(slot) {
            vectors.push(slot);
        }
    }
    let mut is_seen_by_position = vec![false; layout.pools.len()];
    for &(id, site) in indices {
        let name = site.attrs.index.unwrap_or_default();
        let argument = layout.info(id).argument;
        let mut arenas = vec![];
        for &slot in &vectors {
            let info = layout.info(slot);
            let is_named = info.site.field == name || info.site.answers_to(name);
            if is_named && info.argument == argument {
                arenas.push(slot);
            }
        }
        let [arena] = arenas[..] else {
            let why = if arenas.is_empty() {
                format!("`index = \"{name}\"` names no vector of structures")
            } else {
                format!(
                    "`index = \"{name}\"` fits {} vectors; an arena must be unique, write `Type.field`",
                    arenas.len()
                )
            };
            return Err(Error::Contradiction { at: site.to_string(), why });
        };
        let Kind::Items { pool, .. } = layout.kind(arena) else { unreachable!("filtered above") };
        let mut longest = 0;
        for &length in layout.info(arena).lengths.iter() {
            longest = longest.max(length);
        }
        let Kind::Index { prefix, count, .. } = layout.kind(id) else { unreachable!("registered as index") };
        let count = longest.min(layout.pool(pool).size).min(count);
        layout.slots[id.index()].kind = Kind::Index { arena, prefix, count };
        if !site.attrs.by_reference {
            is_seen_by_position[pool.index()] = true;
        }
    }
    for (slot, info) in layout.slots.iter_mut().zip(&layout.infos) {
        slot.arena = info.object.filter(|(pool, _)| is_seen_by_position[pool.index()]);
    }
    Ok(())
}

/// Bounds the size of the whole value: all objects, and the elements of sequences, for which a pool stands.
pub(super) fn bound_total(layout: &mut Layout, bounds: &Bounds, size: u32) {
    static ELEMENTS: TypeSite = TypeSite { name: "elements of sequences", module: "", objects: None };
    let elements = PoolId::new(layout.pools.len() as u32);
    layout.pools.push(Pool {
        site: &ELEMENTS,
        name: String::new(),
        part: 0,
        size,
        must_be_owned: false,
        fresh: vec![(elements, 1)],
        mandatory: 0,
        siblings: Box::default(),
        masks: vec![u64::MAX; size as usize + 1],
    });
    let mut masks = bounds.size_masks(size);
    if bounds.has_payload() {
        masks.iter_mut().for_each(|mask| *mask |= 1 << FIRST_PAYLOAD);
    }
    layout.total = Some(Total { size, elements, masks });
}

/// Finds pointers to objects without slots, where no choice leaves an object without an owner.
pub(super) fn find_bare_pointers(layout: &mut Layout) {
    let mut is_bare = vec![true; layout.pools.len()];
    for info in &layout.infos {
        if let Some((pool, _)) = info.object {
            is_bare[pool.index()] = false;
        }
    }
    for (pool, ownership) in &layout.pointers {
        is_bare[pool.index()] &= *ownership == Ownership::Shared;
    }
    for slot in &mut layout.slots {
        if let Kind::Pointer(p) = slot.kind {
            slot.is_bare =
                p.ownership == Ownership::Shared && slot.arena.is_none() && is_bare[p.pool.index()];
        }
    }
}
