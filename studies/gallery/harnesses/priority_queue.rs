//! A queue with priorities that are changed and removed.

use priority_queue::PriorityQueue;
use smallscope::sequences::{Builder, Context, Pool};
use std::collections::BTreeMap;

pub struct Both {
    queue: PriorityQueue<u8, u8>,
    model: BTreeMap<u8, u8>,
}

#[smallscope::api(into_empty, pool(item = 0..8, priority = 0..4))]
impl Both {
    #[api(shown = "PriorityQueue::new()")]
    pub fn new() -> Self {
        Both { queue: PriorityQueue::new(), model: BTreeMap::new() }
    }

    #[api(shown = "{self}.push({item}, {priority})")]
    pub fn push(&mut self, item: u8, priority: u8) {
        assert_eq!(self.queue.push(item, priority), self.model.insert(item, priority));
        self.compare();
    }

    #[api(shown = "{self}.remove(&{item})")]
    pub fn remove(&mut self, item: u8) {
        assert_eq!(self.queue.remove(&item).map(|(_, priority)| priority), self.model.remove(&item));
        self.compare();
    }
}

impl Both {
    /// The queue gives its items in the order of their priorities.
    fn compare(&self) {
        let mut rest = self.queue.clone();
        let mut priorities: Vec<u8> = self.model.values().copied().collect();
        priorities.sort();
        while let Some((_, priority)) = rest.pop() {
            assert_eq!(Some(priority), priorities.pop());
        }
        assert!(priorities.is_empty());
    }
}

#[smallscope::sequences(strategy = "bobw", length = 20, budget = "10s")]
fn with_smallscope() -> Builder {
    Context::builder().pool(Pool::<Both>::empty(1).named("queue")).api::<Both>()
}

compared_calls!(Both: 2 calls of 8 and 4, |both: &mut Both, (call, item, priority): Call| match call {
    0 => both.push(item, priority),
    _ => both.remove(item),
});
