//! Sets next to `BTreeSet`.

use super::{Trail, calls_in_all, every_sequence};
use smallscope_containers::{HashSet, TreeSet};
use std::collections::BTreeSet;

#[derive(Clone, Debug)]
enum Call {
    Insert(u8),
    Remove(u8),
    RetainOdd,
    PopFirst,
    Clear,
}

use Call::*;

#[test]
fn hash_set() {
    let calls = [
        Insert(0),
        Insert(1),
        Insert(2),
        Insert(3),
        Insert(4),
        Remove(0),
        Remove(1),
        Remove(2),
        RetainOdd,
        Clear,
    ];
    type State = (HashSet<u8>, BTreeSet<u8>);
    let step = |(set, model): &mut State, call: &Call, trail: &Trail<'_, Call>| {
        match *call {
            Insert(item) => trail.same(set.insert(item), model.insert(item)),
            Remove(item) => trail.same(set.remove(&item), model.remove(&item)),
            RetainOdd => trail.same(set.retain(|item| item % 2 == 1), model.retain(|item| item % 2 == 1)),
            _ => trail.same(set.clear(), model.clear()),
        }
        trail.same(set.iter().copied().collect::<BTreeSet<u8>>(), model.clone());
        trail.same(
            (set.iter().count(), set.len(), set.is_empty()),
            (model.len(), model.len(), model.is_empty()),
        );
        (0..6).for_each(|item| trail.same(set.contains(&item), model.contains(&item)));
        trail.holds(set.rep_ok());
    };
    let count = every_sequence(&State::default(), &calls, 5, &step);
    assert_eq!(count, calls_in_all(calls.len(), 5));
}

#[test]
fn tree_set() {
    let calls = [
        Insert(0),
        Insert(1),
        Insert(2),
        Insert(3),
        Remove(0),
        Remove(1),
        Remove(2),
        Remove(3),
        PopFirst,
        Clear,
    ];
    type State = (TreeSet<u8>, BTreeSet<u8>);
    let step = |(set, model): &mut State, call: &Call, trail: &Trail<'_, Call>| {
        match *call {
            Insert(item) => trail.same(set.insert(item), model.insert(item)),
            Remove(item) => trail.same(set.remove(&item), model.remove(&item)),
            PopFirst => trail.same(set.pop_first(), model.pop_first()),
            _ => trail.same(set.clear(), model.clear()),
        }
        trail.same(set.iter().collect::<Vec<_>>(), model.iter().collect());
        trail.same((set.len(), set.is_empty()), (model.len(), model.is_empty()));
        trail.same((set.first(), set.last()), (model.first(), model.last()));
        for item in 0..5 {
            trail.same(set.contains(&item), model.contains(&item));
            trail.same(set.floor(&item), model.range(..=item).next_back());
            trail.same(set.ceiling(&item), model.range(item..).next());
        }
        trail.holds(set.rep_ok());
    };
    let count = every_sequence(&State::default(), &calls, 5, &step);
    assert_eq!(count, calls_in_all(calls.len(), 5));
}
