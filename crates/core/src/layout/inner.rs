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
    pub fn new(can_wait: bool, places: Places) -> Inner {
        Inner { checks: vec![], sites: vec![], can_wait, leads: vec![], places }
    }

    /// Adds a check.
    pub fn add(&mut self, owner: TypeId, index: u32, part: u32, home: u32, site: ConjunctSite) {
        let bit = 1 << self.checks.len().min(63);
        self.checks.push(InnerCheck { owner, index, part, home, bit });
        self.sites.push(site);
    }

    /// Adds the next slot, which is in a disjoint part. `leads` says which checks, by number, its field leads to.
    pub fn add_slot(&mut self, part: u32, leads: &dyn Fn(usize) -> bool) {
        let mut bits = 0;
        for (number, check) in self.checks.iter().enumerate() {
            let is_same_part = part == 0 || check.home == 0 || part == check.home;
            if is_same_part && leads(number) {
                bits |= check.bit;
            }
        }
        self.leads.push(bits);
    }

    /// Whether a slot leads to something that a check is about.
    pub fn leads_to(&self, slot: SlotId, check: &InnerCheck) -> bool {
        self.leads[slot.index()] & check.bit != 0
    }

    /// The checks that are about a part, in words.
    pub fn texts(&self, part: u32) -> Vec<&'static str> {
        let mut texts = vec![];
        for (check, site) in self.checks.iter().zip(&self.sites) {
            if check.part == part {
                texts.push(site.text);
            }
        }
        texts
    }

    /// Whether a slot leads to something that any check is about.
    pub fn leads_anywhere(&self, slot: SlotId) -> bool {
        self.leads[slot.index()] != 0
    }

    /// Whether a check is about a structure of its type.
    #[inline]
    pub fn is_about(&self, check: &InnerCheck, this: *const ()) -> bool {
        match self.places.0.get(&(this as usize, check.owner)) {
            None => check.home == 0,
            Some(Place::Part(part)) => *part == check.home,
            Some(Place::Unchecked) => false,
        }
    }
}
