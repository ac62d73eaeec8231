//! Bounds that stand with the type, as functions of the scope.

use crate::{count, values};
use smallscope::{Bounded, Bounds, rep_ok};
use std::collections::BTreeSet;

#[derive(Bounded, Debug, Clone, PartialEq)]
#[bounded(no_invariant)]
struct Fields {
    #[bounded(range = 1..=2)]
    closed: u8,
    #[bounded(range = -1..1)]
    open: i32,
    #[bounded(set = [5, 3])]
    listed: u64,
    #[bounded(alphabet = "yx")]
    letter: char,
    #[bounded(values = ["one", "two"])]
    text: String,
    #[bounded(variants(Blue, Red))]
    color: Color,
}

#[derive(Bounded, Debug, Clone, PartialEq)]
enum Color {
    Red,
    Green,
    Blue,
}

#[test]
fn attributes_give_the_values_in_their_order() {
    let all = values::<Fields>(&Bounds::exact());
    assert_eq!(all.len(), 1 << 6);
    let [first, .., last] = &all[..] else { panic!("some values") };
    let text = String::from;
    let (red, blue) = (Color::Red, Color::Blue);
    assert_eq!(
        *first,
        Fields { closed: 1, open: -1, listed: 5, letter: 'y', text: text("one"), color: blue }
    );
    assert_eq!(*last, Fields { closed: 2, open: 0, listed: 3, letter: 'x', text: text("two"), color: red });
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Scoped {
    #[bounded(range = 0..=2 * scope)]
    range: u8,
    #[bounded(set = [scope, scope + 10])]
    set: u8,
    #[bounded(len = scope..=scope, range = 0..=0)]
    len: Vec<u8>,
}

#[test]
fn attributes_may_depend_on_the_scope() {
    for n in 0..4u8 {
        let all = values::<Scoped>(&Bounds::scope(n));
        assert_eq!(all.len(), (2 * usize::from(n) + 1) * 2);
        assert!(all.iter().all(|v| v.range <= 2 * n && (v.set == n || v.set == n + 10)));
        assert!(all.iter().all(|v| v.len.len() == usize::from(n)));
    }
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Root {
    one: Option<Box<One>>,
    many: Option<Box<Many>>,
}

#[derive(Bounded)]
#[bounded(objects = 1)]
struct One {
    next: Option<Box<One>>,
}

#[derive(Bounded)]
#[bounded(objects = scope * 2)]
struct Many {
    next: Option<Box<Many>>,
}

#[test]
fn a_class_may_say_how_many_objects_it_has() {
    assert_eq!(count::<Root>(&Bounds::scope(3)), 2 * 7);
    assert_eq!(count::<Root>(&Bounds::scope(0)), 2);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Elements {
    #[bounded(len = 1..=2, range = 7..=8)]
    vec: Vec<u8>,
    #[bounded(range = 7..=8)]
    array: [u8; 2],
    #[bounded(len = 2..=2, range = 5..=7)]
    set: BTreeSet<u8>,
    #[bounded(range = 3..=4)]
    option: Option<u8>,
    #[bounded(range = 1..=3)]
    tuple: (u8, bool),
}

#[test]
fn attributes_speak_about_elements_too() {
    let all = values::<Elements>(&Bounds::exact());
    assert_eq!(all.len(), (2 + 4) * 4 * 3 * 3 * (3 * 2));
    assert!(all.iter().all(|v| v.vec.iter().chain(&v.array).all(|x| (7..=8).contains(x))));
    assert!(all.iter().all(|v| v.set.len() == 2 && (1..=3).contains(&v.tuple.0)));
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Present {
    #[bounded(non_null)]
    node: Option<Box<Leaf>>,
}

#[derive(Bounded)]
struct Leaf(bool);

#[test]
fn a_pointer_may_be_said_to_be_there() {
    assert_eq!(count::<Present>(&Bounds::scope(1)), 2);
    // So there is no value without an object.
    let error = crate::message::<Present>(&Bounds::scope(0));
    assert_eq!(
        error,
        "the bounds of `Leaf` contradict each other: every value needs at least 1 objects of this type, the bound is 0"
    );
}

/// Everything that the rest follows from.
#[derive(Bounded)]
struct Summed {
    #[bounded(len = 0..=2, range = 0..=2)]
    terms: Vec<u32>,
    #[bounded(derived = Self::total)]
    sum: u32,
}

#[smallscope::rep_ok]
impl Summed {
    fn rep_ok(&self) -> bool {
        self.sum == self.total() && self.sum != 1
    }

    fn total(&self) -> u32 {
        self.terms.iter().sum()
    }
}

#[test]
fn derived_fields_are_computed_and_not_searched() {
    let all = values::<Summed>(&Bounds::exact());
    // Of 1 + 3 + 9 vectors, [1], [0, 1] and [1, 0] have the sum 1.
    assert_eq!(all.len(), 13 - 3);
    assert!(all.iter().all(|v| v.sum == v.terms.iter().sum::<u32>()));
    let message = crate::message::<Summed>(&Bounds::exact().ints("Summed.sum", 0..=9));
    assert!(message.contains("`Summed.sum`, which this structure does not have"), "{message}");
}

#[derive(Bounded, Debug, Clone, PartialEq)]
struct Ordered {
    #[bounded(non_null, range = 0..=2)]
    low: Option<u8>,
    #[bounded(range = 1..=3)]
    high: Option<u8>,
}

#[rep_ok]
impl Ordered {
    fn rep_ok(&self) -> bool {
        self.high >= self.low
    }
}

/// The first choice is `None` in one table and a number in the other.
#[test]
fn options_are_compared_if_only_one_of_them_may_be_none() {
    let values: Vec<Ordered> = smallscope::all(Bounds::scope(1)).collect();
    let is_expected = |low: u8, high: u8| values.contains(&Ordered { low: Some(low), high: Some(high) });
    assert!((0..=2).all(|low| (1..=3).all(|high| is_expected(low, high) == (low <= high))), "{values:?}");
    assert!(values.iter().all(Ordered::rep_ok), "{values:?}");
}
