//! Compares what the engine finds for the containers' invariants with known counts: those of the catalogue, which are
//! those of the original tool, and formulas.

use smallscope::sequences::{Context, Explorer, Pool, Stop, by_mut, by_ref, nothing, value};
use smallscope::{Bounds, Key, all, count};
use smallscope_catalogue::red_black_tree::{self, RedBlackTree};
use smallscope_containers::{
    ArrayList, Deque, HashMap, HashSet, IdentityMap, LinkedHashMap, LinkedList, PriorityQueue, Stack,
    TreeMap, TreeSet,
};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Trees with exactly this many nodes, which hold the keys from 0 on.
fn bounds(nodes: u32) -> Bounds {
    Bounds::exact()
        .len("TreeMap.nodes", nodes as i64..=nodes as i64)
        .ints("Node.key", 0..=nodes as i64 - 1)
        .objects("Node", nodes)
}

#[test]
fn as_many_trees_as_in_the_catalogue() {
    for (nodes, published) in [(1, 2), (2, 2), (3, 3), (4, 8), (5, 14), (6, 20), (7, 35)] {
        let catalogue = count::<RedBlackTree<Key>>(red_black_tree::bounds(nodes, nodes, nodes, nodes)).valid;
        assert_eq!(catalogue, published, "{nodes} nodes");
        // There the root may be red, if its children are black.
        let red_or_black_root: u64 = all::<TreeMap<Key, ()>>(bounds(nodes as u32))
            .map(|tree| 1 + u64::from(tree.red_below_root() == Some((false, false))))
            .sum();
        assert_eq!(red_or_black_root, catalogue, "{nodes} nodes");
    }
}

/// The tree map's own methods lead to every tree that its invariant admits, and to no other. Some trees of six nodes
/// are only reached by removing a seventh, so there are two more keys.
#[test]
fn every_tree_is_reached() {
    type Map = TreeMap<u8, ()>;
    let (keys, keys_on_the_way) = (6_u8, 8_u8);
    let shape = |map: &Map| format!("{map:?} {}", map.shape());
    let context = Context::builder()
        .pool(Pool::<Map>::empty(1).and_made_by(Map::new).cloned().linearized().invariant(Map::rep_ok))
        .pool(Pool::of(0..keys_on_the_way))
        .method("insert", (by_mut::<Map>(), value::<u8>()), nothing(), |(map, key)| map.insert(key, ()))
        .method("remove", (by_mut::<Map>(), by_ref::<u8>()), nothing(), |(map, key)| map.remove(key))
        .build()
        .unwrap();
    let reached = Rc::new(RefCell::new(BTreeSet::from([shape(&Map::new())])));
    let found_trees = reached.clone();
    let found = Explorer::new(&context)
        .on_state(move |values, _| {
            let map = values.get::<Map>(0).expect("a map");
            if map.last().is_none_or(|(last, ())| *last < keys) {
                found_trees.borrow_mut().insert(shape(map));
            }
        })
        .explore()
        .unwrap();
    assert!(found.stop == Stop::Exhausted && found.is_closed, "{found}");
    let reached = reached.take();
    let bounds = Bounds::exact().len("TreeMap.nodes", 0..=6).ints("Node.key", 0..=5).objects("Node", 6);
    let valid: Vec<String> = all::<TreeMap<u8, ()>>(bounds).map(|map| shape(&map)).collect();
    assert_eq!(valid.len(), reached.len());
    assert_eq!(valid.into_iter().collect::<BTreeSet<_>>(), reached);
}

/// The number of lists of at most `length` items of two kinds.
fn lists(length: u32) -> u64 {
    (0..=length).map(|length| 2_u64.pow(length)).sum()
}

#[test]
fn as_many_lists_as_there_are() {
    let bounds = Bounds::exact()
        .len("ArrayList.slots", 0..=3)
        .ints("ArrayList.slots", 0..=1)
        .ints("ArrayList.size", 0..=3);
    assert_eq!(count::<ArrayList<u8>>(bounds).valid, (0..=3).map(lists).sum::<u64>());
    let bounds = Bounds::exact().objects("Node", 4).ints("Node.item", 0..=1).ints("Stack.size", 0..=4);
    assert_eq!(count::<Stack<u8>>(bounds).valid, lists(4));
    let bounds = Bounds::exact().objects("Node", 4).ints("Node.item", 0..=1).ints("LinkedList.size", 0..=4);
    assert_eq!(count::<LinkedList<u8>>(bounds).valid, lists(4));
    let bounds = Bounds::exact()
        .len("Deque.slots", 0..=4)
        .ints("Deque.slots", 0..=1)
        .ints("Deque.size", 0..=4)
        .ints("Deque.head", 0..=3);
    assert_eq!(count::<Deque<u8>>(bounds).valid, 1 + lists(1) + 2 * lists(2) + 4 * lists(4));
}

#[test]
fn as_many_heaps_as_there_are() {
    let by_hand = (0..4_u64.pow(4))
        .map(|digits| [digits % 4, digits / 4 % 4, digits / 16 % 4, digits / 64])
        .filter(|[a, b, c, d]| a <= b && a <= c && b <= d)
        .count() as u64;
    let bounds = Bounds::exact().len("PriorityQueue.heap", 4..=4).ints("PriorityQueue.heap", 0..=3);
    assert_eq!(count::<PriorityQueue<u8>>(bounds).valid, by_hand);
}

/// The distinct values of something.
fn distinct(values: impl Iterator<Item = Vec<u8>>) -> usize {
    values.collect::<BTreeSet<_>>().len()
}

fn sorted<'a>(keys: impl Iterator<Item = &'a u8>) -> Vec<u8> {
    let mut keys: Vec<u8> = keys.copied().collect();
    keys.sort();
    keys
}

#[test]
fn every_set_of_keys_is_in_a_hash_map() {
    let bounds = Bounds::exact()
        .objects("Entry", 2)
        .len("HashMap.buckets", [0, 2, 4])
        .ints("HashMap.size", 0..=2)
        .ints("Entry.key", 0..=2);
    let maps = all::<HashMap<u8, ()>>(&bounds).map(|map| sorted(map.iter().map(|(key, ())| key)));
    // No key, one of three, two of three.
    assert_eq!(distinct(maps), 1 + 3 + 3);
    assert_eq!(distinct(all::<HashSet<u8>>(&bounds).map(|set| sorted(set.iter()))), 1 + 3 + 3);
}

#[test]
fn every_set_of_keys_is_in_a_tree_set() {
    let bounds = Bounds::exact().len("TreeMap.nodes", 0..=3).ints("Node.key", 0..=2).objects("Node", 3);
    assert_eq!(distinct(all::<TreeSet<u8>>(bounds).map(|set| sorted(set.iter()))), 8);
}

#[test]
fn every_set_of_objects_is_in_an_identity_map() {
    let bounds = Bounds::exact()
        .len("IdentityMap.slots", [0, 4])
        .ints("IdentityMap.size", 0..=3)
        .ints("Entry.key", 0..=2);
    let maps = all::<IdentityMap<u8, ()>>(bounds).map(|map| sorted(map.iter().map(|(key, ())| key)));
    assert_eq!(distinct(maps), 8);
}

#[test]
fn every_key_is_in_a_linked_hash_map() {
    let bounds = Bounds::exact()
        .objects("Entry", 1)
        .len("LinkedHashMap.entries", 0..=1)
        .len("LinkedHashMap.buckets", [0, 2])
        .ints("Entry.key", 0..=2);
    let maps = all::<LinkedHashMap<u8, ()>>(bounds).map(|map| map.iter().map(|(key, ())| *key).collect());
    // No key, or one of three.
    assert_eq!(distinct(maps), 1 + 3);
}
