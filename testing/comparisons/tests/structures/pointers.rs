//! Pointers of every kind.

use crate::{agreed, by_scope, checked};
use smallscope::{Bounded, Bounds};
use smallscope_reference::Settings;
use std::cell::RefCell;
use std::ptr::NonNull;
use std::rc::{Rc, Weak};
use std::sync::Arc;

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Tree {
    root: Option<Box<Node>>,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Node {
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

#[test]
fn trees_of_boxes_are_catalan() {
    assert_eq!(by_scope::<Tree>(0..=3), [1, 2, 4, 9]);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Shared {
    first: Option<Rc<Leaf>>,
    second: Option<Rc<Leaf>>,
    third: Option<Rc<Leaf>>,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Leaf {}

#[test]
fn sharing_counts_partitions() {
    // Subsets of three pointers that are set, times partitions of each into at most n blocks.
    assert_eq!(by_scope::<Shared>(0..=3), [1, 8, 1 + 3 + 3 * 2 + 4, 1 + 3 + 3 * 2 + 5]);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Mandatory {
    a: Rc<Leaf>,
    b: Rc<Leaf>,
    c: Arc<Leaf>,
    d: Arc<Leaf>,
    e: Option<Arc<Leaf>>,
}

#[test]
fn mandatory_shared_pointers_and_bell_numbers() {
    // Rc and Arc never share, but their objects count together: partitions of 2, and those of 2 (none) or 3.
    assert_eq!(by_scope::<Mandatory>(0..=5), [0, 0, 2, 2 + (1 + 3) + 2, 2 * 2 + 2 * 4 + 1, 2 * (2 + 5)]);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Observed {
    weak: Weak<Leaf>,
    owner: Option<Rc<Leaf>>,
    late: Weak<Leaf>,
    sync: std::sync::Weak<Leaf>,
    arc: Option<Arc<Leaf>>,
}

#[test]
fn a_weak_pointer_needs_an_owner_also_if_that_comes_later() {
    // One object has one kind of owner.
    assert_eq!(by_scope::<Observed>(0..=2), [1, 1 + 4 + 2, 5 * 3]);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Graph {
    start: Option<Rc<RefCell<Vertex>>>,
    peek: Weak<RefCell<Vertex>>,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Vertex {
    next: Option<Rc<RefCell<Vertex>>>,
    back: Weak<RefCell<Vertex>>,
}

#[test]
fn graphs_behind_ref_cells() {
    by_scope::<Graph>(0..=3);
}

#[derive(Bounded)]
#[bounded(no_invariant, unsafe(raw_pointers))]
struct Raw {
    head: *mut Link,
    tail: *const Link,
    some: NonNull<Link>,
    perhaps: Option<NonNull<Link>>,
}

#[derive(Bounded)]
#[bounded(no_invariant, unsafe(raw_pointers))]
struct Link {
    next: *mut Link,
}

#[test]
fn raw_pointers_own_what_has_no_other_owner() {
    assert_eq!(agreed::<Raw>(&Bounds::scope(0)), 0);
    assert_eq!(agreed::<Raw>(&Bounds::scope(1)), 2 * 2 * 2 * 2);
    agreed::<Raw>(&Bounds::scope(2));
    agreed::<Raw>(&Bounds::scope(2).nullable("Raw.head", false).nullable("Raw.perhaps", false));
}

#[derive(Bounded)]
#[bounded(no_invariant, unsafe(raw_pointers))]
struct Peeking {
    before: *mut Piece,
    head: Option<Box<Piece>>,
    after: *const Piece,
}

#[derive(Bounded)]
#[bounded(no_invariant, unsafe(raw_pointers))]
struct Piece {
    previous: *const Piece,
    next: Option<Box<Piece>>,
}

#[test]
fn a_raw_pointer_into_boxes() {
    by_scope::<Peeking>(0..=2);
}

#[derive(Bounded)]
#[bounded(no_invariant, unsafe(raw_pointers))]
struct Promised {
    peek: *const Held,
    must: Box<Held>,
    also: Box<Held>,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Held {
    part: Box<Part>,
    flag: bool,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Part {}

#[test]
fn a_raw_pointer_to_an_object_that_a_mandatory_box_will_own() {
    assert_eq!(by_scope::<Promised>(0..=3), [0, 0, 12, 12]);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct NonNulls {
    #[bounded(non_null)]
    a: Option<Box<Node>>,
    #[bounded(non_null)]
    b: Option<Rc<Leaf>>,
    c: Weak<Leaf>,
}

#[test]
fn pointers_that_are_said_to_be_set() {
    assert_eq!(by_scope::<NonNulls>(0..=3), [0, 2, (1 + 2) * 2, (1 + 2 + 5) * 2]);
    let bounds = Bounds::scope(2).nullable("NonNulls.c", false).nullable("Node.left", false);
    assert_eq!(agreed::<NonNulls>(&bounds), 0);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
enum Expr {
    Literal(bool),
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Maybe(Option<Box<Expr>>),
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Formula {
    root: Box<Expr>,
    other: Option<Box<Expr>>,
}

#[test]
fn expressions_reserve_what_they_need() {
    by_scope::<Expr>(0..=2);
    by_scope::<Formula>(0..=3);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
enum Fork {
    Leaf,
    Node(Box<Fork>, Box<Fork>),
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct ForkRoot(Box<Fork>);

#[derive(Bounded)]
#[bounded(no_invariant)]
struct ForkPlaces {
    root: Box<Fork>,
    #[bounded(non_null)]
    other: Option<Box<Fork>>,
    cell: Option<Box<RefCell<Fork>>>,
    shared: Option<Rc<Fork>>,
}

#[test]
fn variants_without_fields_take_no_object_of_a_box() {
    // Sums of Catalan numbers: the trees with as many nodes as there are objects, or one more for the value itself.
    assert_eq!(by_scope::<ForkRoot>(0..=3), [1, 2, 4, 9]);
    assert_eq!(by_scope::<Fork>(0..=2), [2, 4, 9]);
    by_scope::<ForkPlaces>(0..=1);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Cyclic {
    slot: Rc<RefCell<State>>,
    other: Option<Rc<RefCell<State>>>,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
enum State {
    Empty,
    Full(u8),
    Link(Rc<RefCell<State>>),
    Back(Weak<RefCell<State>>),
}

#[test]
fn an_enum_behind_a_shared_cell() {
    by_scope::<Cyclic>(0..=2);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Pools {
    #[bounded(pool = "hot")]
    hot: Option<Rc<Leaf>>,
    #[bounded(pool = "hot")]
    warm: Option<Rc<Leaf>>,
    cold: Option<Rc<Leaf>>,
    frozen: Rc<Leaf>,
}

#[test]
fn named_pools_do_not_share() {
    let bounds = Bounds::exact().objects("Leaf", 2).pool("hot", 1);
    assert_eq!(agreed::<Pools>(&bounds), 4 * 3);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Plain {
    number: Box<u8>,
    option: Option<Rc<bool>>,
    again: Rc<bool>,
    #[allow(clippy::box_collection)]
    text: Box<String>,
    cell: Rc<RefCell<u8>>,
}

#[test]
fn pointers_to_plain_data() {
    let bounds = Bounds::scope(1).ints("Plain.number", 0..=2).alphabet("Plain.text", "ab");
    agreed::<Plain>(&bounds);
}

#[test]
fn the_reference_says_when_it_would_take_too_long() {
    let settings = Settings { limit: 100, ..Settings::default() };
    let e = smallscope_reference::compare::<Graph>(&Bounds::scope(3), &settings).unwrap_err();
    assert!(e.contains("more than 100 assignments"), "{e}");
    checked::<Graph>(&Bounds::scope(1), &settings);
}
