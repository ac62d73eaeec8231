//! Pools whose objects are counted together: those of one type that have different kinds of owners.

use super::At;
use crate::ids::PoolId;
use crate::layout::Layout;
use std::any::TypeId;

/// The pools whose objects are counted together, by type and name.
#[derive(Default)]
pub(super) struct CountedTogether(Vec<((TypeId, u32), Vec<PoolId>)>);

impl CountedTogether {
    /// Lets the objects of a pool count with those of the same type that other kinds of owners have.
    pub fn add(&mut self, layout: &mut Layout, counted: TypeId, pool: PoolId, at: At) {
        let key = (counted, at.pool_name);
        let known = self.0.iter().position(|(known, _)| *known == key);
        let i = known.unwrap_or(self.0.len());
        if known.is_none() {
            self.0.push((key, vec![]));
        }
        let pools = &mut self.0[i].1;
        pools.push(pool);
        layout.note_shared_pool(pools[0], at.part);
        for (i, pool) in pools.iter().enumerate() {
            let mut siblings = pools.clone();
            siblings.remove(i);
            layout.pools[pool.index()].siblings = siblings.into();
        }
    }
}
