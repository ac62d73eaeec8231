//! Tests that only look at values see the same as tests that get them.

use super::tree::{Scratch, Tree, check};
use smallscope::testing::Blame;
use smallscope::{Bounded, Check, Disjoint, Key, mirror, rep_ok};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Debug;
use std::rc::Rc;
use std::sync::Mutex;

/// The texts of all values, in order.
fn given<T: Bounded + Debug>(scope: u32) -> Vec<String> {
    let mut seen = vec![];
    assert!(check("given", scope).run(|value: T| seen.push(format!("{value:?}"))).is_exhaustive());
    seen
}

/// The same, with values that are lent.
fn lent<T: Bounded + Debug>(scope: u32) -> Vec<String> {
    let mut seen = vec![];
    assert!(check("lent", scope).run(|value: &T| seen.push(format!("{value:?}"))).is_exhaustive());
    seen
}

fn same<T: Bounded + Debug>(scope: u32) {
    let all = given::<T>(scope);
    assert!(all.len() > 3, "{}", all.len());
    assert_eq!(lent::<T>(scope), all);
}

#[derive(Bounded, Debug)]
struct Everything {
    texts: Vec<String>,
    pair: (bool, Option<char>),
    grid: [Option<Box<Node>>; 2],
    queue: VecDeque<Shape>,
    slice: Box<[Node]>,
    map: BTreeMap<u8, Box<Node>>,
    #[bounded(values = ["", "text"])]
    listed: String,
    #[bounded(derived = Self::count)]
    count: usize,
}

#[derive(Bounded, Debug)]
struct Node {
    set: BTreeSet<bool>,
    next: Option<Box<Node>>,
}

#[derive(Bounded, Debug)]
enum Shape {
    Empty,
    Dot(u8),
    Link { to: Box<Shape>, marked: bool },
}

#[rep_ok]
impl Everything {
    fn rep_ok(&self) -> bool {
        self.texts.len() <= 1 && self.queue.len() <= 1 && self.slice.len() <= 1 && self.map.len() <= 1
    }
}

#[mirror]
impl Everything {
    fn count(&self) -> usize {
        self.texts.len() + 10 * self.queue.len() + 100 * self.slice.len() + 1000 * self.map.len()
    }
}

#[test]
fn every_kind_of_field() {
    same::<Tree<Key>>(4);
    same::<Vec<Option<Vec<u8>>>>(3);
    same::<Shape>(3);
    same::<Everything>(1);
}

#[rep_ok]
impl Shape {
    fn rep_ok(&self) -> bool {
        true
    }
}

#[derive(Bounded, Debug)]
struct Shared {
    first: Rc<Node>,
    second: Rc<Node>,
}

#[rep_ok]
impl Shared {
    fn rep_ok(&self) -> bool {
        true
    }
}

#[test]
fn what_a_test_still_holds_does_not_change() {
    same::<Shared>(2);
    let mut stash: Vec<(Rc<Node>, String)> = vec![];
    let report = check("stash", 2).run(|shared: &Shared| {
        for (node, text) in &stash {
            assert_eq!(format!("{node:?}"), *text);
        }
        stash.push((shared.second.clone(), format!("{:?}", shared.second)));
    });
    assert!(report.is_exhaustive() && report.tested > 3, "{report}");
}

#[derive(Bounded, Debug)]
struct Inner {
    mark: Cell<u8>,
    list: RefCell<Option<Box<Node>>>,
    next: Option<Box<Inner>>,
}

#[rep_ok]
impl Inner {
    fn rep_ok(&self) -> bool {
        true
    }
}

#[test]
fn what_a_test_does_inside_of_cells_is_undone() {
    let all = given::<Inner>(2);
    let mut seen = vec![];
    let report = check("cells", 2).run(|value: &Inner| {
        seen.push(format!("{value:?}"));
        let mut at = Some(value);
        while let Some(inner) = at {
            inner.mark.set(inner.mark.get() + 100);
            let before = inner.list.take();
            *inner.list.borrow_mut() = Some(Box::new(Node { set: BTreeSet::from([true]), next: before }));
            std::mem::forget(inner.list.borrow_mut());
            at = inner.next.as_deref();
        }
    });
    assert!(report.is_exhaustive(), "{report}");
    assert_eq!(seen, all);
}

#[test]
fn some_arguments_are_lent_and_others_given() {
    let mut all = vec![];
    let run = |report: smallscope::Report| assert!(report.is_exhaustive(), "{report}");
    run(check("t", 3)
        .run(|tree: Tree<u8>, x: u8, list: Vec<bool>| all.push(format!("{tree:?} {x:?} {list:?}"))));
    let mut seen = vec![];
    run(check("t", 3)
        .run(|tree: &Tree<u8>, x: u8, list: Vec<bool>| seen.push(format!("{tree:?} {x:?} {list:?}"))));
    assert_eq!(std::mem::take(&mut seen), all);
    run(check("t", 3)
        .run(|tree: Tree<u8>, x: &u8, list: &Vec<bool>| seen.push(format!("{tree:?} {x:?} {list:?}"))));
    assert_eq!(std::mem::take(&mut seen), all);
    run(check("t", 3)
        .run(|tree: &Tree<u8>, x: &u8, list: &Vec<bool>| seen.push(format!("{tree:?} {x:?} {list:?}"))));
    assert_eq!(seen, all);
}

#[test]
fn a_failure_is_reported_with_its_value() {
    let given = check("t", 3).run(|tree: Tree<u8>| assert!(tree.size < 3, "three"));
    let lent = check("t", 3).run(|tree: &Tree<u8>| assert!(tree.size < 3, "three"));
    let (given, lent) = (given.failure().unwrap(), lent.failure().unwrap());
    assert_eq!((&lent.message, &lent.graph, &lent.replay), (&given.message, &given.graph, &given.replay));
}

#[test]
fn values_are_lent_on_several_threads() {
    let all = given::<Vec<u8>>(5);
    let seen = Mutex::new(vec![]);
    let report = Check::new("t", 5).threads(3).environment([("PATH", "")]).run_parallel(|list: &Vec<u8>| {
        std::thread::sleep(std::time::Duration::from_micros(200));
        seen.lock().unwrap().push(format!("{list:?}"));
    });
    assert!(report.is_exhaustive(), "{report}");
    let sort = |mut texts: Vec<String>| {
        texts.sort();
        texts
    };
    assert_eq!(sort(seen.into_inner().unwrap()), sort(all));
}

/// A value with a destructor that panics for some.
#[derive(Bounded, Debug)]
struct Sore {
    list: Vec<Spot>,
}

#[derive(Bounded, Debug)]
struct Spot {
    x: u8,
}

impl Drop for Spot {
    fn drop(&mut self) {
        assert!(self.x != 1 || std::thread::panicking(), "sore");
    }
}

#[rep_ok]
impl Sore {
    fn rep_ok(&self) -> bool {
        true
    }
}

#[mirror]
impl Spot {}

#[test]
fn a_destructor_that_panics_is_reported_with_its_value() {
    let dir = Scratch::new("sore");
    let report = check("sore", 2).record_in(dir.path()).run(|_: &Sore| {});
    assert!(report.to_string().contains("\nrecorded: smallscope-regressions/sore.txt\n"), "{report}");
    let failure = report.failure().unwrap_or_else(|| panic!("{report}"));
    assert_eq!((&failure.blame, failure.message.as_str()), (&Blame::Destructor, "sore"));
    assert_eq!(failure.graph, "value: list = 1 element\nSpot#0: x = 1");
    assert!(report.to_string().contains("`sore`: the destructor of a valid value panics\n\n  sore\n  at "));
    let replayed =
        Check::new("sore", 2).environment([("SMALLSCOPE_REPLAY", &failure.replay)]).run(|_: &Sore| {});
    assert_eq!(replayed.failure().unwrap().message, "sore");
    let report = check("sore", 2).run(|sore: &Sore| assert!(sore.list.is_empty(), "not empty"));
    assert_eq!(report.failure().unwrap().message, "not empty");
}

/// Its destructor panics for each value but the first.
#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
pub(super) struct Bomb {
    x: u8,
}

impl Drop for Bomb {
    fn drop(&mut self) {
        DROPPED.with_borrow_mut(|dropped| dropped.push(self.x));
        assert_eq!(self.x, 0, "boom");
    }
}

thread_local! {
    static DROPPED: RefCell<Vec<u8>> = const { RefCell::new(vec![]) };
}

#[test]
fn a_destructor_runs_on_every_value() {
    let clusters = |name| check(name, 4).clusters(true);
    let lent = clusters("lent").run(|_: &Bomb| {});
    assert_eq!((lent.clusters[0].count, DROPPED.take()), (3, vec![0, 1, 2, 3]), "{lent}");
    let given = clusters("given").run(|_: Bomb| {});
    assert_eq!((given.clusters[0].count, DROPPED.take()), (3, vec![0, 1, 2, 3]), "{given}");
}

#[test]
fn destructors_of_several_arguments_run_one_after_the_other() {
    let report = check("bombs", 2).clusters(true).run(|_: &Bomb, _: &Bomb, _: &Vec<u8>| {});
    assert_eq!(report.clusters[0].count, 3 * 7, "{report}");
    assert_eq!(DROPPED.take().len(), 2 * 4 * 7);
    for disjoint in [Disjoint::On, Disjoint::Off] {
        let report = check("bombs", 3).disjoint(disjoint).run(|_: &Bomb, _: &Bomb| {});
        let failure = report.failure().unwrap_or_else(|| panic!("{report}"));
        assert_eq!(
            (&failure.blame, failure.graph.as_str()),
            (&Blame::Destructor, "argument 0: x = 0\nargument 1: x = 1")
        );
    }
    let report = check("bombs", 3).run(|_: &Bomb, _: &Bomb| panic!("first"));
    assert_eq!(report.failure().unwrap().message, "first");
    DROPPED.take();
}

/// A listed value with a destructor.
#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Armed {
    #[bounded(values = [Fuse(0), Fuse(1)])]
    fuse: Fuse,
    on: bool,
}

#[derive(Clone, PartialEq, Debug)]
struct Fuse(u8);

impl Drop for Fuse {
    fn drop(&mut self) {
        assert!(self.0 == 0 || std::thread::panicking(), "blown");
    }
}

#[test]
fn listed_values_have_destructors_too() {
    let report = check("armed", 1).run(|_: &Armed| {});
    let failure = report.failure().unwrap_or_else(|| panic!("{report}"));
    assert_eq!((&failure.blame, failure.message.as_str()), (&Blame::Destructor, "blown"));
}

#[test]
fn destructors_run_on_several_threads() {
    let report =
        Check::new("t", 40).threads(3).environment([("PATH", "")]).run_parallel(|bomb: &Bomb, x: u8| {
            std::thread::sleep(std::time::Duration::from_millis(1));
            assert!(bomb.x == 0 || x < 99);
        });
    let failure = report.failure().unwrap_or_else(|| panic!("{report}"));
    assert_eq!((&failure.blame, failure.message.contains("boom")), (&Blame::Destructor, true));
}
