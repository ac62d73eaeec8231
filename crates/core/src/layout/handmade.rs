//! Layouts made by hand, for tests of what works on layouts.

use super::{
    Code, Flat, Kind, Layout, NOT_LAZY, Need, Ownership, Patterns, Pointer, Pool, Slot, SlotInfo, There,
};
use crate::cell::Head;
use crate::ids::{ObjectId, PoolId, SlotId};
use crate::site::{FieldAttrs, FieldSite, TypeSite};
use std::any::TypeId;
use std::rc::Rc;

static POOL: TypeSite = TypeSite { name: "Node", module: "", objects: None };
static FIELD: FieldSite = FieldSite { owner: "Node", module: "", field: "field", attrs: FieldAttrs::NONE };

/// A layout under construction.
#[derive(Default)]
pub(crate) struct Handmade {
    layout: Layout,
    object: Option<(PoolId, ObjectId)>,
}

impl Handmade {
    /// Adds a pool of objects that need no others.
    pub fn pool(&mut self, size: u32) -> PoolId {
        let id = PoolId::new(self.layout.pools.len() as u32);
        self.layout.pools.push(Pool {
            site: &POOL,
            name: String::new(),
            part: 0,
            size,
            must_be_owned: true,
            fresh: vec![(id, 1)],
            mandatory: 0,
            siblings: Box::default(),
            masks: vec![u64::MAX; size as usize + 1],
        });
        id
    }

    /// Lets the objects of pools count together.
    pub fn siblings(&mut self, pools: &[PoolId]) {
        for pool in pools {
            let others = pools.iter().copied().filter(|other| other != pool);
            self.layout.pools[pool.index()].siblings = others.collect();
        }
    }

    /// Sets how many objects of a pool every value needs.
    pub fn mandatory(&mut self, pool: PoolId, objects: u32) {
        self.layout.pools[pool.index()].mandatory = objects;
    }

    /// Sets what a fresh object of a pool costs, itself first.
    pub fn fresh(&mut self, pool: PoolId, need: Need) {
        self.layout.pools[pool.index()].fresh = need;
    }

    /// Slots that are added from here on belong to an object, or to the root.
    pub fn within(&mut self, object: Option<(PoolId, u32)>) {
        self.object = object.map(|(pool, object)| (pool, ObjectId::new(object)));
    }

    fn slot(&mut self, kind: Kind, lengths: &[u32]) -> SlotId {
        if let Kind::Pointer(p) = kind {
            self.layout.note_pointer(p);
        }
        let id = SlotId::new(self.layout.slots.len() as u32);
        let head: &'static Head = Box::leak(Box::new(Head::blank()));
        head.slot.set(id);
        self.layout.slots.push(Slot {
            head,
            kind,
            is_plain: matches!(kind, Kind::Values { .. }),
            lazy: NOT_LAZY,
            is_key: false,
            nones: 0,
            has_keys: false,
            patterns: Patterns::None,
            is_bare: false,
            arena: None,
        });
        self.layout.infos.push(SlotInfo {
            site: &FIELD,
            object: self.object,
            argument: None,
            part: 0,
            around: None,
            there: There::Always,
            needs: vec![],
            lengths: lengths.into(),
            masks: Rc::new([]),
            texts: Rc::new(|choice| choice.to_string()),
            code: None,
            keys: None,
            key_slots: Rc::new([]),
        });
        id
    }

    /// Adds a slot of plain data.
    pub fn values(&mut self, count: u32) -> SlotId {
        self.slot(Kind::Values { count, frugal: true }, &[])
    }

    /// Adds a slot whose values are the numbers `base..base + count`.
    pub fn numbers(&mut self, base: i64, count: u32) -> SlotId {
        let id = self.values(count);
        self.layout.infos[id.index()].code = Some(Code { of: TypeId::of::<u32>(), base });
        id
    }

    /// Adds a slot of keys, behind `nones` choices that are `None`.
    pub fn key(&mut self, nones: u32, count: u32) -> SlotId {
        let id = self.numbers(-i64::from(nones), nones + count);
        let slot = &mut self.layout.slots[id.index()];
        (slot.is_key, slot.nones, slot.lazy) = (true, nones, nones);
        id
    }

    /// Adds a slot whose values need objects.
    pub fn needy(&mut self, needs: Vec<Need>) -> SlotId {
        let id = self.slot(Kind::Values { count: needs.len() as u32, frugal: false }, &[]);
        self.layout.slots[id.index()].is_plain = false;
        self.layout.infos[id.index()].needs = needs;
        id
    }

    /// Adds a pointer that may be null.
    pub fn pointer(&mut self, pool: PoolId, ownership: Ownership) -> SlotId {
        let pointer = Pointer { pool, prefix: 1, nones: 1, nullable: true, ownership, prepaid: false };
        self.slot(Kind::Pointer(pointer), &[])
    }

    /// Adds a pointer that is never null. A `Box` is prepaid: its object has to be mandatory.
    pub fn reference(&mut self, pool: PoolId, ownership: Ownership) -> SlotId {
        let prepaid = ownership == Ownership::Unique;
        self.slot(
            Kind::Pointer(Pointer { pool, prefix: 0, nones: 0, nullable: false, ownership, prepaid }),
            &[],
        )
    }

    /// Adds a vector of objects.
    pub fn vector(&mut self, pool: PoolId, lengths: &[u32]) -> SlotId {
        self.slot(Kind::Items { pool, prefix: 0, count: lengths.len() as u32 }, lengths)
    }

    /// Adds an index into a vector.
    pub fn index(&mut self, arena: SlotId, count: u32) -> SlotId {
        self.slot(Kind::Index { arena, prefix: 0, count }, &[])
    }

    /// Reading a slot distinguishes its object, which lies in an arena.
    pub fn in_arena(&mut self, slot: SlotId, pool: PoolId, object: u32) {
        self.layout.slots[slot.index()].arena = Some((pool, ObjectId::new(object)));
    }

    /// The layout, which is leaked as that of a search.
    pub fn finish(mut self) -> &'static Layout {
        self.layout.flat = Flat::of(&self.layout);
        Box::leak(Box::new(self.layout))
    }
}
