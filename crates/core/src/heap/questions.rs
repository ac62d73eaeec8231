//! Questions about the current candidate and about slots. Nothing here changes the heap.

use super::{Class, ClassId, Kind, Ownership, State};
use crate::cell::UNREAD;
use std::collections::HashSet;

impl State {
    /// Whether an object that needs an owner has none, directly or indirectly: the root must reach it through
    /// owning pointers. (Objects that own each other in a ring, met through a weak pointer only, have leaked.)
    fn has_orphans(&self) -> bool {
        // Where all pointers own, there is nothing to look for.
        if self.pointers.iter().all(|(_, ownership)| ownership.owns()) {
            return false;
        }
        let pointer = |step: &super::Step| match self.slots[step.slot as usize].kind {
            Kind::Pointer(p) if step.choice >= p.prefix && step.is_value() => {
                Some((p, (p.class, step.choice - p.prefix)))
            }
            _ => None,
        };
        let must_be_owned = |class: u32| self.classes[class as usize].must_be_owned;
        // If every object was introduced by an owner, the owners lead back to the root.
        let is_introduced_by_others = |step: &super::Step| {
            step.done & super::FRESH != 0
                && pointer(step).is_some_and(|(p, _)| !p.ownership.owns() && must_be_owned(p.class))
        };
        if !self.path.iter().any(is_introduced_by_others) {
            return false;
        }
        let mut owned = HashSet::new();
        loop {
            let before = owned.len();
            for step in &self.path {
                let holder = self.infos[step.slot as usize].object;
                if !holder.is_none_or(|h| owned.contains(&h)) {
                    continue;
                }
                if let Some((_, target)) =
                    pointer(step).filter(|(p, _)| p.ownership.owns() || !must_be_owned(p.class))
                {
                    owned.insert(target);
                }
                if let Some((class, start, len)) = self.arena(step.slot) {
                    owned.extend((start..start + len).map(|object| (class, object)));
                }
            }
            if owned.len() == before {
                break;
            }
        }
        self.path
            .iter()
            .filter_map(pointer)
            .any(|(p, target)| must_be_owned(p.class) && !owned.contains(&target))
    }

    /// The scopes in which every choice of the path is available (bit `s` for scope `s`).
    pub fn scopes(&self) -> u64 {
        let values = self.path.iter().filter(|step| step.is_value());
        let slots = values.map(|s| self.infos[s.slot as usize].mask(s.choice));
        let classes = self.classes.iter().map(|c| c.masks[c.used as usize]);
        slots.chain(classes).fold(u64::MAX, |a, b| a & b)
    }

    /// The choice of an open slot.
    pub fn choice(&self, slot: u32) -> u32 {
        let index = self.slots[slot as usize].head.index.get();
        match self.slots[slot as usize].kind {
            Kind::Items { class, prefix, .. } if index >= prefix => {
                prefix + (index - prefix) / (self.classes[class as usize].size + 1)
            }
            _ => index,
        }
    }

    /// Whether a slot is an index into a vector whose length is not open yet.
    pub fn is_early_index(&self, slot: u32) -> bool {
        match self.slots[slot as usize].kind {
            Kind::Index { arena, .. } => self.slots[arena as usize].head.index.get() == UNREAD,
            _ => false,
        }
    }

    /// Whether a choice from elsewhere (a record, a real value) may be taken. Indices are not held to the
    /// order in which this search would introduce them.
    pub fn admissible(&mut self, slot: u32, choice: u32) -> bool {
        match self.slots[slot as usize].kind {
            Kind::Index { arena, prefix, .. } => {
                choice < prefix
                    || match self.arena(arena) {
                        Some((_, _, len)) => choice - prefix < len,
                        None => false,
                    }
            }
            _ => self.allowed(slot, choice) == Some(choice),
        }
    }

    /// The length of a slot's table, as linking has checked it.
    pub fn table_len(&self, slot: u32) -> usize {
        let info = &self.infos[slot as usize];
        match self.slots[slot as usize].kind {
            Kind::Values { count, .. } => count as usize,
            Kind::Pointer(p) => (p.prefix + self.classes[p.class as usize].size) as usize,
            Kind::Items { class, prefix, .. } => {
                prefix as usize + info.lengths.len() * (self.classes[class as usize].size as usize + 1)
            }
            Kind::Index { prefix, count, .. } => (prefix + count) as usize,
        }
    }

    /// Whether orphans rule the candidate out. With aliasing, as in Java, they do not.
    pub fn is_ruled_out(&self) -> bool {
        !self.aliasing && self.has_orphans()
    }

    /// Why no value can be built from the candidate, which is complete.
    pub fn flaw(&self) -> Option<&'static str> {
        if self.has_double_owners() {
            Some(
                "two boxes would own the same object; the invariant must reject that, or `Engine::Owned` be used",
            )
        } else if self.has_orphans() {
            Some(
                "an object would have no owner, because only weak or raw pointers lead to it; the invariant must \
                 reject that, or `Engine::Owned` be used",
            )
        } else {
            None
        }
    }

    /// Whether two unique owners share an object, which only aliasing allows.
    fn has_double_owners(&self) -> bool {
        let mut owned = HashSet::new();
        self.aliasing
            && self.path.iter().any(|step| match self.slots[step.slot as usize].kind {
                Kind::Pointer(p) if p.ownership == Ownership::Unique && step.choice >= p.prefix => {
                    !owned.insert((p.class, step.choice - p.prefix))
                }
                _ => false,
            })
    }

    /// The field of a slot, with its object's number.
    pub fn label(&self, slot: u32) -> String {
        let info = &self.infos[slot as usize];
        match info.object {
            Some((_, object)) => format!("{} of object {object}", info.site),
            None => info.site.to_string(),
        }
    }

    /// The name of a class, with its pool where several classes have that name.
    pub fn class_label(&self, class: ClassId) -> String {
        let Class { site, pool, .. } = &self.classes[class as usize];
        let namesakes = self.classes.iter().filter(|c| c.site.name == site.name).count();
        if namesakes > 1 && !pool.is_empty() { format!("{pool}.{site}") } else { site.to_string() }
    }

    /// Choices of one slot, as if it were alone.
    pub fn choices(&self, slot: u32) -> u64 {
        match self.slots[slot as usize].kind {
            Kind::Values { count, .. } => u64::from(count),
            Kind::Pointer(p) => {
                let null = if p.nullable { p.prefix } else { 0 };
                u64::from(null) + u64::from(self.classes[p.class as usize].size)
            }
            Kind::Items { prefix, .. } => u64::from(prefix) + self.infos[slot as usize].lengths.len() as u64,
            Kind::Index { prefix, count, .. } => u64::from(prefix) + u64::from(count),
        }
    }
}
