//! Maps.

use super::pools;
use crate::mutation::with;
use crate::{HashMap, IdentityMap, LinkedHashMap, TreeMap};
use smallscope_sequences::{Builder, Pool, by_mut, by_ref, into, nothing, optional, seen, value};

/// An entry without references.
fn owned<K: Copy>(entry: Option<(&K, &usize)>) -> Option<(K, usize)> {
    entry.map(|(key, value)| (*key, *value))
}

pub(super) fn tree_map(m: u32) -> Builder {
    type Map = TreeMap<usize, usize>;
    pools::<Map>("map")
        .function("TreeMap::new", (), into(), move |()| with(m, Map::new))
        .method(
            "insert",
            (by_mut::<Map>(), value::<usize>(), value::<usize>()),
            optional(into::<usize>()),
            move |(map, k, v)| with(m, || map.insert(k, v)),
        )
        .method("remove", (by_mut::<Map>(), value::<usize>()), optional(into::<usize>()), move |(map, k)| {
            with(m, || map.remove(&k))
        })
        .method("get", (by_ref::<Map>(), value::<usize>()), optional(into::<usize>()), move |(map, k)| {
            with(m, || map.get(&k).copied())
        })
        .method("get_mut", (by_mut::<Map>(), value::<usize>()), optional(into::<usize>()), move |(map, k)| {
            with(m, || map.get_mut(&k).copied())
        })
        .method("contains_key", (by_ref::<Map>(), value::<usize>()), into::<bool>(), move |(map, k)| {
            with(m, || map.contains_key(&k))
        })
        .method("floor", (by_ref::<Map>(), value::<usize>()), seen(), move |(map, k)| {
            with(m, || owned(map.floor(&k)))
        })
        .method("ceiling", (by_ref::<Map>(), value::<usize>()), seen(), move |(map, k)| {
            with(m, || owned(map.ceiling(&k)))
        })
        .method("first", (by_ref::<Map>(),), seen(), move |(map,)| with(m, || owned(map.first())))
        .method("last", (by_ref::<Map>(),), seen(), move |(map,)| with(m, || owned(map.last())))
        .method("pop_first", (by_mut::<Map>(),), seen(), move |(map,)| with(m, || map.pop_first()))
        .method("iter", (by_ref::<Map>(),), seen(), move |(map,)| {
            with(m, || map.iter().map(|(key, value)| (*key, *value)).collect::<Vec<_>>())
        })
        .method("shape", (by_ref::<Map>(),), seen(), move |(map,)| with(m, || map.shape()))
        .method("red_below_root", (by_ref::<Map>(),), seen(), move |(map,)| with(m, || map.red_below_root()))
        .method("len", (by_ref::<Map>(),), into::<usize>(), move |(map,)| with(m, || map.len()))
        .method("is_empty", (by_ref::<Map>(),), into::<bool>(), move |(map,)| with(m, || map.is_empty()))
        .method("clear", (by_mut::<Map>(),), nothing(), move |(map,)| with(m, || map.clear()))
}

pub(super) fn hash_map(m: u32) -> Builder {
    type Map = HashMap<usize, usize>;
    pools::<Map>("map")
        .function("HashMap::new", (), into(), move |()| with(m, Map::new))
        .method(
            "insert",
            (by_mut::<Map>(), value::<usize>(), value::<usize>()),
            optional(into::<usize>()),
            move |(map, k, v)| with(m, || map.insert(k, v)),
        )
        .method("remove", (by_mut::<Map>(), value::<usize>()), optional(into::<usize>()), move |(map, k)| {
            with(m, || map.remove(&k))
        })
        .method("get", (by_ref::<Map>(), value::<usize>()), optional(into::<usize>()), move |(map, k)| {
            with(m, || map.get(&k).copied())
        })
        .method("get_mut", (by_mut::<Map>(), value::<usize>()), optional(into::<usize>()), move |(map, k)| {
            with(m, || map.get_mut(&k).copied())
        })
        .method("contains_key", (by_ref::<Map>(), value::<usize>()), into::<bool>(), move |(map, k)| {
            with(m, || map.contains_key(&k))
        })
        .method("iter", (by_ref::<Map>(),), seen(), move |(map,)| {
            with(m, || map.iter().map(|(key, value)| (*key, *value)).collect::<Vec<_>>())
        })
        .method("buckets", (by_ref::<Map>(),), into::<usize>(), move |(map,)| with(m, || map.buckets()))
        .method("len", (by_ref::<Map>(),), into::<usize>(), move |(map,)| with(m, || map.len()))
        .method("is_empty", (by_ref::<Map>(),), into::<bool>(), move |(map,)| with(m, || map.is_empty()))
        .method("clear", (by_mut::<Map>(),), nothing(), move |(map,)| with(m, || map.clear()))
}

pub(super) fn linked_hash_map(m: u32) -> Builder {
    type Map = LinkedHashMap<usize, usize>;
    pools::<Map>("map")
        .function("LinkedHashMap::new", (), into(), move |()| with(m, Map::new))
        .method(
            "insert",
            (by_mut::<Map>(), value::<usize>(), value::<usize>()),
            optional(into::<usize>()),
            move |(map, k, v)| with(m, || map.insert(k, v)),
        )
        .method("remove", (by_mut::<Map>(), value::<usize>()), optional(into::<usize>()), move |(map, k)| {
            with(m, || map.remove(&k))
        })
        .method("get", (by_ref::<Map>(), value::<usize>()), optional(into::<usize>()), move |(map, k)| {
            with(m, || map.get(&k).copied())
        })
        .method("contains_key", (by_ref::<Map>(), value::<usize>()), into::<bool>(), move |(map, k)| {
            with(m, || map.contains_key(&k))
        })
        .method("first", (by_ref::<Map>(),), seen(), move |(map,)| with(m, || owned(map.first())))
        .method("last", (by_ref::<Map>(),), seen(), move |(map,)| with(m, || owned(map.last())))
        .method("pop_first", (by_mut::<Map>(),), seen(), move |(map,)| with(m, || map.pop_first()))
        .method("iter", (by_ref::<Map>(),), seen(), move |(map,)| {
            with(m, || map.iter().map(|(key, value)| (*key, *value)).collect::<Vec<_>>())
        })
        .method("len", (by_ref::<Map>(),), into::<usize>(), move |(map,)| with(m, || map.len()))
        .method("is_empty", (by_ref::<Map>(),), into::<bool>(), move |(map,)| with(m, || map.is_empty()))
        .method("clear", (by_mut::<Map>(),), nothing(), move |(map,)| with(m, || map.clear()))
}

/// Its keys are objects, so they have a pool of their own.
pub(super) fn identity_map(m: u32) -> Builder {
    type Map = IdentityMap<u8, usize>;
    pools::<Map>("map")
        .pool(Pool::of([0u8, 100]))
        .function("IdentityMap::new", (), into(), move |()| with(m, Map::new))
        .method(
            "insert",
            (by_mut::<Map>(), value::<u8>(), value::<usize>()),
            optional(into::<usize>()),
            move |(map, k, v)| with(m, || map.insert(k, v)),
        )
        .method("remove", (by_mut::<Map>(), value::<u8>()), optional(into::<usize>()), move |(map, k)| {
            with(m, || map.remove(&k))
        })
        .method("get", (by_ref::<Map>(), value::<u8>()), optional(into::<usize>()), move |(map, k)| {
            with(m, || map.get(&k).copied())
        })
        .method("contains_key", (by_ref::<Map>(), value::<u8>()), into::<bool>(), move |(map, k)| {
            with(m, || map.contains_key(&k))
        })
        .method("iter", (by_ref::<Map>(),), seen(), move |(map,)| {
            with(m, || map.iter().map(|(key, value)| (*key, *value)).collect::<Vec<_>>())
        })
        // The objects of the numbers in the other pool.
        .function("object", (value::<usize>(),), into::<u8>(), |(number,)| number as u8)
        .written("{0} as u8")
        .method("len", (by_ref::<Map>(),), into::<usize>(), move |(map,)| with(m, || map.len()))
        .method("is_empty", (by_ref::<Map>(),), into::<bool>(), move |(map,)| with(m, || map.is_empty()))
        .method("clear", (by_mut::<Map>(),), nothing(), move |(map,)| with(m, || map.clear()))
}
