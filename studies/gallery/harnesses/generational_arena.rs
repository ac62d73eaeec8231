//! An arena that keeps some of its values.

use generational_arena::{Arena, Index};
use smallscope::sequences::{Builder, Context, Pool};

pub struct Both {
    arena: Arena<u8>,
    model: Vec<(Index, u8)>,
}

#[smallscope::api(into_empty, pool(at = 0..3, value = 0..3))]
impl Both {
    #[api(shown = "Arena::with_capacity(1)")]
    pub fn new() -> Self {
        Both { arena: Arena::with_capacity(1), model: vec![] }
    }

    #[api(shown = "{self}.insert({value})")]
    pub fn insert(&mut self, value: u8) {
        self.model.push((self.arena.insert(value), value));
        self.compare();
    }

    /// Removes one of those that are there.
    pub fn remove(&mut self, at: usize) {
        smallscope::assume!(at < self.model.len());
        let (index, value) = self.model.remove(at);
        assert_eq!(self.arena.remove(index), Some(value));
        self.compare();
    }

    #[api(shown = "{self}.retain(|_, x| *x > {value})")]
    pub fn retain_above(&mut self, value: u8) {
        self.arena.retain(|_, x| *x > value);
        self.model.retain(|(_, x)| *x > value);
        self.compare();
    }
}

impl Both {
    fn compare(&self) {
        assert_eq!(self.arena.len(), self.model.len());
        assert!(self.model.iter().all(|(index, value)| self.arena.get(*index) == Some(value)));
    }
}

#[smallscope::sequences(strategy = "bobw", length = 20, budget = "10s")]
fn with_smallscope() -> Builder {
    Context::builder().pool(Pool::<Both>::empty(1).named("arena")).api::<Both>()
}

compared_calls!(Both: 3 calls of 3 and 3, |both: &mut Both, (call, at, value): Call| match call {
    0 => both.insert(value),
    1 if usize::from(at) < both.model.len() => both.remove(usize::from(at)),
    1 => {}
    _ => both.retain_above(value),
});
