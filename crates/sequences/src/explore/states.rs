//! The states that were seen: fingerprints of 16 bytes, where each was reached from, and an index of numbers with four
//! bytes for a state. About 30 bytes for a state in all, however large it is.
//!
//! States are numbered in the order in which they were found. The index is a table of numbers, open addressing, at most
//! seven eighths full; it is only numbers, so it grows without moving what they stand for.

use xxhash_rust::xxh3::xxh3_128;

use crate::context::CallId;
use crate::test::Test;

/// The number of a state.
pub(crate) type StateId = u32;

pub(crate) struct States {
    fingerprints: Chunks<u128>,
    parents: Chunks<StateId>,
    calls: Chunks<CallId>,
    index: Vec<u32>,
    exact: Option<Exact>,
}

/// The linearizations themselves, one after the other.
#[derive(Default)]
struct Exact {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

/// An empty place of the index; numbers are one more than those of states.
const EMPTY: u32 = 0;

impl States {
    pub(crate) fn new(is_exact: bool) -> States {
        States {
            fingerprints: Chunks::new(),
            parents: Chunks::new(),
            calls: Chunks::new(),
            index: vec![EMPTY; 1 << 10],
            exact: is_exact.then(Exact::default),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.fingerprints.len
    }

    /// The state with a linearization: its number, and whether it is new. A new one is reached by a call from a parent.
    #[inline]
    pub(crate) fn insert(&mut self, bytes: &[u8], parent: StateId, call: CallId) -> (StateId, bool) {
        self.insert_hashed(xxh3_128(bytes), bytes, parent, call)
    }

    /// The same with a fingerprint that is known. The linearization is looked at in exact tables only.
    pub(crate) fn insert_hashed(
        &mut self,
        fingerprint: u128,
        bytes: &[u8],
        parent: StateId,
        call: CallId,
    ) -> (StateId, bool) {
        if self.len() * 8 >= self.index.len() * 7 {
            self.grow();
        }
        let place = match self.look_up(fingerprint, bytes) {
            Ok(id) => return (id, false),
            Err(place) => place,
        };
        let id = self.len() as StateId;
        self.index[place] = id + 1;
        self.fingerprints.push(fingerprint);
        self.parents.push(parent);
        self.calls.push(call);
        if let Some(exact) = &mut self.exact {
            exact.bytes.extend_from_slice(bytes);
            exact.ends.push(exact.bytes.len());
        }
        (id, true)
    }

    /// The state with a linearization, or the fingerprint of one that is not there.
    pub(crate) fn find(&self, bytes: &[u8]) -> Result<StateId, u128> {
        let fingerprint = xxh3_128(bytes);
        self.look_up(fingerprint, bytes).map_err(|_| fingerprint)
    }

    /// The state, or its place in the index.
    #[inline]
    fn look_up(&self, fingerprint: u128, bytes: &[u8]) -> Result<StateId, usize> {
        let mut place = self.home(fingerprint);
        while self.index[place] != EMPTY {
            let id = self.index[place] - 1;
            if self.fingerprints.get(id as usize) == fingerprint && self.is_same(id, bytes) {
                return Ok(id);
            }
            place = (place + 1) & (self.index.len() - 1);
        }
        Err(place)
    }

    /// The state was reached in a better way.
    pub(crate) fn set_parent(&mut self, id: StateId, parent: StateId, call: CallId) {
        self.parents.set(id as usize, parent);
        self.calls.set(id as usize, call);
    }

    /// The calls that lead to a state.
    pub(crate) fn path(&self, id: StateId, path: &mut Vec<CallId>) {
        path.clear();
        let mut id = id as usize;
        // The first state is the one before any call.
        while id != 0 {
            path.push(self.calls.get(id));
            id = self.parents.get(id) as usize;
        }
        path.reverse();
    }

    /// The calls that lead to each state but the first.
    pub(crate) fn sequences(&self) -> Vec<Test> {
        let mut path = vec![];
        let sequence = |id: usize| {
            self.path(id as StateId, &mut path);
            Test::of(&path)
        };
        (1..self.len()).map(sequence).collect()
    }

    /// What the table takes in memory.
    pub(crate) fn bytes(&self) -> usize {
        let exact =
            self.exact.as_ref().map_or(0, |e| e.bytes.capacity() + e.ends.capacity() * size_of::<usize>());
        self.fingerprints.bytes()
            + self.parents.bytes()
            + self.calls.bytes()
            + self.index.capacity() * 4
            + exact
    }

    fn is_same(&self, id: StateId, bytes: &[u8]) -> bool {
        let Some(exact) = &self.exact else { return true };
        let id = id as usize;
        let start = if id == 0 { 0 } else { exact.ends[id - 1] };
        exact.bytes[start..exact.ends[id]] == *bytes
    }

    fn home(&self, fingerprint: u128) -> usize {
        fingerprint as usize & (self.index.len() - 1)
    }

    fn grow(&mut self) {
        self.index = vec![EMPTY; self.index.len() * 2];
        for id in 0..self.len() {
            let mut place = self.home(self.fingerprints.get(id));
            while self.index[place] != EMPTY {
                place = (place + 1) & (self.index.len() - 1);
            }
            self.index[place] = id as u32 + 1;
        }
    }
}

/// A list that grows without moving and without room to spare.
struct Chunks<T> {
    chunks: Vec<Vec<T>>,
    len: usize,
}

const CHUNK: usize = 1 << 13;

impl<T: Copy> Chunks<T> {
    fn new() -> Chunks<T> {
        Chunks { chunks: vec![], len: 0 }
    }

    fn push(&mut self, value: T) {
        if self.len.is_multiple_of(CHUNK) {
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        self.chunks[self.len / CHUNK].push(value);
        self.len += 1;
    }

    #[inline]
    fn get(&self, i: usize) -> T {
        self.chunks[i / CHUNK][i % CHUNK]
    }

    fn set(&mut self, i: usize, value: T) {
        self.chunks[i / CHUNK][i % CHUNK] = value;
    }

    fn bytes(&self) -> usize {
        self.chunks.len() * CHUNK * size_of::<T>() + self.chunks.capacity() * size_of::<Vec<T>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_found_again_and_take_few_bytes() {
        for is_exact in [false, true] {
            let mut states = States::new(is_exact);
            let number = 300_000u32;
            for i in 0..number {
                assert_eq!(states.insert(&i.to_le_bytes(), i / 2, i), (i, true));
            }
            for i in 0..number {
                assert_eq!(states.insert(&i.to_le_bytes(), 0, 0), (i, false));
            }
            if !is_exact {
                let bytes = states.bytes() as f64 / f64::from(number);
                assert!(bytes < 34.0, "{bytes}");
            }
            let mut path = vec![];
            states.path(5, &mut path);
            assert_eq!(path, [1, 2, 5]);
        }
    }

    #[test]
    fn exact_states_differ_though_fingerprints_agree() {
        let mut states = States::new(true);
        states.insert(b"a", 0, 0);
        // As if the fingerprints were the same.
        let place = states.home(xxh3_128(b"b"));
        states.index[place] = 1;
        states.fingerprints.set(0, xxh3_128(b"b"));
        assert_eq!(states.insert(b"b", 0, 0), (1, true));
        let mut states = States::new(false);
        states.insert(b"a", 0, 0);
        let place = states.home(xxh3_128(b"b"));
        states.index[place] = 1;
        states.fingerprints.set(0, xxh3_128(b"b"));
        assert_eq!(states.insert(b"b", 0, 0), (0, false));
    }
}
