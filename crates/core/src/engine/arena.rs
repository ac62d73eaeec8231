//! Vectors of objects and indices into them: rules that do not depend on the engine.

use crate::ids::{Choice, ObjectId, PoolId, SlotId};
use crate::layout::{Kind, Layout};
use crate::path::{Effect, Objects};

/// Returns the first length, from a choice on, for which there are objects.
pub(super) fn allowed_length(
    layout: &Layout,
    objects: &Objects,
    slot: SlotId,
    from: Choice,
) -> Option<Choice> {
    let Kind::Items { pool, prefix, .. } = layout.kind(slot) else { return None };
    let lengths = &layout.info(slot).lengths;
    let fresh = &layout.pool(pool).fresh;
    let fits = |c: Choice| c < prefix || objects.has_room_for(fresh, lengths[(c - prefix) as usize]);
    (from..prefix + lengths.len() as u32).find(|&c| fits(c))
}

/// Takes the objects of a vector. `index` becomes the place of the vector in its table.
pub(super) fn take_elements(
    layout: &Layout,
    objects: &mut Objects,
    slot: SlotId,
    choice: Choice,
    index: &mut u32,
) -> Effect {
    match layout.kind(slot) {
        Kind::Items { pool, prefix, .. } if choice >= prefix => {
            let len = layout.info(slot).lengths[(choice - prefix) as usize];
            let start = objects.take_elements(layout, pool, len);
            *index = layout.table_index(slot, choice, start);
            Effect::Elements
        }
        _ => Effect::Nothing,
    }
}

/// Undoes [`take_elements`].
pub(super) fn give_elements_back(layout: &Layout, objects: &mut Objects, slot: SlotId, choice: Choice) {
    if let Kind::Items { pool, prefix, .. } = layout.kind(slot) {
        let len = layout.info(slot).lengths[(choice - prefix) as usize];
        objects.give_elements_back(layout, pool, len);
    }
}

/// Returns the first allowed index, from a choice on. Of the places that nothing has touched, which are all alike, the
/// first one is allowed.
pub(super) fn allowed_index(
    layout: &Layout,
    objects: &Objects,
    slot: SlotId,
    from: Choice,
) -> Option<Choice> {
    let Kind::Index { arena, prefix, count } = layout.kind(slot) else { return None };
    // Without a vector there are no indices.
    let Some((pool, start, len)) = layout.arena(arena) else {
        return (from < prefix).then_some(from);
    };
    // Reading the slot touches its own object, if that lies in the same vector.
    let this = layout.slot(slot);
    let own =
        this.arena.filter(|(own, _)| *own == pool).map(|(_, object)| object.number().wrapping_sub(start));
    let touched = &objects.pool(pool).touched[start as usize..(start + len) as usize];
    let is_touched = |i: u32| own == Some(i) || touched[i as usize] > 0;
    let fresh = (0..len).find(|&i| !is_touched(i)).unwrap_or(len);
    let fits = |c: Choice| c < prefix || c - prefix < len && (c - prefix <= fresh || is_touched(c - prefix));
    (from..prefix + count).find(|&c| fits(c))
}

/// Lets an index refer to an object.
pub(super) fn take_index(layout: &Layout, objects: &mut Objects, slot: SlotId, choice: Choice) -> Effect {
    match target(layout, slot, choice) {
        Some((pool, object)) => {
            objects.touch(pool, object);
            Effect::Target
        }
        None => Effect::Nothing,
    }
}

/// Undoes [`take_index`].
pub(super) fn give_index_back(layout: &Layout, objects: &mut Objects, slot: SlotId, choice: Choice) {
    if let Some((pool, object)) = target(layout, slot, choice) {
        objects.untouch(pool, object);
    }
}

/// The object that an index refers to.
fn target(layout: &Layout, slot: SlotId, choice: Choice) -> Option<(PoolId, ObjectId)> {
    let Kind::Index { arena, prefix, .. } = layout.kind(slot) else { return None };
    let place = choice.checked_sub(prefix)?;
    let (pool, start, _) = layout.arena(arena)?;
    Some((pool, ObjectId::new(start + place)))
}
