//! Sets and maps. A set of plain data is plain data: each possible content is one choice. A map has one choice per set of
//! keys, and cells for the values.

use super::hashed::InOrder;
use super::leaves::{MAX_ELEMENTS, fits_table, fits_with, words};
use crate::absorb::Absorb;
use crate::bounds::{MAX_DOMAIN, MAX_SLOTS};
use crate::build::Build;
use crate::cell::contents::holding;
use crate::cell::{Copied, Tracked};
use crate::key::Key;
use crate::link::{At, Builder};
use crate::mirror::{self, Seq};
use crate::shape::{Body, Domain, Leaf, Leaves, Mirrored, Part, RepOk, Table, Value, position};
use crate::walk::Walk;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, btree_map, hash_map};
use std::hash::Hash;
use std::mem::ManuallyDrop;

/// All subsets of a field's plain values whose size is one of its lengths, smaller ones first. A bound on the size of the
/// whole value leaves out those with more elements.
fn subsets<K: Leaf>(b: &mut Builder, at: At, most_elements: u64) -> Leaves<Vec<K>> {
    let (keys, lengths) = (K::leaves(b, at), b.lengths_of_set(at));
    let n = keys.values.len();
    let most = b.bounds.size_number();
    let mut out = Leaves { values: vec![], masks: vec![] };
    let contents = lengths.values.iter().map(|&len| (combinations(n as u64, u64::from(len)), len as usize));
    if most.is_none() && !fits_with(b, at, most_elements, contents) {
        return out;
    }
    let weights: Vec<u32> = keys.values.iter().map(|key| 1 + key.length()).collect();
    // If every set is too large, the first one stays: that is no empty table, but more than there is room for.
    let mut first_too_large = None;
    for (&len, &len_mask) in lengths.values.iter().zip(&lengths.masks) {
        let len = len as usize;
        if len > n {
            continue;
        }
        let mut chosen: Vec<usize> = (0..len).collect();
        loop {
            // The first key with which there are too many elements, if there is one.
            let mut left = most.unwrap_or(u32::MAX);
            let too_many = chosen.iter().position(|&i| {
                let fits = weights[i] <= left;
                left = left.saturating_sub(weights[i]);
                !fits
            });
            let is_first = out.values.is_empty() && first_too_large.is_none();
            if too_many.is_none() || is_first {
                let (mut set, mut mask) = (Vec::with_capacity(len), len_mask);
                for &i in &chosen {
                    set.push(keys.values[i].clone());
                    mask &= keys.masks[i];
                }
                match too_many {
                    None => {
                        out.values.push(set);
                        out.masks.push(mask);
                    }
                    Some(_) => first_too_large = Some((set, mask)),
                }
            }
            if most.is_some() && !fits_table(b, at, out.values.len() as u64, 0) {
                return Leaves { values: vec![], masks: vec![] };
            }
            // The next combination in lexicographic order. Those that begin with too many elements are passed over.
            let last = too_many.map_or(len, |place| place + 1);
            let Some(i) = (0..last).rev().find(|&i| chosen[i] < n - len + i) else { break };
            chosen[i] += 1;
            for j in i + 1..len {
                chosen[j] = chosen[j - 1] + 1;
            }
        }
    }
    if let Some((values, mask)) = first_too_large.filter(|_| out.values.is_empty()) {
        out.values.push(values);
        out.masks.push(mask);
    }
    out
}

/// How many elements a set of these keys has, with those inside of them.
fn weight<'a, K: Leaf>(keys: impl Iterator<Item = &'a K>) -> u32 {
    keys.map(|key| 1 + key.length()).sum()
}

/// The number of subsets of `k` of `n` things, or `u64::MAX` if that is too large.
#[inline]
fn combinations(n: u64, k: u64) -> u64 {
    let step = |c: u64, i: u64| {
        let next = u128::from(c) * u128::from(n - i) / u128::from(i + 1);
        u64::try_from(next).ok()
    };
    match n.checked_sub(k) {
        Some(rest) => (0..k.min(rest)).try_fold(1, step).unwrap_or(u64::MAX),
        None => 0,
    }
}

macro_rules! sets {
    ($($set:ident $is_hashed:literal: $($bound:ident)+),*) => { $(
        impl<K: Leaf $(+ $bound)+> Leaf for $set<K> {
            const IS_KEYED: bool = K::IS_KEYED;
            const IS_HASHED: bool = K::IS_HASHED || $is_hashed && K::IS_KEYED;
            const IS_SET: bool = true;
            fn leaves(b: &mut Builder, at: At) -> Leaves<Self> {
                let sets = subsets::<K>(b, at, MAX_ELEMENTS);
                Leaves { values: sets.values.into_iter().map(InOrder::in_order).collect(), masks: sets.masks }
            }
            fn show(&self) -> String {
                let mut keys: Vec<String> = self.iter().map(Leaf::show).collect();
                keys.sort();
                format!("{{{}}}", keys.join(", "))
            }
            fn rekeyed(&self, keys: &mut dyn FnMut(Key) -> Key) -> Self {
                Self::in_order(self.iter().map(|element| element.rekeyed(keys)).collect())
            }
            fn length(&self) -> u32 {
                weight(self.iter())
            }
        }
        __leaf!({K: Leaf $(+ $bound)+} $set<K>, stringify!($set));
    )* };
}
sets!(BTreeSet false: Ord, HashSet true: Eq Hash);

/// What a map of values looks like to a predicate: if they are plain data, a mirror with a cell for each value; if they have
/// cells of their own, std's map.
pub trait MapValue {
    /// The mirror of a `BTreeMap`.
    type BTreeMap<K>;
    /// The mirror of a `HashMap`.
    type HashMap<K>;
}

/// A map whose values are part of the choice.
trait Holding<K, V> {
    /// The map with these entries.
    fn holding(entries: Vec<(K, V)>) -> Self;
}

/// All contents of a map. A bound on the size of the whole value leaves out those with more elements.
fn contents<K: Leaf, V: Leaf>(b: &mut Builder, at: At) -> Leaves<Vec<(K, V)>> {
    let (sets, v, most) = (subsets::<K>(b, at, MAX_ELEMENTS), V::leaves(b, at), b.bounds.size_number());
    let mut out = Leaves { values: vec![], masks: vec![] };
    for (keys, set_mask) in sets.values.into_iter().zip(sets.masks) {
        let left = most.map(|most| most.saturating_sub(weight(keys.iter())));
        let fillings = match left {
            Some(left) if v.values.iter().any(|value| value.length() > 0) => {
                words_up_to(b, at, &v, keys.len(), left)
            }
            _ => words(b, at, &v.values, &v.masks, keys.len()),
        };
        for (values, mask) in fillings.values.into_iter().zip(fillings.masks) {
            out.values.push(keys.iter().cloned().zip(values).collect());
            out.masks.push(mask & set_mask);
        }
        let (count, len) = (out.values.len() as u64, keys.len() as u64);
        if !fits_table(b, at, count, count * len) || b.has_failed() {
            break;
        }
    }
    out
}

/// All sequences of `n` of the given values that have so many elements at most.
fn words_up_to<V: Leaf>(b: &mut Builder, at: At, v: &Leaves<V>, n: usize, most: u32) -> Leaves<Vec<V>> {
    let mut words = vec![(Vec::<V>::new(), u64::MAX, most)];
    for _ in 0..n {
        let mut longer = vec![];
        'words: for (word, mask, left) in words {
            for (i, value) in v.values.iter().enumerate() {
                if longer.len() as u64 > MAX_DOMAIN {
                    break 'words;
                }
                if value.length() <= left {
                    let word = [&word[..], std::slice::from_ref(value)].concat();
                    longer.push((word, mask & v.masks[i], left - value.length()));
                }
            }
        }
        words = longer;
        if !fits_table(b, at, words.len() as u64, 0) {
            return Leaves { values: vec![], masks: vec![] };
        }
    }
    let mut out = Leaves { values: vec![], masks: vec![] };
    for (word, mask, _) in words {
        out.values.push(word);
        out.masks.push(mask);
    }
    out
}

macro_rules! maps {
    ($($map:ident $module:ident $is_hashed:literal: $($bound:ident)+),*) => { $(
        impl<K: Leaf $(+ $bound)+, V: Mirrored<InMap: MapValue>> Mirrored for $map<K, V> {
            type Mirror = <V::InMap as MapValue>::$map<K>;
            type Cell = Tracked<<V::InMap as MapValue>::$map<K>>;
            type Seq = Seq<<V::InMap as MapValue>::$map<K>>;
            type InMap = Tracked<<V::InMap as MapValue>::$map<K>>;
        }

        // SAFETY: passes on what std's map does. If it is `SHARED`, its cells belong to no slot and do not change, so bitwise
        // copies of it are safe.
        unsafe impl<K: Leaf $(+ $bound)+, V: Leaf> Value for mirror::$map<K, V> {
            type Real = $map<K, V>;
            // The order of cells would depend on the hashes of keys, so the whole content is one choice then.
            const SHARED: bool = Self::HASHES_KEYS;
            const HAS_KEYS: bool = true;
            const HAS_CELLS: bool = false;
            const KEYS: bool = K::IS_KEYED || Self::SHARED && V::IS_KEYED;
            const HASHES_KEYS: bool = K::IS_HASHED || $is_hashed && K::IS_KEYED;
            fn domain(b: &mut Builder, at: At) -> Domain<Self> {
                if Self::SHARED {
                    let contents = contents::<K, V>(b, at);
                    let values = contents.values.into_iter().map(Holding::holding).collect();
                    return Leaves { values, masks: contents.masks }.into_domain();
                }
                let d = $map::<K, Tracked<V>>::domain(b, at);
                let values = d.values.into_iter().map(mirror::$map::new).collect();
                Domain { values, kind: d.kind, masks: d.masks, lengths: d.lengths }
            }
            fn link_inside(&'static self, b: &mut Builder, at: At) {
                self.cells.link_inside(b, at);
            }
            fn walk(&'static self, w: &mut Walk) {
                if !Self::SHARED {
                    self.cells.walk(w);
                }
            }
            fn build(&'static self, b: &mut Build) -> Self::Real {
                self.cells.build(b)
            }
            fn label(&self) -> String {
                self.cells.label()
            }
            fn choice_of(table: Table<'_, Self>, real: &Self::Real, a: &mut Absorb) -> Option<u32> {
                if Self::SHARED {
                    return position(table, |map| *map == *real);
                }
                $map::<K, Tracked<V>>::choice_of(&mut || table().map(|map| &map.cells), real, a)
            }
            fn absorb_inside(&'static self, real: &Self::Real, a: &mut Absorb) {
                if !Self::SHARED {
                    self.cells.absorb_inside(real, a);
                }
            }
            fn with_keys(&self, keys: &mut dyn FnMut(Key) -> Key) -> Option<Self> {
                if Self::SHARED {
                    let rekeyed = self.iter().map(|(k, v)| (k.rekeyed(keys), v.rekeyed(keys)));
                    return Some(Holding::holding(rekeyed.collect()));
                }
                self.cells.with_keys(keys).map(mirror::$map::new)
            }
            fn is_same(&self, other: &Self) -> bool {
                self.cells.is_same(&other.cells) && (!Self::SHARED || *self == *other)
            }
            fn elements(&self) -> u32 {
                let values = if Self::SHARED { self.values().map(Leaf::length).sum() } else { 0 };
                self.cells.elements() + values
            }
        }

        impl<K: Leaf $(+ $bound)+, V: Leaf> Holding<K, V> for mirror::$map<K, V> {
            fn holding(entries: Vec<(K, V)>) -> Self {
                let (mut keys, mut values) = (vec![], vec![]);
                for (key, value) in entries {
                    keys.push(key);
                    values.push(Box::new(value));
                }
                // From here on, no box is moved out of the vector: the cells have their addresses.
                let mut cells = vec![];
                for (key, value) in keys.into_iter().zip(&values) {
                    cells.push((key, holding(&**value, Copied::Always)));
                }
                mirror::$map::with_values($map::in_order(cells), values)
            }
        }

        impl<K, V: RepOk> RepOk for mirror::$map<K, V> {
            const INVARIANT: Option<&'static str> = V::INVARIANT;
            fn rep_ok(&self) -> bool {
                V::INVARIANT.is_none() || self.values().all(RepOk::rep_ok)
            }
        }

        // SAFETY: moves what the parts' `build` returns into the map; inserting calls the key's `Ord`, `Hash` and `Eq`
        // only, which do not see the values.
        unsafe impl<K: Leaf $(+ $bound)+, V: Part> Value for $map<K, V> {
            type Real = $map<K, V::Real>;
            const SHARED: bool = false;
            const HAS_KEYS: bool = true;
            const HAS_CELLS: bool = false;
            const KEYS: bool = K::IS_KEYED;
            const HASHES_KEYS: bool = K::IS_HASHED || $is_hashed && K::IS_KEYED;
            fn domain(b: &mut Builder, at: At) -> Domain<Self> {
                // Each value has a slot.
                let sets = subsets::<K>(b, at, MAX_SLOTS as u64);
                if sets.values.iter().all(Vec::is_empty) {
                    b.rehearse::<V>(at);
                }
                let with_cells = |keys: Vec<K>| Self::in_order(keys.into_iter().map(|k| (k, V::blank())).collect());
                Leaves { values: sets.values.into_iter().map(with_cells).collect(), masks: sets.masks }.into_domain()
            }
            fn link_inside(&'static self, b: &mut Builder, at: At) {
                in_key_order(self).into_iter().for_each(|(_, v)| v.link(b, at));
            }
            fn walk(&'static self, w: &mut Walk) {
                in_key_order(self).into_iter().for_each(|(_, v)| v.walk(w));
            }
            fn build(&'static self, b: &mut Build) -> Self::Real {
                // A key's code may unwind, and may call keys equal that it told apart before: `entry` runs it while
                // no value is at risk, and with the capacity there nothing runs when the value goes in.
                let values = ManuallyDrop::new(b.vec(self.values().map(|v| move |b: &mut Build| v.build(b))));
                let mut map = ManuallyDrop::new(<$map<K, V> as KeyOrder<K>>::empty::<V::Real>(self.len()));
                for (k, v) in self.keys().zip(&*values) {
                    let k = if K::IS_KEYED { k.rekeyed(&mut |key| b.key(key)) } else { k.clone() };
                    let $module::Entry::Vacant(place) = map.entry(k) else {
                        panic!("keys of a map are equal that were not before: their `Ord`, `Hash` or `Eq` is inconsistent");
                    };
                    // SAFETY: each value is moved out once, and `values` itself frees nothing but is forgotten.
                    place.insert(unsafe { std::ptr::read(v) });
                }
                let mut buffer = ManuallyDrop::into_inner(values);
                // SAFETY: every value was moved out, so only the buffer is left to be freed.
                unsafe { buffer.set_len(0) };
                ManuallyDrop::into_inner(map)
            }
            fn label(&self) -> String {
                let keys: Vec<String> = in_key_order(self).iter().map(|(k, _)| k.show()).collect();
                format!("{{{}}}", keys.join(", "))
            }
            fn choice_of(table: Table<'_, Self>, real: &Self::Real, _: &mut Absorb) -> Option<u32> {
                let fits = |m: &'static Self| m.len() == real.len() && m.keys().all(|k| real.contains_key(k));
                position(table, fits)
            }
            fn absorb_inside(&'static self, real: &Self::Real, a: &mut Absorb) {
                // Side by side, because the keys of a pattern cannot be looked up.
                for ((_, v), (_, r)) in in_key_order(self).into_iter().zip(in_key_order(real)) {
                    v.absorb(r, a);
                }
            }
            fn with_keys(&self, keys: &mut dyn FnMut(Key) -> Key) -> Option<Self> {
                Some(Self::in_order(self.keys().map(|k| (k.rekeyed(keys), V::blank())).collect()))
            }
            fn is_same(&self, other: &Self) -> bool {
                self.len() == other.len() && self.keys().all(|k| other.contains_key(k))
            }
            fn elements(&self) -> u32 {
                weight(self.keys())
            }
        }

        impl<K: Leaf $(+ $bound)+, V: RepOk> RepOk for $map<K, V> {
            const INVARIANT: Option<&'static str> = V::INVARIANT;
            fn rep_ok(&self) -> bool {
                self.values().all(RepOk::rep_ok)
            }
        }
    )* };
}
maps!(BTreeMap btree_map false: Ord, HashMap hash_map true: Eq Hash);

/// Returns a map's entries in an order that does not depend on hashing: by the hashed bytes of the key, or as they are
/// if the map is ordered.
fn in_key_order<'a, K: 'static + Leaf, V: 'static, M>(map: &'a M) -> Vec<(&'a K, &'a V)>
where
    &'a M: IntoIterator<Item = (&'a K, &'a V)>,
    M: KeyOrder<K>,
{
    let mut entries: Vec<(&K, &V)> = map.into_iter().collect();
    M::sort(&mut entries);
    entries
}

/// How to list a map's entries deterministically.
trait KeyOrder<K> {
    type Map<V>;
    fn sort<V>(entries: &mut [(&K, &V)]);
    fn empty<V>(capacity: usize) -> Self::Map<V>;
}

impl<K, V> KeyOrder<K> for BTreeMap<K, V> {
    type Map<W> = BTreeMap<K, W>;
    fn empty<W>(_: usize) -> BTreeMap<K, W> {
        BTreeMap::new()
    }
    fn sort<W>(_: &mut [(&K, &W)]) {}
}

impl<K: Hash, V> KeyOrder<K> for HashMap<K, V> {
    type Map<W> = HashMap<K, W>;
    fn empty<W>(capacity: usize) -> HashMap<K, W> {
        HashMap::with_capacity(capacity)
    }
    fn sort<W>(entries: &mut [(&K, &W)]) {
        entries.sort_by_cached_key(|(k, _)| {
            let mut bytes = Bytes::default();
            k.hash(&mut bytes);
            bytes.0
        });
    }
}

/// A hasher that keeps its input: a total order on everything that can be hashed.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl std::hash::Hasher for Bytes {
    fn finish(&self) -> u64 {
        0
    }
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
}

/// Implements `MapValue` for values that have cells.
macro_rules! map_value_of_parts {
    ($([$($g:tt)*] $t:ty;)*) => { $(
        impl<$($g)*> MapValue for $t {
            type BTreeMap<K> = BTreeMap<K, $t>;
            type HashMap<K> = HashMap<K, $t>;
        }
    )* };
}
map_value_of_parts! {
    [T] Tracked<T>;
    [T: Body] T;
    [T: Value, const N: usize] mirror::Array<T, N>;
}
