//! What pointers do to the objects of a class: which one they may take, what that promises to others, and taking it back.

use super::{
    BORROWED, COUNTED, Class, FRESH, Kind, NOTHING, Need, Ownership, Pointer, RELEASED, State, Step,
    UNPROMISED,
};

impl State {
    #[inline]
    pub(super) fn allowed_object(&self, p: Pointer, from: u32) -> Option<u32> {
        let from = if p.nullable { from } else { from.max(p.prefix) };
        if from < p.prefix {
            return Some(from);
        }
        let class = &self.classes[p.class as usize];
        let object = from - p.prefix;
        if self.aliasing {
            return (object <= class.used && object < class.size).then_some(from);
        }
        if object < class.used {
            if p.ownership != Ownership::Unique {
                return Some(from);
            }
            if class.unowned > 0 {
                let free = (object..class.used).find(|&o| class.owners[o as usize] == 0);
                if let Some(o) = free {
                    return Some(p.prefix + o);
                }
            }
        } else if object > class.used {
            return None;
        }
        // Also not if the objects are all in use, which is the usual reason.
        if class.used == class.size {
            return None;
        }
        let promised = (p.prepaid || p.ownership == Ownership::Raw) && class.reserved > 0;
        (promised || self.has_room(&class.fresh)).then_some(p.prefix + class.used)
    }

    /// Whether a box certainly finds no object from this choice on: all are in use, and have their owners.
    #[inline]
    pub(super) fn finds_no_object(&self, slot: u32, from: u32) -> bool {
        let Kind::Pointer(p) = self.slots[slot as usize].kind else { return false };
        let class = &self.classes[p.class as usize];
        let is_full = class.used == class.size && class.unowned == 0;
        is_full && !self.aliasing && p.ownership == Ownership::Unique && from >= p.prefix
    }

    pub(super) fn has_room(&self, need: &Need) -> bool {
        need.iter().all(|&(c, n)| self.classes[c as usize].free() >= n)
    }

    pub(super) fn take_object(&mut self, p: Pointer, object: u32) -> u16 {
        let class = &mut self.classes[p.class as usize];
        let fresh = object == class.used;
        class.used += u32::from(fresh);
        if self.aliasing {
            return if fresh { FRESH } else { NOTHING };
        }
        let mut done = COUNTED;
        if fresh {
            done |= FRESH;
            class.unowned += 1;
            if p.prepaid && class.reserved > 0 {
                class.reserved -= 1;
            } else if p.prepaid {
                done |= UNPROMISED;
                class.borrowed -= 1;
                Class::reserve_rest(&mut self.classes, p.class, 1, true);
            } else if p.ownership == Ownership::Raw && class.reserved > 0 {
                done |= BORROWED;
                class.reserved -= 1;
                class.borrowed += 1;
            } else {
                Class::reserve_rest(&mut self.classes, p.class, 1, true);
            }
        } else if p.prepaid && class.borrowed > 0 {
            done |= UNPROMISED;
            class.borrowed -= 1;
        } else if p.prepaid {
            done |= RELEASED;
            class.reserved -= 1;
            Class::reserve_rest(&mut self.classes, p.class, 1, false);
        }
        if p.ownership.owns() {
            self.classes[p.class as usize].own(object);
        }
        done
    }

    pub(super) fn give_object_back(&mut self, p: Pointer, step: Step) {
        let class = &mut self.classes[p.class as usize];
        let fresh = step.done & FRESH != 0;
        class.used -= u32::from(fresh);
        if self.aliasing {
            return;
        }
        if p.ownership.owns() {
            class.disown(step.choice - p.prefix);
        }
        if fresh {
            class.unowned -= 1;
            if step.done & UNPROMISED != 0 {
                class.borrowed += 1;
                Class::reserve_rest(&mut self.classes, p.class, 1, false);
            } else if p.prepaid {
                class.reserved += 1;
            } else if step.done & BORROWED != 0 {
                class.borrowed -= 1;
                class.reserved += 1;
            } else {
                Class::reserve_rest(&mut self.classes, p.class, 1, false);
            }
        } else if step.done & UNPROMISED != 0 {
            class.borrowed += 1;
        } else if step.done & RELEASED != 0 {
            class.reserved += 1;
            Class::reserve_rest(&mut self.classes, p.class, 1, true);
        }
    }

    pub(super) fn reserve(&mut self, slot: u32, choice: u32, reserve: bool) {
        if self.aliasing {
            return;
        }
        for &(c, n) in &self.infos[slot as usize].needs[choice as usize] {
            let reserved = &mut self.classes[c as usize].reserved;
            *reserved = if reserve { *reserved + n } else { *reserved - n };
        }
    }
}
