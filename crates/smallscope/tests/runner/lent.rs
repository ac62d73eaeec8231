//! Tests that only look at values see the same as tests that get them.

use super::tree::{Tree, check};
use smallscope::{Bounded, Check, Key, mirror, rep_ok};
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
fn a_destructor_that_panics_is_noticed() {
    let report = check("sore", 2).run(|_: &Sore| {});
    assert!(!report.is_ok() && report.to_string().contains("sore"), "{report}");
    let report = check("sore", 2).run(|sore: &Sore| assert!(sore.list.is_empty(), "not empty"));
    assert!(!report.is_ok(), "{report}");
}
