//! A map with places for four entries that is truncated.

use heapless::index_map::FnvIndexMap;
use smallscope::sequences::{Builder, Context, Pool};

pub struct Both {
    map: FnvIndexMap<u8, u8, 4>,
    model: Vec<(u8, u8)>,
}

#[smallscope::api(into_empty, pool(key = 0..8, len = 0..4))]
impl Both {
    #[api(shown = "FnvIndexMap::<u8, u8, 4>::new()")]
    pub fn new() -> Self {
        Both { map: FnvIndexMap::new(), model: vec![] }
    }

    #[api(shown = "{self}.insert({key}, {key})")]
    pub fn insert(&mut self, key: u8) {
        smallscope::assume!(self.model.len() < 4 && self.model.iter().all(|(k, _)| *k != key));
        assert_eq!(self.map.insert(key, key), Ok(None));
        self.model.push((key, key));
        self.compare();
    }

    #[api(shown = "{self}.truncate({len})")]
    pub fn truncate(&mut self, len: usize) {
        self.map.truncate(len);
        self.model.truncate(len);
        self.compare();
    }
}

impl Both {
    fn compare(&self) {
        assert!(self.map.iter().eq(self.model.iter().map(|(key, value)| (key, value))));
        assert!(self.model.iter().all(|(key, value)| self.map.get(key) == Some(value)));
    }
}

#[smallscope::sequences(strategy = "bobw", length = 20, budget = "10s")]
fn with_smallscope() -> Builder {
    Context::builder().pool(Pool::<Both>::empty(1).named("map")).api::<Both>()
}

compared_calls!(Both: 2 calls of 8 and 4, |both: &mut Both, (call, key, len): Call| match call {
    0 if both.model.len() < 4 && both.model.iter().all(|(k, _)| *k != key) => both.insert(key),
    0 => {}
    _ => both.truncate(usize::from(len)),
});
