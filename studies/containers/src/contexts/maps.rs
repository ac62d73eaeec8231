//! The calls of maps.

use super::Style;
use crate::{
    EnumMap, HashMap, Hashtable, Identity, IdentityMap, LinkedHashMap, Properties, TreeMap, WeakHashMap,
};
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

pub(crate) fn hashtable<S: Style>(s: S, pools: Builder) -> Builder {
    type Map = Hashtable<usize, usize>;
    calls!(s, pools.function("Hashtable::new", (), into(), move |()| s.call(Map::new)), Map;
        by_mut put(map, k: value<usize>, v: value<usize>) -> optional(S::keep::<usize>()), map.put(k, v);
        by_mut remove(map, k: by_ref<usize>) -> optional(S::keep::<usize>()), map.remove(k);
        by_ref get(map, k: by_ref<usize>) -> optional(S::keep::<usize>()), map.get(k).copied();
        by_ref contains_key(map, k: by_ref<usize>) -> S::keep::<bool>(), map.contains_key(k);
        by_ref contains(map, v: by_ref<usize>) -> S::keep::<bool>(), map.contains(v);
        by_ref keys(map) -> seen(), map.keys().into_iter().copied().collect::<Vec<_>>();
        by_ref iter(map) -> seen(), map.iter().map(|(key, value)| (*key, *value)).collect::<Vec<_>>();
        by_ref buckets(map) -> S::keep::<usize>(), map.buckets();
        by_ref len(map) -> S::keep::<usize>(), map.len();
        by_ref is_empty(map) -> S::keep::<bool>(), map.is_empty();
        by_mut clear(map) -> nothing(), map.clear();
    )
}

/// Its keys are truth values.
pub(crate) fn enum_map<S: Style>(s: S, pools: Builder) -> Builder {
    type Map = EnumMap<bool, usize>;
    calls!(s, pools.function("EnumMap::new", (), into(), move |()| s.call(Map::new)), Map;
        by_mut insert(map, k: value<bool>, v: value<usize>) -> optional(S::keep::<usize>()), map.insert(k, v);
        by_mut remove(map, k: value<bool>) -> optional(S::keep::<usize>()), map.remove(k);
        by_ref get(map, k: value<bool>) -> optional(S::keep::<usize>()), map.get(k).copied();
        by_ref contains_key(map, k: value<bool>) -> S::keep::<bool>(), map.contains_key(k);
        by_ref contains_value(map, v: by_ref<usize>) -> S::keep::<bool>(), map.contains_value(v);
        by_ref first(map) -> optional(S::keep::<bool>()), map.first();
        by_ref iter(map) -> seen(), map.iter().map(|(key, value)| (key, *value)).collect::<Vec<_>>();
        by_ref len(map) -> S::keep::<usize>(), map.len();
        by_ref is_empty(map) -> S::keep::<bool>(), map.is_empty();
        by_mut clear(map) -> nothing(), map.clear();
    )
}

/// What looks at the map removes entries, too.
pub(crate) fn weak_hash_map<S: Style>(s: S, pools: Builder) -> Builder {
    type Map = WeakHashMap<usize, usize>;
    calls!(s, pools.function("WeakHashMap::new", (), into(), move |()| s.call(Map::new)), Map;
        by_mut insert(map, k: value<usize>, v: value<usize>) -> optional(S::keep::<usize>()), map.insert(k, v);
        by_mut remove(map, k: by_ref<usize>) -> optional(S::keep::<usize>()), map.remove(k);
        by_mut get(map, k: by_ref<usize>) -> optional(S::keep::<usize>()), map.get(k).copied();
        by_mut contains_key(map, k: by_ref<usize>) -> S::keep::<bool>(), map.contains_key(k);
        by_mut collect(map, k: by_ref<usize>) -> S::keep::<bool>(), map.collect(k);
        by_ref iter(map) -> seen(), map.iter().map(|(key, value)| (*key, *value)).collect::<Vec<_>>();
        by_ref buckets(map) -> S::keep::<usize>(), map.buckets();
        by_mut len(map) -> S::keep::<usize>(), map.len();
        by_mut is_empty(map) -> S::keep::<bool>(), map.is_empty();
        by_mut clear(map) -> nothing(), map.clear();
    )
}

/// Names and values are numbers as text, with a sign that has to be escaped in front of names.
pub(crate) fn properties<S: Style>(s: S, pools: Builder) -> Builder {
    let name = |x: usize| format!("={x}");
    let builder = calls!(s, pools.function("Properties::new", (), into(), move |()| s.call(Properties::new)), Properties;
        by_mut set_property(map, k: value<usize>, v: value<usize>) -> seen(), map.set_property(&name(k), &v.to_string());
        by_ref get_property(map, k: value<usize>) -> seen(), map.get_property(&name(k)).map(str::to_owned);
        by_ref get_property_or(map, k: value<usize>, v: value<usize>) -> seen(), map.get_property_or(&name(k), &v.to_string()).to_owned();
        by_mut remove(map, k: value<usize>) -> seen(), map.remove(&name(k));
        by_mut load(map, k: value<usize>, v: value<usize>) -> nothing(), map.load(&format!("# {v}\n\n \\={k}= {v}\n"));
    );
    calls!(s, builder, Properties;
        by_mut into_defaults(map) -> nothing(), map.into_defaults();
        by_ref names(map) -> seen(), map.names();
        by_ref own(map) -> seen(), map.own();
        by_ref store(map) -> seen(), map.store();
    )
}
