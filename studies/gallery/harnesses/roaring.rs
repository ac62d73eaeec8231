//! A set of numbers, from which the smallest are removed.

use roaring::RoaringBitmap;
use smallscope::sequences::{Builder, Context, Pool};
use std::collections::BTreeSet;

pub struct Both {
    set: RoaringBitmap,
    model: BTreeSet<u32>,
}

#[smallscope::api(into_empty, pool(x = 0..6, count = 0..4))]
impl Both {
    #[api(shown = "RoaringBitmap::new()")]
    pub fn new() -> Self {
        Both { set: RoaringBitmap::new(), model: BTreeSet::new() }
    }

    #[api(shown = "{self}.insert({x})")]
    pub fn insert(&mut self, x: u32) {
        assert_eq!(self.set.insert(x), self.model.insert(x));
        self.compare();
    }

    #[api(shown = "{self}.insert_range({x}..{x} + {count})")]
    pub fn insert_range(&mut self, x: u32, count: u32) {
        self.set.insert_range(x..x + count);
        self.model.extend(x..x + count);
        self.compare();
    }

    #[api(shown = "{self}.remove_smallest({count})")]
    pub fn remove_smallest(&mut self, count: u32) {
        self.set.remove_smallest(u64::from(count));
        self.model = self.model.iter().copied().skip(count as usize).collect();
        self.compare();
    }
}

impl Both {
    fn compare(&self) {
        assert_eq!(self.set.len(), self.model.len() as u64);
        assert!(self.set.iter().eq(self.model.iter().copied()));
    }
}

#[smallscope::sequences(strategy = "bobw", length = 20, budget = "10s")]
fn with_smallscope() -> Builder {
    Context::builder().pool(Pool::<Both>::empty(1).named("set")).api::<Both>()
}

compared_calls!(Both: 3 calls of 6 and 4, |both: &mut Both, (call, x, count): Call| match call {
    0 => both.insert(u32::from(x)),
    1 => both.insert_range(u32::from(x), u32::from(count)),
    _ => both.remove_smallest(u32::from(count)),
});
