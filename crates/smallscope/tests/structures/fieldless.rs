//! Variants without fields behind a `Box`: they take no object, so a bound on objects is one on nodes with fields.

use crate::{all, catalan, count};
use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds, Check, Engine, rep_ok};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

/// The engines that know that a `Box` is the only owner.
const ENGINES: [Engine; 2] = [Engine::Owned, Engine::Lazy];

#[derive(Bounded, Debug, Clone, PartialEq, Eq, Hash)]
#[bounded(no_invariant)]
enum Tree {
    Leaf,
    Node(Box<Tree>, Box<Tree>),
}

impl Tree {
    fn nodes(&self) -> u32 {
        match self {
            Tree::Leaf => 0,
            Tree::Node(left, right) => 1 + left.nodes() + right.nodes(),
        }
    }
}

#[derive(Bounded, Debug, Clone, PartialEq, Eq, Hash)]
#[bounded(no_invariant)]
struct Rooted {
    root: Box<Tree>,
}

/// How many binary trees have up to `n` nodes.
fn trees(n: u32) -> u64 {
    (0..=u64::from(n)).map(catalan).sum()
}

fn count_by<T: Bounded>(bounds: &Bounds, engine: Engine) -> u64 {
    let outcome = Search::<T>::new(bounds, Options { engine, ..Options::default() }).unwrap().count();
    outcome.unwrap().valid
}

#[test]
fn a_scope_is_a_number_of_nodes() {
    for n in 0..=4 {
        for bounds in [Bounds::scope(n), Bounds::size(n), Bounds::exact().objects("Tree", n)] {
            for engine in ENGINES {
                assert_eq!(count_by::<Rooted>(&bounds, engine), trees(n), "{engine:?} {bounds:?}");
                // The value itself is no object.
                assert_eq!(count_by::<Tree>(&bounds, engine), trees(n + 1), "{engine:?} {bounds:?}");
                let perhaps = 1 + trees(n);
                assert_eq!(count_by::<Option<Box<Tree>>>(&bounds, engine), perhaps, "{engine:?} {bounds:?}");
            }
            let found: HashSet<Rooted> = all::<Rooted>(&bounds).into_iter().collect();
            assert_eq!(found.len() as u64, trees(n));
            assert_eq!(found.iter().map(|tree| tree.root.nodes()).max(), Some(n));
        }
    }
    assert_eq!(count::<Rooted>(&Bounds::scope(7)), trees(7));
}

#[test]
fn a_test_of_scope_3_gets_the_trees_with_up_to_3_nodes() {
    let by_nodes = RefCell::new([0; 4]);
    let report = Check::new("trees", 3).run(|tree: &Rooted| {
        by_nodes.borrow_mut()[tree.root.nodes() as usize] += 1;
    });
    assert!(report.is_exhaustive(), "{report}");
    assert_eq!(by_nodes.take(), [1, 1, 2, 5]);
    // What is lent is overwritten, also a node by a leaf and a leaf by a node.
    let (lent, given) = (RefCell::new(vec![]), RefCell::new(vec![]));
    Check::new("lent", 4).run(|a: &Rooted, b: &Option<Box<Tree>>| {
        lent.borrow_mut().push((a.clone(), b.clone()));
    });
    Check::new("given", 4).run(|a: Rooted, b: Option<Box<Tree>>| given.borrow_mut().push((a, b)));
    assert_eq!(lent.borrow().len() as u64, trees(4) * (1 + trees(4)));
    assert_eq!(lent, given);
}

/// The line was printed when leaves were objects, for a tree of one node.
#[test]
fn replay_lines_of_earlier_versions_are_stale() {
    let environment = [("SMALLSCOPE_REPLAY", "3:0.1.1.0.2.0@64cda33a0fa53774")];
    let report = Check::new("t", 3).environment(environment).run(|_: &Rooted| ());
    let error = report.error().unwrap_or_else(|| panic!("{report}"));
    assert!(error.contains("the type or the bounds have changed since"), "{error}");
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Drawn {
    root: Box<Tree>,
    spare: Option<Box<Tree>>,
}

#[test]
fn graphs_show_the_name_of_the_variant() {
    let mut search = Search::<Drawn>::new(&Bounds::scope(1), Options::default()).unwrap();
    let mut graphs = vec![];
    while let Some(value) = search.next_value() {
        value.unwrap();
        graphs.push(search.graph());
    }
    assert_eq!(
        graphs,
        [
            "value: root = Leaf, spare = none",
            "value: root = Leaf, spare = Leaf",
            "value: root = Leaf, spare = Tree#0\nTree#0: Node(Leaf, Leaf)",
            "value: root = Tree#0, spare = none\nTree#0: Node(Leaf, Leaf)",
            "value: root = Tree#0, spare = Leaf\nTree#0: Node(Leaf, Leaf)",
        ]
    );
    let domains: Vec<String> = search.describe_slots().into_iter().map(|slot| slot.domain).collect();
    assert_eq!(domains[..2], ["Leaf, Tree#0 (only owner)", "none, Leaf, Tree#0 (only owner)"]);
}

/// Every kind of place where such an enum can be.
#[derive(Bounded, Debug, Clone, PartialEq)]
struct Places {
    boxed: Box<List>,
    perhaps: Option<Box<List>>,
    #[bounded(non_null)]
    certain: Option<Box<List>>,
    by_value: List,
    #[expect(clippy::vec_box, reason = "boxes in vectors are the point")]
    vector: Vec<Box<List>>,
    map: BTreeMap<u8, Box<List>>,
    cell: Box<RefCell<List>>,
    equal: [Box<List>; 2],
}

#[derive(Bounded, Debug, Clone, PartialEq)]
#[bounded(no_invariant, derive(PartialEq))]
enum List {
    Cons(u8, Box<List>),
    Nil,
    End {},
}

#[rep_ok]
impl Places {
    fn rep_ok(&self) -> bool {
        self.equal[0] == self.equal[1]
    }
}

#[test]
fn boxes_hold_them_wherever_they_are() {
    let bounds = |n| {
        let bounds = Bounds::exact().objects("List", n).ints("List::Cons.0", [0]).ints("Places.map", [0]);
        bounds.len("Places.vector", 0..=1).len("Places.map", 0..=1)
    };
    // Without objects, a box has two values; the field by value has all variants, also the one with a box.
    let without = 2 * (1 + 2) * 2 * (2 + 2) * (1 + 2) * (1 + 2) * 2 * 2;
    assert_eq!(count::<Places>(&bounds(0)), without);
    for engine in ENGINES {
        assert_eq!(count_by::<Places>(&bounds(0), engine), without, "{engine:?}");
    }
    // With one object, one of the boxes may hold a list of one element; in each of the two that are equal, it would be
    // another one. Where it is, there are two lists, which the object may end with; elsewhere two that take no object.
    let boxes = [
        without,         // `boxed`: 2 lists instead of 2
        without / 3 * 2, // `perhaps`
        without,         // `certain`
        without / 4 * 2, // in the one by value
        without / 3 * 2, // `vector`
        without / 3 * 2, // `map`
        without,         // `cell`
    ];
    let with = boxes.iter().sum::<u64>();
    for engine in ENGINES {
        assert_eq!(count_by::<Places>(&bounds(1), engine), without + with, "{engine:?}");
    }
    assert_eq!(count::<Places>(&bounds(1)), without + with);
}

/// An invariant that tells objects apart by their addresses.
#[derive(Bounded, Debug)]
struct Visiting {
    root: Box<Tree>,
    twin: Box<Tree>,
}

#[rep_ok]
impl Visiting {
    fn rep_ok(&self) -> bool {
        let mut seen = HashSet::new();
        let mut todo = vec![&*self.root, &*self.twin];
        while let Some(tree) = todo.pop() {
            if !seen.insert(std::ptr::from_ref(tree)) {
                return false;
            }
            if let Tree::Node(left, right) = tree {
                todo.push(&**left);
                todo.push(&**right);
            }
        }
        true
    }
}

#[test]
fn each_box_has_an_address_of_its_own() {
    for engine in [Engine::Korat, Engine::Owned, Engine::Lazy] {
        // Two trees with up to three nodes in all.
        assert_eq!(count_by::<Visiting>(&Bounds::scope(3), engine), 1 + 2 + 5 + 14, "{engine:?}");
    }
    assert_eq!(count::<Visiting>(&Bounds::scope(3)), 1 + 2 + 5 + 14);
}

/// Sharing can be seen, so what a shared pointer leads to takes an object, whatever its variant.
#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Shared {
    a: Rc<Mark>,
    b: Rc<Mark>,
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
enum Mark {
    Nothing,
    Number(#[bounded(range = 0..=1)] u8),
}

#[test]
fn shared_pointers_lead_to_objects() {
    assert_eq!([0, 1, 2].map(|n| count::<Shared>(&Bounds::scope(n))), [0, 3, 3 + 9]);
}

/// A variant without fields that an invariant forbids: that of the whole, or that of the enum itself.
#[derive(Bounded, Debug)]
struct Full {
    root: Box<Digit>,
}

#[derive(Bounded, Debug)]
enum Digit {
    Missing,
    Zero,
    One(#[bounded(range = 1..=1)] u8, Option<Box<Digit>>),
}

#[rep_ok]
impl Full {
    fn rep_ok(&self) -> bool {
        !matches!(*self.root, Digit::Zero)
    }
}

#[rep_ok]
impl Digit {
    fn rep_ok(&self) -> bool {
        match self {
            Digit::Missing => false,
            Digit::Zero | Digit::One(_, None) => true,
            Digit::One(_, Some(next)) => next.rep_ok(),
        }
    }
}

#[test]
fn invariants_hold_for_them() {
    // One digit or several, and the last one may be a zero.
    for (n, expected) in [(0, 0), (1, 2), (2, 4), (3, 6)] {
        for engine in ENGINES {
            assert_eq!(count_by::<Full>(&Bounds::scope(n), engine), expected, "{engine:?}");
        }
        assert_eq!(count::<Full>(&Bounds::scope(n)), expected);
    }
    let values: Vec<Full> = all(&Bounds::scope(2));
    assert!(values.iter().all(|full| matches!(*full.root, Digit::One(1, _))), "{values:?}");
}

/// Without a variant that ends it, nothing has changed.
#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
enum Endless {
    Cons(u8, Box<Endless>),
}

#[test]
fn what_has_no_end_is_refused() {
    let error = Search::<Endless>::new(&Bounds::scope(3), Options::default()).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("it has no finite value"), "{error}");
    assert_eq!(count::<Box<List>>(&Bounds::scope(0)), 2);
}
