//! Invariants of parts of a value: the fields that they are about, and the slots that lead to such fields.

use crate::ids::SlotId;
use crate::site::ConjunctSite;
use std::any::TypeId;
use std::collections::HashMap;

/// The invariants of parts, as conjuncts of the whole.
pub(crate) struct Inner {
    pub checks: Vec<InnerCheck>,
    /// The same, in words.
    pub sites: Vec<ConjunctSite>,
    /// The invariant of the whole may run before these: if it relies on them and panics, the panic can be caught.
    pub can_wait: bool,
    /// The checks that each slot leads to, as bits.
    leads: Vec<u64>,
    places: Places,
}

/// An invariant that holds for everything in a field, wherever the field occurs.
pub(crate) struct InnerCheck {
    /// The mirror type that has the field.
    pub owner: TypeId,
    /// The number of the field among those of its type that are checked.
    pub index: u32,
    /// The disjoint part that it is about, counted from 1; 0 for none.
    pub part: u32,
    /// The disjoint part of the structures that have the field.
    home: u32,
    /// Checks behind the first ones share a bit.
    bit: u64,
}

impl InnerCheck {
    pub fn new(number: usize, owner: TypeId, index: u32, part: u32, home: u32) -> InnerCheck {
        InnerCheck { owner, index, part, home, bit: 1 << number.min(63) }
    }
}

/// Structures whose checks depend on where they are.
#[derive(Default)]
pub(crate) struct Places(HashMap<(usize, TypeId), Place>);

#[derive(Clone, Copy)]
enum Place {
    /// In a disjoint part.
    Part(u32),
    /// By value in a field that is not checked.
    Unchecked,
}

impl Places {
    /// Notes where a structure is.
    pub fn note(&mut self, address: *const (), of: TypeId, part: u32, is_unchecked: bool) {
        let place = if is_unchecked { Place::Unchecked } else { Place::Part(part) };
        self.0.insert((address as usize, of), place);
    }
}

impl Inner {
    /// `leads` says for a slot which checks, by number, it leads to.
    pub fn new(
        can_wait: bool,
        checks: Vec<InnerCheck>,
        sites: Vec<ConjunctSite>,
        slots: usize,
        places: Places,
        leads: impl Fn(SlotId, usize) -> bool,
    ) -> Inner {
        let bits = |slot| {
            let leads_to = checks.iter().enumerate().filter(|(number, _)| leads(slot, *number));
            leads_to.fold(0, |bits, (_, check)| bits | check.bit)
        };
        let leads = (0..slots as u32).map(|slot| bits(SlotId::new(slot))).collect();
        Inner { checks, sites, can_wait, leads, places }
    }

    /// Whether a slot leads to something that a check is about.
    pub fn leads_to(&self, slot: SlotId, check: &InnerCheck) -> bool {
        self.leads[slot.index()] & check.bit != 0
    }

    /// The checks that are about a part, in words.
    pub fn texts(&self, part: u32) -> impl Iterator<Item = &'static str> {
        let of_part = self.checks.iter().zip(&self.sites).filter(move |(check, _)| check.part == part);
        of_part.map(|(_, site)| site.text)
    }

    /// Whether a slot leads to something that any check is about.
    pub fn leads_anywhere(&self, slot: SlotId) -> bool {
        self.leads[slot.index()] != 0
    }

    /// Whether a check is about a structure of its type.
    pub fn is_about<P: ?Sized>(&self, check: &InnerCheck, this: &P) -> bool {
        match self.places.0.get(&(std::ptr::from_ref(this).cast::<()>() as usize, check.owner)) {
            None => check.home == 0,
            Some(Place::Part(part)) => *part == check.home,
            Some(Place::Unchecked) => false,
        }
    }
}
