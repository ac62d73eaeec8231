//! What needs the whole heap: checking names, connecting indices with their arenas, and computing what
//! objects and choices cost.

use super::{Asked, Builder, Requirement, Requirements};
use crate::error::Error;
use crate::heap::{ClassId, Kind, NO_CLASS, Need, Ownership};
use crate::site::ClassSite;
use std::collections::HashSet;

impl Builder {
    /// Everything that needs the whole heap: names, indices, requirements.
    pub(super) fn finish(mut self, root: Requirements) -> Result<(), Error> {
        if let Some(e) = self.error.take() {
            return Err(e);
        }
        {
            let s = self.heap.state.borrow();
            let classes: Vec<&ClassSite> = s.classes.iter().map(|c| c.site).collect();
            let pools: Vec<String> = self.pool_names[1..].iter().map(|(_, name)| name.clone()).collect();
            self.bounds.check_names(&classes, &self.fields, &pools)?;
        }
        self.check_attributes()?;
        self.resolve_indices()?;
        self.resolve_requirements(&root)?;
        self.heap.state.borrow_mut().aliasing = self.aliasing;
        self.find_bare_pointers();
        self.heap.state.borrow_mut().find_flat();
        Ok(())
    }

    /// Pointers to objects without slots, where no choice leaves an object without an owner.
    fn find_bare_pointers(&mut self) {
        let mut s = self.heap.state.borrow_mut();
        let with_slots: HashSet<ClassId> =
            s.infos.iter().filter_map(|info| info.object).map(|(class, _)| class).collect();
        let is_held_by = |ownership| s.pointers.iter().filter(move |(_, o)| *o == ownership).map(|(c, _)| *c);
        let others = [Ownership::Unique, Ownership::Weak, Ownership::Raw];
        let held_otherwise: HashSet<ClassId> = others.into_iter().flat_map(is_held_by).collect();
        for i in 0..s.slots.len() {
            if let Kind::Pointer(p) = s.slots[i].kind {
                s.slots[i].is_bare = p.ownership == Ownership::Shared
                    && s.slots[i].arena_class == NO_CLASS
                    && !with_slots.contains(&p.class)
                    && !held_otherwise.contains(&p.class);
            }
        }
    }

    /// Every attribute must have been of use.
    fn check_attributes(&self) -> Result<(), Error> {
        for &site in &self.fields {
            let a = &site.attrs;
            for (is_given, what, why) in [
                (a.range.is_some(), Asked::Ints, "has a `range`, but the field holds no integers"),
                (a.set.is_some(), Asked::Ints, "has a `set` of integers, but the field holds none"),
                (a.len.is_some(), Asked::Lengths, "has a `len`, but the field has no length"),
                (
                    a.alphabet.is_some(),
                    Asked::Alphabet,
                    "has an `alphabet`, but the field holds no characters",
                ),
                (a.variants.is_some(), Asked::Variants, "lists `variants`, but the field is no plain enum"),
                (a.non_null, Asked::Null, "says `non_null`, but the field cannot be null"),
            ] {
                if is_given && !self.asked.contains(&(std::ptr::from_ref(site), what)) {
                    let why = format!("its attribute {why}");
                    return Err(Error::Contradiction { at: site.to_string(), why });
                }
            }
        }
        Ok(())
    }

    /// Connects each index with the one vector that it indexes into.
    fn resolve_indices(&mut self) -> Result<(), Error> {
        let mut s = self.heap.state.borrow_mut();
        let vectors: Vec<usize> =
            (0..s.slots.len()).filter(|&i| matches!(s.slots[i].kind, Kind::Items { .. })).collect();
        let mut seen_by_position = HashSet::new();
        for &(id, site) in &self.indices {
            let name = site.attrs.index.unwrap_or_default();
            let is_arena = |i: usize| match name.contains('.') {
                true => s.infos[i].site.answers_to(name),
                false => s.infos[i].site.field == name,
            };
            let same_input = |i: usize| s.infos[i].argument == s.infos[id as usize].argument;
            let arenas: Vec<usize> =
                vectors.iter().copied().filter(|&i| same_input(i) && is_arena(i)).collect();
            let [arena] = arenas[..] else {
                let why = if arenas.is_empty() {
                    format!("`index = \"{name}\"` names no vector of structures")
                } else {
                    format!(
                        "`index = \"{name}\"` fits {} vectors; an arena must be unique, write `Type.field`",
                        arenas.len()
                    )
                };
                return Err(Error::Contradiction { at: site.to_string(), why });
            };
            let Kind::Items { class, .. } = s.slots[arena].kind else { unreachable!("filtered above") };
            let longest = s.infos[arena].lengths.iter().max().copied().unwrap_or(0);
            let Kind::Index { prefix, count, .. } = s.slots[id as usize].kind else {
                unreachable!("registered as index")
            };
            let count = longest.min(s.classes[class as usize].size).min(count);
            s.slots[id as usize].kind = Kind::Index { arena: arena as u32, prefix, count };
            if !site.attrs.by_reference {
                seen_by_position.insert(class);
            }
        }
        for i in 0..s.slots.len() {
            if let Some((class, object)) = s.infos[i].object
                && seen_by_position.contains(&class)
            {
                s.slots[i].arena_class = class;
                s.slots[i].arena_object = object;
            }
        }
        Ok(())
    }

    /// Computes what a fresh object of each class costs, and what each choice costs beyond the cheapest.
    fn resolve_requirements(&mut self, root: &Requirements) -> Result<(), Error> {
        if self.aliasing {
            return Ok(());
        }
        let n = self.class_requirements.len();
        let mut cost: Vec<Option<Vec<u32>>> = vec![None; n];
        loop {
            let before = cost.clone();
            for (class, requirements) in self.class_requirements.iter().enumerate() {
                cost[class] = self.cost(requirements, &cost);
            }
            if cost == before {
                break;
            }
        }
        let mut s = self.heap.state.borrow_mut();
        for (class, cost) in cost.iter().enumerate() {
            match cost {
                Some(c) => {
                    let rest = c.iter().enumerate().filter(|&(i, &k)| i == class || k > 0);
                    let mut fresh: Need =
                        rest.map(|(i, &k)| (i as ClassId, k + u32::from(i == class))).collect();
                    fresh.sort_by_key(|&(i, _)| i != class as ClassId);
                    s.classes[class].fresh = fresh;
                }
                // Needs more than any bound: it can never be made, which `free() >= u32::MAX` says.
                None => s.classes[class].fresh = vec![(class as ClassId, u32::MAX)],
            }
        }
        for (&slot, choices) in &self.slot_requirements {
            let costs: Vec<Option<Vec<u32>>> = choices.iter().map(|r| self.cost(r, &cost)).collect();
            let cheapest = cheapest(&costs, n).unwrap_or_else(|| vec![0; n]);
            let needs = costs.iter().map(|c| match c {
                Some(c) => c
                    .iter()
                    .zip(&cheapest)
                    .enumerate()
                    .filter(|(_, (c, m))| c > m)
                    .map(|(i, (c, m))| (i as ClassId, c - m))
                    .collect(),
                None => vec![(0, u32::MAX)],
            });
            s.infos[slot as usize].needs = needs.collect();
            if let Kind::Values { count, .. } = s.slots[slot as usize].kind {
                s.slots[slot as usize].kind = Kind::Values { count, frugal: false };
            }
        }
        let Some(root) = self.cost(root, &cost) else {
            return Err(Error::Contradiction {
                at: "the structure".into(),
                why: "it has no finite value: a mandatory pointer leads back to its own type".into(),
            });
        };
        for (class, need) in root.into_iter().enumerate() {
            let c = &mut s.classes[class];
            if need > c.size {
                return Err(Error::Contradiction {
                    at: c.site.to_string(),
                    why: format!(
                        "every value needs at least {need} objects of this class, the bound is {}",
                        c.size
                    ),
                });
            }
            c.reserved += need;
        }
        Ok(())
    }

    /// Objects per class that the requirements come to; `None` if there is no end to them.
    fn cost(&self, requirements: &Requirements, classes: &[Option<Vec<u32>>]) -> Option<Vec<u32>> {
        let mut sum = vec![0u32; classes.len()];
        for r in requirements {
            let part = match *r {
                Requirement::Object(c) => {
                    let mut part = classes[c as usize].clone()?;
                    part[c as usize] = part[c as usize].saturating_add(1);
                    part
                }
                Requirement::Cheapest(slot) => {
                    let choices = &self.slot_requirements[&slot];
                    let costs: Vec<_> = choices.iter().map(|r| self.cost(r, classes)).collect();
                    cheapest(&costs, classes.len())?
                }
            };
            sum.iter_mut().zip(part).for_each(|(s, p)| *s = s.saturating_add(p));
        }
        Some(sum)
    }
}

/// Class by class the least of several costs: a lower bound of each.
fn cheapest(costs: &[Option<Vec<u32>>], classes: usize) -> Option<Vec<u32>> {
    let finite: Vec<&Vec<u32>> = costs.iter().flatten().collect();
    if finite.is_empty() {
        return None;
    }
    Some((0..classes).map(|c| finite.iter().map(|f| f[c]).min().unwrap_or(0)).collect())
}
