//! The other units of the paper on call sequences, next to models of the standard library.

use super::{Trail, calls_in_all, every_sequence};
use smallscope_containers::{
    EnumMap, Hashtable, LinkedHashSet, OutOfBounds, Properties, Vector, WeakHashMap,
};
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
enum Call {
    Put(u8, u8),
    Remove(u8),
    Collect(u8),
    Insert(usize, u8),
    Set(usize, u8),
    SetSize(usize),
    Trim,
    Clear,
}

use Call::*;

type Map<K> = BTreeMap<K, u8>;

/// Keys that share buckets of small tables, and calls that make these grow.
const MAP_CALLS: [Call; 10] = [
    Put(0, 1),
    Put(1, 2),
    Put(2, 1),
    Put(3, 2),
    Put(5, 1),
    Put(1, 0),
    Remove(0),
    Remove(1),
    Remove(3),
    Clear,
];

fn check_all<S: Clone>(
    start: &S,
    calls: &[Call],
    length: u32,
    step: &impl Fn(&mut S, &Call, &Trail<'_, Call>),
) {
    assert_eq!(every_sequence(start, calls, length as usize, step), calls_in_all(calls.len(), length));
}

#[test]
fn hashtable() {
    type State = (Hashtable<u8, u8>, Map<u8>);
    let step = |(table, model): &mut State, call: &Call, trail: &Trail<'_, Call>| {
        match *call {
            Put(key, value) => trail.same(table.put(key, value), model.insert(key, value)),
            Remove(key) => trail.same(table.remove(&key), model.remove(&key)),
            _ => trail.same(table.clear(), model.clear()),
        }
        let entries: Map<u8> = table.iter().map(|(key, value)| (*key, *value)).collect();
        let mut keys: Vec<u8> = table.keys().into_iter().copied().collect();
        keys.sort_unstable();
        trail.same((entries, keys), (model.clone(), model.keys().copied().collect()));
        trail.same((table.len(), table.is_empty()), (model.len(), model.is_empty()));
        for key in 0..6 {
            trail.same(table.get(&key), model.get(&key));
            trail.same(table.contains_key(&key), model.contains_key(&key));
            trail.same(table.contains(&key), model.values().any(|value| *value == key));
        }
        trail.holds(table.rep_ok());
    };
    check_all(&State::default(), &MAP_CALLS, 4, &step);
}

#[test]
fn weak_hash_map() {
    type State = (WeakHashMap<u8, u8>, Map<u8>);
    let calls = [&MAP_CALLS[..7], &[Collect(0), Collect(1), Clear]].concat();
    let step = |(map, model): &mut State, call: &Call, trail: &Trail<'_, Call>| {
        match *call {
            Put(key, value) => trail.same(map.insert(key, value), model.insert(key, value)),
            Remove(key) => trail.same(map.remove(&key), model.remove(&key)),
            Collect(key) => trail.same(map.collect(&key), model.remove(&key).is_some()),
            _ => trail.same(map.clear(), model.clear()),
        }
        trail.holds(map.rep_ok());
        trail.same(map.iter().map(|(key, value)| (*key, *value)).collect::<Map<u8>>(), model.clone());
        // What looks at the map removes entries from it, so that it is done to a copy.
        let mut copy = map.clone();
        trail.same((copy.len(), copy.is_empty()), (model.len(), model.is_empty()));
        for key in 0..6 {
            trail.same(map.clone().get(&key), model.get(&key));
            trail.same(copy.contains_key(&key), model.contains_key(&key));
        }
        trail.holds(copy.rep_ok());
    };
    check_all(&State::default(), &calls, 4, &step);
}

#[test]
fn enum_map() {
    type State = (EnumMap<bool, u8>, Map<bool>);
    let calls = [Put(0, 1), Put(0, 2), Put(1, 1), Remove(0), Remove(1), Clear];
    let step = |(map, model): &mut State, call: &Call, trail: &Trail<'_, Call>| {
        match *call {
            Put(key, value) => trail.same(map.insert(key == 1, value), model.insert(key == 1, value)),
            Remove(key) => trail.same(map.remove(key == 1), model.remove(&(key == 1))),
            _ => trail.same(map.clear(), model.clear()),
        }
        trail.same(map.iter().map(|(key, value)| (key, *value)).collect::<Map<bool>>(), model.clone());
        trail.same((map.len(), map.is_empty()), (model.len(), model.is_empty()));
        trail.same(map.first(), model.keys().next().copied());
        for key in [false, true] {
            trail.same((map.get(key), map.contains_key(key)), (model.get(&key), model.contains_key(&key)));
        }
        (0..3).for_each(|x| trail.same(map.contains_value(&x), model.values().any(|value| *value == x)));
        trail.holds(map.rep_ok());
    };
    check_all(&State::default(), &calls, 5, &step);
}

#[test]
fn linked_hash_set() {
    type State = (LinkedHashSet<u8>, Vec<u8>);
    let step = |(set, model): &mut State, call: &Call, trail: &Trail<'_, Call>| {
        match *call {
            Put(item, _) => {
                let is_new = !model.contains(&item);
                trail.same(set.insert(item), is_new);
                if is_new {
                    model.push(item);
                }
            }
            Remove(item) => {
                trail.same(set.remove(&item), model.contains(&item));
                model.retain(|other| *other != item);
            }
            _ => trail.same(set.clear(), model.clear()),
        }
        trail.same(set.iter().copied().collect(), model.clone());
        trail.same((set.len(), set.is_empty()), (model.len(), model.is_empty()));
        (0..6).for_each(|item| trail.same(set.contains(&item), model.contains(&item)));
        trail.holds(set.rep_ok());
    };
    check_all(&State::default(), &MAP_CALLS, 4, &step);
}

#[test]
fn vector() {
    type State = (Vector<u8>, Vec<u8>);
    let calls = [
        Put(0, 1),
        Put(0, 2),
        Insert(0, 3),
        Insert(2, 1),
        Set(1, 2),
        Remove(1),
        Collect(0),
        Collect(1),
        SetSize(1),
        SetSize(4),
        Trim,
        Clear,
    ];
    let step = |(list, model): &mut State, call: &Call, trail: &Trail<'_, Call>| {
        let beyond = |index| OutOfBounds { index, len: model.len() };
        match *call {
            Put(_, item) => trail.same(list.add_element(item), model.push(item)),
            Insert(index, item) => {
                let error = (index > model.len()).then(|| beyond(index));
                trail.same(list.insert_element_at(item, index), error.map_or(Ok(()), Err));
                if error.is_none() {
                    model.insert(index, item);
                }
            }
            Set(index, item) => {
                let error = beyond(index);
                let old = model.get_mut(index).map(|old| std::mem::replace(old, item)).ok_or(error);
                trail.same(list.set_element_at(item, index), old);
            }
            Remove(item) => {
                let at = model.iter().position(|other| *other == item);
                trail.same(list.remove_element(&item), at.map(|at| model.remove(at)).is_some());
            }
            Collect(index) => {
                let index = usize::from(index);
                let error = beyond(index);
                let removed = if index < model.len() { Ok(model.remove(index)) } else { Err(error) };
                trail.same(list.remove_element_at(index), removed);
            }
            SetSize(size) => trail.same(list.set_size(size), model.resize(size, 0)),
            Trim => {
                list.trim_to_size();
                trail.same(list.capacity(), model.len());
            }
            Clear => trail.same(list.remove_all_elements(), model.clear()),
        }
        trail.same(list.iter().copied().collect(), model.clone());
        trail.same((list.len(), list.is_empty()), (model.len(), model.is_empty()));
        trail.same((list.first_element(), list.last_element()), (model.first(), model.last()));
        for item in 0..4 {
            trail.same(list.contains(&item), model.contains(&item));
            for place in 0..5 {
                let after = model.iter().skip(place).position(|other| *other == item);
                trail.same(list.index_of(&item, place), after.map(|at| at + place));
                let before = model.get(..=place).map(|part| part.iter().rposition(|other| *other == item));
                trail.same(list.last_index_of(&item, place).ok(), before);
                trail.same(list.element_at(place).ok(), model.get(place));
            }
        }
        trail.holds(list.rep_ok());
    };
    for increment in [0, 2] {
        check_all(&(Vector::with_increment(increment), vec![]), &calls, 4, &step);
    }
}

/// Names with what has to be escaped; the defaults are a second map.
#[test]
fn properties() {
    type State = (Properties, Vec<BTreeMap<String, String>>);
    let names = ["a", "=b", " c\\", "#"];
    let calls = [Put(0, 1), Put(1, 1), Put(1, 2), Put(2, 3), Put(3, 0), Remove(1), Remove(2), Trim, Clear];
    let text = |x: u8| [" x", "", "y=z\\", "1 2"][usize::from(x)].to_owned();
    let step = |(own, tables): &mut State, call: &Call, trail: &Trail<'_, Call>| {
        let last = tables.last_mut().expect("there is a table");
        match *call {
            Put(name, value) => {
                let name = names[usize::from(name)];
                trail.same(own.set_property(name, &text(value)), last.insert(name.to_owned(), text(value)));
            }
            Remove(name) => {
                let name = names[usize::from(name)];
                trail.same(own.remove(name), last.remove(name));
            }
            // What was written is read again.
            Trim => {
                let mut read = Properties::new();
                read.load(&format!("# a=1\n\n   \n{}", own.store()));
                trail.same(read.own(), own.own());
            }
            _ => {
                own.into_defaults();
                match tables.len() {
                    1 | 2 => tables.push(BTreeMap::new()),
                    _ => *tables = vec![BTreeMap::new()],
                }
            }
        }
        for name in names {
            let found = tables.iter().rev().find_map(|table| table.get(name)).map(String::as_str);
            trail.same(own.get_property(name), found);
            trail.same(own.get_property_or(name, "-"), found.unwrap_or("-"));
        }
        let mut all: Vec<String> = tables.iter().flat_map(|table| table.keys().cloned()).collect();
        all.sort();
        all.dedup();
        trail.same(own.names(), all);
        trail.holds(own.rep_ok());
    };
    check_all(&(Properties::new(), vec![BTreeMap::new()]), &calls, 4, &step);
}
