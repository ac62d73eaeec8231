//! The table of states: a fingerprint of 16 bytes for each, its parent, and an index of four bytes per state. A state
//! takes about 30 bytes in all, independent of its size.
//!
//! States are numbered in the order in which they were found. The index is a table of these numbers with open
//! addressing, at most three quarters full. It grows without moving the states.
//!
//! While there is room, one thread may add states while others search: the number of a state enters the index after its
//! data is complete. Without room, the table must grow first, with exclusive access.

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

use xxhash_rust::xxh3::xxh3_128;

use crate::context::CallId;
use crate::test::Test;

/// The number of a state.
pub(crate) type StateId = u32;

pub(crate) struct States {
    fingerprints: Chunks<[AtomicU64; 2]>,
    parents: Chunks<AtomicU32>,
    calls: Chunks<AtomicU32>,
    /// A boxed slice, because indexing it is not a call in a debug build.
    index: Box<[AtomicU32]>,
    len: AtomicUsize,
    exact: Option<Exact>,
}

/// The linearizations, one after the other.
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
            index: empty_index(16),
            len: AtomicUsize::new(0),
            exact: is_exact.then(Exact::default),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len.load(Ordering::Acquire)
    }

    /// Finds or adds the state with a linearization. Returns its number, and whether it is new. A new one is reached by
    /// a call from a parent.
    #[inline]
    pub(crate) fn insert(&mut self, bytes: &[u8], parent: StateId, call: CallId) -> (StateId, bool) {
        self.insert_hashed(xxh3_128(bytes), bytes, parent, call)
    }

    /// Finds or adds a state by its fingerprint. Only exact tables use the linearization.
    pub(crate) fn insert_hashed(
        &mut self,
        fingerprint: u128,
        bytes: &[u8],
        parent: StateId,
        call: CallId,
    ) -> (StateId, bool) {
        let mut place = match self.look_up(fingerprint, bytes) {
            Ok(id) => return (id, false),
            Err(place) => place,
        };
        if !self.has_room() {
            self.make_room();
            place = self.free_place(fingerprint);
        }
        if let Some(exact) = &mut self.exact {
            exact.bytes.extend_from_slice(bytes);
            exact.ends.push(exact.bytes.len());
        }
        (self.put(place, fingerprint, parent, call), true)
    }

    /// Finds or adds a state while other threads search: by one thread at a time, in a table that is not exact. Returns
    /// false if the table must grow first.
    pub(crate) fn insert_beside_readers(&self, fingerprint: u128, parent: StateId, call: CallId) -> bool {
        let Err(place) = self.look_up(fingerprint, &[]) else { return true };
        let has_room = self.has_room();
        if has_room {
            self.put(place, fingerprint, parent, call);
        }
        has_room
    }

    fn put(&self, place: usize, fingerprint: u128, parent: StateId, call: CallId) -> StateId {
        let id = self.len();
        self.fingerprints.get(id).set(fingerprint);
        self.parents.get(id).store(parent, Ordering::Relaxed);
        self.calls.get(id).store(call, Ordering::Relaxed);
        self.index[place].store(id as u32 + 1, Ordering::Release);
        self.len.store(id + 1, Ordering::Release);
        id as StateId
    }

    fn has_room(&self) -> bool {
        self.len() < self.fingerprints.room && self.len() * 4 < self.index.len() * 3
    }

    /// Makes room for a state, and for some more. The size depends only on the number of states.
    #[cold]
    fn make_room(&mut self) {
        if self.len() == self.fingerprints.room {
            self.fingerprints.make_room();
            self.parents.make_room();
            self.calls.make_room();
        }
        if self.len() * 4 >= self.index.len() * 3 {
            self.index = empty_index(self.index.len() * 2);
            for id in 0..self.len() {
                let place = self.free_place(self.fingerprints.get(id).value());
                *self.index[place].get_mut() = id as u32 + 1;
            }
        }
    }

    /// A free place for a new state.
    fn free_place(&self, fingerprint: u128) -> usize {
        let mut place = self.home(fingerprint);
        while self.index[place].load(Ordering::Relaxed) != EMPTY {
            place = (place + 1) & (self.index.len() - 1);
        }
        place
    }

    /// The state with a linearization, or the fingerprint of a new one.
    pub(crate) fn find(&self, bytes: &[u8]) -> Result<StateId, u128> {
        let fingerprint = xxh3_128(bytes);
        self.look_up(fingerprint, bytes).map_err(|_| fingerprint)
    }

    /// The state, or its place in the index.
    #[inline]
    fn look_up(&self, fingerprint: u128, bytes: &[u8]) -> Result<StateId, usize> {
        let (index, chunks) = (&*self.index, &*self.fingerprints.chunks);
        let last = index.len() - 1;
        let (low, high) = (fingerprint as u64, (fingerprint >> 64) as u64);
        let mut place = fingerprint as usize & last;
        loop {
            let number = index[place].load(Ordering::Acquire);
            if number == EMPTY {
                return Err(place);
            }
            let id = number - 1;
            // Written out, because each small function is a call in a debug build. Most differ in the first half.
            let known = &chunks[id as usize / CHUNK][id as usize % CHUNK];
            if known[0].load(Ordering::Relaxed) == low
                && known[1].load(Ordering::Relaxed) == high
                && self.is_same(id, bytes)
            {
                return Ok(id);
            }
            place = (place + 1) & last;
        }
    }

    /// Replaces the parent of a state that was reached by fewer calls.
    pub(crate) fn set_parent(&mut self, id: StateId, parent: StateId, call: CallId) {
        self.parents.get(id as usize).store(parent, Ordering::Relaxed);
        self.calls.get(id as usize).store(call, Ordering::Relaxed);
    }

    /// The fingerprint of a state, its parent, and the call that leads to it.
    pub(crate) fn entry(&self, id: StateId) -> (u128, StateId, CallId) {
        let id = id as usize;
        let load = |chunks: &Chunks<AtomicU32>| chunks.get(id).load(Ordering::Relaxed);
        (self.fingerprints.get(id).value(), load(&self.parents), load(&self.calls))
    }

    /// The linearization of a state, if the table is exact.
    pub(crate) fn exact(&self, id: StateId) -> &[u8] {
        let id = id as usize;
        self.exact.as_ref().map_or(&[], |exact| {
            let start = if id == 0 { 0 } else { exact.ends[id - 1] };
            &exact.bytes[start..exact.ends[id]]
        })
    }

    /// The calls that lead to a state.
    pub(crate) fn path(&self, id: StateId, path: &mut Vec<CallId>) {
        path.clear();
        let mut id = id as usize;
        // The first state is the one before any call.
        while id != 0 {
            path.push(self.calls.get(id).load(Ordering::Relaxed));
            id = self.parents.get(id).load(Ordering::Relaxed) as usize;
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

    /// The memory of the table, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let exact =
            self.exact.as_ref().map_or(0, |e| e.bytes.capacity() + e.ends.capacity() * size_of::<usize>());
        self.fingerprints.bytes() + self.parents.bytes() + self.calls.bytes() + self.index.len() * 4 + exact
    }

    fn is_same(&self, id: StateId, bytes: &[u8]) -> bool {
        self.exact.is_none() || self.exact(id) == bytes
    }

    fn home(&self, fingerprint: u128) -> usize {
        fingerprint as usize & (self.index.len() - 1)
    }
}

fn empty_index(places: usize) -> Box<[AtomicU32]> {
    (0..places).map(|_| AtomicU32::new(EMPTY)).collect()
}

/// A fingerprint, written once, before any thread may read it.
trait Fingerprint {
    fn value(&self) -> u128;
    fn set(&self, fingerprint: u128);
}

impl Fingerprint for [AtomicU64; 2] {
    #[inline]
    fn value(&self) -> u128 {
        let (low, high) = (self[0].load(Ordering::Relaxed), self[1].load(Ordering::Relaxed));
        (high as u128) << 64 | low as u128
    }

    fn set(&self, fingerprint: u128) {
        self[0].store(fingerprint as u64, Ordering::Relaxed);
        self[1].store((fingerprint >> 64) as u64, Ordering::Relaxed);
    }
}

/// A list with little spare room, of which only the last chunk moves when it grows.
struct Chunks<T> {
    /// Boxed slices, because indexing them is not a call in a debug build.
    chunks: Box<[Box<[T]>]>,
    room: usize,
}

const CHUNK: usize = 1 << 13;

impl<T: Default> Chunks<T> {
    fn new() -> Chunks<T> {
        Chunks { chunks: Box::default(), room: 0 }
    }

    #[inline(always)]
    fn get(&self, i: usize) -> &T {
        &self.chunks[i / CHUNK][i % CHUNK]
    }

    /// Makes room for an eighth more.
    fn make_room(&mut self) {
        if self.room % CHUNK == 0 {
            let mut chunks = std::mem::take(&mut self.chunks).into_vec();
            chunks.push(Box::default());
            self.chunks = chunks.into_boxed_slice();
        }
        let more = (self.room / 8 + 4).min(CHUNK - self.room % CHUNK);
        if let Some(last) = self.chunks.last_mut() {
            let mut chunk = std::mem::take(last).into_vec();
            chunk.reserve_exact(more);
            chunk.resize_with(chunk.len() + more, T::default);
            *last = chunk.into_boxed_slice();
        }
        self.room += more;
    }

    fn bytes(&self) -> usize {
        self.room * size_of::<T>() + self.chunks.len() * size_of::<Box<[T]>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::RwLock;

    #[test]
    fn states_are_found_again_and_take_few_bytes() {
        for is_exact in [false, true] {
            let mut states = States::new(is_exact);
            let number = 300_000u32;
            for i in 0..number {
                assert_eq!(states.insert(&i.to_le_bytes(), i / 2, i), (i, true));
                let bytes = states.bytes() as f64 / f64::from(i + 1);
                assert!(is_exact || i < 128 || bytes < 40.0, "{bytes} bytes for each of {} states", i + 1);
            }
            for i in 0..number {
                assert_eq!(states.insert(&i.to_le_bytes(), 0, 0), (i, false));
            }
            let mut path = vec![];
            states.path(5, &mut path);
            assert_eq!(path, [1, 2, 5]);
        }
    }

    #[test]
    fn states_are_whole_as_soon_as_they_are_found() {
        let (number, table) = (40_000u32, RwLock::new(States::new(false)));
        std::thread::scope(|scope| {
            for reader in 0..2 {
                let table = &table;
                scope.spawn(move || {
                    let mut found = 0;
                    while found < number {
                        let table = table.read().unwrap();
                        for i in (reader..number).step_by(97) {
                            // States are numbered in the order of the writer.
                            assert!(table.find(&i.to_le_bytes()).is_ok_and(|id| id == i) || i >= found);
                        }
                        found = table.len() as u32;
                    }
                });
            }
            for i in 0..number {
                let fingerprint = xxh3_128(&i.to_le_bytes());
                let has_room = table.read().unwrap().insert_beside_readers(fingerprint, i / 2, i);
                if !has_room {
                    table.write().unwrap().insert_hashed(fingerprint, &[], i / 2, i);
                }
            }
        });
        let mut path = vec![];
        table.read().unwrap().path(11, &mut path);
        assert_eq!(path, [1, 2, 5, 11]);
    }

    #[test]
    fn exact_states_differ_though_fingerprints_agree() {
        let mut states = States::new(true);
        states.insert(b"a", 0, 0);
        // As if the fingerprints were the same.
        let place = states.home(xxh3_128(b"b"));
        states.index[place] = AtomicU32::new(1);
        states.fingerprints.get(0).set(xxh3_128(b"b"));
        assert_eq!(states.insert(b"b", 0, 0), (1, true));
        let mut states = States::new(false);
        states.insert(b"a", 0, 0);
        let place = states.home(xxh3_128(b"b"));
        states.index[place] = AtomicU32::new(1);
        states.fingerprints.get(0).set(xxh3_128(b"b"));
        assert_eq!(states.insert(b"b", 0, 0), (0, false));
    }
}
