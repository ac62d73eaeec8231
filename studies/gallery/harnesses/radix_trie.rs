//! A trie, of which keys are removed that need not be there.

use radix_trie::{Trie, TrieCommon};
use smallscope::sequences::{Builder, Context, Pool};
use std::collections::BTreeMap;

pub struct Both {
    trie: Trie<String, u8>,
    model: BTreeMap<String, u8>,
}

/// Keys of which some are prefixes of others.
const KEYS: [&str; 6] = ["", "a", "b", "ab", "aa", "q"];

#[smallscope::api(into_empty, pool(key = 0..6, value = [0, 7]))]
impl Both {
    #[api(shown = "Trie::new()")]
    pub fn new() -> Self {
        Both { trie: Trie::new(), model: BTreeMap::new() }
    }

    #[api(shown = "{self}.insert(KEYS[{key}], {value})")]
    pub fn insert(&mut self, key: usize, value: u8) {
        assert_eq!(self.trie.insert(KEYS[key].into(), value), self.model.insert(KEYS[key].into(), value));
        self.compare();
    }

    #[api(shown = "{self}.remove(KEYS[{key}])")]
    pub fn remove(&mut self, key: usize) {
        assert_eq!(self.trie.remove(KEYS[key]), self.model.remove(KEYS[key]));
        self.compare();
    }
}

impl Both {
    fn compare(&self) {
        assert_eq!(self.trie.len(), self.model.len());
        assert!(KEYS.iter().all(|key| self.trie.get(*key) == self.model.get(*key)));
        assert!(self.trie.check_integrity());
    }
}

#[smallscope::sequences(strategy = "bobw", length = 20, budget = "10s")]
fn with_smallscope() -> Builder {
    Context::builder().pool(Pool::<Both>::empty(1).named("trie")).api::<Both>()
}

compared_calls!(Both: 2 calls of 6 and 2, |both: &mut Both, (call, key, value): Call| match call {
    0 => both.insert(usize::from(key), value),
    _ => both.remove(usize::from(key)),
});
