//! Every kind of field that a value with an invariant can be in.

use crate::{Interval, all, count};
use smallscope::structures::Product;
use smallscope::{Bounded, Bounds, rep_ok};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Pair {
    a: Interval,
    b: Interval,
}

#[test]
fn two_fields() {
    assert_eq!(count::<Pair>(&Bounds::scope(2)), 9);
    assert_eq!(count::<Pair>(&Bounds::scope(3)), 36);
}

/// Its invariant does not call that of its parts.
#[derive(Bounded, Debug)]
struct Ordered {
    a: Interval,
    b: Interval,
}

#[rep_ok]
impl Ordered {
    fn rep_ok(&self) -> bool {
        self.a.hi <= self.b.lo
    }
}

#[test]
fn a_whole_with_an_invariant_that_does_not_ask_its_parts() {
    // 0 <= a.lo <= a.hi <= b.lo <= b.hi <= 1
    assert_eq!(count::<Ordered>(&Bounds::scope(2)), 5);
}

/// Its invariant calls that of its parts, as was needed before.
#[derive(Bounded, Debug)]
struct Calling {
    a: Interval,
    b: Interval,
}

#[rep_ok]
impl Calling {
    fn rep_ok(&self) -> bool {
        self.a.rep_ok() && self.b.rep_ok() && self.a.hi <= self.b.lo
    }
}

#[test]
fn a_whole_that_asks_its_parts_itself() {
    assert_eq!(count::<Calling>(&Bounds::scope(2)), 5);
}

/// One field of each type; `$valid` of its values in scope 2 are valid.
macro_rules! kinds {
    ($($test:ident: $t:ty, $valid:expr;)*) => { $(
        #[test]
        fn $test() {
            #[derive(Bounded, Debug)]
            #[bounded(no_invariant)]
            struct Holder {
                field: $t,
                other: bool,
            }
            assert_eq!(count::<Holder>(&Bounds::scope(2)), 2 * ($valid));
        }
    )* };
}
kinds! {
    option: Option<Interval>, 4;
    boxed: Box<Interval>, 3;
    optional_box: Option<Box<Interval>>, 4;
    rc: Rc<Interval>, 3;
    arc: Option<Arc<Interval>>, 4;
    vec: Vec<Interval>, 1 + 3 + 9;
    deque: VecDeque<Interval>, 1 + 3 + 9;
    slice: Box<[Interval]>, 1 + 3 + 9;
    array: [Interval; 2], 9;
    tuple: (Interval, u8), 3 * 2;
    tuple_in_a_tuple: ((bool, Interval), Option<Interval>), 2 * 3 * 4;
    ref_cell: RefCell<Interval>, 3;
    cell: Cell<Interval>, 3;
    cell_in_rc: Rc<RefCell<Interval>>, 3;
    ordered_map: BTreeMap<bool, Interval>, 1 + 2 * 3 + 9;
    hashed_map: HashMap<bool, Interval>, 1 + 2 * 3 + 9;
    map_of_boxes: BTreeMap<bool, Box<Interval>>, 1 + 2 * 3 + 9;
    // The objects are the same or not.
    shared: [Rc<Interval>; 2], 3 + 9;
    vec_of_boxes: Vec<Box<Interval>>, 1 + 3 + 9;
    vec_of_options: Vec<Option<Interval>>, 1 + 4 + 16;
    nested: Option<Rc<RefCell<Interval>>>, 4;
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
enum Shape {
    Empty,
    One(Interval),
    Two { first: Interval, second: Option<Interval> },
}

#[test]
fn payloads_of_variants() {
    assert_eq!(count::<Shape>(&Bounds::scope(2)), 1 + 3 + 3 * 4);
    let shapes = all::<Shape>(&Bounds::scope(2));
    assert!(shapes.iter().any(|text| text.starts_with("Two")));
    assert!([Shape::Empty, Shape::One(Interval { lo: 0, hi: 0 })].len() == 2);
}

/// An enum with an invariant.
#[derive(Bounded, Debug)]
enum Number {
    Small(u8),
    Large { value: u8 },
}

#[rep_ok]
impl Number {
    fn rep_ok(&self) -> bool {
        match self {
            Number::Small(n) => *n < 2,
            Number::Large { value } => *value >= 2,
        }
    }
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Numbers {
    by_value: Number,
    by_box: Option<Box<Number>>,
    many: Vec<Number>,
}

#[test]
fn an_enum_with_an_invariant() {
    // Three values each: 0, 1 small, 2 large. There is one object, in the box or in the vector.
    assert_eq!(count::<Numbers>(&Bounds::scope(3).objects("Number", 1)), 3 * (1 + 3 + 3));
}

/// Two levels without invariants between.
#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Outer {
    pairs: Vec<Pair>,
    shape: Shape,
}

#[test]
fn parts_of_parts() {
    assert_eq!(count::<Outer>(&Bounds::scope(2).objects("Pair", 1)), (1 + 9) * 16);
    assert_eq!(count::<Vec<Pair>>(&Bounds::scope(2).objects("Pair", 2)), 1 + 9 + 81);
    assert_eq!(count::<Option<Box<Pair>>>(&Bounds::scope(2)), 1 + 9);
}

#[test]
fn several_arguments() {
    assert_eq!(count::<Product<(Pair, Pair)>>(&Bounds::scope(2)), 81);
    assert_eq!(count::<Product<(Pair, bool, Ordered)>>(&Bounds::scope(2)), 9 * 2 * 5);
}

/// Sorted elements. The bound `Copy` is not among those that every type parameter has.
#[derive(Bounded, Debug)]
struct Sorted<K> {
    keys: Vec<K>,
}

#[rep_ok]
impl<K: Ord + Copy> Sorted<K> {
    fn rep_ok(&self) -> bool {
        self.keys.windows(2).all(|w| w[0] < w[1])
    }
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Holder {
    sorted: Sorted<u8>,
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct GenericHolder<K: Copy> {
    sorted: Vec<Sorted<K>>,
}

#[test]
fn generic_parts() {
    assert_eq!(count::<Holder>(&Bounds::scope(2)), 4);
    assert_eq!(count::<GenericHolder<u8>>(&Bounds::scope(2).objects("Sorted", 1)), 1 + 4);
}

/// A rep_ok with another name, and an alias of a type.
#[derive(Bounded, Debug)]
struct Even(u8);

#[rep_ok(name = is_even)]
impl Even {
    fn is_even(&self) -> bool {
        self.0 % 2 == 0
    }
}

type Evens = Option<Even>;

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Aliased {
    evens: Evens,
}

#[test]
fn an_alias_of_a_type_whose_invariant_has_another_name() {
    assert_eq!(count::<Aliased>(&Bounds::scope(4)), 3);
}
