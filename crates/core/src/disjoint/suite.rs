//! The valid candidates of a part, in the order of its search.
//!
//! Each is the record of a walk, one number per slot, in as few bytes as the largest number of all needs.

use super::combine::Indices;
use crate::hash::fnv;

/// The valid candidates of a part.
#[derive(Debug, Default)]
pub(crate) struct PartSuite {
    choices: Choices,
    /// Where each candidate ends.
    ends: Vec<u32>,
    /// The scopes in which each is available.
    scopes: Vec<u64>,
}

#[derive(Debug)]
enum Choices {
    Bytes(Vec<u8>),
    Words(Vec<u32>),
}

impl Default for Choices {
    fn default() -> Self {
        Choices::Bytes(vec![])
    }
}

impl Choices {
    fn len(&self) -> usize {
        match self {
            Choices::Bytes(choices) => choices.len(),
            Choices::Words(choices) => choices.len(),
        }
    }

    fn extend(&mut self, new: &[u32]) {
        match self {
            Choices::Words(choices) => choices.extend_from_slice(new),
            Choices::Bytes(choices) if new.iter().all(|choice| *choice < 256) => {
                for choice in new {
                    choices.push(*choice as u8);
                }
            }
            Choices::Bytes(choices) => {
                *self = Choices::Words(to_words(choices));
                self.extend(new);
            }
        }
    }

    fn get(&self, start: usize, end: usize) -> Vec<u32> {
        match self {
            Choices::Bytes(choices) => to_words(&choices[start..end]),
            Choices::Words(choices) => choices[start..end].to_vec(),
        }
    }
}

fn to_words(bytes: &[u8]) -> Vec<u32> {
    let mut words = Vec::with_capacity(bytes.len());
    for byte in bytes {
        words.push(u32::from(*byte));
    }
    words
}

impl PartSuite {
    /// Adds a candidate; false if there is no room.
    pub fn push(&mut self, choices: &[u32], scopes: Option<u64>) -> bool {
        let Ok(end) = u32::try_from(self.choices.len() + choices.len()) else { return false };
        self.choices.extend(choices);
        self.ends.push(end);
        if let Some(scopes) = scopes {
            self.scopes.push(scopes);
        }
        true
    }

    /// How many there are.
    pub fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// How many bytes they take.
    pub fn bytes(&self) -> usize {
        let wide = if matches!(self.choices, Choices::Bytes(_)) { 1 } else { 4 };
        self.choices.len() * wide + self.ends.len() * 4 + self.scopes.len() * 8
    }

    /// The choices of a candidate, in the order of the walk.
    pub fn get(&self, index: u32) -> Vec<u32> {
        let index = index as usize;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.choices.get(start as usize, self.ends[index] as usize)
    }

    /// How many choices a candidate has.
    pub fn size(&self, index: u32) -> u32 {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        self.ends[index as usize] - start
    }

    /// Which ones an earlier scope does not have, if that can be said of each alone: what is available in a scope has to
    /// be so in each larger one.
    pub fn indices(&self, left_out: u64) -> Option<Indices> {
        if left_out == 0 {
            return Some(Indices::all(self.len()));
        }
        let largest = 63 - left_out.leading_zeros();
        let up_to_largest = u64::MAX >> (63 - largest);
        let is_closed = |scopes: &u64| {
            let scopes = scopes & up_to_largest;
            scopes == 0 || scopes == up_to_largest & (u64::MAX << scopes.trailing_zeros())
        };
        if !self.scopes.iter().all(is_closed) {
            return None;
        }
        let mut new = vec![];
        for (i, scopes) in self.scopes.iter().enumerate() {
            if scopes >> largest & 1 == 0 {
                new.push(i as u32);
            }
        }
        Some(Indices { count: self.len(), new: Some(new) })
    }

    /// Returns a fingerprint of the candidates: if it differs, indices mean something else.
    pub fn fingerprint(&self, mut hash: u64) -> u64 {
        hash = fnv(hash, [self.len()]);
        hash = fnv(hash, self.ends.iter().copied());
        match &self.choices {
            Choices::Bytes(choices) => fnv(hash, choices.iter().map(|choice| u32::from(*choice))),
            Choices::Words(choices) => fnv(hash, choices.iter().copied()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_come_back_as_they_were() {
        let candidates: Vec<Vec<u32>> = vec![vec![1, 2], vec![], vec![255], vec![256, 0, 7], vec![3]];
        let mut suite = PartSuite::default();
        for (i, candidate) in (1..).zip(&candidates) {
            assert!(suite.push(candidate, None));
            assert_eq!(suite.len(), i);
        }
        for (i, candidate) in (0..).zip(&candidates) {
            assert_eq!(&suite.get(i), candidate);
            assert_eq!(suite.size(i), candidate.len() as u32);
        }
        assert_eq!(suite.bytes(), 7 * 4 + 5 * 4);
    }

    #[test]
    fn what_a_smaller_scope_has_is_old() {
        let mut suite = PartSuite::default();
        for scopes in [0b1111, 0b1000, 0b1100, 0b1110] {
            suite.push(&[], Some(scopes));
        }
        let new = |suite: &PartSuite, left_out| suite.indices(left_out).and_then(|indices| indices.new);
        assert_eq!(new(&suite, 0), None);
        assert_eq!(new(&suite, 0b001), Some(vec![1, 2, 3]));
        assert_eq!(new(&suite, 0b011), Some(vec![1, 2]));
        assert_eq!(new(&suite, 0b110), Some(vec![1]));
        // Scopes that were empty are not left out, but what they had would be old.
        suite.push(&[], Some(0b1001));
        assert_eq!(suite.indices(0b110), None);
        assert_eq!(new(&suite, 0b001), Some(vec![1, 2, 3]));
    }
}
