//! Order types: how the keys that an invariant has left open compare.

use super::State;
use super::decide::{About, Question};

impl State {
    /// Decides for each of these keys where it comes among those before it. What is not known is a decision, so that the
    /// search goes through all ways in which they can compare.
    pub fn decide_order(&mut self, keys: &[u32]) {
        let mut sorted: Vec<u32> = vec![];
        for &key in keys {
            let (mut from, mut to) = (0, sorted.len());
            let mut is_new = true;
            while from < to && is_new {
                let middle = (from + to) / 2;
                match self.compare_keys(key, sorted[middle]) {
                    0 => to = middle,
                    1 => is_new = false,
                    _ => from = middle + 1,
                }
            }
            if is_new {
                sorted.insert(from, key);
            }
        }
    }

    /// Whether a key is less than another one (0), equal (1), or greater (2).
    fn compare_keys(&mut self, a: u32, b: u32) -> u8 {
        let about = About::Order { a, by: self.base(a) - self.base(b), b };
        if let Some(known) = self.known(about) {
            return known;
        }
        let question = Question { about, refuting: 0 };
        let possible = self.possible(question);
        let first = possible.trailing_zeros();
        if possible.count_ones() == 1 {
            let posted = self.post(about, first as u8);
            debug_assert!(posted, "it was possible a moment ago");
            return first as u8;
        }
        let alternative = self.guided(a, possible).unwrap_or(first);
        self.decide(question, alternative);
        alternative as u8
    }
}
