//! The layout of a bounded heap: numbered slots, pools of objects, and what is known about both.
//!
//! Linking ([`crate::link`]) makes a layout; from then on nothing in it changes. What changes while a search runs is in
//! [`crate::path`].

mod flat;
#[cfg(test)]
pub(crate) mod handmade;
mod inner;
mod keys;
mod parts;
mod slot;

pub(crate) use flat::Flat;
pub(crate) use inner::{Inner, InnerCheck, Places};
pub(crate) use keys::{Keys, Patterns};
pub(crate) use parts::{Group, Partition, Parts};
pub(crate) use slot::{Code, LARGEST_NUMBER, NOT_LAZY, Pointer, Slot, SlotInfo, Texts, There};
pub use slot::{Kind, Ownership};

use crate::bounds::{DEFAULT_ALPHABET, Growth, OLDEST_LETTERS};
use crate::ids::{Choice, ObjectId, PoolId, SlotId};
use crate::site::TypeSite;
use std::any::Any;

/// Objects needed, by pool.
pub(crate) type Need = Vec<(PoolId, u32)>;

/// The slots and pools of a bounded heap.
#[derive(Default)]
pub(crate) struct Layout {
    pub slots: Vec<Slot>,
    pub infos: Vec<SlotInfo>,
    pub pools: Vec<Pool>,
    /// The ways in which pointers of these types hold objects, by pool, whether the bounds allow such pointers or
    /// not.
    pub pointers: Vec<(PoolId, Ownership)>,
    /// The disjoint parts.
    pub parts: Parts,
    /// The largest integer that a field may hold, without its sign.
    pub largest: u128,
    /// The largest default alphabet of a field, if it has more characters than an old one has in common with it.
    pub letters: String,
    /// How many slots there are, if that depends on nothing but the objects in use.
    pub flat: Option<Flat>,
    /// A type of the user has a destructor of its own, which should run on every value.
    pub has_destructor: bool,
    /// How many of the slots, the last ones, are there for order types only: those of keys inside values, and those inside
    /// patterns.
    pub extra: usize,
    /// The invariants of parts of the value, if there are some.
    pub inner: Option<Inner>,
    /// The bound on all objects and elements together, if there is one.
    pub total: Option<Total>,
    /// The fields with long lengths, which a search leaves out unless elements are filled.
    pub long: Vec<(String, Vec<i128>)>,
    /// Which numbers grow from pass to pass.
    pub growth: Growth,
    /// The objects of boxes, by pool, as [`crate::mirror::Pooled`] of their type, and elements of vectors, as they are.
    pub boxed: Vec<(PoolId, Vec<&'static dyn Any>)>,
    /// Where the objects of boxes and the elements of vectors are in memory.
    pub addresses: Vec<Addresses>,
}

/// Where a boxed object is in memory, or where the values are that a boxed enum can have.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(feature = "summaries"), expect(dead_code, reason = "only summaries look at it"))]
pub(crate) struct Addresses {
    pub start: usize,
    pub end: usize,
    pub object: (PoolId, ObjectId),
}

/// A bound on the size of the whole value.
pub(crate) struct Total {
    /// How many objects and elements a value has at most.
    pub size: u32,
    /// The pool that stands for the elements of sequences, behind all others. It has no objects: choices need some of it.
    pub elements: PoolId,
    /// For each size of a value, the scopes that allow it.
    pub masks: Vec<u64>,
}

/// The objects that pointers or vectors of one type draw from: one way of allocating them, and one name.
pub(crate) struct Pool {
    pub site: &'static TypeSite,
    /// The pool's name; empty for the unnamed one.
    pub name: String,
    /// The disjoint part that it belongs to, counted from 1; 0 for none.
    pub part: u32,
    /// How many objects there are.
    pub size: u32,
    /// Some field type owns objects of this pool, so an object without an owner is not part of a value.
    pub must_be_owned: bool,
    /// What a fresh object costs: itself first, then the objects that its mandatory pointers need.
    pub fresh: Need,
    /// Objects that every value needs.
    pub mandatory: u32,
    /// The pools of the same type and name that other kinds of owners draw from. The bound holds for all of them together.
    pub siblings: Box<[PoolId]>,
    /// For each number of objects in use, here and in siblings, the scopes that allow it.
    pub masks: Vec<u64>,
}

impl Layout {
    /// The numbers of all slots.
    pub fn slot_ids(&self) -> impl Iterator<Item = SlotId> + use<> {
        (0..self.slots.len() as u32).map(SlotId::new)
    }

    /// The numbers of the slots that are there with and without order types.
    pub fn field_ids(&self) -> impl Iterator<Item = SlotId> + use<> {
        self.slot_ids().take(self.slots.len() - self.extra)
    }

    #[inline]
    pub fn slot(&self, slot: SlotId) -> &Slot {
        &self.slots[slot.index()]
    }

    #[inline]
    pub fn kind(&self, slot: SlotId) -> Kind {
        self.slots[slot.index()].kind
    }

    #[inline]
    pub fn info(&self, slot: SlotId) -> &SlotInfo {
        &self.infos[slot.index()]
    }

    /// Notes how a pointer holds the objects of its pool.
    pub fn note_pointer(&mut self, p: Pointer) {
        if !self.pointers.contains(&(p.pool, p.ownership)) {
            self.pointers.push((p.pool, p.ownership));
        }
    }

    /// Notes the characters of a field, if candidates with them meant something else before the default alphabet changed.
    #[inline]
    pub fn note_letters(&mut self, letters: &[char]) {
        let is_default = letters.iter().copied().eq(DEFAULT_ALPHABET.chars().take(letters.len()));
        if is_default && letters.len() > OLDEST_LETTERS.max(self.letters.chars().count()) {
            self.letters = letters.iter().collect();
        }
    }

    #[inline]
    pub fn pool(&self, pool: PoolId) -> &Pool {
        &self.pools[pool.index()]
    }

    /// Whether the choice of a slot can be seen in its cell.
    #[inline]
    pub fn is_open(&self, slot: SlotId) -> bool {
        self.slot(slot).head.is_open()
    }

    /// The choice of an open slot.
    pub fn choice(&self, slot: SlotId) -> Choice {
        let index = self.slot(slot).head.index.get();
        match self.kind(slot) {
            Kind::Items { pool, prefix, .. } if index >= prefix => {
                prefix + (index - prefix) / self.stride(pool)
            }
            _ => index,
        }
    }

    /// The place of a choice in the slot's table; `start` is the first element of a vector of objects.
    pub fn table_index(&self, slot: SlotId, choice: Choice, start: u32) -> u32 {
        match self.kind(slot) {
            Kind::Items { pool, prefix, .. } if choice >= prefix => {
                prefix + (choice - prefix) * self.stride(pool) + start
            }
            _ => choice,
        }
    }

    /// The table of a vector of objects has one entry per first object, and one for none, for each length.
    #[inline]
    pub fn stride(&self, pool: PoolId) -> u32 {
        self.pool(pool).size + 1
    }

    /// Pool, number of the first object and length of the vector that an open length slot stands for.
    pub fn arena(&self, slot: SlotId) -> Option<(PoolId, u32, u32)> {
        let Kind::Items { pool, prefix, .. } = self.kind(slot) else { return None };
        let head = self.slot(slot).head;
        let index = if head.is_unread() { None } else { head.index.get().checked_sub(prefix) }?;
        let stride = self.stride(pool);
        let len = self.info(slot).lengths[(index / stride) as usize];
        Some((pool, index % stride, len))
    }

    /// Whether a slot is an index into a vector whose length is not open yet.
    pub fn is_early_index(&self, slot: SlotId) -> bool {
        match self.kind(slot) {
            Kind::Index { arena, .. } => self.slot(arena).head.is_unread(),
            _ => false,
        }
    }

    /// The length of a slot's table, as linking has checked it.
    pub fn table_len(&self, slot: SlotId) -> usize {
        match self.kind(slot) {
            Kind::Values { count, .. } => count as usize,
            Kind::Pointer(p) => (p.prefix + self.pool(p.pool).size) as usize,
            Kind::Items { pool, prefix, .. } => {
                prefix as usize + self.info(slot).lengths.len() * self.stride(pool) as usize
            }
            Kind::Index { prefix, count, .. } => (prefix + count) as usize,
        }
    }

    /// How many choices a slot has, as if it were alone.
    pub fn choices(&self, slot: SlotId) -> u64 {
        match self.kind(slot) {
            Kind::Values { count, .. } => u64::from(count),
            Kind::Pointer(p) => u64::from(p.prefix - p.first_choice(0)) + u64::from(self.pool(p.pool).size),
            Kind::Items { prefix, .. } => u64::from(prefix) + self.info(slot).lengths.len() as u64,
            Kind::Index { prefix, count, .. } => u64::from(prefix) + u64::from(count),
        }
    }

    /// One more than the largest choice that constraints on a slot are about.
    pub fn constrained(&self, slot: SlotId) -> u32 {
        match self.kind(slot) {
            Kind::Values { count, .. } => count,
            Kind::Pointer(p) => p.prefix + self.pool(p.pool).size,
            Kind::Items { .. } | Kind::Index { .. } => u32::MAX,
        }
    }

    /// How many of the first choices of a slot are none.
    pub fn none_choices(&self, slot: SlotId) -> u32 {
        let this = self.slot(slot);
        match this.kind {
            Kind::Values { .. } if this.is_plain => this.nones,
            // `Some(dangling)` is something.
            Kind::Pointer(p) if p.nullable => u32::from(p.nones.min(1)),
            _ => 0,
        }
    }

    /// The number that choice 0 of a slot stands for.
    pub fn base(&self, slot: SlotId) -> i64 {
        self.info(slot).code.map_or(0, |code| code.base)
    }

    /// The least and the greatest number that a slot of plain data can hold.
    pub fn numbers(&self, slot: SlotId) -> Option<(i64, i64)> {
        let base = self.info(slot).code?.base;
        let Kind::Values { count, .. } = self.kind(slot) else { return None };
        (self.slot(slot).nones == 0).then_some((base, base + i64::from(count) - 1))
    }

    /// Whether the order of two slots is that of their numbers.
    pub fn are_comparable(&self, a: SlotId, b: SlotId) -> bool {
        match (self.info(a).code, self.info(b).code) {
            // `None` comes before all numbers of its own slot, so it must be the same choice in both.
            (Some(x), Some(y)) if self.slot(a).nones + self.slot(b).nones > 0 => {
                x == y && self.slot(a).nones == self.slot(b).nones
            }
            (Some(x), Some(y)) => x.of == y.of,
            _ => false,
        }
    }

    /// The field of a slot, with its object's number.
    pub fn label(&self, slot: SlotId) -> String {
        let info = self.info(slot);
        match info.object {
            Some((_, object)) => format!("{} of object {}", info.site, object.number()),
            None => info.site.to_string(),
        }
    }

    /// The name of the objects of a pool, with the pool's name where several pools have such objects.
    pub fn pool_label(&self, pool: PoolId) -> String {
        let Pool { site, name, .. } = self.pool(pool);
        let mut namesakes = 0;
        for pool in &self.pools {
            namesakes += u32::from(pool.site.name == site.name);
        }
        if namesakes > 1 && !name.is_empty() { format!("{name}.{site}") } else { site.to_string() }
    }
}
