//! Empty domains, repetitions, values that do not fit, and structures that cannot be made.

use crate::{count, error, message};
use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds, Engine, Error, Key};
use std::collections::BTreeSet;
use std::rc::Rc;

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Fields {
    small: u8,
    signed: i8,
    key: Key,
    text: String,
    color: Color,
    items: Vec<bool>,
}

#[derive(Bounded, Debug, Clone, PartialEq)]
enum Color {
    Red,
    Black,
}

#[test]
#[expect(clippy::reversed_empty_ranges, reason = "that is the point")]
fn empty_domains_name_the_field() {
    let bounds = || Bounds::scope(1);
    for (bounds, at, why) in [
        (
            bounds().ints("Fields.small", Vec::<u8>::new()),
            "Fields.small",
            "its set of integers is empty; give some, such as `0..=9`",
        ),
        (
            bounds().ints("Fields.small", 3..=2),
            "Fields.small",
            "its set of integers is empty; give some, such as `0..=9`",
        ),
        (
            bounds().ints("Fields.small", 3..3),
            "Fields.small",
            "its set of integers is empty; give some, such as `0..=9`",
        ),
        (
            bounds().alphabet("Fields.text", ""),
            "Fields.text",
            "its alphabet is empty; give characters, such as `\"ab\"`",
        ),
        (
            bounds().len("Fields.text", 1..1),
            "Fields.text",
            "its set of lengths is empty; give some, such as `0..=3`",
        ),
        (
            bounds().len("Fields.items", Vec::<u8>::new()),
            "Fields.items",
            "its set of lengths is empty; give some, such as `0..=3`",
        ),
        (bounds().variants("Fields.color", []), "Fields.color", "no variant is chosen; name some"),
    ] {
        assert_eq!(error::<Fields>(&bounds), Error::EmptyDomain { at: at.into(), why: why.into() });
    }
}

#[test]
fn ranges_at_the_ends_of_integers_are_understood() {
    assert_eq!(count::<u8>(&Bounds::exact().ints("input.value", 255..=255)), 1);
    assert_eq!(count::<i64>(&Bounds::exact().ints("input.value", i64::MAX - 1..=i64::MAX)), 2);
    assert_eq!(count::<i128>(&Bounds::exact().ints("input.value", i128::MIN..=i128::MIN + 1)), 2);
    assert_eq!(count::<u128>(&Bounds::exact().ints("input.value", [i128::MAX])), 1);
    let empty = error::<i128>(&Bounds::exact().ints("input.value", i128::MIN..i128::MIN));
    assert!(matches!(empty, Error::EmptyDomain { .. }), "{empty}");
}

#[test]
fn repetitions_would_deliver_values_twice() {
    let bounds = || Bounds::scope(1);
    for (bounds, at) in [
        (bounds().ints("Fields.small", [1, 2, 1]), "Fields.small"),
        (bounds().alphabet("Fields.text", "aba"), "Fields.text"),
        (bounds().variants("Fields.color", ["Red", "Red"]), "Fields.color"),
    ] {
        match error::<Fields>(&bounds) {
            Error::Contradiction { at: given, why } => {
                assert_eq!(given, at);
                assert!(why.contains("twice"), "{why}");
            }
            other => panic!("{other}"),
        }
    }
}

#[test]
fn values_that_do_not_fit_into_their_type_are_named() {
    for (bounds, why) in [
        (
            Bounds::scope(1).ints("Fields.small", 250..=256),
            "256 does not fit into its type, which holds 0 to 255; give values within `0..=255`",
        ),
        (
            Bounds::scope(1).ints("Fields.small", [-1]),
            "-1 does not fit into its type, which holds 0 to 255; give values within `0..=255`",
        ),
        (
            Bounds::scope(1).ints("Fields.signed", [128]),
            "128 does not fit into its type, which holds -128 to 127; give values within `-128..=127`",
        ),
        (
            Bounds::scope(1).ints("Fields.key", [-1]),
            "-1 does not fit into its type, which holds 0 to 4294967295; give values within `0..=4294967295`",
        ),
    ] {
        assert!(message::<Fields>(&bounds).ends_with(why), "{}", message::<Fields>(&bounds));
    }
}

#[test]
fn a_negative_length_is_no_length() {
    let e = message::<Fields>(&Bounds::scope(1).len("Fields.items", [-1]));
    assert!(e.contains("`Fields.items`") && e.contains("-1 is not a length; give some from 0 to"), "{e}");
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Listed {
    #[bounded(values = [1u8, 2, 1])]
    value: u8,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Unlisted {
    #[bounded(values = Vec::<u8>::new())]
    value: u8,
}

#[test]
fn listed_values_are_different_and_there() {
    let twice = message::<Listed>(&Bounds::scope(1));
    assert!(
        twice.contains("`Listed.value`")
            && twice.contains("lists an equal value twice (again at position 2)")
    );
    let none = message::<Unlisted>(&Bounds::scope(1));
    assert_eq!(none, "`Unlisted.value` has no value to choose from: `values` is an empty list");
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Needy {
    a: Box<Leaf>,
    b: (Box<Leaf>, [Box<Leaf>; 2]),
    #[expect(clippy::vec_box, reason = "the boxes are what is needed")]
    #[bounded(len = 1..=2)]
    c: Vec<Box<Leaf>>,
}

#[derive(Bounded)]
struct Leaf(());

#[test]
fn mandatory_boxes_need_their_objects() {
    assert_eq!(
        message::<Needy>(&Bounds::scope(4)),
        "the bounds of `Leaf` contradict each other: every value needs at least 5 objects of this type, the bound is 4"
    );
    assert_eq!(count::<Needy>(&Bounds::scope(5)), 1);
    assert_eq!(count::<Needy>(&Bounds::scope(6)), 2);
}

/// A value of it never ends.
#[derive(Bounded)]
#[bounded(no_invariant)]
struct Endless {
    next: Box<Endless>,
}

#[test]
fn a_structure_without_finite_values_is_a_contradiction() {
    let e = message::<Endless>(&Bounds::scope(9));
    assert!(e.contains("it has no finite value: a mandatory pointer leads back to its own type"), "{e}");
}

/// Where pointers may alias, it does end: in itself.
#[derive(Bounded)]
#[bounded(no_invariant)]
struct Ring {
    next: Rc<Ring>,
}

#[test]
fn shared_pointers_may_lead_back() {
    assert_eq!(count::<Ring>(&Bounds::scope(1)), 1);
    let aliasing = Options { engine: Engine::Korat, ..Options::default() };
    assert_eq!(Search::<Ring>::new(&Bounds::scope(1), aliasing).unwrap().count().map(|o| o.valid), Ok(1));
    let none = Search::<Ring>::new(&Bounds::scope(0), Options::default()).unwrap().count();
    assert_eq!(none.map(|o| o.valid), Ok(0));
}

#[derive(Bounded)]
#[bounded(no_invariant)]
enum Expr {
    Leaf(()),
    Pair(Box<Expr>, Box<Expr>),
}

#[test]
fn a_choice_that_cannot_be_afforded_is_not_tried() {
    // Full binary trees with up to two inner nodes below the root's boxes.
    assert_eq!([0, 1, 2, 3, 4].map(|n| count::<Expr>(&Bounds::scope(n))), [1, 1, 2, 2, 4]);
    let outcome = Search::<Expr>::new(&Bounds::scope(4), Options::default()).unwrap().count().unwrap();
    assert_eq!((outcome.valid, outcome.pruned), (4, 0));
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Sets {
    #[bounded(len = 3..=3, range = 0..=1)]
    set: BTreeSet<u8>,
}

#[test]
fn a_set_larger_than_its_keys_has_no_value() {
    let e = message::<Sets>(&Bounds::exact());
    assert_eq!(e, "`Sets.set` has no value to choose from: its type has no value within the bounds");
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Lost {
    items: Vec<Item>,
    #[bounded(index = "itms")]
    at: Option<usize>,
}

#[derive(Bounded)]
struct Item {
    #[bounded(index = "items")]
    next: Option<usize>,
}

#[test]
fn an_index_into_nothing_is_a_contradiction() {
    assert_eq!(
        message::<Lost>(&Bounds::scope(2)),
        "the bounds of `Lost.at` contradict each other: `index = \"itms\"` names no vector of structures"
    );
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Torn {
    items: Vec<Item>,
    inner: Inner,
}

#[derive(Bounded)]
struct Inner {
    items: Vec<Item>,
}

#[test]
fn an_index_into_two_vectors_is_a_contradiction() {
    let e = message::<Torn>(&Bounds::scope(2));
    assert!(e.contains("`Item.next`") && e.contains("fits 2 vectors"), "{e}");
}

macro_rules! misplaced {
    ($($attribute:meta, $ty:ty => $why:literal;)*) => { $( {
        #[derive(Bounded)]
        #[bounded(no_invariant)]
        struct Misplaced {
            #[$attribute]
            field: $ty,
        }
        let expected = concat!("the bounds of `Misplaced.field` contradict each other: its attribute ", $why);
        assert_eq!(message::<Misplaced>(&Bounds::scope(1)), expected);
        assert_eq!(message::<Misplaced>(&Bounds::scope(0)), expected);
    } )* };
}

#[test]
fn an_attribute_that_says_nothing_about_its_field_is_a_contradiction() {
    misplaced! {
        bounded(range = 0..=1), Option<Box<Leaf>> => "has a `range`, but the field holds no integers";
        bounded(set = [0, 1]), Vec<bool> => "has a `set` of integers, but the field holds none";
        bounded(len = 0..=1), Option<Box<Leaf>> => "has a `len`, but the field has no length";
        bounded(alphabet = "ab"), Vec<u8> => "has an `alphabet`, but the field holds no characters";
        bounded(variants(Red)), Leaf => "lists `variants`, but the field is no plain enum";
        bounded(non_null), Vec<u8> => "says `non_null`, but the field cannot be null";
    }
}
