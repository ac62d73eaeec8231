//! Plain data, and structures by value.

use crate::{agreed, by_scope};
use smallscope::{Bounded, Bounds, Key};
use std::cell::{Cell, RefCell};
use std::marker::PhantomData;

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Unsigned {
    a: u8,
    b: u16,
    c: u32,
    d: u64,
    e: u128,
    f: usize,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Signed {
    #[bounded(range = -1..=0)]
    a: i8,
    #[bounded(set = [-300, 300])]
    b: i16,
    c: i32,
    d: i64,
    e: i128,
    f: isize,
}

#[test]
fn integers_have_the_values_of_their_bounds() {
    assert_eq!(by_scope::<Unsigned>(0..=2), [1, 2, 2 * 2 * 2 * 2 * 2 * 3]);
    assert_eq!(by_scope::<Signed>(0..=2), [4, 4, 4 * 2 * 2 * 2 * 2]);
    assert_eq!(agreed::<u8>(&Bounds::scope(5)), 5);
    assert_eq!(agreed::<Key>(&Bounds::scope(5)), 5);
}

#[derive(Bounded, Clone, Copy, PartialEq, Debug)]
enum Colour {
    Red,
    Green,
    Blue,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Others {
    flag: bool,
    letter: char,
    #[bounded(alphabet = "xy", len = 1..=2)]
    word: String,
    #[bounded(variants(Blue, Red))]
    colour: Colour,
    any: Colour,
    unit: (),
}

#[test]
fn the_other_leaves() {
    assert_eq!(by_scope::<Others>(0..=2), [2 * 6 * 2 * 3, 2 * 6 * 2 * 3, 2 * 2 * 6 * 2 * 3]);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Options {
    a: Option<u8>,
    b: Option<Option<bool>>,
    c: Option<Colour>,
    d: Option<(u8, bool)>,
    e: Option<char>,
}

#[test]
fn options_of_plain_data() {
    assert_eq!(agreed::<Options>(&Bounds::scope(2)), 3 * 4 * 4 * 5 * 3);
    assert_eq!(agreed::<Option<u8>>(&Bounds::scope(2)), 3);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Inner {
    x: u8,
    tail: Option<Box<Inner>>,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Outer {
    a: Inner,
    b: Option<Inner>,
    pair: Pair,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Pair(bool, Unit);

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Unit;

#[test]
fn structures_by_value() {
    // Chains of boxes with two values per link: t tails behind one link, p[n] ways with at most n boxes.
    let chains = |n: u32| (0..=n).map(|k| 2usize.pow(k)).collect::<Vec<_>>();
    let bounds = Bounds::exact().objects("Inner", 2).ints("Inner.x", 0..=1);
    let by_boxes = chains(2);
    let one: usize = by_boxes.iter().sum::<usize>() * 2;
    let two: usize = (0..=2)
        .flat_map(|i| (0..=2 - i).map(move |j| (i, j)))
        .map(|(i, j)| by_boxes[i] * by_boxes[j] * 4)
        .sum();
    assert_eq!(agreed::<Outer>(&bounds), (one + two) * 2);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Tuples {
    plain: (u8, bool),
    nested: (Colour, (bool, ())),
    mixed: (u8, Option<Box<Inner>>, bool),
}

#[test]
fn tuples_plain_and_with_pointers() {
    let bounds = Bounds::exact()
        .objects("Inner", 1)
        .ints("Inner.x", 0..=1)
        .ints("Tuples.plain", 0..=1)
        .ints("Tuples.mixed", [5]);
    assert_eq!(agreed::<Tuples>(&bounds), 4 * 6 * 3 * 2);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Marked<M> {
    marker: PhantomData<M>,
    cell: Cell<u8>,
    option: Cell<Option<bool>>,
    shared: RefCell<u8>,
    inner: RefCell<Pair>,
}

#[test]
fn cells_and_markers() {
    assert_eq!(agreed::<Marked<String>>(&Bounds::scope(2)), 2 * 3 * 2 * 2);
}

#[derive(Clone, PartialEq, Debug)]
struct Foreign(f64);

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Listed {
    #[bounded(values = [0.5, -1.0])]
    number: f64,
    #[bounded(values = [Foreign(1.0), Foreign(2.0), Foreign(4.0)])]
    foreign: Foreign,
    #[bounded(values = ["a", "bc"])]
    text: String,
}

#[test]
fn listed_values() {
    assert_eq!(agreed::<Listed>(&Bounds::exact()), 2 * 3 * 2);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Arrays {
    numbers: [u8; 3],
    flags: [[bool; 2]; 2],
    boxes: [Option<Box<Inner>>; 2],
    none: [u8; 0],
}

#[test]
fn arrays() {
    let bounds = Bounds::exact().objects("Inner", 1).ints("Inner.x", 0..=1).ints("Arrays.numbers", 0..=1);
    assert_eq!(agreed::<Arrays>(&bounds), 8 * 16 * (1 + 2 + 2));
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
enum Shape {
    Dot,
    Circle(u8),
    Square { side: u8, filled: bool },
    Marked(Colour, PhantomData<u8>),
}

#[test]
fn an_enum_with_payload_as_the_root() {
    assert_eq!(by_scope::<Shape>(0..=3), [1 + 1 + 2 + 3, 1 + 1 + 2 + 3, 1 + 2 + 4 + 3, 1 + 3 + 6 + 3]);
    assert_eq!(agreed::<Option<Shape>>(&Bounds::scope(1)), 8);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Given {
    #[bounded(non_null)]
    number: Option<u8>,
    #[bounded(non_null)]
    inner: Option<Pair>,
    #[bounded(non_null)]
    numbers: Option<Vec<bool>>,
}

#[test]
fn options_that_are_said_to_be_there() {
    assert_eq!(agreed::<Given>(&Bounds::scope(1)), 2 * 3);
    assert_eq!(agreed::<Given>(&Bounds::scope(2)), 2 * 2 * 7);
}
