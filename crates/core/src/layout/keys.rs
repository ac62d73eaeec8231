//! Keys inside plain data: what the search for order types knows about the values of a slot.

use crate::ids::Choice;

/// Whether a slot can hold a value and leave open which keys are in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patterns {
    /// It holds values only.
    None,
    /// It can, unless the invariant reads it: its values hash their keys.
    Unread,
    /// It can.
    Always,
    /// It does: its values have cells inside, which belong to one pattern each.
    Inside,
}

/// The keys in the values of a table.
///
/// A *pattern* is a value up to the numbers of its keys: `{0, 1}`, `{0, 2}` and `{1, 2}` have the same pattern.
pub(crate) struct Keys {
    /// The keys of each value, in ascending order.
    of: Vec<Box<[u32]>>,
    /// For each pattern, the value that has the lowest keys. Empty if the table has no consecutive keys.
    firsts: Vec<Choice>,
    least: u32,
    count: u32,
    find: Box<Find>,
}

/// Finds the value that has the pattern of another one, and these keys.
type Find = dyn Fn(Choice, &[u32]) -> Option<Choice>;

impl Keys {
    #[inline]
    pub fn new(of: Vec<Box<[u32]>>, find: Box<Find>) -> Keys {
        let mut all: Vec<u32> = of.iter().flat_map(|keys| keys.iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        let (least, count) = (all.first().copied().unwrap_or(0), all.len() as u32);
        let is_consecutive = all.iter().zip(least..).all(|(&key, number)| key == number);
        let is_first = |keys: &[u32]| keys.iter().zip(least..).all(|(&key, number)| key == number);
        let firsts = (0..).zip(&of).filter(|(_, keys)| is_first(keys)).map(|(choice, _)| choice);
        let firsts = if is_consecutive { firsts.collect() } else { vec![] };
        Keys { of, firsts, least, count, find }
    }

    /// The keys of a value, in ascending order.
    pub fn of(&self, choice: Choice) -> &[u32] {
        &self.of[choice as usize]
    }

    /// For each pattern, the value that has the lowest keys.
    pub fn firsts(&self) -> &[Choice] {
        &self.firsts
    }

    /// The number of a pattern, given its value with the lowest keys.
    pub fn pattern(&self, first: Choice) -> u32 {
        self.firsts.partition_point(|&other| other < first) as u32
    }

    /// The largest number of keys that a pattern has.
    pub fn most(&self) -> usize {
        let mut most = 0;
        for &first in &self.firsts {
            most = most.max(self.of(first).len());
        }
        most
    }

    /// The lowest of all keys, and how many there are.
    pub fn range(&self) -> (u32, u32) {
        (self.least, self.count)
    }

    /// The value with the pattern of another one, and with these keys, in ascending order.
    pub fn choice(&self, first: Choice, keys: &[u32]) -> Choice {
        (self.find)(first, keys).expect("smallscope internal error: a table has every pattern with all keys")
    }
}
