//! Disjoint parts of a structure: what fields say about them, and whether they can be searched on their own.

use super::{Kind, Layout, Pointer};
use crate::error::Error;
use crate::ids::{PoolId, SlotId};
use std::any::TypeId;
use std::collections::HashSet;

/// The most parts that there can be.
pub(crate) const MOST_PARTS: usize = 60;

/// What a heap knows about its parts.
#[derive(Default)]
pub(crate) struct Parts {
    /// Their names, in the order of declaration; part `i + 1` has the name `names[i]`.
    pub names: Vec<String>,
    /// For the inputs of a product, the types of their cells.
    types: Vec<Option<TypeId>>,
    /// The author vouches that unsafe code about one part does not rely on conjuncts about others.
    pub is_vouched: bool,
    /// Parts in which a test that has a reference can change something.
    pub mutable: HashSet<u32>,
    /// Two parts that take objects from the same pool.
    shared: Option<(PoolId, u32)>,
}

impl Parts {
    /// The number of a part, which may be new.
    pub fn add(&mut self, name: &str, of: Option<TypeId>) -> u32 {
        let known = self.names.iter().position(|known| known == name).filter(|_| of.is_none());
        known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.types.push(of);
            self.names.len() - 1
        }) as u32
            + 1
    }

    /// The name of a part.
    pub fn name(&self, part: u32) -> &str {
        match part {
            0 => "",
            part => &self.names[part as usize - 1],
        }
    }

    /// Whether these are the inputs of a product.
    pub fn are_inputs(&self) -> bool {
        self.types.iter().any(Option::is_some)
    }
}

impl Layout {
    /// Notes that pointers of a part lead to a pool that another pointer was the first to lead to.
    pub fn note_shared_pool(&mut self, pool: PoolId, part: u32) {
        if self.pool(pool).part != part {
            self.parts.shared.get_or_insert((pool, part));
        }
    }

    /// Whether the parts can be searched on their own, as far as the fields tell.
    pub fn check_parts(&self) -> Result<(), Error> {
        let parts = &self.parts;
        let wrong = |at: String, why: String| Err(Error::NotDisjoint { at, why });
        let undeclared = self.infos.iter().find(|info| info.part == 0);
        if parts.names.is_empty() {
            let why = "it has no parts; put `#[bounded(part = \"name\")]` on the fields of each part".into();
            return wrong("the structure".into(), why);
        }
        if let Some(info) = undeclared {
            let known = parts.names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let why = format!(
                "it belongs to no part; put `#[bounded(part = \"name\")]` on it (the others are in {known})"
            );
            return wrong(info.site.to_string(), why);
        }
        if parts.names.len() > MOST_PARTS {
            let why = format!("it has {} parts, at most {MOST_PARTS} can be combined", parts.names.len());
            return wrong("the structure".into(), why);
        }
        if let Some((pool, other)) = parts.shared {
            let Some(pool) = self.pools.get(pool.index()) else { return Ok(()) };
            let name = if pool.name.is_empty() { "unnamed".into() } else { format!("`{}`", pool.name) };
            let why = format!(
                "the parts `{}` and `{}` both take such objects from the {name} pool; give each part its own with \
                 `#[bounded(part = \"name\")]` or `pool = \"name\"`",
                parts.name(pool.part),
                parts.name(other)
            );
            return wrong(pool.site.to_string(), why);
        }
        for (slot, info) in self.slots.iter().zip(&self.infos) {
            let Kind::Index { arena, .. } = slot.kind else { continue };
            if self.info(arena).part != info.part {
                let why = format!(
                    "it is an index into `{}`, which is in another part; put both into the same one",
                    self.info(arena).site
                );
                return wrong(info.site.to_string(), why);
            }
        }
        Ok(())
    }

    /// Whether values of a part stay as they are while a test only has a reference to them, and need not be dropped
    /// after it.
    pub fn is_frozen(&self, part: u32) -> bool {
        !self.parts.mutable.contains(&part) && !self.has_destructor
    }

    /// An earlier part that has the same values: an input of the same type and with the same bounds.
    pub fn twin(&self, part: u32) -> Option<u32> {
        let of = |part: u32| self.parts.types[part as usize - 1];
        (1..part).find(|&other| of(part).is_some() && of(other) == of(part) && self.looks_like(other, part))
    }

    fn looks_like(&self, a: u32, b: u32) -> bool {
        let slots = |part: u32| {
            let of_part = self.slots.iter().zip(&self.infos).filter(move |(_, info)| info.part == part);
            of_part.map(|(slot, info)| {
                let texts: Vec<String> = match slot.kind {
                    Kind::Values { count, .. } => (0..count).map(|i| (info.texts)(i)).collect(),
                    _ => vec![],
                };
                let needs: Vec<Vec<u32>> =
                    info.needs.iter().map(|need| need.iter().map(|(_, n)| *n).collect()).collect();
                (shape(slot.kind), info.lengths.clone(), info.masks.clone(), texts, needs)
            })
        };
        let pools = |part: u32| {
            let of_part = self.pools.iter().filter(move |pool| pool.part == part);
            of_part.map(|pool| (std::ptr::from_ref(pool.site), pool.size, pool.masks.clone()))
        };
        slots(a).eq(slots(b)) && pools(a).eq(pools(b))
    }
}

/// A kind without the numbers of pools and slots in it.
fn shape(kind: Kind) -> Kind {
    match kind {
        Kind::Values { .. } => kind,
        Kind::Pointer(p) => Kind::Pointer(Pointer { pool: PoolId::default(), ..p }),
        Kind::Items { prefix, count, .. } => Kind::Items { pool: PoolId::default(), prefix, count },
        Kind::Index { prefix, count, .. } => Kind::Index { arena: SlotId::default(), prefix, count },
    }
}
