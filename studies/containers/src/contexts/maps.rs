//! The calls of maps.

use super::Style;
use crate::{HashMap, Identity, IdentityMap, LinkedHashMap, TreeMap};
use smallscope_sequences::{Builder, by_mut, by_ref, into, nothing, optional, seen, value};

/// An entry without references.
fn owned<K: Copy>(entry: Option<(&K, &usize)>) -> Option<(K, usize)> {
    entry.map(|(key, value)| (*key, *value))
}

/// The calls that all maps have, before their own.
macro_rules! map {
    ($s:ident, $pools:ident, $new:literal, $map:ty, $key:ty) => {
        calls!($s, $pools.function($new, (), into(), move |()| $s.call(<$map>::new)), $map;
            by_mut insert(map, k: value<$key>, v: value<usize>) -> optional(S::keep::<usize>()), map.insert(k, v);
            by_mut remove(map, k: by_ref<$key>) -> optional(S::keep::<usize>()), map.remove(k);
            by_ref get(map, k: by_ref<$key>) -> optional(S::keep::<usize>()), map.get(k).copied();
        )
    };
}

pub(crate) fn tree_map<S: Style>(s: S, pools: Builder) -> Builder {
    type Map = TreeMap<usize, usize>;
    calls!(s, map!(s, pools, "TreeMap::new", Map, usize), Map;
        by_mut get_mut(map, k: by_ref<usize>) -> optional(S::keep::<usize>()), map.get_mut(k).copied();
        by_ref contains_key(map, k: by_ref<usize>) -> S::keep::<bool>(), map.contains_key(k);
        by_ref floor(map, k: by_ref<usize>) -> seen(), owned(map.floor(k));
        by_ref ceiling(map, k: by_ref<usize>) -> seen(), owned(map.ceiling(k));
        by_ref first(map) -> seen(), owned(map.first());
        by_ref last(map) -> seen(), owned(map.last());
        by_mut pop_first(map) -> seen(), map.pop_first();
        by_ref iter(map) -> seen(), map.iter().map(|(key, value)| (*key, *value)).collect::<Vec<_>>();
        by_ref shape(map) -> seen(), map.shape();
        by_ref red_below_root(map) -> seen(), map.red_below_root();
        by_ref len(map) -> S::keep::<usize>(), map.len();
        by_ref is_empty(map) -> S::keep::<bool>(), map.is_empty();
        by_mut clear(map) -> nothing(), map.clear();
    )
}

pub(crate) fn hash_map<S: Style>(s: S, pools: Builder) -> Builder {
    type Map = HashMap<usize, usize>;
    calls!(s, map!(s, pools, "HashMap::new", Map, usize), Map;
        by_mut get_mut(map, k: by_ref<usize>) -> optional(S::keep::<usize>()), map.get_mut(k).copied();
        by_ref contains_key(map, k: by_ref<usize>) -> S::keep::<bool>(), map.contains_key(k);
        by_ref iter(map) -> seen(), map.iter().map(|(key, value)| (*key, *value)).collect::<Vec<_>>();
        by_ref buckets(map) -> S::keep::<usize>(), map.buckets();
        by_ref len(map) -> S::keep::<usize>(), map.len();
        by_ref is_empty(map) -> S::keep::<bool>(), map.is_empty();
        by_mut clear(map) -> nothing(), map.clear();
    )
}

pub(crate) fn linked_hash_map<S: Style>(s: S, pools: Builder) -> Builder {
    type Map = LinkedHashMap<usize, usize>;
    calls!(s, map!(s, pools, "LinkedHashMap::new", Map, usize), Map;
        by_ref contains_key(map, k: by_ref<usize>) -> S::keep::<bool>(), map.contains_key(k);
        by_ref first(map) -> seen(), owned(map.first());
        by_ref last(map) -> seen(), owned(map.last());
        by_mut pop_first(map) -> seen(), map.pop_first();
        by_ref iter(map) -> seen(), map.iter().map(|(key, value)| (*key, *value)).collect::<Vec<_>>();
        by_ref len(map) -> S::keep::<usize>(), map.len();
        by_ref is_empty(map) -> S::keep::<bool>(), map.is_empty();
        by_mut clear(map) -> nothing(), map.clear();
    )
}

/// Its keys are objects, so they have a separate pool.
pub(crate) fn identity_map<S: Style, K>(s: S, pools: Builder) -> Builder
where
    K: Identity + Copy + 'static,
{
    calls!(s, map!(s, pools, "IdentityMap::new", IdentityMap<K, usize>, K), IdentityMap<K, usize>;
        by_ref contains_key(map, k: by_ref<K>) -> S::keep::<bool>(), map.contains_key(k);
        by_ref iter(map) -> seen(), map.iter().map(|(key, value)| (key.identity(), *value)).collect::<Vec<_>>();
        by_ref len(map) -> S::keep::<usize>(), map.len();
        by_ref is_empty(map) -> S::keep::<bool>(), map.is_empty();
        by_mut clear(map) -> nothing(), map.clear();
    )
}
