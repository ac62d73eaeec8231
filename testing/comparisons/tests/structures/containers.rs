//! Vectors, maps, sets.

use crate::{agreed, by_scope};
use smallscope::{Bounded, Bounds};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Sequences {
    numbers: Vec<u8>,
    queue: VecDeque<bool>,
    slice: Box<[u8]>,
}

#[test]
fn sequences_of_plain_data() {
    // Words up to length n over n letters, or two.
    assert_eq!(by_scope::<Sequences>(0..=2), [1, 2 * 3 * 2, 7 * 7 * 7]);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Points {
    points: Vec<Point>,
    more: VecDeque<Point>,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Point {
    x: u8,
    next: Option<Box<Point>>,
}

#[test]
fn vectors_of_structures_share_a_class() {
    assert_eq!(by_scope::<Points>(0..=1), [1, 1 + 2]);
    agreed::<Points>(&Bounds::scope(2).ints("Point.x", [0]));
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Tokens {
    tokens: Vec<Token>,
    slice: Box<[Token]>,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
enum Token {
    End,
    Number(u8),
    Group(Vec<Token>),
}

#[test]
fn vectors_of_enums_with_payload() {
    by_scope::<Tokens>(0..=2);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Nested {
    rows: Vec<Vec<bool>>,
    points: Vec<Vec<Point>>,
}

#[test]
fn vectors_of_vectors() {
    assert_eq!(by_scope::<Nested>(0..=1), [1, (1 + 1 + 2) * (1 + 1 + 1)]);
    agreed::<Nested>(&Bounds::scope(2).ints("Point.x", [0]).len("Nested.rows", [2]));
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Owning {
    #[allow(clippy::vec_box)]
    boxes: Vec<Box<Leaf>>,
    perhaps: Vec<Option<Box<Leaf>>>,
    shared: Vec<Rc<Leaf>>,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Leaf {}

#[test]
fn vectors_of_pointers() {
    assert_eq!(agreed::<Owning>(&Bounds::scope(0)), 1);
    // One object, in one of three vectors or in none; the second may hold a `None` instead.
    assert_eq!(agreed::<Owning>(&Bounds::scope(1)), 2 + 2 + 1 + 2);
    agreed::<Owning>(&Bounds::scope(2));
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Rose {
    root: Option<Box<RoseNode>>,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct RoseNode {
    #[allow(clippy::vec_box)]
    children: Vec<Box<RoseNode>>,
}

#[test]
fn rose_trees_are_catalan_too() {
    assert_eq!(by_scope::<Rose>(0..=2), [1, 2, 3]);
    assert_eq!(agreed::<Rose>(&Bounds::scope(3).len("RoseNode.children", 0..=2)), 5);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Sets {
    ordered: BTreeSet<u8>,
    hashed: HashSet<bool>,
    map: BTreeMap<u8, bool>,
    table: HashMap<bool, u8>,
}

#[test]
fn sets_and_maps_of_plain_data() {
    assert_eq!(by_scope::<Sets>(0..=2), [1, 2 * 3 * 3 * 3, 4 * 4 * 9 * 9]);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Trie {
    children: BTreeMap<char, Box<Trie>>,
    end: bool,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Tables {
    shared: HashMap<u8, Rc<Leaf>>,
    points: BTreeMap<bool, Point>,
    words: BTreeMap<bool, Vec<bool>>,
}

#[test]
fn maps_to_pointers_and_structures() {
    assert_eq!(by_scope::<Trie>(0..=1), [2, 2 + 4]);
    agreed::<Trie>(&Bounds::scope(2));
    by_scope::<Tables>(0..=1);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Perhaps {
    numbers: Option<Vec<u8>>,
    points: Option<Vec<Point>>,
    leaves: Option<Box<[Box<Leaf>]>>,
    map: Option<BTreeMap<bool, Box<Leaf>>>,
}

#[test]
fn optional_containers() {
    by_scope::<Perhaps>(0..=1);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Limited {
    #[bounded(len = 2..=2)]
    pair: Vec<u8>,
    #[bounded(len = 1..=scope)]
    some: Vec<Leaf>,
    #[bounded(len = 1..=1)]
    one: BTreeSet<u8>,
}

#[test]
fn lengths_from_attributes() {
    assert_eq!(agreed::<Limited>(&Bounds::scope(2)), 4 * 2 * 2);
    assert_eq!(agreed::<Limited>(&Bounds::scope(3).objects("Leaf", 2)), 9 * 2 * 3);
    assert_eq!(agreed::<Limited>(&Bounds::scope(3).len("Limited.pair", [0, 1, 3])), (1 + 3 + 27) * 3 * 3);
}
