//! Several pools of objects for one class.

use crate::{count, message, values};
use smallscope::search::Search;
use smallscope::structures::Product;
use smallscope::{Bounded, Bounds};
use std::rc::Rc;

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
    let search = Search::<Product<(u8, u8)>>::new(&bounds, smallscope::search::Options::default()).unwrap();
    assert_eq!(search.slots(), [("a".to_owned(), 1), ("b".to_owned(), 2)]);
}
