//! Bounds from the builder go over attributes, which go over the scope number.

use crate::{count, message, values};
use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds};
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Plain {
    a: u8,
    b: u8,
}

#[test]
fn a_field_may_have_its_own_integers() {
    let pairs = |bounds: &Bounds| values::<Plain>(bounds).iter().map(|p| (p.a, p.b)).collect::<Vec<_>>();
    assert_eq!(pairs(&Bounds::scope(1).ints("Plain.a", 5..=6)), [(5, 0), (6, 0)]);
    assert_eq!(pairs(&Bounds::scope(1).ints("Plain.a", 5..7)), [(5, 0), (6, 0)]);
    assert_eq!(pairs(&Bounds::scope(1).ints("Plain.a", [9, 2])), [(9, 0), (2, 0)]);
    assert_eq!(pairs(&Bounds::scope(1).ints("Plain.a", vec![9u64])), [(9, 0)]);
}

#[test]
fn the_last_word_counts() {
    let bounds = Bounds::exact().ints("Plain.a", 0..=9).ints("Plain.b", [1]).ints("Plain.a", [3]);
    assert_eq!(count::<Plain>(&bounds), 1);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Attributed {
    #[bounded(range = 0..=9)]
    range: i8,
    #[bounded(set = [1, 2, 3])]
    set: u8,
    #[bounded(len = 0..=3, alphabet = "abc")]
    text: String,
    #[bounded(variants(A))]
    choice: Choice,
    #[bounded(non_null)]
    node: Option<Box<Node>>,
}

#[derive(Bounded, Clone, Debug, PartialEq)]
enum Choice {
    A,
    B,
}

#[derive(Bounded)]
#[bounded(objects = 2)]
struct Node {
    next: Option<Box<Node>>,
}

#[test]
fn the_builder_goes_over_attributes() {
    let fixed = Bounds::exact()
        .ints("Attributed.range", [-1])
        .ints("Attributed.set", [7])
        .len("Attributed.text", [1])
        .alphabet("Attributed.text", "z")
        .variants("Attributed.choice", ["B"])
        .objects("Node", 1);
    let all = values::<Attributed>(&fixed);
    let [one] = &all[..] else { panic!("{} values", all.len()) };
    assert_eq!((one.range, one.set, &*one.text, &one.choice), (-1, 7, "z", &Choice::B));
    assert!(one.node.as_ref().unwrap().next.is_none());
    assert_eq!(count::<Attributed>(&fixed.clone().nullable("Attributed.node", true)), 2);
    assert_eq!(count::<Attributed>(&fixed.clone().objects("Node", 3)), 3);
    assert_eq!(count::<Attributed>(&fixed.variants("Attributed.choice", ["B", "A"])), 2);
}

#[test]
fn attributes_go_over_the_scope_number() {
    let text_and_rest = (1 + 3 + 9 + 27) * 10 * 3 * 2;
    assert_eq!(count::<Attributed>(&Bounds::scope(50)), text_and_rest);
    assert_eq!(count::<Attributed>(&Bounds::exact()), text_and_rest);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Containers {
    vec: Vec<u8>,
    map: BTreeMap<char, bool>,
    letter: char,
}

#[test]
fn lengths_elements_and_letters_may_be_given() {
    let bounds = Bounds::exact()
        .len("Containers.vec", [0, 2])
        .ints("Containers.vec", 4..=5)
        .len("Containers.map", [1])
        .alphabet("Containers.map", "xyz")
        .alphabet("Containers.letter", "é");
    assert_eq!(count::<Containers>(&bounds), (1 + 4) * (3 * 2));
    // Lengths come in order, and once.
    let lengths = |bounds: &Bounds| values::<Vec<bool>>(bounds).iter().map(Vec::len).collect::<Vec<_>>();
    assert_eq!(lengths(&Bounds::exact().len("input.value", [1, 0, 1])), [0, 1, 1]);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
enum Shape {
    Dot,
    Line(u8),
    Box { width: u8, height: u8 },
}

#[test]
fn fields_of_variants_have_names() {
    let bounds = Bounds::exact()
        .ints("Shape::Line.0", 0..=4)
        .ints("Shape::Box.width", 0..=1)
        .ints("Shape::Box.height", 0..=2);
    assert_eq!(count::<Shape>(&bounds), 1 + 5 + 2 * 3);
    for shape in values::<Shape>(&bounds) {
        match shape {
            Shape::Dot => {}
            Shape::Line(n) => assert!(n <= 4),
            Shape::Box { width, height } => assert!(width <= 1 && height <= 2),
        }
    }
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Pair(u8, u8);

#[test]
fn fields_of_tuple_structs_have_numbers() {
    assert_eq!(count::<Pair>(&Bounds::exact().ints("Pair.0", 0..=2).ints("Pair.1", 0..=3)), 3 * 4);
}

#[test]
fn a_value_that_is_no_structure_is_called_input() {
    assert_eq!(values::<u8>(&Bounds::exact().ints("input.value", [3, 1])), [3, 1]);
    assert_eq!(
        values::<String>(&Bounds::exact().alphabet("input.value", "q").len("input.value", [2])),
        ["qq"]
    );
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Optional {
    number: Option<bool>,
    structure: Option<Item>,
    vector: Option<Vec<Item>>,
    weak: Weak<Item>,
    strong: Option<Rc<Item>>,
    #[bounded(index = "vector")]
    index: Option<usize>,
}

#[derive(Bounded, Debug)]
struct Item(());

#[test]
fn whatever_may_be_none_may_be_said_to_be_there() {
    // One object for the vector, one for the pointers.
    let bounds = Bounds::scope(1).objects("Item", 2);
    let fields =
        ["number", "structure", "vector", "weak", "strong", "index"].map(|f| format!("Optional.{f}"));
    let all = fields.iter().fold(bounds.clone(), |b, field| b.nullable(field, false));
    // What is left: the number, since the index needs the vector's element, and the weak pointer the strong one.
    assert_eq!(count::<Optional>(&all), 2);
    for (field, is_none) in fields.iter().zip([
        (|v| v.number.is_none()) as fn(&Optional) -> bool,
        |v| v.structure.is_none(),
        |v| v.vector.is_none(),
        |v| v.weak.upgrade().is_none(),
        |v| v.strong.is_none(),
        |v| v.index.is_none(),
    ]) {
        assert!(values::<Optional>(&bounds).iter().any(is_none));
        let without = bounds.clone().nullable(field, false);
        let values = values::<Optional>(&without);
        assert!(!values.is_empty() && !values.iter().any(is_none), "{field}");
        let mut reader = Search::<Optional>::new(&without, Options::default()).unwrap();
        assert!(values.iter().all(|value| reader.candidate_of(value).is_ok()), "{field}");
    }
}

mod nested {
    use super::*;

    #[derive(Bounded)]
    pub(super) struct Inner {
        pub(super) key: u8,
    }
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Outer {
    left: nested::Inner,
    right: nested::Inner,
}

#[test]
fn a_name_may_carry_the_end_of_its_module_path() {
    for name in ["Inner.key", "nested::Inner.key", "builder::nested::Inner.key"] {
        let all = values::<Outer>(&Bounds::exact().ints(name, 0..=2));
        assert_eq!(all.len(), 9);
        assert!(all.iter().all(|o| o.left.key <= 2 && o.right.key <= 2));
    }
}

#[test]
fn without_a_scope_number_everything_needs_a_bound() {
    assert_eq!(
        message::<Plain>(&Bounds::exact().ints("Plain.a", [0])),
        "`Plain.b` has no value to choose from: the bounds have no scope number; add `ints(\"Plain.b\", 0..=9)` or `#[bounded(range = 0..=9)]`"
    );
    let needs = |bounds: &Bounds| message::<Containers>(bounds);
    let bounds = Bounds::exact();
    assert!(
        needs(&bounds).starts_with("`Containers.vec`")
            && needs(&bounds).contains("`len(\"Containers.vec\", 0..=4)`")
    );
    let bounds = bounds.len("Containers.vec", [0]).ints("Containers.vec", [0]);
    assert!(needs(&bounds).contains("`alphabet(\"Containers.map\", \"ab\")`"), "{}", needs(&bounds));
    let node = message::<Option<Box<Link>>>(&Bounds::exact());
    assert_eq!(
        node,
        "`Link` has no value to choose from: the bounds have no scope number and no `objects(\"Link\", n)`"
    );
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Link {
    next: Option<Box<Link>>,
}

#[test]
fn a_number_or_a_reference_will_do_for_bounds() {
    assert_eq!(smallscope::count::<u8>(3).valid, 3);
    let bounds = Bounds::scope(3);
    assert_eq!(smallscope::count::<u8>(&bounds).valid, 3);
    assert_eq!(bounds.scope_number(), Some(3));
    assert_eq!(Bounds::exact().scope_number(), None);
    assert_eq!(count::<u8>(&bounds.with_scope(5)), 5);
}

#[test]
fn equal_bounds_have_equal_fingerprints() {
    let (a, b) = (Bounds::scope(3).ints("x.y", [1]), Bounds::scope(3).objects("N", 2));
    assert_eq!(a.clone().objects("N", 2).fingerprint(), b.clone().ints("x.y", [1]).fingerprint());
    assert_ne!(a.fingerprint(), b.fingerprint());
    assert_ne!(a.fingerprint(), a.with_scope(4).fingerprint());
}
