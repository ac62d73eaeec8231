//! Classes: the pools that pointers and vectors take objects from.

use crate::site::ClassSite;

pub(crate) type ClassId = u32;

/// Objects needed, by class.
pub(crate) type Need = Vec<(ClassId, u32)>;

/// The objects of one type, one way of allocating them, and one pool name.
pub(crate) struct Class {
    pub site: &'static ClassSite,
    /// The pool's name; empty for the unnamed one.
    pub pool: String,
    /// The disjoint part that it belongs to, counted from 1; 0 for none.
    pub part: u32,
    pub size: u32,
    pub used: u32,
    /// Objects promised to mandatory pointers that are not open yet.
    pub reserved: u32,
    /// Mandatory pointers that are not open yet and whose promise a raw pointer has used up.
    pub borrowed: u32,
    /// Owning references per object.
    pub owners: Vec<u32>,
    /// Objects in use without an owner.
    pub unowned: u32,
    /// Some field type owns objects of this class, so one that nobody owns is not part of a value.
    pub must_be_owned: bool,
    /// What one fresh object costs: itself first, then what it cannot do without.
    pub fresh: Need,
    /// How often each object of an arena is referred to by index or read by position.
    pub touched: Vec<u32>,
    /// For each number of used objects, the scopes that allow it.
    pub masks: Vec<u64>,
}

impl Class {
    /// Objects that are neither used nor promised.
    pub fn free(&self) -> u32 {
        self.size - self.used - self.reserved
    }

    pub fn own(&mut self, object: u32) {
        let owners = &mut self.owners[object as usize];
        *owners += 1;
        if *owners == 1 {
            self.unowned -= 1;
        }
    }

    pub fn disown(&mut self, object: u32) {
        let owners = &mut self.owners[object as usize];
        *owners -= 1;
        if *owners == 0 {
            self.unowned += 1;
        }
    }

    /// Reserves (or gives back) what `n` objects of a class cannot do without, apart from themselves.
    pub fn reserve_rest(classes: &mut [Class], class: ClassId, n: u32, reserve: bool) {
        for i in 0..classes[class as usize].fresh.len() {
            let (c, mut need) = classes[class as usize].fresh[i];
            if i == 0 {
                need -= 1;
            }
            let reserved = &mut classes[c as usize].reserved;
            *reserved = if reserve { *reserved + need * n } else { *reserved - need * n };
        }
    }
}
