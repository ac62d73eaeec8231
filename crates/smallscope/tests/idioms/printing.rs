//! `{:?}` in an invariant prints what it prints on the value itself.
#![allow(clippy::box_collection, reason = "all kinds of fields")]

use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds, Key, rep_ok};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

/// Half of all texts, in no order.
fn is_chosen(text: &str) -> bool {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish() % 2 == 0
}

/// Audit mode compares the copy of the invariant with the invariant itself, for valid and for rejected values.
fn agrees<T: Bounded>(bounds: &Bounds) -> u64 {
    let search = Search::<T>::new(bounds, Options { audit: true, ..Options::default() }).unwrap();
    let outcome = search.count().unwrap_or_else(|failure| panic!("{failure}"));
    assert!(outcome.audited > 0 && outcome.valid > 0, "{}: {outcome:?}", std::any::type_name::<T>());
    outcome.valid
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
enum Expr {
    Nil,
    Num(u8),
    Neg { of: Box<Expr> },
    Add(Box<Expr>, Box<Expr>),
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Pair(u8, bool);

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Unit;

#[derive(Bounded, Debug)]
struct Fields {
    r#type: Option<Box<Pair>>,
    list: Vec<u8>,
    pairs: Vec<Pair>,
    array: [bool; 2],
    tuple: (u8, bool),
    text: String,
    unit: Unit,
}

#[rep_ok]
impl Fields {
    fn rep_ok(&self) -> bool {
        is_chosen(&format!("{self:?}"))
    }
}

#[derive(Bounded, Debug)]
struct Shared {
    map: BTreeMap<u8, bool>,
    cell: Cell<u8>,
    shared: Option<Rc<RefCell<Pair>>>,
    exprs: Vec<Expr>,
}

#[rep_ok]
impl Shared {
    fn rep_ok(&self) -> bool {
        is_chosen(&format!("{self:?} {:#?}", self.shared))
    }
}

#[derive(Bounded, Debug)]
struct Sum {
    expr: Expr,
}

#[rep_ok]
impl Sum {
    fn rep_ok(&self) -> bool {
        is_chosen(&format!("{:#?}", self.expr))
    }
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Node<K> {
    key: K,
    next: Option<Box<Node<K>>>,
}

#[derive(Bounded, Debug)]
struct List<K> {
    head: Option<Box<Node<K>>>,
}

#[rep_ok]
impl<K: Ord + std::fmt::Debug> List<K> {
    fn rep_ok(&self) -> bool {
        is_chosen(&format!("{self:?}"))
    }
}

#[test]
fn mirrors_print_like_the_values_that_they_stand_for() {
    agrees::<Fields>(&Bounds::scope(1));
    agrees::<Shared>(&Bounds::scope(1));
    agrees::<Sum>(&Bounds::scope(4).ints("Expr::Num.0", 0..=1));
    agrees::<List<Key>>(&Bounds::scope(3));
}

#[derive(Bounded, Debug)]
struct Program {
    expr: Expr,
    line: Vec<u8>,
    pair: [bool; 2],
}

#[rep_ok]
impl Program {
    fn rep_ok(&self) -> bool {
        let Expr::Add(a, b) = &self.expr else { return false };
        let (Expr::Neg { of }, Expr::Num(1)) = (&**a, &**b) else { return false };
        matches!(**of, Expr::Nil) && self.line.len() == 2 && self.pair[1]
    }
}

/// Object graphs have variants as the source writes them.
#[test]
fn variants_are_drawn_with_their_fields() {
    let bounds = Bounds::scope(5).ints("Expr::Num.0", 0..=1);
    let mut search = Search::<Program>::new(&bounds, Options::default()).unwrap();
    search.next_value().unwrap().unwrap();
    assert_eq!(
        search.graph(),
        "value: expr = Add(Expr#0, Expr#1), line = 2 elements, 0, 0, pair = false, true\n\
         Expr#0: Neg { of: Nil }\nExpr#1: Num(1)"
    );
}

/// Not `Debug`.
#[derive(Clone, PartialEq)]
struct Mute;

#[derive(Bounded)]
struct Ring {
    first: Option<Rc<Link>>,
    #[bounded(values = [Mute])]
    mute: Mute,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Link {
    next: RefCell<Option<Rc<Link>>>,
}

impl std::fmt::Debug for Ring {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a ring")
    }
}

thread_local! {
    static TEXTS: RefCell<Vec<String>> = const { RefCell::new(vec![]) };
}

fn note(text: String) {
    TEXTS.with_borrow_mut(|texts| texts.push(text));
}

#[rep_ok]
impl Ring {
    fn rep_ok(&self) -> bool {
        note(format!("{self:?}"));
        self.first.is_none()
    }
}

/// Candidates have cycles that no valid value has.
#[test]
fn cycles_end_and_types_that_cannot_be_printed_are_left_out() {
    assert_eq!(smallscope::count::<Ring>(2).valid, 1);
    let texts = TEXTS.take();
    for text in [
        "Ring { first: None, mute: _ }",
        "Ring { first: Some(Link { next: RefCell { value: None } }), mute: _ }",
        "Ring { first: Some(Link { next: RefCell { value: Some(…) } }), mute: _ }",
    ] {
        assert!(texts.iter().any(|seen| seen == text), "`{text}` is not in {texts:#?}");
    }
    assert!(texts.iter().all(|text| !text.contains("Mirror") && !text.contains("0x")), "{texts:#?}");
}

/// Variants may have the names of associated types.
mod names {
    use smallscope::{Bounded, rep_ok};

    #[derive(Bounded, Debug)]
    pub enum Shape {
        Object,
        RefObject(u8),
        Real { x: u8 },
        Mirror(Option<Box<Shape>>),
        Cell,
        Seq,
        InMap,
        Target,
        Value,
    }

    #[rep_ok]
    impl Shape {
        fn rep_ok(&self) -> bool {
            match self {
                Shape::RefObject(n) => *n < 2,
                Shape::Real { x } => *x < 1,
                Shape::Mirror(inner) => inner.as_ref().is_none_or(|inner| matches!(**inner, Shape::Object)),
                Shape::Object | Shape::Cell | Shape::Seq | Shape::InMap | Shape::Target | Shape::Value => {
                    true
                }
            }
        }
    }
}

#[test]
fn variants_may_have_the_names_of_associated_types() {
    assert_eq!(agrees::<names::Shape>(&Bounds::scope(2)), 6 + 2 + 1 + 2);
}
