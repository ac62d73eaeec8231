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
    ($pools:ident, $s:ident, $new:literal, $map:ty, $key:ty) => {
        $pools
            .function($new, (), into(), move |()| $s.call(<$map>::new))
            .method(
                "insert",
                (by_mut::<$map>(), value::<$key>(), value::<usize>()),
                optional(S::keep::<usize>()),
                move |(map, k, v)| $s.call(|| map.insert(k, v)),
            )
            .method(
                "remove",
                (by_mut::<$map>(), by_ref::<$key>()),
                optional(S::keep::<usize>()),
                move |(map, k)| $s.call(|| map.remove(k)),
            )
            .method(
                "get",
                (by_ref::<$map>(), by_ref::<$key>()),
                optional(S::keep::<usize>()),
                move |(map, k)| $s.call(|| map.get(k).copied()),
            )
    };
}

pub(crate) fn tree_map<S: Style>(s: S, pools: Builder) -> Builder {
    type Map = TreeMap<usize, usize>;
    map!(pools, s, "TreeMap::new", Map, usize)
        .method(
            "get_mut",
            (by_mut::<Map>(), by_ref::<usize>()),
            optional(S::keep::<usize>()),
            move |(map, k)| s.call(|| map.get_mut(k).copied()),
        )
        .method("contains_key", (by_ref::<Map>(), by_ref::<usize>()), S::keep::<bool>(), move |(map, k)| {
            s.call(|| map.contains_key(k))
        })
        .method("floor", (by_ref::<Map>(), by_ref::<usize>()), seen(), move |(map, k)| {
            s.call(|| owned(map.floor(k)))
        })
        .method("ceiling", (by_ref::<Map>(), by_ref::<usize>()), seen(), move |(map, k)| {
            s.call(|| owned(map.ceiling(k)))
        })
        .method("first", (by_ref::<Map>(),), seen(), move |(map,)| s.call(|| owned(map.first())))
        .method("last", (by_ref::<Map>(),), seen(), move |(map,)| s.call(|| owned(map.last())))
        .method("pop_first", (by_mut::<Map>(),), seen(), move |(map,)| s.call(|| map.pop_first()))
        .method("iter", (by_ref::<Map>(),), seen(), move |(map,)| {
            s.call(|| map.iter().map(|(key, value)| (*key, *value)).collect::<Vec<_>>())
        })
        .method("shape", (by_ref::<Map>(),), seen(), move |(map,)| s.call(|| map.shape()))
        .method("red_below_root", (by_ref::<Map>(),), seen(), move |(map,)| s.call(|| map.red_below_root()))
        .method("len", (by_ref::<Map>(),), S::keep::<usize>(), move |(map,)| s.call(|| map.len()))
        .method("is_empty", (by_ref::<Map>(),), S::keep::<bool>(), move |(map,)| s.call(|| map.is_empty()))
        .method("clear", (by_mut::<Map>(),), nothing(), move |(map,)| s.call(|| map.clear()))
}

pub(crate) fn hash_map<S: Style>(s: S, pools: Builder) -> Builder {
    type Map = HashMap<usize, usize>;
    map!(pools, s, "HashMap::new", Map, usize)
        .method(
            "get_mut",
            (by_mut::<Map>(), by_ref::<usize>()),
            optional(S::keep::<usize>()),
            move |(map, k)| s.call(|| map.get_mut(k).copied()),
        )
        .method("contains_key", (by_ref::<Map>(), by_ref::<usize>()), S::keep::<bool>(), move |(map, k)| {
            s.call(|| map.contains_key(k))
        })
        .method("iter", (by_ref::<Map>(),), seen(), move |(map,)| {
            s.call(|| map.iter().map(|(key, value)| (*key, *value)).collect::<Vec<_>>())
        })
        .method("buckets", (by_ref::<Map>(),), S::keep::<usize>(), move |(map,)| s.call(|| map.buckets()))
        .method("len", (by_ref::<Map>(),), S::keep::<usize>(), move |(map,)| s.call(|| map.len()))
        .method("is_empty", (by_ref::<Map>(),), S::keep::<bool>(), move |(map,)| s.call(|| map.is_empty()))
        .method("clear", (by_mut::<Map>(),), nothing(), move |(map,)| s.call(|| map.clear()))
}

pub(crate) fn linked_hash_map<S: Style>(s: S, pools: Builder) -> Builder {
    type Map = LinkedHashMap<usize, usize>;
    map!(pools, s, "LinkedHashMap::new", Map, usize)
        .method("contains_key", (by_ref::<Map>(), by_ref::<usize>()), S::keep::<bool>(), move |(map, k)| {
            s.call(|| map.contains_key(k))
        })
        .method("first", (by_ref::<Map>(),), seen(), move |(map,)| s.call(|| owned(map.first())))
        .method("last", (by_ref::<Map>(),), seen(), move |(map,)| s.call(|| owned(map.last())))
        .method("pop_first", (by_mut::<Map>(),), seen(), move |(map,)| s.call(|| map.pop_first()))
        .method("iter", (by_ref::<Map>(),), seen(), move |(map,)| {
            s.call(|| map.iter().map(|(key, value)| (*key, *value)).collect::<Vec<_>>())
        })
        .method("len", (by_ref::<Map>(),), S::keep::<usize>(), move |(map,)| s.call(|| map.len()))
        .method("is_empty", (by_ref::<Map>(),), S::keep::<bool>(), move |(map,)| s.call(|| map.is_empty()))
        .method("clear", (by_mut::<Map>(),), nothing(), move |(map,)| s.call(|| map.clear()))
}

/// Its keys are objects, so they have a separate pool.
pub(crate) fn identity_map<S: Style, K>(s: S, pools: Builder) -> Builder
where
    K: Identity + Copy + 'static,
{
    map!(pools, s, "IdentityMap::new", IdentityMap<K, usize>, K)
        .method(
            "contains_key",
            (by_ref::<IdentityMap<K, usize>>(), by_ref::<K>()),
            S::keep::<bool>(),
            move |(map, k)| s.call(|| map.contains_key(k)),
        )
        .method("iter", (by_ref::<IdentityMap<K, usize>>(),), seen(), move |(map,)| {
            s.call(|| map.iter().map(|(key, value)| (key.identity(), *value)).collect::<Vec<_>>())
        })
        .method("len", (by_ref::<IdentityMap<K, usize>>(),), S::keep::<usize>(), move |(map,)| {
            s.call(|| map.len())
        })
        .method("is_empty", (by_ref::<IdentityMap<K, usize>>(),), S::keep::<bool>(), move |(map,)| {
            s.call(|| map.is_empty())
        })
        .method("clear", (by_mut::<IdentityMap<K, usize>>(),), nothing(), move |(map,)| {
            s.call(|| map.clear())
        })
}
