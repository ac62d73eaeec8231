//! A heap with two ends.

use min_max_heap::MinMaxHeap;
use smallscope::sequences::{Builder, Context, Pool};

pub struct Both {
    heap: MinMaxHeap<u8>,
    /// In order.
    model: Vec<u8>,
}

#[smallscope::api(into_empty, pool(x = 0..4))]
impl Both {
    #[api(shown = "MinMaxHeap::new()")]
    pub fn new() -> Self {
        Both { heap: MinMaxHeap::new(), model: vec![] }
    }

    #[api(shown = "{self}.push({x})")]
    pub fn push(&mut self, x: u8) {
        self.heap.push(x);
        self.model.push(x);
        self.compare();
    }

    #[api(shown = "{self}.pop_min()")]
    pub fn pop_min(&mut self) {
        let least = (!self.model.is_empty()).then(|| self.model.remove(0));
        assert_eq!(self.heap.pop_min(), least);
        self.compare();
    }

    #[api(shown = "{self}.pop_max()")]
    pub fn pop_max(&mut self) {
        assert_eq!(self.heap.pop_max(), self.model.pop());
        self.compare();
    }

    #[api(shown = "{self}.replace_max({x})")]
    pub fn replace_max(&mut self, x: u8) {
        let largest = self.model.pop();
        self.model.push(x);
        assert_eq!(self.heap.replace_max(x), largest);
        self.compare();
    }
}

impl Both {
    fn compare(&mut self) {
        self.model.sort();
        assert_eq!(self.heap.len(), self.model.len());
        assert_eq!(self.heap.peek_min(), self.model.first());
        assert_eq!(self.heap.peek_max(), self.model.last());
    }
}

#[smallscope::sequences(strategy = "bobw", length = 20, budget = "10s")]
fn with_smallscope() -> Builder {
    Context::builder().pool(Pool::<Both>::empty(1).named("heap")).api::<Both>()
}

compared_calls!(Both: 4 calls of 4 and 1, |both: &mut Both, (call, x, _): Call| match call {
    0 => both.push(x),
    1 => both.pop_min(),
    2 => both.pop_max(),
    _ => both.replace_max(x),
});
