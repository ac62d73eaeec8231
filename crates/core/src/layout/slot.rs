//! Slots: what is known about a cell when the heap is laid out.

use super::{Keys, Need, Patterns};
use crate::cell::{Asks, Head};
use crate::ids::{ObjectId, PoolId, SlotId};
use crate::site::FieldSite;
use std::any::TypeId;
use std::rc::Rc;

/// What the choices of a slot are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Values of a table; `frugal` when no choice needs objects.
    Values {
        /// Number of values.
        count: u32,
        /// No choice needs objects.
        frugal: bool,
    },
    /// Objects of a pool, behind `prefix` choices that take none.
    Pointer(Pointer),
    /// Lengths of a vector whose elements are objects, behind `prefix` choices that are no vector.
    Items {
        /// The pool of the elements.
        pool: PoolId,
        /// Choices before the lengths.
        prefix: u32,
        /// Number of lengths.
        count: u32,
    },
    /// Indices into a vector of objects, behind `prefix` choices that are no index.
    Index {
        /// The slot with the length of that vector.
        arena: SlotId,
        /// Choices before the indices.
        prefix: u32,
        /// Largest length.
        count: u32,
    },
}

impl Kind {
    /// Whether some choices are variants without fields, which a `Box` holds without an object.
    pub(crate) fn has_constants(self) -> bool {
        matches!(self, Kind::Pointer(p) if p.prefix > u32::from(p.nones))
    }
}

/// A slot that holds pointers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pointer {
    pub(crate) pool: PoolId,
    pub(crate) prefix: u32,
    /// How many of the first choices are none (null, dangling). Those between them and the objects are variants without
    /// fields, which a `Box` holds without an object of the pool. A byte, because slots are read in every step.
    pub(crate) nones: u8,
    pub(crate) nullable: bool,
    pub(crate) ownership: Ownership,
    /// Its object is reserved from the moment its own object exists.
    pub(crate) prepaid: bool,
}

impl Pointer {
    /// The object that a choice leads to, which is not one of the first ones.
    #[inline]
    pub(crate) fn object(self, choice: u32) -> ObjectId {
        ObjectId::new(choice - self.prefix)
    }

    /// The first choice from a number on that the pointer may have, whatever objects there are.
    #[inline]
    pub(crate) fn first_choice(self, from: u32) -> u32 {
        if self.nullable { from } else { from.max(u32::from(self.nones)) }
    }
}

/// What a pointer does for its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ownership {
    /// `Box`: the only owner.
    Unique,
    /// `Rc`, `Arc`: one of the owners.
    Shared,
    /// `Weak`: none, but the object has to have one.
    Weak,
    /// Raw pointers: none.
    Raw,
}

impl Ownership {
    pub(crate) fn owns(self) -> bool {
        matches!(self, Ownership::Unique | Ownership::Shared)
    }
}

/// What the loop of the search needs to know about a slot.
#[derive(Clone, Copy)]
pub(crate) struct Slot {
    pub head: &'static Head,
    pub kind: Kind,
    /// Its values have no slots inside and lead to no objects: nothing else depends on it.
    pub is_plain: bool,
    /// From this choice on it holds a key that the lazy engine may leave undecided; or [`NOT_LAZY`].
    pub lazy: u32,
    /// Its values are keys, or options of keys. Keys ask the heap by themselves, so their cells do not.
    pub is_key: bool,
    /// How many of the first values are `None`, for plain data.
    pub nones: u32,
    /// Its values are sets or maps.
    pub has_keys: bool,
    /// Whether it can hold a value and leave open which keys are in it.
    pub patterns: Patterns,
    /// It is a pointer to objects without slots that only pointers like it hold.
    pub is_bare: bool,
    /// The object of an arena that this slot belongs to, if reading the slot distinguishes the object.
    pub arena: Option<(PoolId, ObjectId)>,
}

impl Slot {
    /// Whether which other slots are reachable does not depend on what it holds.
    #[inline]
    pub fn is_loose(&self) -> bool {
        self.is_plain || self.is_bare
    }

    /// Whether it can hold a key that is left undecided.
    #[inline]
    pub fn holds_key(&self) -> bool {
        self.lazy != NOT_LAZY && self.arena.is_none()
    }

    /// What can be asked about it. Slots of an arena are always read: reading one distinguishes its object from the
    /// others, and the path records that with the step that opens the slot.
    pub fn asks(&self) -> Asks {
        match self.kind {
            _ if self.arena.is_some() => Asks::Nothing,
            Kind::Values { .. } if self.is_plain && !self.is_key => Asks::Data,
            Kind::Values { .. } if self.is_plain && self.nones > 0 => Asks::Presence,
            Kind::Values { .. } if self.has_keys && self.patterns == Patterns::None => Asks::Keys,
            Kind::Pointer(p) if p.ownership == Ownership::Raw => Asks::Address,
            Kind::Pointer(_) => Asks::Presence,
            _ => Asks::Nothing,
        }
    }
}

/// A slot that holds no key.
pub(crate) const NOT_LAZY: u32 = u32::MAX;

/// The numbers that values of a slot stand for: choice `c` for `base + c`. Only slots with equal types can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Code {
    pub of: TypeId,
    pub base: i64,
}

/// Larger numbers are read, not asked about: sums of smaller ones do not overflow.
pub(crate) const LARGEST_NUMBER: u64 = 1 << 40;

/// What else is known about a slot.
pub(crate) struct SlotInfo {
    pub site: &'static FieldSite,
    /// Pool and number of the object that the slot belongs to.
    pub object: Option<(PoolId, ObjectId)>,
    /// The input that the slot belongs to, if there are several.
    pub argument: Option<&'static str>,
    /// The disjoint part that it belongs to, counted from 1; 0 for none.
    pub part: u32,
    /// The slot whose value contains it: a variant, or the length of a vector.
    pub around: Option<SlotId>,
    /// The choices of that slot with which it is there.
    #[cfg_attr(not(feature = "summaries"), expect(dead_code, reason = "only summaries look at it"))]
    pub there: There,
    /// Objects that each choice needs beyond those already reserved; empty for frugal slots.
    pub needs: Vec<Need>,
    /// The lengths, for vectors of objects.
    pub lengths: Rc<[u32]>,
    /// The scopes in which each choice is available; empty when that is all of them.
    pub masks: Rc<[u64]>,
    /// The values of its table, in words.
    pub texts: Texts,
    /// What its values stand for, if they are consecutive numbers.
    pub code: Option<Code>,
    /// The keys in its values, if order types are wanted and it is not a key itself.
    pub keys: Option<Rc<Keys>>,
    /// The slots of the keys of a pattern, in ascending order of the keys.
    pub key_slots: Rc<[SlotId]>,
}

/// The choices of a slot with which a slot inside its values is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum There {
    /// With all of them: it is inside of no value.
    Always,
    /// With one of them.
    With(u32),
    /// With one of them and all behind it, as an element of a vector is.
    From(u32),
}

/// The values of a table, in words.
pub(crate) type Texts = Rc<dyn Fn(u32) -> String>;

impl SlotInfo {
    pub fn mask(&self, choice: u32) -> u64 {
        self.masks.get(choice as usize).copied().unwrap_or(u64::MAX)
    }
}
