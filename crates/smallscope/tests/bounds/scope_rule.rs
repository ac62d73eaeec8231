//! With scope `n`: at most `n` objects of each class, data in `0..n`, sizes and lengths in `0..=n`.

use crate::{count, values};
use smallscope::{Bounded, Bounds, Key};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

fn scope(n: u32) -> Bounds {
    Bounds::scope(n)
}

#[test]
fn data_has_n_values() {
    assert_eq!(values::<u8>(&scope(3)), [0, 1, 2]);
    assert_eq!(values::<i8>(&scope(3)), [0, 1, 2]);
    assert_eq!(values::<u128>(&scope(3)), [0, 1, 2]);
    assert_eq!(values::<i128>(&scope(3)), [0, 1, 2]);
    assert_eq!(values::<isize>(&scope(3)), [0, 1, 2]);
    assert_eq!(values::<Key>(&scope(3)), [0, 1, 2].map(Key::new));
}

#[test]
fn data_keeps_one_value_in_scope_0() {
    assert_eq!(values::<u32>(&scope(0)), [0]);
    assert_eq!(values::<Key>(&scope(0)), [Key::new(0)]);
    assert_eq!(values::<char>(&scope(0)), ['a']);
}

#[test]
fn data_ends_where_its_type_ends() {
    assert_eq!(count::<u8>(&scope(1000)), 256);
    assert_eq!(count::<i8>(&scope(1000)), 128);
}

#[test]
fn a_usize_is_a_size() {
    assert_eq!(values::<usize>(&scope(0)), [0]);
    assert_eq!(values::<usize>(&scope(3)), [0, 1, 2, 3]);
}

#[test]
fn characters_are_the_first_of_the_default_alphabet() {
    assert_eq!(values::<char>(&scope(2)), ['a', 'b']);
    assert_eq!(values::<char>(&scope(8)), ['a', 'b', 'é', ' ', '"', '\\', '\n', 'c']);
    assert_eq!(count::<char>(&scope(50)), 31);
}

#[test]
fn truth_values_and_plain_enums_are_all_there_in_every_scope() {
    #[derive(Bounded, Debug, Clone, PartialEq)]
    enum Color {
        Red,
        Green,
        Blue,
    }
    assert_eq!(values::<bool>(&scope(0)), [false, true]);
    assert_eq!(values::<Color>(&scope(0)), [Color::Red, Color::Green, Color::Blue]);
    assert_eq!(values::<()>(&scope(0)), [()]);
}

#[test]
fn none_comes_first() {
    assert_eq!(values::<Option<u8>>(&scope(2)), [None, Some(0), Some(1)]);
    assert_eq!(values::<Option<Option<bool>>>(&scope(0)).len(), 4);
}

#[test]
fn strings_have_up_to_n_of_n_letters() {
    assert_eq!(values::<String>(&scope(0)), [""]);
    assert_eq!(values::<String>(&scope(2)), ["", "a", "b", "aa", "ab", "ba", "bb"]);
}

#[test]
fn sequences_have_up_to_n_elements() {
    assert_eq!(values::<Vec<u8>>(&scope(0)), [vec![]]);
    let of_two = [vec![], vec![0], vec![1], vec![0, 0], vec![0, 1], vec![1, 0], vec![1, 1]];
    assert_eq!(values::<Vec<u8>>(&scope(2)), of_two);
    assert_eq!(values::<VecDeque<u8>>(&scope(2)), of_two.clone().map(VecDeque::from));
    assert_eq!(values::<Box<[u8]>>(&scope(2)), of_two.map(Box::from));
    assert_eq!(count::<Vec<Vec<u8>>>(&scope(2)), 1 + 7 + 7 * 7);
}

#[test]
fn arrays_have_their_length() {
    assert_eq!(values::<[u8; 2]>(&scope(2)), [[0, 0], [0, 1], [1, 0], [1, 1]]);
    assert_eq!(values::<[u8; 0]>(&scope(2)), [[]]);
}

#[test]
fn sets_are_subsets_of_the_data() {
    let sets: [BTreeSet<u8>; 4] = [[].into(), [0].into(), [1].into(), [0, 1].into()];
    assert_eq!(values::<BTreeSet<u8>>(&scope(2)), sets);
    assert_eq!(count::<HashSet<u8>>(&scope(3)), 8);
}

#[test]
fn maps_take_every_set_of_keys_with_every_value() {
    assert_eq!(count::<BTreeMap<u8, bool>>(&scope(2)), 1 + 2 * 2 + 2 * 2);
    assert_eq!(count::<HashMap<u8, bool>>(&scope(2)), 1 + 2 * 2 + 2 * 2);
}

#[test]
fn tuples_are_products() {
    assert_eq!(values::<(bool, u8)>(&scope(2)), [(false, 0), (false, 1), (true, 0), (true, 1)]);
}

#[test]
fn cells_hold_what_they_hold() {
    assert_eq!(values::<Cell<u8>>(&scope(2)), [0, 1].map(Cell::new));
    assert_eq!(values::<RefCell<u8>>(&scope(2)), [0, 1].map(RefCell::new));
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct List {
    head: Option<Box<Node>>,
}

#[derive(Bounded)]
struct Node {
    next: Option<Box<Node>>,
}

#[test]
fn a_class_has_up_to_n_objects() {
    for n in 0..5 {
        assert_eq!(count::<List>(&scope(n)), 1 + n as usize);
    }
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Shared {
    a: Option<Rc<Item>>,
    b: Option<Rc<Item>>,
    c: Option<Arc<Item>>,
}

#[derive(Bounded)]
struct Item(());

#[test]
fn ways_of_allocating_share_no_objects_but_one_bound() {
    // No `Rc`, or one object in three ways, or two; with or without an `Arc`.
    assert_eq!(count::<Shared>(&scope(1)), 2 + 3);
    assert_eq!(count::<Shared>(&scope(2)), 2 + 3 * 2 + 1);
    assert_eq!(count::<Shared>(&scope(3)), 2 + 3 * 2 + 2);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Vectors {
    a: Vec<Item>,
    b: Vec<Item>,
}

#[test]
fn vectors_of_structures_share_the_objects_of_the_class() {
    assert_eq!(count::<Vectors>(&scope(2)), 6);
}
