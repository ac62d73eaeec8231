//! Names that mean nothing, several things, or something else.

use crate::{error, message};
use smallscope::{Bounded, Bounds, Check, Error};

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Tree {
    root: Option<Box<Node>>,
    size: usize,
}

#[derive(Bounded, Debug)]
struct Node {
    key: u8,
    color: Color,
    next: Option<Box<Node>>,
}

#[derive(Bounded, Debug, Clone, PartialEq)]
enum Color {
    Red,
    Black,
}

#[test]
fn unknown_names_are_errors_that_list_what_exists() {
    let bounds = Bounds::scope(1);
    assert_eq!(
        message::<Tree>(&bounds.clone().objects("Nod", 3)),
        "the bounds name the type `Nod`, which this structure does not have; it has `Node`"
    );
    let fields = "it has `Node.color`, `Node.key`, `Node.next`, `Tree.root`, `Tree.size`";
    for name in ["Node.kee", "key", "Tree.key", "names::Tree.kee", "list::Node.key", "Node.key.0", ""] {
        let expected =
            format!("the bounds name the field `{name}`, which this structure does not have; {fields}");
        assert_eq!(message::<Tree>(&bounds.clone().ints(name, [0])), expected);
    }
}

#[test]
fn an_unknown_variant_is_an_error_that_lists_the_variants() {
    let e = error::<Tree>(&Bounds::scope(1).variants("Node.color", ["Red", "Green"]));
    let known = vec!["Red".to_owned(), "Black".to_owned()];
    assert_eq!(e, Error::UnknownName { what: "variant", name: "Node.color = Green".into(), known });
}

#[test]
fn names_are_known_where_a_scope_leaves_no_object() {
    for bounds in [Bounds::scope(0), Bounds::scope(2).objects("Node", 0)] {
        assert_eq!(crate::count::<Tree>(&bounds.clone().ints("Node.key", 0..=9).ints("Tree.size", [0])), 1);
        assert!(message::<Tree>(&bounds.ints("Node.kee", 0..=9)).contains("`Node.key`"));
    }
}

#[test]
fn a_bound_of_the_wrong_kind_says_what_the_field_is_not() {
    let bounds = || Bounds::scope(1);
    for (bounds, why) in [
        (bounds().ints("Node.color", [0]), "a set of integers is given, but the field holds no integers"),
        (bounds().len("Node.key", [0]), "lengths are given, but the field has no length"),
        (bounds().alphabet("Node.key", "a"), "an alphabet is given, but the field holds no characters"),
        (bounds().variants("Node.key", ["Red"]), "variants are given, but the field is no plain enum"),
        (
            bounds().nullable("Node.key", false),
            "it is said to be (not) nullable, but the field is no pointer that can be null",
        ),
    ] {
        match error::<Tree>(&bounds) {
            Error::Contradiction { at, why: given } => {
                assert!(at.starts_with("Node."), "{at}");
                assert_eq!(given, format!("{why}; leave the bound out, or name another field"));
            }
            other => panic!("{other}"),
        }
    }
}

mod left {
    use smallscope::Bounded;
    #[derive(Bounded)]
    pub(super) struct Item {
        key: u8,
    }
}

mod right {
    use smallscope::Bounded;
    #[derive(Bounded)]
    pub(super) struct Item {
        key: u8,
    }
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Both {
    left: Option<Box<left::Item>>,
    right: Option<Box<right::Item>>,
}

#[test]
fn a_name_of_two_things_is_an_error_that_lists_both() {
    let module = module_path!();
    assert_eq!(
        message::<Both>(&Bounds::scope(1).objects("Item", 1)),
        format!("`Item` is ambiguous; write one of `{module}::left::Item`, `{module}::right::Item`")
    );
    assert_eq!(
        message::<Both>(&Bounds::scope(1).ints("Item.key", [1])),
        format!(
            "`Item.key` is ambiguous; write one of `{module}::left::Item.key`, `{module}::right::Item.key`"
        )
    );
    let told_apart = Bounds::scope(1).objects("left::Item", 0).ints("right::Item.key", 0..=2);
    assert_eq!(crate::count::<Both>(&told_apart), 4);
}

#[test]
fn a_check_with_wrong_names_cannot_be_run() {
    let report = Check::new("trees", Bounds::scope(3).objects("Nod", 2)).run(|_: Tree| {});
    assert!(!report.is_ok());
    assert!(report.error().is_some_and(|e| e.contains("it has `Node`")), "{report}");
}

/// A closure with one argument has no input of its own for it.
#[test]
fn the_only_argument_of_a_check_may_have_a_name() {
    let bounds = Bounds::exact().arguments(&["items"]).len("items", 0..=2).ints("items", 0..=1);
    let report = Check::new("named", bounds).run(|items: Vec<u8>| assert!(items.len() <= 2));
    assert_eq!((report.error(), report.tested), (None, 1 + 2 + 4), "{report}");
    let wrong = Bounds::scope(2).arguments(&["items"]).len("item", 0..=2);
    let report = Check::new("named", wrong).run(|_: Vec<u8>| ());
    assert!(report.error().is_some_and(|error| error.contains("`item`")), "{report}");
}
