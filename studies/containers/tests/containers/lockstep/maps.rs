//! Maps next to those of the standard library.

use super::{Trail, calls_in_all, every_sequence};
use smallscope_containers::{HashMap, IdentityMap, LinkedHashMap, Object, TreeMap};
use std::collections::{BTreeMap, HashMap as StdHashMap};
use std::rc::Rc;

#[derive(Clone, Debug)]
enum Call {
    Insert(u8, u8),
    Remove(u8),
    Get(u8),
    PopFirst,
    Clear,
}

use Call::*;

#[test]
fn tree_map() {
    let calls = [
        Insert(0, 0),
        Insert(1, 1),
        Insert(2, 0),
        Insert(3, 1),
        Remove(0),
        Remove(1),
        Remove(2),
        Remove(3),
        Get(1),
        PopFirst,
        Clear,
    ];
    let count = every_sequence(&(TreeMap::new(), BTreeMap::new()), &calls, 5, &tree_step);
    assert_eq!(count, calls_in_all(calls.len(), 5));
}

/// Longer ones, with nothing but what changes the shape.
#[test]
fn tree_map_in_depth() {
    let calls = [Insert(0, 0), Insert(1, 0), Insert(2, 0), Remove(0), Remove(1), Remove(2)];
    let count = every_sequence(&(TreeMap::new(), BTreeMap::new()), &calls, 7, &tree_step);
    assert_eq!(count, calls_in_all(calls.len(), 7));
}

/// Larger trees, from random calls: from each of them, every key is inserted, and every key is removed.
#[test]
fn tree_map_at_size() {
    let keys = 9;
    let mut states = vec![(TreeMap::new(), BTreeMap::new())];
    let mut random = 1_u64;
    for _ in 0..200 {
        let mut state = (TreeMap::new(), BTreeMap::new());
        let mut trail = vec![];
        for _ in 0..40 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let key = (random >> 33) as u8 % keys;
            let call = if random >> 62 == 0 { Remove(key) } else { Insert(key, key) };
            trail.push(call.clone());
            tree_step(&mut state, &call, &Trail(&trail));
            states.push(state.clone());
        }
    }
    let calls: Vec<Call> = (0..keys).flat_map(|key| [Insert(key, 99), Remove(key)]).collect();
    for state in &states {
        every_sequence(state, &calls, 1, &tree_step);
    }
}

fn tree_step((map, model): &mut (TreeMap<u8, u8>, BTreeMap<u8, u8>), call: &Call, trail: &Trail<'_, Call>) {
    match *call {
        Insert(key, value) => trail.same(map.insert(key, value), model.insert(key, value)),
        Remove(key) => trail.same(map.remove(&key), model.remove(&key)),
        Get(key) => trail.same(map.get_mut(&key), model.get_mut(&key)),
        PopFirst => trail.same(map.pop_first(), model.pop_first()),
        Clear => trail.same(map.clear(), model.clear()),
    }
    trail.same(map.iter().collect::<Vec<_>>(), model.iter().collect());
    trail.same((map.len(), map.is_empty()), (model.len(), model.is_empty()));
    trail.same((map.first(), map.last()), (model.first_key_value(), model.last_key_value()));
    for key in 0..5 {
        trail.same(map.get(&key), model.get(&key));
        trail.same(map.contains_key(&key), model.contains_key(&key));
        trail.same(map.floor(&key), model.range(..=key).next_back());
        trail.same(map.ceiling(&key), model.range(key..).next());
    }
    trail.holds(map.rep_ok());
}

#[test]
fn hash_map() {
    let calls = [
        Insert(0, 0),
        Insert(1, 1),
        Insert(2, 0),
        Insert(3, 0),
        Insert(1, 0),
        Remove(0),
        Remove(1),
        Remove(2),
        Get(1),
        Clear,
    ];
    type State = (HashMap<u8, u8>, StdHashMap<u8, u8>);
    let step = |(map, model): &mut State, call: &Call, trail: &Trail<'_, Call>| {
        match *call {
            Insert(key, value) => trail.same(map.insert(key, value), model.insert(key, value)),
            Remove(key) => trail.same(map.remove(&key), model.remove(&key)),
            Get(key) => trail.same(map.get_mut(&key), model.get_mut(&key)),
            _ => trail.same(map.clear(), model.clear()),
        }
        let entries: StdHashMap<u8, u8> = map.iter().map(|(key, value)| (*key, *value)).collect();
        trail.same(&entries, &*model);
        trail.same(
            (map.iter().count(), map.len(), map.is_empty()),
            (model.len(), model.len(), model.is_empty()),
        );
        for key in 0..5 {
            trail.same(map.get(&key), model.get(&key));
            trail.same(map.contains_key(&key), model.contains_key(&key));
        }
        trail.holds(map.rep_ok());
    };
    let count = every_sequence(&State::default(), &calls, 5, &step);
    assert_eq!(count, calls_in_all(calls.len(), 5));
}

#[test]
fn a_hash_map_grows_and_has_chains() {
    let mut map = HashMap::new();
    assert_eq!(map.buckets(), 0);
    for key in 0..100_u8 {
        assert_eq!(map.insert(key, key), None);
        assert!(map.rep_ok());
    }
    assert_eq!(map.buckets(), 256);
    for key in (0..100).rev() {
        assert_eq!(map.remove(&key), Some(key));
        assert!(map.rep_ok());
    }
}

#[test]
fn linked_hash_map() {
    let calls = [
        Insert(0, 0),
        Insert(1, 1),
        Insert(2, 0),
        Insert(3, 0),
        Insert(0, 1),
        Remove(0),
        Remove(1),
        Remove(2),
        PopFirst,
        Clear,
    ];
    // The model is a vector of entries in their order.
    type State = (LinkedHashMap<u8, u8>, Vec<(u8, u8)>);
    let step = |(map, model): &mut State, call: &Call, trail: &Trail<'_, Call>| {
        let place = |model: &[(u8, u8)], key: u8| model.iter().position(|entry| entry.0 == key);
        match *call {
            Insert(key, value) => {
                let old = place(model, key).map(|at| std::mem::replace(&mut model[at].1, value));
                if old.is_none() {
                    model.push((key, value));
                }
                trail.same(map.insert(key, value), old);
            }
            Remove(key) => trail.same(map.remove(&key), place(model, key).map(|at| model.remove(at).1)),
            PopFirst => {
                let first = if model.is_empty() { None } else { Some(model.remove(0)) };
                trail.same(map.pop_first(), first);
            }
            _ => trail.same(map.clear(), model.clear()),
        }
        trail.same(map.iter().map(|(key, value)| (*key, *value)).collect(), model.clone());
        trail.same((map.len(), map.is_empty()), (model.len(), model.is_empty()));
        let plain = |entry: Option<(&u8, &u8)>| entry.map(|(key, value)| (*key, *value));
        trail.same((plain(map.first()), plain(map.last())), (model.first().copied(), model.last().copied()));
        for key in 0..5 {
            trail.same(map.get(&key).copied(), place(model, key).map(|at| model[at].1));
            trail.same(map.contains_key(&key), place(model, key).is_some());
        }
        trail.holds(map.rep_ok());
    };
    let count = every_sequence(&State::default(), &calls, 5, &step);
    assert_eq!(count, calls_in_all(calls.len(), 5));
}

#[test]
fn identity_map() {
    // Two objects each of which are equal.
    let object = |number: u8| Object { number, value: number / 2 };
    let calls = [
        Insert(0, 0),
        Insert(1, 1),
        Insert(2, 0),
        Insert(3, 1),
        Insert(4, 0),
        Insert(1, 0),
        Remove(0),
        Remove(1),
        Remove(2),
        Clear,
    ];
    type State = (IdentityMap<Object<u8>, u8>, StdHashMap<u8, u8>);
    let step = |(map, model): &mut State, call: &Call, trail: &Trail<'_, Call>| {
        match *call {
            Insert(key, value) => trail.same(map.insert(object(key), value), model.insert(key, value)),
            Remove(key) => trail.same(map.remove(&object(key)), model.remove(&key)),
            _ => trail.same(map.clear(), model.clear()),
        }
        let entries: StdHashMap<u8, u8> = map.iter().map(|(key, value)| (key.number, *value)).collect();
        trail.same(&entries, &*model);
        trail.same(
            (map.iter().count(), map.len(), map.is_empty()),
            (model.len(), model.len(), model.is_empty()),
        );
        for key in 0..6 {
            trail.same(map.get(&object(key)), model.get(&key));
            trail.same(map.contains_key(&object(key)), model.contains_key(&key));
        }
        trail.holds(map.rep_ok());
    };
    let count = every_sequence(&State::default(), &calls, 5, &step);
    assert_eq!(count, calls_in_all(calls.len(), 5));
}

#[test]
fn equal_values_are_different_objects() {
    let (a, b) = (Rc::new("same"), Rc::new("same"));
    let mut map = IdentityMap::new();
    assert_eq!(map.insert(a.clone(), 1), None);
    assert_eq!(map.insert(b.clone(), 2), None);
    assert_eq!(map.insert(Rc::clone(&a), 3), Some(1));
    assert_eq!((map.get(&a), map.get(&b), map.get(&Rc::new("same"))), (Some(&3), Some(&2), None));
    assert!(map.rep_ok());
}

/// Chains of slots go round the end and are closed again: many objects, in and out.
#[test]
fn an_identity_map_closes_gaps() {
    let mut random = 7_u64;
    let (mut map, mut model) = (IdentityMap::new(), StdHashMap::new());
    for _ in 0..20_000 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let key = (random >> 40) as u8 % 24;
        if random >> 63 == 0 {
            assert_eq!(map.insert(key, random), model.insert(key, random));
        } else {
            assert_eq!(map.remove(&key), model.remove(&key));
        }
        assert!(map.rep_ok() && map.len() == model.len());
    }
}
