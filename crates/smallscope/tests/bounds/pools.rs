//! Several pools of objects for one class.

use crate::{count, message, values};
use smallscope::search::{Options, Search};
use smallscope::structures::Product;
use smallscope::{Bounded, Bounds, Engine};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Lists {
    first: Option<Box<Node>>,
    #[bounded(pool = "second")]
    second: Option<Box<Node>>,
}

#[derive(Bounded)]
struct Node {
    next: Option<Box<Node>>,
}

#[test]
fn a_pool_has_objects_of_its_own() {
    assert_eq!(count::<Lists>(&Bounds::scope(2)), 3 * 3);
    assert_eq!(count::<Lists>(&Bounds::scope(2).pool("second", 4)), 3 * 5);
    assert_eq!(count::<Lists>(&Bounds::exact().objects("Node", 1).pool("second", 0)), 2);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Graph {
    a: Option<Rc<Vertex>>,
    b: Option<Rc<Vertex>>,
    #[bounded(pool = "others")]
    c: Option<Rc<Vertex>>,
}

#[derive(Bounded)]
struct Vertex(());

#[test]
fn pointers_of_different_pools_never_meet() {
    let all = values::<Graph>(&Bounds::scope(2));
    assert_eq!(all.len(), 5 * 2);
    let meet = |x: &Option<Rc<Vertex>>, y: &Option<Rc<Vertex>>| match (x, y) {
        (Some(x), Some(y)) => Rc::ptr_eq(x, y),
        _ => false,
    };
    assert!(all.iter().any(|g| meet(&g.a, &g.b)));
    assert!(all.iter().all(|g| !meet(&g.a, &g.c)));
}

#[test]
fn an_unknown_pool_is_an_error_that_lists_the_pools() {
    assert_eq!(
        message::<Lists>(&Bounds::scope(2).pool("third", 1)),
        "the bounds name the pool `third`, which this structure does not have; it has `second`"
    );
    assert_eq!(
        message::<Vec<bool>>(&Bounds::scope(2).pool("third", 1)),
        "the bounds name the pool `third`, which this structure does not have; it has none"
    );
}

type Two = Product<(Option<Box<Link>>, Option<Box<Link>>)>;

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Link {
    next: Option<Box<Link>>,
}

#[test]
fn each_input_of_a_product_is_a_pool() {
    let bounds = Bounds::scope(2).arguments(&["left", "right"]);
    assert_eq!(count::<Two>(&bounds), 3 * 3);
    assert_eq!(count::<Two>(&bounds.pool("right", 0)), 3);
    assert_eq!(count::<Two>(&Bounds::scope(2).pool("argument 1", 0)), 3);
}

#[test]
fn the_inputs_of_a_product_have_names() {
    let bounds = Bounds::exact().arguments(&["a", "b"]).ints("a", [1]).ints("b", [2, 3]);
    assert_eq!(values::<Product<(u8, u8)>>(&bounds), [Product((1, 2)), Product((1, 3))]);
    let unknown = Bounds::scope(1).arguments(&["a", "b"]).ints("c", [1]);
    assert!(message::<Product<(u8, u8)>>(&unknown).ends_with("it has `a`, `b`"));
    let search = Search::<Product<(u8, u8)>>::new(&bounds, Options::default()).unwrap();
    assert_eq!(search.slots(), [("a".to_owned(), 1), ("b".to_owned(), 2)]);
}

/// Objects of one type with every kind of owner, and one by value.
#[derive(Bounded)]
#[bounded(no_invariant)]
struct Owners {
    boxed: Option<Box<Thing>>,
    shared: Option<Rc<Thing>>,
    list: Vec<Thing>,
    atomic: Option<Arc<RefCell<Thing>>>,
    own: Thing,
    maybe: Option<Thing>,
    #[bounded(pool = "spare")]
    spare: Option<Box<Thing>>,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Thing {
    next: Option<Box<Thing>>,
}

impl Thing {
    fn behind(&self) -> usize {
        self.next.as_ref().map_or(0, |next| 1 + next.behind())
    }
}

impl Owners {
    /// How many objects there are: all but `own` and `maybe` themselves.
    fn objects(&self) -> usize {
        let pointers = [self.boxed.as_deref(), self.shared.as_deref()].into_iter().flatten();
        let things = pointers.chain(&self.list).map(|thing| 1 + thing.behind()).sum::<usize>();
        let atomic = self.atomic.as_ref().map_or(0, |atomic| 1 + atomic.borrow().behind());
        things + atomic + self.own.behind() + self.maybe.as_ref().map_or(0, Thing::behind)
    }
}

#[test]
fn all_kinds_of_owners_share_one_bound() {
    let bounds = |n| Bounds::scope(3).objects("Thing", n).pool("spare", 0);
    // Nothing but `own`; or `maybe`, too.
    assert_eq!(count::<Owners>(&bounds(0)), 2);
    // One object: of one of four owners, with or without `maybe`; behind `own`, with or without `maybe`; behind `maybe`.
    assert_eq!(count::<Owners>(&bounds(1)), 2 + 4 * 2 + 2 + 1);
    for most in 1..=3 {
        let values = values::<Owners>(&bounds(most));
        assert_eq!(values.iter().map(Owners::objects).max(), Some(most as usize));
        assert!(values.iter().any(|value| value.list.len() == most as usize));
    }
    // A named pool has a bound of its own.
    assert_eq!(count::<Owners>(&bounds(0).pool("spare", 1)), 2 * 2);
}

#[test]
fn all_engines_count_alike() {
    let bounds = Bounds::scope(2).pool("spare", 1);
    let valid = |engine| {
        let options = Options { engine, ..Options::default() };
        Search::<Owners>::new(&bounds, options).unwrap().count().unwrap().valid
    };
    assert_eq!(valid(Engine::Lazy), valid(Engine::Owned));
    assert_eq!(valid(Engine::Lazy), values::<Owners>(&bounds).len() as u64);
}

#[test]
fn a_value_that_needs_more_objects_of_all_kinds_is_an_error() {
    #[derive(Bounded)]
    #[bounded(no_invariant)]
    struct Both {
        plain: Box<Thing>,
        cell: Box<RefCell<Thing>>,
    }

    assert_eq!(
        message::<Both>(&Bounds::scope(1)),
        "the bounds of `Thing` contradict each other: every value needs at least 2 objects of this type, the bound is 1"
    );
    assert_eq!(count::<Both>(&Bounds::scope(2)), 1);
}

#[test]
fn smaller_scopes_count_all_kinds_of_owners() {
    let bounds = Bounds::scope(2).pool("spare", 0);
    let whole = count::<Owners>(&bounds);
    let of_scope = |scope| Search::<Owners>::within(&bounds, scope, Options::default()).unwrap();
    let mut passes = 0;
    for scope in 0..=2 {
        let mut search = of_scope(scope);
        (0..scope).for_each(|before| search.leave_out(before));
        passes += std::iter::from_fn(|| search.next_value()).count();
    }
    assert_eq!(passes, whole);
}
