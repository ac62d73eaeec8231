//! Which assignments are within the bounds on objects: at most so many of each type in each named pool, whatever holds them,
//! and at most so many objects and elements in all if there is a bound on the size of the whole.

use smallscope_core::raw::{AnyRaw, Content, SlotView};
use std::collections::{BTreeMap, BTreeSet};

/// The bounds on the objects of each type.
#[derive(Debug, Clone)]
pub struct Objects {
    /// Type and name of each pool.
    pools: Vec<(String, String)>,
    /// The largest number of objects, by type and name.
    most: BTreeMap<(String, String), usize>,
    /// The largest number of all objects and elements together, if that is bounded.
    size: Option<u32>,
}

impl Objects {
    /// Takes the pools from the layout.
    pub fn of(raw: &AnyRaw) -> Objects {
        let (mut pools, mut most) = (vec![], BTreeMap::new());
        for (site, name, size) in raw.pools() {
            let pool = (format!("{}::{}", site.module, site.name), name);
            let known = most.entry(pool.clone()).or_insert(0);
            *known = size.max(*known as u32) as usize;
            pools.push(pool);
        }
        Objects { pools, most, size: raw.size() }
    }

    /// Counts the objects that pointers lead to and that vectors hold.
    pub fn are_within(&self, views: &[SlotView]) -> bool {
        let mut found: BTreeMap<&(String, String), BTreeSet<(u32, u32)>> = BTreeMap::new();
        for view in views {
            let (class, objects) = match view.content {
                Content::Object { class, object, .. } => (class, object..object + 1),
                Content::Items { class, start, len } => (class, start..start + len),
                Content::Value(_) | Content::None(_) | Content::Index { .. } => continue,
            };
            let pool = &self.pools[class as usize];
            found.entry(pool).or_default().extend(objects.map(|object| (class, object)));
        }
        let elements: u32 = views.iter().map(|view| view.elements).sum();
        let objects: usize = found.values().map(BTreeSet::len).sum();
        found.iter().all(|(pool, objects)| objects.len() <= self.most[pool])
            && self.size.is_none_or(|size| objects + elements as usize <= size as usize)
    }
}
