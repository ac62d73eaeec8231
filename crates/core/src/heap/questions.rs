//! Questions about the current candidate and about slots. Nothing here changes the heap.

use super::{Kind, Ownership, State};

impl State {
    /// Whether an object that needs an owner has none.
    pub fn has_orphans(&self) -> bool {
        !self.aliasing && self.classes.iter().any(|c| c.must_be_owned && c.unowned > 0)
    }

    /// The scopes in which every choice of the path is available (bit `s` for scope `s`).
    pub fn scopes(&self) -> u64 {
        let slots = self.path.iter().map(|s| self.infos[s.slot as usize].mask(s.choice));
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

    /// Whether two unique owners share an object, which only aliasing allows.
    pub fn has_double_owners(&self) -> bool {
        let mut owned = std::collections::HashSet::new();
        self.aliasing
            && self.path.iter().any(|step| match self.slots[step.slot as usize].kind {
                Kind::Pointer(p) if p.ownership == Ownership::Unique && step.choice >= p.prefix => {
                    !owned.insert((p.class, step.choice))
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
