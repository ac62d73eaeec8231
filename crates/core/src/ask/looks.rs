//! Looking keys up in sets and maps without reading them.
//!
//! `self.set.contains(&k)` needs to know whether `k` is in the set, not what else is. The copy of an invariant says
//! `self.set.__look().contains(&k)`. A look has the methods of sets or maps that look at keys; each of them asks as much as it
//! needs ([`crate::cell::members`]). A loop asks about one key after the other. An engine that decides values reads the
//! set when the look is made.

mod sets;

pub use sets::{IsSet, Other, Pairwise, Range, SetLook};

use super::{FALSE_REFUTES, NOTHING, Promise, not};
use crate::cell::members::{Bits, Found, Members, Place};
use crate::cell::{Asks, Tracked, Tracker};
use crate::ids::SlotId;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::iter::FusedIterator;
use std::rc::Rc;

/// A set, or a map.
pub trait Keyed: Sized {
    /// What it looks up.
    type Key;
    /// An iterator over its keys.
    type Keys<'a>: Iterator<Item = &'a Self::Key> + Clone
    where
        Self: 'a;
    /// What the copy of an invariant sees in place of the set or map.
    type Look<'a>: From<Look<'a, Self>>
    where
        Self: 'a;
    /// Its keys.
    fn all_keys(&self) -> Self::Keys<'_>;
    /// Numbers for keys.
    type Numbers<'a>: Default
    where
        Self: 'a;
    /// The number of a key; the next one if it has none yet.
    fn number<'a>(numbers: &mut Self::Numbers<'a>, key: &'a Self::Key) -> usize
    where
        Self: 'a;
    /// Sorts keys in the order of a loop, if that does not depend on hashes; otherwise in an order that does not. They have
    /// numbers.
    fn sort(keys: &mut [(&Self::Key, usize)]);
}

/// Sorts keys that have an order.
pub(crate) fn by_order<K: Ord>(keys: &mut [(&K, usize)]) {
    keys.sort_by_key(|(key, _)| *key);
}

/// Sorts keys by what they hash.
pub(crate) fn by_bytes<K: Hash>(keys: &mut [(&K, usize)]) {
    keys.sort_by_cached_key(|(key, _)| {
        let mut bytes = Bytes(vec![]);
        key.hash(&mut bytes);
        bytes.0
    });
}

/// A hasher that keeps its input. Numbers are kept so that they sort like numbers.
struct Bytes(Vec<u8>);

macro_rules! numbers {
    ($($write:ident $t:ident)*) => { $(
        fn $write(&mut self, n: $t) {
            self.0.extend_from_slice(&n.to_be_bytes());
        }
    )* };
}

impl Hasher for Bytes {
    fn finish(&self) -> u64 {
        0
    }
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
    numbers!(write_u16 u16 write_u32 u32 write_u64 u64 write_u128 u128 write_usize usize);
}

/// A set or a map of which keys are looked up.
pub struct Look<'a, S> {
    cell: &'a Tracked<S>,
    /// What can be asked; none if it is read.
    members: Option<Rc<Members>>,
    promise: Promise,
}

impl<S> Clone for Look<'_, S> {
    fn clone(&self) -> Self {
        Look { members: self.members.clone(), ..*self }
    }
}

impl<'a, S: Keyed> Look<'a, S> {
    /// Looks at what a cell holds.
    pub(crate) fn at(cell: &'a Tracked<S>) -> Look<'a, S> {
        let cell = cell.target().unwrap_or(cell);
        let head = &cell.head;
        let members = match head.heap.get() {
            Some(heap) if matches!(head.asks.get(), Asks::Data | Asks::Keys) => {
                heap.members(head.slot.get(), cell.table.get().addr(), &|| find(cell, heap))
            }
            _ => None,
        };
        if members.is_none() {
            cell.__read();
        }
        Look { cell, members, promise: NOTHING }
    }

    /// The same with a promise about the answer.
    pub(crate) fn under(self, promise: Promise) -> Self {
        Look { promise, ..self }
    }

    /// The set or map, which is read.
    pub(crate) fn whole(&self) -> &'a S {
        self.cell.__read()
    }

    /// All keys.
    pub(crate) fn every_key(&self) -> Keys<'a, S> {
        match &self.members {
            Some(members) => Keys::Asked { look: self.clone(), next: 0, end: members.keys.len() },
            None => Keys::Read(self.whole().all_keys()),
        }
    }

    /// The keys that can be asked about, each with what is asked; none if the set or map was read.
    pub(crate) fn candidates(&self) -> Option<impl DoubleEndedIterator<Item = (&'a S::Key, Member<'a>)>> {
        let members = self.members.as_ref()?;
        Some(members.keys.iter().map(|&(place, part)| (self.key(place), self.member(part))))
    }

    /// Whether a key is there, and the key itself; none if the set or map was read.
    pub(crate) fn find(&self, is_wanted: impl Fn(&S::Key) -> bool) -> Option<Option<&'a S::Key>> {
        let wanted = self.candidates()?.find(|(key, _)| is_wanted(key));
        Some(wanted.and_then(|(key, member)| member.ask(self.promise).then_some(key)))
    }

    fn member(&self, part: u32) -> Member<'a> {
        match self.cell.head.heap.get() {
            Some(heap) => Member::Asked(heap, (self.cell.head.slot.get(), part)),
            None => Member::Known(false),
        }
    }

    fn key(&self, place: Place) -> &'a S::Key {
        let key = self.cell.value_of(place.choice).all_keys().nth(place.nth);
        key.expect("smallscope internal error: a key that is not there")
    }

    /// A key by its number, if it is there.
    fn key_if_there(&self, number: usize) -> Option<&'a S::Key> {
        let (place, part) = self.members.as_ref()?.keys[number];
        self.member(part).ask(NOTHING).then(|| self.key(place))
    }

    /// The keys between the first and the last one that fit; none if the set or map was read. Keys are in order.
    pub(super) fn keys_if(&self, fits: impl Fn(&S::Key) -> bool) -> Option<Keys<'a, S>> {
        let (mut next, mut end) = (0, 0);
        for (number, (key, _)) in self.candidates()?.enumerate() {
            if fits(key) {
                next = if end == 0 { number } else { next };
                end = number + 1;
            }
        }
        Some(Keys::Asked { look: self.clone(), next, end })
    }

    /// How many keys there are.
    pub(crate) fn len(&self) -> usize {
        let Some((last, rest)) = self.members.as_ref().and_then(|members| members.sizes.split_last()) else {
            return self.whole().all_keys().count();
        };
        let size = rest.iter().find(|(_, part)| self.member(*part).ask(NOTHING));
        size.unwrap_or(last).0
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        match self.members.as_ref().map(|members| members.sizes.as_slice()) {
            Some([(0, part), ..]) => self.member(*part).ask(self.promise),
            Some(_) => false,
            None => self.whole().all_keys().next().is_none(),
        }
    }

    /// What the promise says about the answer `false`.
    pub(super) fn promise_about_false(&self) -> Promise {
        self.promise & FALSE_REFUTES
    }
}

/// Finds the keys and sizes of a table; none if that takes too much memory.
fn find<S: Keyed>(cell: &Tracked<S>, heap: &dyn Tracker) -> Option<Found> {
    let count = heap.table_len(cell.head.slot.get());
    let mut parts: Vec<(&S::Key, Place, Bits)> = vec![];
    let mut numbers = S::Numbers::default();
    let mut sizes: Vec<(usize, Bits)> = vec![];
    let blank = || vec![0u64; count.div_ceil(64)].into_boxed_slice();
    for choice in 0..count as u32 {
        let set = |bits: &mut Bits| bits[choice as usize / 64] |= 1 << (choice % 64);
        let mut size = 0;
        for (nth, key) in cell.value_of(choice).all_keys().enumerate() {
            size = nth + 1;
            let i = S::number(&mut numbers, key);
            if i == parts.len() {
                if (i + 1).saturating_mul(count) > MOST_BITS {
                    return None;
                }
                parts.push((key, Place { choice, nth }, blank()));
            }
            set(&mut parts[i].2);
        }
        let known = sizes.iter().position(|(other, _)| *other == size);
        let i = known.unwrap_or_else(|| {
            sizes.push((size, blank()));
            sizes.len() - 1
        });
        set(&mut sizes[i].1);
    }
    sizes.sort_by_key(|(size, _)| *size);
    let mut order: Vec<(&S::Key, usize)> = parts.iter().enumerate().map(|(i, part)| (part.0, i)).collect();
    S::sort(&mut order);
    let keys = order.iter().map(|&(_, i)| (parts[i].1, parts[i].2.clone())).collect();
    Some(Found { keys, sizes })
}

/// A set or a map is read if it has more possible contents times keys: the parts of its table would take more than 64 MB.
const MOST_BITS: usize = 1 << 29;

/// Whether a key is in a set or a map.
#[derive(Clone, Copy)]
pub enum Member<'a> {
    /// That is known.
    Known(bool),
    /// The heap is asked about a part of the choices.
    #[expect(private_interfaces, reason = "only this module looks inside")]
    Asked(&'a dyn Tracker, (SlotId, u32)),
}

impl Member<'_> {
    pub(crate) fn ask(self, promise: Promise) -> bool {
        match self {
            Member::Known(is_in) => is_in,
            Member::Asked(heap, part) => heap.ask_part(part, promise),
        }
    }

    /// Whether the second is there if the first is, or that it is not (`is_in` is false). The promise is about the answer.
    fn implies(self, other: Member<'_>, is_in: bool, promise: Promise) -> bool {
        let second = |promise| other.ask(if is_in { promise } else { not(promise) }) == is_in;
        match (self, other) {
            (Member::Known(false), _) => true,
            (_, Member::Known(is)) if is == is_in => true,
            (Member::Known(true), _) => second(promise),
            (_, Member::Known(_)) => !self.ask(not(promise)),
            (Member::Asked(heap, a), Member::Asked(_, b)) => match heap.is_second_known(a, b) {
                true => second(NOTHING) || !self.ask(not(promise)),
                false => !self.ask(NOTHING) || second(promise),
            },
        }
    }
}

/// Iterator over the keys of a set or a map, each asked about when it is reached.
pub enum Keys<'a, S: Keyed> {
    /// Of one that was read.
    Read(S::Keys<'a>),
    /// Of one that is asked.
    Asked {
        /// It.
        look: Look<'a, S>,
        /// The first key that was not asked about yet.
        next: usize,
        /// The one behind the last key that was not asked about yet.
        end: usize,
    },
}

impl<S: Keyed> Clone for Keys<'_, S> {
    fn clone(&self) -> Self {
        match self {
            Keys::Read(keys) => Keys::Read(keys.clone()),
            Keys::Asked { look, next, end } => Keys::Asked { look: look.clone(), next: *next, end: *end },
        }
    }
}

impl<'a, S: Keyed> Iterator for Keys<'a, S> {
    type Item = &'a S::Key;
    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Keys::Read(keys) => keys.next(),
            Keys::Asked { look, next, end } => {
                while next < end {
                    *next += 1;
                    if let Some(key) = look.key_if_there(*next - 1) {
                        return Some(key);
                    }
                }
                None
            }
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Keys::Read(keys) => keys.size_hint(),
            Keys::Asked { next, end, .. } => (0, Some(end - next)),
        }
    }
}

impl<'a, S: Keyed<Keys<'a>: DoubleEndedIterator>> DoubleEndedIterator for Keys<'a, S> {
    fn next_back(&mut self) -> Option<Self::Item> {
        match self {
            Keys::Read(keys) => keys.next_back(),
            Keys::Asked { look, next, end } => {
                while next < end {
                    *end -= 1;
                    if let Some(key) = look.key_if_there(*end) {
                        return Some(key);
                    }
                }
                None
            }
        }
    }
}

impl<S: Keyed> ExactSizeIterator for Keys<'_, S> {
    fn len(&self) -> usize {
        self.clone().count()
    }
}

impl<S: Keyed> FusedIterator for Keys<'_, S> {}

impl<S: Keyed<Key: fmt::Debug>> fmt::Debug for Keys<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
