//! Keys inside plain data: slots for the keys of sets, maps, tuples and cells, so that order types are about them, too.

use super::{At, Builder};
use crate::bounds::MAX_SLOTS;
use crate::cell::{Head, Tracked};
use crate::error::Error;
use crate::ids::{Choice, SlotId};
use crate::key::{self, Key};
use crate::layout::{Code, Keys, Kind, Patterns, Slot, SlotInfo, There};
use crate::shape::Value;
use std::any::TypeId;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// A slot with keys inside its values.
pub(super) struct Keyed {
    slot: SlotId,
    at: At,
    keys: Rc<Keys>,
    /// What it can leave open, unless it belongs to an arena.
    patterns: Patterns,
    show: Box<Show>,
}

/// Gives a cell a value for each pattern, with the keys of these slots, and links what is inside.
type Show = dyn FnOnce(&mut Builder, &[SlotId]);

/// Returns the keys inside the values of a table, if they count and if the values are not keys themselves.
pub(super) fn of_table<T: Value>(b: &Builder, table: &'static [T], code: Option<Code>) -> Option<Rc<Keys>> {
    if !b.order_types || !T::KEYS || code.is_some() || b.rehearsing {
        return None;
    }
    let of: Vec<Box<[u32]>> = table.iter().map(keys_in).collect();
    let mut by_keys: HashMap<Box<[u32]>, Vec<Choice>> = HashMap::new();
    for (choice, keys) in (0..).zip(&of) {
        by_keys.entry(keys.clone()).or_default().push(choice);
    }
    let find = move |first: Choice, keys: &[u32]| {
        let value = &table[first as usize];
        let ranks = keys_in(value);
        let rank = |key: Key| ranks.iter().position(|&rank| rank == key.rank()).unwrap_or(0);
        let wanted = value.with_keys(&mut |key| Key::new(keys[rank(key)]))?;
        by_keys.get(keys)?.iter().copied().find(|&choice| table[choice as usize].is_same(&wanted))
    };
    Some(Rc::new(Keys::new(of, Box::new(find))))
}

/// Notes the keys inside the values of a slot.
pub(super) fn note<T: Value>(
    b: &mut Builder,
    cell: &'static Tracked<T>,
    table: &'static [T],
    shared: usize,
    (slot, at): (SlotId, At),
) {
    let Some(keys) = b.shared[shared].keys.clone().filter(|_| !b.rehearsing) else { return };
    b.layout.infos[slot.index()].keys = Some(keys.clone());
    b.layout.slots[slot.index()].is_key = true;
    let patterns = match (T::SHARED, T::HASHES_KEYS) {
        (true, false) => Patterns::Always,
        (true, true) => Patterns::Unread,
        (false, false) => Patterns::Inside,
        // The order of the cells depends on the hashes.
        (false, true) => Patterns::None,
    };
    if patterns == Patterns::None || keys.firsts().is_empty() {
        return;
    }
    let known = keys.clone();
    let show = move |b: &mut Builder, slots: &[SlotId]| {
        let (least, _) = known.range();
        let open = |key: Key| Key::of_slot(slots[(key.rank() - least) as usize].number());
        let pattern = |&first: &Choice| table[first as usize].with_keys(&mut |key| open(key));
        let values: Option<Box<[T]>> = key::make_patterns(|| known.firsts().iter().map(pattern).collect());
        let values: &'static [T] = Box::leak(values.unwrap_or_default());
        cell.lazy.set(values.as_ptr());
        b.has_room(at, size_of_val(values) as u64);
        if patterns == Patterns::Inside {
            // A pattern requires the same objects as its first value.
            let outer = std::mem::take(&mut b.frame);
            values.iter().for_each(|value| value.link_inside(b, at));
            b.frame = outer;
        }
    };
    b.keyed.push(Keyed { slot, at, keys, patterns, show: Box::new(show) });
}

/// Adds slots for keys inside values, and links patterns. That comes behind everything else, so that all other slots have
/// the same numbers with and without order types.
pub(super) fn link_patterns(b: &mut Builder) {
    let fields = b.layout.slots.len();
    while let Some(Keyed { slot, at, keys, patterns, show }) = b.keyed.pop() {
        let mut key_slots = vec![];
        for _ in 0..keys.most() {
            key_slots.push(add_key_slot(b, slot, &keys));
        }
        let key_slots: Rc<[SlotId]> = key_slots.into();
        b.object = b.layout.info(slot).object;
        show(b, &key_slots);
        b.object = None;
        b.layout.infos[slot.index()].key_slots = key_slots;
        b.layout.slots[slot.index()].patterns = patterns;
        if b.layout.slots.len() > MAX_SLOTS {
            let why = format!("more than {MAX_SLOTS} slots in all, with those that order types need");
            b.fail(Error::TooLarge { at: at.site.to_string(), why });
        }
        if b.has_failed() {
            break;
        }
    }
    b.layout.extra = b.layout.slots.len() - fields;
}

/// Lets slots leave open which keys are in them. Not those of arenas: reading one distinguishes its object, and the step
/// that opens it records that.
pub(super) fn leave_open(b: &mut Builder) {
    for slot in b.layout.slots.iter_mut().filter(|slot| slot.patterns != Patterns::None) {
        if slot.arena.is_some() {
            slot.patterns = Patterns::None;
        } else if slot.patterns != Patterns::Unread {
            slot.lazy = 0;
        }
    }
}

fn add_key_slot(b: &mut Builder, of: SlotId, keys: &Keys) -> SlotId {
    let id = SlotId::new(b.layout.slots.len() as u32);
    let head: &'static Head = Box::leak(Box::new(Head::blank()));
    head.slot.set(id);
    let (least, count) = keys.range();
    b.layout.slots.push(Slot {
        head,
        kind: Kind::Values { count, frugal: true },
        is_plain: true,
        lazy: 0,
        is_key: true,
        nones: 0,
        has_keys: false,
        patterns: Patterns::None,
        is_bare: false,
        arena: None,
    });
    let info = b.layout.info(of);
    let info = SlotInfo {
        site: info.site,
        object: info.object,
        argument: info.argument,
        part: info.part,
        around: None,
        there: There::Always,
        needs: vec![],
        lengths: Rc::new([]),
        masks: Rc::new([]),
        texts: Rc::new(move |choice| (least + choice).to_string()),
        code: Some(Code { of: TypeId::of::<Key>(), base: i64::from(least) }),
        keys: None,
        key_slots: Rc::new([]),
    };
    b.layout.infos.push(info);
    id
}

/// The ranks of the keys in a value, in ascending order.
fn keys_in<T: Value>(value: &T) -> Box<[u32]> {
    let mut ranks = BTreeSet::new();
    let copy = value.with_keys(&mut |key| {
        ranks.insert(key.rank());
        key
    });
    drop(copy);
    ranks.into_iter().collect()
}
