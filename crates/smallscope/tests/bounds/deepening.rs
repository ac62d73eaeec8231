//! Scopes contain each other, so that a series from 0 to the bound delivers everything once, smallest first.

use smallscope::search::{Found, Options, Search};
use smallscope::{Bounded, Bounds, Check, Engine, Order, Report, rep_ok};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Mutex;

#[derive(Bounded, Debug, Clone, PartialEq, Eq, Hash)]
struct List {
    head: Option<Box<Node>>,
    #[bounded(len = 0..=scope)]
    name: String,
}

#[derive(Bounded, Debug, Clone, PartialEq, Eq, Hash)]
#[bounded(objects = scope + 1)]
struct Node {
    #[bounded(range = 0..=scope)]
    key: i64,
    next: Option<Box<Node>>,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        let mut last = -1;
        let mut at = &self.head;
        while let Some(node) = at {
            if node.key <= last {
                return false;
            }
            last = node.key;
            at = &node.next;
        }
        true
    }
}

fn drain<T: Bounded>(mut search: Search<T>) -> Vec<T> {
    let mut values = vec![];
    while search.find_next(&mut |_| std::ops::ControlFlow::Continue(())).unwrap() == Found::Valid {
        values.push(search.value().unwrap());
    }
    values
}

#[test]
fn a_series_delivers_what_the_whole_does_once() {
    let bounds = Bounds::scope(3);
    let whole: HashSet<List> = drain(Search::new(&bounds, Options::default()).unwrap()).into_iter().collect();
    let mut seen = HashSet::new();
    for scope in 0..=3 {
        let mut step = Search::<List>::within(&bounds, scope, Options::default()).unwrap();
        (0..scope).for_each(|smaller| step.leave_out(smaller));
        for list in drain(step) {
            let keys: Vec<i64> =
                std::iter::successors(list.head.as_ref(), |n| n.next.as_ref()).map(|n| n.key).collect();
            // The smallest scope that contains it.
            let needs = [
                list.name.chars().count(),
                keys.len().saturating_sub(1),
                keys.last().map_or(0, |&k| k as usize),
            ];
            let letters =
                list.name.chars().map(|c| 1 + "abé".chars().position(|letter| letter == c).unwrap());
            let letters = letters.max().unwrap_or(0);
            let smallest = needs.into_iter().max().unwrap().max(if letters > 1 { letters } else { 0 });
            assert_eq!(smallest, scope as usize, "{list:?}");
            assert!(seen.insert(list));
        }
    }
    assert_eq!(seen, whole);
}

#[test]
fn a_check_tries_smaller_scopes_first() {
    let sizes = RefCell::new(vec![]);
    let report = Check::new("lists", 2).run(|list: List| {
        let length = std::iter::successors(list.head.as_ref(), |n| n.next.as_ref()).count();
        sizes.borrow_mut().push(length.saturating_sub(1).max(list.name.len()));
    });
    assert!(report.is_exhaustive(), "{report}");
    let passes: Vec<_> = report.passes.iter().map(|p| p.scope).collect();
    assert_eq!(passes, [Some(0), Some(1), Some(2)]);
    assert_eq!(report.tested, smallscope::count::<List>(2).valid);
    let sizes = sizes.take();
    let (smaller, rest) = sizes.split_at(report.passes[0].tested as usize);
    assert!(smaller.iter().all(|&n| n == 0) && rest.iter().any(|&n| n > 0));
}

/// Numbers that grow although no scope number sets them: given ones, and those of attributes.
#[derive(Bounded, Debug, Clone, PartialEq, Eq, Hash)]
#[bounded(no_invariant)]
struct Tree {
    root: Option<Box<Fork>>,
    names: Vec<bool>,
}

#[derive(Bounded, Debug, Clone, PartialEq, Eq, Hash)]
#[bounded(no_invariant)]
struct Fork {
    left: Option<Box<Fork>>,
    right: Option<Box<Fork>>,
}

impl Fork {
    fn forks(&self) -> usize {
        1 + [&self.left, &self.right].into_iter().flatten().map(|fork| fork.forks()).sum::<usize>()
    }
}

/// Sets of strings with a length in common: their tables are no beginnings of larger ones.
#[derive(Bounded, Debug, Clone, PartialEq, Eq, Hash)]
#[bounded(no_invariant)]
struct Words {
    words: BTreeSet<String>,
}

#[derive(Bounded, Debug, Clone, PartialEq, Eq, Hash)]
#[bounded(no_invariant)]
struct Fixed {
    first: Option<Box<Link>>,
    #[bounded(len = 1..=3)]
    flags: Vec<bool>,
    #[bounded(len = scope..=scope + 1)]
    more: Vec<bool>,
}

#[derive(Bounded, Debug, Clone, PartialEq, Eq, Hash)]
#[bounded(no_invariant, objects = 4)]
struct Link {
    next: Option<Box<Link>>,
}

/// The numbers of an input, of which the largest says in which pass it comes first.
trait Numbers: Bounded + Debug + Clone + Eq + Hash + 'static {
    fn largest(&self) -> usize;
}

impl Numbers for Tree {
    fn largest(&self) -> usize {
        // One name is the least number of some.
        self.root.as_ref().map_or(0, |root| root.forks()).max(self.names.len())
    }
}

impl Numbers for Words {
    fn largest(&self) -> usize {
        self.words.iter().map(|word| word.len()).chain([self.words.len()]).max().unwrap()
    }
}

impl Numbers for Fixed {
    fn largest(&self) -> usize {
        let links = std::iter::successors(self.first.as_ref(), |link| link.next.as_ref()).count();
        // Scope 1 has one or two of the last.
        links.max(self.flags.len()).max(self.more.len() - 1)
    }
}

/// Checks that the passes deliver what one search does, each value once, smallest first from the pass `from` on; on
/// threads and shards, too; and that every value has a replay line of its own.
fn grows<T: Numbers>(bounds: &Bounds, from: usize) -> Report {
    let whole: Vec<T> = drain(Search::new(bounds, Options::default()).unwrap());
    let expected: HashSet<&T> = whole.iter().collect();
    assert_eq!(expected.len(), whole.len());
    let check = || Check::new("t", bounds).edges(false);
    let compare = |seen: &[T], how: &str| {
        assert_eq!(seen.len(), whole.len(), "{bounds:?}, {how}");
        assert_eq!(seen.iter().collect::<HashSet<_>>(), expected, "{bounds:?}, {how}");
    };
    for engine in [Engine::Lazy, Engine::Owned] {
        let seen = RefCell::new(vec![]);
        let report = check().engine(engine).run(|value: T| seen.borrow_mut().push(value));
        assert!(report.is_exhaustive(), "{report}");
        let seen = seen.take();
        compare(&seen, &engine.to_string());
        let passes: Vec<usize> = seen.iter().map(|value| value.largest().max(from)).collect();
        assert!(passes.is_sorted(), "{bounds:?}");
    }
    let seen = RefCell::new(vec![]);
    for shard in ["1/3", "2/3", "3/3"] {
        let report =
            check().environment([("SMALLSCOPE_SHARD", shard)]).run(|value: T| seen.borrow_mut().push(value));
        assert!(report.is_ok(), "{report}");
    }
    compare(&seen.take(), "shards");
    let seen = RefCell::new(vec![]);
    check().order(Order::Single).run(|value: T| seen.borrow_mut().push(value));
    compare(&seen.take(), "one pass");
    for value in whole.iter().step_by(whole.len() / 20 + 1) {
        let failing = |other: &T| assert_ne!(other, value);
        let failure = check().run(failing).failure().unwrap().clone();
        let again = check().environment([("SMALLSCOPE_REPLAY", &failure.replay)]).run(failing);
        assert_eq!(again.failure().expect(&failure.replay).replay, failure.replay, "{again}");
    }
    check().run(|_: T| {})
}

#[test]
fn numbers_that_are_given_grow_from_small_ones() {
    let exact = Bounds::exact().objects("Fork", 3).len("Tree.names", 1..=3);
    let report = grows::<Tree>(&exact, 1);
    assert_eq!(report.passes.iter().map(|pass| pass.tested).collect::<Vec<_>>(), [2, 2, 20, 102]);
    grows::<Tree>(&Bounds::scope(2).objects("Fork", 3).len("Tree.names", [3, 1]), 1);
    grows::<Tree>(&Bounds::scope(4).objects("Fork", 3).len("Tree.names", 0..=1), 0);
    grows::<Words>(&Bounds::exact().len("Words.words", 0..=2).alphabet("Words.words", "ab"), 0);
    // The length is the same in every pass, and so is everything else: there is one pass.
    let report = grows::<Words>(&Bounds::exact().len("Words.words", [2]).alphabet("Words.words", "ab"), 0);
    assert_eq!(report.passes.len(), 1);
}

#[test]
fn numbers_of_attributes_grow_if_they_do_not_depend_on_the_scope() {
    grows::<Fixed>(&Bounds::scope(1), 1);
    let report = grows::<Fixed>(&Bounds::scope(2), 1);
    // Two scopes, two more passes, and the whole.
    let scopes: Vec<_> = report.passes.iter().map(|pass| pass.scope).collect();
    assert_eq!(scopes, [Some(0), Some(1), Some(2), Some(2), Some(2)]);
    assert!(report.to_string().contains("scopes 0 to 2 are covered exhaustively: 840 values"), "{report}");
}

#[test]
fn numbers_grow_on_threads() {
    let bounds = Bounds::exact().objects("Fork", 4).len("Tree.names", 0..=4);
    let seen = Mutex::new(vec![]);
    let report = Check::new("t", &bounds).threads(2).run_parallel(|tree: &Tree| {
        // Long enough for threads to be of use.
        std::thread::sleep(std::time::Duration::from_micros(500));
        seen.lock().unwrap().push(tree.clone());
    });
    assert!(report.is_exhaustive(), "{report}");
    let whole: HashSet<Tree> = drain(Search::new(&bounds, Options::default()).unwrap()).into_iter().collect();
    let seen = seen.into_inner().unwrap();
    assert_eq!(seen.len(), whole.len());
    assert_eq!(seen.into_iter().collect::<HashSet<_>>(), whole);
}

#[test]
fn a_budget_that_ends_in_a_later_pass_says_so() {
    let bounds = Bounds::scope(1).objects("Fork", 3).len("Tree.names", 0..=3);
    let report = Check::new("t", &bounds).max(10).run(|_: Tree| {});
    let text = "stopped by the limit on values in scope 1, after 10 values in all: scope 0 is covered exhaustively, scope 1 is not";
    assert!(report.to_string().contains(text), "{report}");
}

/// Data with edge values in sequences of given lengths.
#[derive(Bounded, Debug, Clone, PartialEq, Eq, Hash)]
#[bounded(no_invariant)]
struct Bytes {
    bytes: Vec<u8>,
    #[bounded(len = 0..=2)]
    flags: Vec<bool>,
}

#[test]
fn values_with_edge_values_come_after_all_passes_and_once() {
    let bounds = Bounds::scope(1).len("Bytes.bytes", 0..=2);
    let seen = RefCell::new(vec![]);
    let report = Check::new("t", &bounds).edges(true).run(|bytes: Bytes| seen.borrow_mut().push(bytes));
    assert!(report.is_exhaustive(), "{report}");
    let edges = report.edges.as_ref().expect("bytes have edge values");
    let (seen, count) = (seen.take(), smallscope::count::<Bytes>(&bounds).valid);
    assert_eq!((report.tested, seen.len() as u64), (count, count + edges.tested));
    assert!(edges.tested > 255);
    assert_eq!(seen.iter().collect::<HashSet<_>>().len(), seen.len());
}

/// A bound that shrinks as the scope grows: what only a smaller scope contains is not part of the whole.
#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Shrinking {
    #[bounded(range = 0..=5 - scope)]
    x: u8,
}

#[test]
fn what_the_whole_does_not_contain_is_not_delivered() {
    let seen = RefCell::new(vec![]);
    let report = Check::new("shrinking", 3).run(|s: Shrinking| seen.borrow_mut().push(s.x));
    assert!(report.is_exhaustive());
    assert_eq!(seen.take(), [0, 1, 2]);
}
