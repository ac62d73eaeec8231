//! Sets and maps. A set of plain data is plain data: each possible content is one choice. A map whose
//! values are structures or pointers has one choice per set of keys, and cells for the values.

use super::hashed::InOrder;
use super::leaves::{fits, fits_table};
use crate::absorb::Absorb;
use crate::bounds::MAX_DOMAIN;
use crate::build::Build;
use crate::cell::Tracked;
use crate::key::Key;
use crate::layout::Kind;
use crate::link::{At, Builder};
use crate::mirror::Seq;
use crate::shape::{Body, Domain, Leaf, Leaves, Mirrored, Part, RepOk, Table, Value, position};
use crate::walk::Walk;
use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, btree_map, hash_map};
use std::hash::Hash;
use std::mem::ManuallyDrop;

/// All subsets of a field's plain values whose size is one of its lengths, smaller ones first. A bound on the size of the
/// whole value leaves out those with more elements.
fn subsets<K: Leaf>(b: &mut Builder, at: At) -> Leaves<Vec<K>> {
    let (keys, lengths) = (K::leaves(b, at), b.lengths(at));
    let n = keys.values.len();
    let most = b.bounds.size_number();
    let mut out = Leaves { values: vec![], masks: vec![] };
    let contents = lengths.values.iter().map(|&len| (combinations(n as u64, u64::from(len)), len as usize));
    if most.is_none() && !fits(b, at, contents) {
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
            let set = || -> (Vec<K>, u64) {
                let keys_of = chosen.iter().map(|&i| keys.values[i].clone()).collect();
                (keys_of, chosen.iter().fold(len_mask, |m, &i| m & keys.masks[i]))
            };
            if too_many.is_none() {
                let (values, mask) = set();
                out.values.push(values);
                out.masks.push(mask);
            } else if out.values.is_empty() && first_too_large.is_none() {
                first_too_large = Some(set());
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
            fn leaves(b: &mut Builder, at: At) -> Leaves<Self> {
                let sets = subsets::<K>(b, at);
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

/// What the values of a map can be: plain data, which is part of the choice, or something with cells.
///
/// # Safety
///
/// As for [`Part`].
pub unsafe trait MapValue: Sized + 'static {
    /// The real value.
    type Real: 'static;
    /// There are no cells, so tables can be shared.
    const PLAIN: bool;
    /// Whether there can be keys, other than in cells; see [`Value::KEYS`].
    const KEYS: bool = false;
    /// Whether these are hashed.
    const HASHES_KEYS: bool = false;
    /// All ways to fill `n` places, with so many elements of sequences at most.
    fn fillings(b: &mut Builder, at: At, n: usize, most: Option<u32>) -> Leaves<Vec<Self>>;
    /// Links cells.
    fn link_value(&'static self, b: &mut Builder, at: At);
    /// Walks cells.
    fn walk_value(&'static self, w: &mut Walk);
    /// Builds the real value.
    fn build_value(&'static self, b: &mut Build) -> Self::Real;
    /// Whether plain data agrees with the real value; true for cells, which are opened later.
    fn agrees(&self, real: &Self::Real) -> bool;
    /// Opens cells.
    fn absorb_value(&'static self, real: &Self::Real, a: &mut Absorb);
    /// A copy of plain data with other keys; new cells.
    fn with_keys(&self, keys: &mut dyn FnMut(Key) -> Key) -> Self;
    /// Whether plain data is equal; true for cells.
    fn is_same(&self, other: &Self) -> bool;
    /// How many elements of sequences plain data has; see [`Value::elements`].
    fn elements(&self) -> u32 {
        0
    }
}

/// The ways to fill places with plain data.
pub fn fillings_of_leaves<V: Leaf>(b: &mut Builder, at: At, n: usize, most: Option<u32>) -> Leaves<Vec<V>> {
    let v = V::leaves(b, at);
    match most {
        Some(most) if v.values.iter().any(|value| value.length() > 0) => words_up_to(b, at, &v, n, most),
        _ => super::leaves::words(b, at, &v.values, &v.masks, n),
    }
}

/// All sequences of `n` of the given values that have so many elements at most.
fn words_up_to<V: Leaf>(b: &mut Builder, at: At, v: &Leaves<V>, n: usize, most: u32) -> Leaves<Vec<V>> {
    let mut words = vec![(Vec::<V>::new(), u64::MAX, most)];
    for _ in 0..n {
        let longer = words.into_iter().flat_map(|(word, mask, left)| {
            let next = v.values.iter().zip(&v.masks).filter(move |(value, _)| value.length() <= left);
            next.map(move |(value, more)| {
                let longer = word.iter().chain([value]).cloned().collect();
                (longer, mask & more, left - value.length())
            })
        });
        words = longer.take(MAX_DOMAIN as usize + 1).collect();
        if !fits_table(b, at, words.len() as u64, 0) {
            return Leaves { values: vec![], masks: vec![] };
        }
    }
    let (values, masks) = words.into_iter().map(|(word, mask, _)| (word, mask)).unzip();
    Leaves { values, masks }
}

macro_rules! maps {
    ($($map:ident $module:ident $is_hashed:literal: $($bound:ident)+),*) => { $(
        impl<K: Leaf $(+ $bound)+, V: Mirrored> Mirrored for $map<K, V> {
            type Mirror = $map<K, V::InMap>;
            type Cell = Tracked<$map<K, V::InMap>>;
            type Seq = Seq<$map<K, V::InMap>>;
            type InMap = Tracked<$map<K, V::InMap>>;
        }

        // SAFETY: moves what `build_value` returns into the map; inserting calls the key's `Ord`, `Hash` and
        // `Eq` only, which do not see the values.
        unsafe impl<K: Leaf $(+ $bound)+, V: MapValue> Value for $map<K, V> {
            type Real = $map<K, V::Real>;
            const SHARED: bool = V::PLAIN;
            const KEYS: bool = K::IS_KEYED || V::KEYS;
            const HASHES_KEYS: bool = K::IS_HASHED || V::HASHES_KEYS || $is_hashed && K::IS_KEYED;
            fn domain(b: &mut Builder, at: At) -> Domain<Self> {
                let sets = subsets::<K>(b, at);
                if !V::PLAIN && sets.values.iter().all(Vec::is_empty) {
                    b.rehearse_with(TypeId::of::<V>(), at, move |b| {
                        let values = V::fillings(b, at, 1, None).values.into_iter().flatten().collect::<Box<[V]>>();
                        Box::leak(values).iter().for_each(|v| v.link_value(b, at));
                    });
                }
                let mut out = Leaves { values: vec![], masks: vec![] };
                let most = b.bounds.size_number();
                for (keys, set_mask) in sets.values.into_iter().zip(sets.masks) {
                    let left = most.map(|most| most.saturating_sub(weight(keys.iter())));
                    let fillings = V::fillings(b, at, keys.len(), left);
                    for (values, mask) in fillings.values.into_iter().zip(fillings.masks) {
                        out.values.push(Self::in_order(keys.iter().cloned().zip(values).collect()));
                        out.masks.push(mask & set_mask);
                    }
                    let (count, len) = (out.values.len() as u64, keys.len() as u64);
                    if !fits_table(b, at, count, count * len) || b.has_failed() {
                        break;
                    }
                }
                let count = out.values.len() as u32;
                Domain { values: out.values, kind: Kind::Values { count, frugal: true }, masks: out.masks, lengths: vec![] }
            }
            fn link_inside(&'static self, b: &mut Builder, at: At) {
                in_key_order(self).into_iter().for_each(|(_, v)| v.link_value(b, at));
            }
            fn walk(&'static self, w: &mut Walk) {
                in_key_order(self).into_iter().for_each(|(_, v)| v.walk_value(w));
            }
            fn build(&'static self, b: &mut Build) -> Self::Real {
                // A key's code may unwind, and may call keys equal that it told apart before: `entry` runs it while
                // no value is at risk, and with the capacity there nothing runs when the value goes in.
                let values = ManuallyDrop::new(b.vec(self.values().map(|v| move |b: &mut Build| v.build_value(b))));
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
                let fits = |m: &'static Self| m.len() == real.len() && m.iter().all(|(k, v)| real.get(k).is_some_and(|r| v.agrees(r)));
                position(table, fits)
            }
            fn absorb_inside(&'static self, real: &Self::Real, a: &mut Absorb) {
                // Side by side, because the keys of a pattern cannot be looked up.
                for ((_, v), (_, r)) in in_key_order(self).into_iter().zip(in_key_order(real)) {
                    v.absorb_value(r, a);
                }
            }
            fn with_keys(&self, keys: &mut dyn FnMut(Key) -> Key) -> Option<Self> {
                Some(Self::in_order(self.iter().map(|(k, v)| (k.rekeyed(keys), v.with_keys(keys))).collect()))
            }
            fn is_same(&self, other: &Self) -> bool {
                self.len() == other.len() && self.iter().all(|(k, v)| other.get(k).is_some_and(|o| v.is_same(o)))
            }
            fn elements(&self) -> u32 {
                weight(self.keys()) + self.values().map(V::elements).sum::<u32>()
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

/// Implements `MapValue` for parts.
macro_rules! map_value_of_parts {
    ([$($g:tt)*] $t:ty) => {
        // SAFETY: passes on what `Part::build` returns.
        unsafe impl<$($g)*> MapValue for $t {
            type Real = <$t as Part>::Real;
            const PLAIN: bool = false;
            fn fillings(_: &mut Builder, _: At, n: usize, _: Option<u32>) -> Leaves<Vec<Self>> {
                Leaves::fixed(vec![(0..n).map(|_| Part::blank()).collect()])
            }
            fn link_value(&'static self, b: &mut Builder, at: At) {
                Part::link(self, b, at);
            }
            fn walk_value(&'static self, w: &mut Walk) {
                Part::walk(self, w);
            }
            fn build_value(&'static self, b: &mut Build) -> Self::Real {
                Part::build(self, b)
            }
            fn agrees(&self, _: &Self::Real) -> bool {
                true
            }
            fn absorb_value(&'static self, real: &Self::Real, a: &mut Absorb) {
                Part::absorb(self, real, a);
            }
            fn with_keys(&self, _: &mut dyn FnMut(Key) -> Key) -> Self {
                Part::blank()
            }
            fn is_same(&self, _: &Self) -> bool {
                true
            }
        }
    };
}
map_value_of_parts!([T: Value] Tracked<T>);
map_value_of_parts!([T: Body] T);
