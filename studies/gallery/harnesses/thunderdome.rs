//! An arena with values that are put at given slots.

use smallscope::sequences::{Builder, Context, Pool};
use std::collections::BTreeMap;
use thunderdome::Arena;

pub struct Both {
    arena: Arena<u8>,
    model: BTreeMap<u32, u8>,
}

#[smallscope::api(into_empty, pool(slot = 0..4, value = [0, 7]))]
impl Both {
    #[api(shown = "Arena::new()")]
    pub fn new() -> Self {
        Both { arena: Arena::new(), model: BTreeMap::new() }
    }

    #[api(shown = "{self}.insert({value})")]
    pub fn insert(&mut self, value: u8) {
        let slot = self.arena.insert(value).slot();
        assert_eq!(self.model.insert(slot, value), None);
        self.compare();
    }

    #[api(shown = "{self}.insert_at_slot({slot}, {value})")]
    pub fn insert_at_slot(&mut self, slot: u32, value: u8) {
        let (_, old) = self.arena.insert_at_slot(slot, value);
        assert_eq!(self.model.insert(slot, value), old);
        self.compare();
    }

    #[api(shown = "{self}.remove_by_slot({slot})")]
    pub fn remove(&mut self, slot: u32) {
        let removed = self.arena.remove_by_slot(slot).map(|(_, value)| value);
        assert_eq!(self.model.remove(&slot), removed);
        self.compare();
    }
}

impl Both {
    fn compare(&self) {
        assert_eq!(self.arena.len(), self.model.len());
        assert!(self.arena.iter().map(|(index, value)| (index.slot(), *value)).eq(self.model.clone()));
    }
}

#[smallscope::sequences(strategy = "bobw", length = 20, budget = "10s")]
fn with_smallscope() -> Builder {
    Context::builder().pool(Pool::<Both>::empty(1).named("arena")).api::<Both>()
}

compared_calls!(Both: 3 calls of 4 and 2, |both: &mut Both, (call, slot, value): Call| match call {
    0 => both.insert(value),
    1 => both.insert_at_slot(u32::from(slot), value),
    _ => both.remove(u32::from(slot)),
});
