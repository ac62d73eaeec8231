//! Slots: what the engine knows about a cell.

use super::class::{ClassId, Need};
use crate::cell::{Asks, Head};
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
    /// Objects of a class behind `prefix` choices that are none (null, dangling).
    Pointer(Pointer),
    /// Lengths of a vector whose elements are objects, behind `prefix` choices that are no vector.
    Items {
        /// The class of the elements.
        class: u32,
        /// Choices before the lengths.
        prefix: u32,
        /// Number of lengths.
        count: u32,
    },
    /// Indices into a vector of objects, behind `prefix` choices that are no index.
    Index {
        /// The slot with the length of that vector.
        arena: u32,
        /// Choices before the indices.
        prefix: u32,
        /// Largest length.
        count: u32,
    },
}

/// A slot that holds pointers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pointer {
    pub(crate) class: ClassId,
    pub(crate) prefix: u32,
    pub(crate) nullable: bool,
    pub(crate) ownership: Ownership,
    /// Its object is reserved from the moment its own object exists.
    pub(crate) prepaid: bool,
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

/// The part of a slot that the search loop touches.
#[derive(Clone, Copy)]
pub(crate) struct Slot {
    pub head: &'static Head,
    pub kind: Kind,
    /// Its values have no slots inside and lead to no objects: nothing else depends on it.
    pub is_plain: bool,
    /// From this choice on it holds a key that the lazy engine need not decide; or [`NOT_LAZY`].
    pub lazy: u32,
    /// Its values are keys, or options of keys: keys ask for themselves.
    pub is_key: bool,
    /// How many first values of plain data are `None`.
    pub nones: u32,
    /// It is a pointer to objects without slots, which nothing but pointers like it holds.
    pub is_bare: bool,
    /// The arena whose object this slot belongs to, or `NO_CLASS`.
    pub arena_class: u32,
    pub arena_object: u32,
}

impl Slot {
    /// Whether no other slot is there or not because of what it holds.
    #[inline]
    pub fn is_loose(&self) -> bool {
        self.is_plain || self.is_bare
    }

    /// Whether it can hold a key that is left open.
    #[inline]
    pub fn holds_key(&self) -> bool {
        self.lazy != NOT_LAZY && self.arena_class == super::NO_CLASS
    }

    /// What can be asked about it. To look at an object of an arena by its place makes it different from the others, and
    /// that goes with opening one of its slots.
    pub fn asks(&self) -> Asks {
        match self.kind {
            _ if self.arena_class != super::NO_CLASS => Asks::Nothing,
            Kind::Values { .. } if self.is_plain && !self.is_key => Asks::Data,
            Kind::Values { .. } if self.is_plain && self.nones > 0 => Asks::Presence,
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

/// The rest.
pub(crate) struct SlotInfo {
    pub site: &'static FieldSite,
    /// Class and number of the object that the slot belongs to.
    pub object: Option<(ClassId, u32)>,
    /// The input that the slot belongs to, if there are several.
    pub argument: Option<&'static str>,
    /// The disjoint part that it belongs to, counted from 1; 0 for none.
    pub part: u32,
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
}

/// The values of a table, in words.
pub(crate) type Texts = Rc<dyn Fn(u32) -> String>;

impl SlotInfo {
    pub fn mask(&self, choice: u32) -> u64 {
        self.masks.get(choice as usize).copied().unwrap_or(u64::MAX)
    }
}
