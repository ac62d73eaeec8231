//! State matching: complete matching reaches exactly the states that all sequences reach, in every order and mode.

mod comparison;
mod divided;
mod memory;
mod threads;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::{Rc, Weak};

use crate::common::{Tree, everything, map, pools};
use smallscope::cover::{Coverage as Probes, Criterion};
use smallscope_sequences::{
    Abstraction, Builder, Context, Coverage, Exploration, Explorer, Fault, Limit, Linearize, Panics, Pool,
    RandomSearch, Reply, Stop, Strategy, Test, Values, by_mut, by_ref, into, linearize_fields, moved,
    nothing, optional, seen, value,
};

/// Describes the values.
type Words = fn(&Values) -> String;

/// All states that sequences of up to a length reach, by running all sequences, with the fewest calls for each.
fn enumerate(context: &Context, words: Words, length: usize) -> BTreeMap<String, usize> {
    let mut states = BTreeMap::from([(words(&context.initial_values()), 0)]);
    for test in Strategy::be(context, length).unwrap().tests() {
        let mut values = context.initial_values();
        // Skipped calls do nothing: what they lead to was seen with fewer calls.
        let mut calls = 0;
        for call in test.calls() {
            if context.call(*call, &mut values) != Reply::Skipped {
                calls += 1;
            }
            let fewest = states.entry(words(&values)).or_insert(calls);
            *fewest = calls.min(*fewest);
        }
    }
    states
}

fn explore<'a>(
    context: &'a Context,
    words: Words,
    set: impl FnOnce(Explorer<'a>) -> Explorer<'a>,
) -> (BTreeSet<String>, Exploration) {
    let states = RefCell::new(BTreeSet::from([words(&context.initial_values())]));
    let explorer = set(Explorer::new(context).panics(Panics::Allowed));
    // The states are collected outside of the explorer, which may not outlive them.
    let states = Rc::new(states);
    let collected = states.clone();
    let found = explorer
        .on_state(move |values, _| {
            collected.borrow_mut().insert(words(values));
        })
        .explore()
        .unwrap();
    (Rc::try_unwrap(states).unwrap().into_inner(), found)
}

/// A name, and how an explorer is set up.
type Mode = (&'static str, fn(Explorer<'_>) -> Explorer<'_>);

fn check_complete(name: &str, builder: Builder, words: Words, length: usize) {
    let context = builder.build().unwrap();
    let all = enumerate(&context, words, length);
    let expected: BTreeSet<String> = all.keys().cloned().collect();
    let mut levels = vec![0; all.values().max().unwrap() + 1];
    all.values().for_each(|calls| levels[*calls] += 1);
    let modes: [Mode; 6] = [
        ("copied", |e| e),
        ("replayed", |e| e.replaying()),
        ("exact", |e| e.exact()),
        ("depth first", |e| e.depth_first()),
        ("depth first, replayed", |e| e.depth_first().replaying()),
        ("classical", |e| e.classical()),
    ];
    for (mode, set) in modes {
        let (states, found) = explore(&context, words, |e| set(e).max_length(length));
        assert_eq!(states, expected, "{name}, {mode}");
        assert_eq!(found.stop, Stop::Exhausted);
        assert!(!found.is_lossy());
        if mode != "classical" {
            assert_eq!(found.states, expected.len() as u64, "{name}, {mode}");
            assert_eq!(found.levels, levels, "{name}, {mode}");
        } else {
            assert!(found.states > expected.len() as u64);
        }
    }
}

#[test]
fn a_tree_with_methods_of_all_kinds() {
    let words: Words =
        |values| format!("{:?} {:?} {:?}", values.get::<Tree>(0), values.get::<i32>(0), values.get::<i32>(1));
    check_complete("tree", everything(1, &[1, 2]), words, 3);
    check_complete("map", map(1, &[1, 2]), words, 5);
}

#[test]
fn two_trees() {
    let words: Words = |values| format!("{:?} {:?}", values.get::<Tree>(0), values.get::<Tree>(1));
    let two = pools(2, &[1, 2])
        .function("Tree::new", (), into(), |()| Tree::new())
        .method("insert", (by_mut::<Tree>(), value::<i32>()), nothing(), |(t, k)| t.insert(k, 0))
        .method("merge", (by_mut::<Tree>(), by_ref::<Tree>()), nothing(), |(t, other)| t.merge(other));
    check_complete("two trees", two, words, 5);
}

#[test]
fn a_deque_of_which_only_the_hash_is_known() {
    type Deque = VecDeque<u8>;
    let builder = Context::builder()
        .pool(Pool::<Deque>::empty(1).cloned().hashed())
        .pool(Pool::of([0u8, 1]))
        .function("new", (), into(), |()| Deque::new())
        .method("push_back", (by_mut::<Deque>(), value::<u8>()), nothing(), |(d, x)| d.push_back(x))
        .method("push_front", (by_mut::<Deque>(), value::<u8>()), nothing(), |(d, x)| d.push_front(x))
        .method("pop_front", (by_mut::<Deque>(),), optional(into::<u8>()), |(d,)| d.pop_front());
    let words: Words =
        |values| format!("{:?} {:?} {:?}", values.get::<Deque>(0), values.get::<u8>(0), values.get::<u8>(1));
    check_complete("deque", builder, words, 5);
}

/// A ring with links in both directions, which cannot be cloned.
#[derive(Default)]
struct Ring {
    entry: Option<Rc<Link>>,
}

struct Link {
    key: u8,
    next: RefCell<Option<Rc<Link>>>,
    previous: RefCell<Weak<Link>>,
}

linearize_fields!(Link { key, next, previous });
linearize_fields!(Ring { entry });

impl Ring {
    fn insert(&mut self, key: u8) {
        let link = Rc::new(Link { key, next: RefCell::new(None), previous: RefCell::default() });
        let (next, previous) = match &self.entry {
            None => (link.clone(), link.clone()),
            Some(entry) => (entry.clone(), entry.previous.borrow().upgrade().unwrap()),
        };
        *link.previous.borrow_mut() = Rc::downgrade(&previous);
        *next.previous.borrow_mut() = Rc::downgrade(&link);
        *link.next.borrow_mut() = Some(next);
        *previous.next.borrow_mut() = Some(link.clone());
        self.entry = Some(link);
    }

    fn turn(&mut self) {
        if let Some(entry) = self.entry.take() {
            self.entry = entry.next.borrow().clone();
        }
    }

    fn keys(&self) -> Vec<u8> {
        let mut keys = vec![];
        let Some(entry) = &self.entry else { return keys };
        let mut link = entry.clone();
        loop {
            keys.push(link.key);
            let next = link.next.borrow().clone().unwrap();
            if Rc::ptr_eq(&next, entry) {
                return keys;
            }
            link = next;
        }
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        // Cuts the ring, so that it is freed.
        if let Some(entry) = self.entry.take() {
            entry.next.borrow_mut().take();
        }
    }
}

#[test]
fn a_ring_that_cannot_be_cloned() {
    let builder = Context::builder()
        .pool(Pool::<Ring>::empty(1).linearized())
        .pool(Pool::of([0u8, 1]))
        .function("new", (), into(), |()| Ring::default())
        .method("insert", (by_mut::<Ring>(), value::<u8>()), nothing(), |(r, k)| r.insert(k))
        .method("turn", (by_mut::<Ring>(),), nothing(), |(r,)| r.turn())
        .function("drop", (moved::<Ring>(),), nothing(), |(r,)| drop(r));
    let words: Words = |values| format!("{:?}", values.get::<Ring>(0).map(Ring::keys));
    check_complete("ring", builder, words, 5);
}

fn insertions(keys: &[i32]) -> Context {
    pools(1, keys)
        .function("Tree::new", (), into(), |()| Tree::new())
        .method("insert", (by_mut::<Tree>(), value::<i32>()), nothing(), |(t, k)| t.insert(k, 0))
        .method("remove", (by_mut::<Tree>(), value::<i32>()), nothing(), |(t, k)| t.remove(k))
        .build()
        .unwrap()
}

#[test]
fn states_of_search_trees_are_as_many_as_there_are_trees() {
    let catalan = [1, 1, 2, 5, 14, 42];
    let choose = |n: u64, k: u64| (0..k).fold(1, |c, i| c * (n - i) / (i + 1));
    for n in 0..=5 {
        let keys: Vec<i32> = (1..=n.max(1)).collect();
        let n = keys.len() as u64;
        let context = insertions(&keys);
        let found = Explorer::new(&context).explore().unwrap();
        // Each shape with each choice of keys; and no tree at all.
        let trees: u64 = (0..=n).map(|k| choose(n, k) * catalan[k as usize]).sum();
        assert_eq!(found.states, trees + 1);
        assert_eq!((found.stop, found.is_closed), (Stop::Exhausted, true));
        // Shapes alone.
        let shapes = Explorer::new(&context).abstraction(Abstraction::Shape).explore().unwrap();
        let sum: u64 = (0..=n).map(|k| catalan[k as usize]).sum();
        assert!(shapes.states <= sum + 1, "the size is data too");
        assert_eq!((shapes.stop, shapes.is_lossy()), (Stop::Lossy, true));
    }
}

#[test]
fn abstractions_are_coarser_the_more_they_leave_out() {
    let context = map(1, &[1, 2, 3]).build().unwrap();
    let states = |abstraction| {
        let found = Explorer::new(&context).abstraction(abstraction).max_length(6).explore().unwrap();
        assert!(found.to_string().contains(if found.is_lossy() { "lossy" } else { "exhausted" }), "{found}");
        found.states
    };
    let shape = states(Abstraction::Shape);
    let keys = states(Abstraction::shape_and(["key"]));
    let complete = states(Abstraction::Complete);
    assert!(shape < keys && keys < complete, "{shape} {keys} {complete}");
    let by_size = Explorer::new(&context)
        .abstraction_by(|values, sink| sink.number(values.get::<Tree>(0).map_or(9, |t| t.len() as u64)))
        .explore()
        .unwrap();
    assert_eq!((by_size.states, by_size.stop), (5, Stop::Lossy));
}

#[test]
fn a_field_that_nothing_has_is_an_error() {
    let context = map(1, &[1, 2, 3]).build().unwrap();
    let explored = |fields: &[&str], threads| {
        let abstraction = Abstraction::shape_and(fields.iter().copied());
        Explorer::new(&context).abstraction(abstraction).max_length(5).threads(threads).explore()
    };
    for threads in [1, 2] {
        assert!(explored(&["key"], threads).is_ok());
        let error = explored(&["key", "kye"], threads).unwrap_err().to_string();
        assert!(error.contains("the field `kye`") && error.contains("there is data in `"), "{error}");
        assert!(error.contains("`key`"), "{error}");
    }
}

#[test]
fn what_cannot_be_compared_is_an_error() {
    let context = Context::builder()
        .pool(Pool::<Vec<u8>>::empty(1))
        .function("new", (), into(), |()| Vec::<u8>::new())
        .build()
        .unwrap();
    let error = Explorer::new(&context).explore().unwrap_err().to_string();
    assert!(error.contains("the pool of `Vec<u8>` does not say how"), "{error}");
    let context = Context::builder()
        .pool(Pool::<Vec<u8>>::empty(1).hashed())
        .function("new", (), into(), |()| Vec::<u8>::new())
        .build()
        .unwrap();
    let error = Explorer::new(&context).abstraction(Abstraction::Shape).explore().unwrap_err().to_string();
    assert!(error.contains("give a pool that matters a linearization"), "{error}");
}

#[test]
fn the_shortest_failing_sequence_is_found() {
    let context = pools(1, &[1, 2, 3])
        .function("Tree::new", (), into(), |()| Tree::new())
        .method("insert", (by_mut::<Tree>(), value::<i32>()), nothing(), |(t, k)| t.insert(k, 0))
        .method("check", (by_ref::<Tree>(),), nothing(), |(t,)| assert!(t.len() < 3, "three"))
        .build()
        .unwrap();
    let found = Explorer::new(&context).explore().unwrap();
    assert_eq!(found.stop, Stop::FirstFailure);
    let failure = &found.clusters[0].first;
    assert!(matches!(&failure.fault, Fault::Panic(panic) if panic.message == "three"));
    assert_eq!(failure.shrunk.len(), 5);
    let found = Explorer::new(&context).keep_going().explore().unwrap();
    // Five shapes of three keys.
    assert_eq!((found.stop, found.clusters.len(), found.clusters[0].failing), (Stop::Failures, 1, 5));
    assert!(!found.is_closed);
}

#[test]
fn explorations_stop_at_limits() {
    let context = map(1, &[1, 2, 3]).build().unwrap();
    let found = Explorer::new(&context).max_states(20).explore().unwrap();
    assert_eq!((found.stop, found.states), (Stop::LimitReached(Limit::States), 20));
    let late = Explorer::new(&context).budget(std::time::Duration::ZERO).explore().unwrap();
    assert_eq!(late.stop, Stop::LimitReached(Limit::Time));
    let search = RandomSearch { runs: 30, length: 10, seed: 1 };
    let random = Explorer::new(&context).random(search).unwrap();
    assert_eq!(random.stop, Stop::LimitReached(Limit::Sample));
    assert_eq!(random.counts.calls, 300);
    assert_eq!(random.states, random.levels.iter().sum::<u64>());
    let replayed = Explorer::new(&context).replaying().random(search).unwrap();
    assert_eq!((random.states, random.transitions), (replayed.states, replayed.transitions));
}

/// Covers the largest size seen so far.
struct Sizes {
    reached: Rc<RefCell<BTreeSet<u64>>>,
    known: BTreeSet<u64>,
}

impl Coverage for Sizes {
    fn take_new(&mut self, targets: &mut Vec<u64>) {
        let reached = std::mem::take(&mut *self.reached.borrow_mut());
        targets.extend(reached.into_iter().filter(|size| self.known.insert(*size)));
    }
}

#[test]
fn the_first_sequence_for_each_target_is_recorded() {
    thread_local!(static REACHED: Rc<RefCell<BTreeSet<u64>>> = Rc::default());
    let context = pools(1, &[1, 2, 3])
        .function("Tree::new", (), into(), |()| Tree::new())
        .method("insert", (by_mut::<Tree>(), value::<i32>()), nothing(), |(t, k)| {
            t.insert(k, 0);
            REACHED.with(|reached| reached.borrow_mut().insert(t.len() as u64));
        })
        .build()
        .unwrap();
    let mut sizes = Sizes { reached: REACHED.with(Rc::clone), known: BTreeSet::new() };
    // There is one record for all threads, so there is one thread.
    let found = Explorer::new(&context).coverage(&mut sizes).threads(2).explore().unwrap();
    let suite = &found.suite;
    assert_eq!((suite.covered(), suite.longest(), suite.average_length()), (3, 4, 3.0));
    assert_eq!(suite.witnesses[1].targets, [2]);
    assert_eq!(suite.to_test_functions(&context, "covers").matches("#[test]\nfn covers_").count(), 3);
    assert_eq!(
        suite.witnesses[1].test.to_source(&context),
        "let mut t = Tree::new();\nt.insert(1);\nt.insert(2);\n"
    );
}

/// Forgets everything at the third push; its clones and its invariant run code that has probes, too.
#[derive(Debug, PartialEq, Linearize)]
pub struct Forgetful(Vec<u8>);

#[smallscope::cover(predicates(self.0.is_empty()))]
impl Forgetful {
    fn new() -> Self {
        Forgetful(vec![])
    }
    fn push(&mut self, item: u8) {
        if self.0.len() == 2 {
            self.0.clear();
        } else if item > 0 {
            self.0.push(item);
        }
    }
    #[cover(predicates())]
    fn copy(&self) -> Forgetful {
        Forgetful(self.0.clone())
    }
    #[cover(predicates())]
    fn is_short(&self) -> bool {
        self.0.len() < 3
    }
}

impl Clone for Forgetful {
    fn clone(&self) -> Self {
        self.copy()
    }
}

fn forgetful() -> Context {
    Context::builder()
        .pool(Pool::<Forgetful>::empty(1).cloned().linearized().invariant(Forgetful::is_short))
        .pool(Pool::of([0u8, 1]))
        .function("Forgetful::new", (), into(), |()| Forgetful::new())
        .method("push", (by_mut::<Forgetful>(), value::<u8>()), nothing(), |(f, x)| f.push(x))
        .build()
        .unwrap()
}

#[test]
fn probes_say_what_sequences_reach() {
    let context = forgetful();
    for replays in [false, true] {
        let mut coverage = Probes::of::<Forgetful>(Criterion::Blocks);
        let explorer = Explorer::new(&context).coverage(&mut coverage);
        let found = if replays { explorer.replaying() } else { explorer }.explore().unwrap();
        // What clones and invariants do is not what sequences do.
        let missing: Vec<String> = coverage.uncovered().map(ToString::to_string).collect();
        assert_eq!(missing, ["Forgetful::copy: entry", "Forgetful::is_short: entry"]);
        let lengths: Vec<usize> = found.suite.witnesses.iter().map(|witness| witness.test.len()).collect();
        assert_eq!(lengths, [1, 2, 2, 4]);
        assert_eq!((found.suite.covered(), found.suite.total), (5, Some(7)));
        let summary = "5 of 7 targets reached by 4 sequences of up to 4 calls, 2.2 on average";
        assert!(found.to_string().contains(summary), "{found}");
        let functions = found.suite.to_test_functions(&context, "reaches");
        let last = "\
// forgetful[0] = Forgetful::new(); forgetful[0].push(u8_[1]); forgetful[0].push(u8_[1]); forgetful[0].push(u8_[0])
// reaches Forgetful::push: then of `if self.0.len() == 2`
#[test]
fn reaches_3() {
    let mut forgetful = Forgetful::new();
    forgetful.push(1);
    forgetful.push(1);
    forgetful.push(0);
}
";
        assert!(functions.ends_with(last), "{functions}");
        // The suite alone reaches the same.
        let again: Vec<Test> = found
            .suite
            .to_canonical(&context)
            .lines()
            .map(|line| Test::parse(&context, line).unwrap())
            .collect();
        let mut alone = Probes::of::<Forgetful>(Criterion::Blocks);
        for test in &again {
            let mut values = context.initial_values();
            for call in test.calls() {
                context.call(*call, &mut values);
            }
        }
        alone.collect();
        assert_eq!(alone.snapshot(), coverage.snapshot());
    }
    let mut combinations = Probes::of::<Forgetful>(Criterion::Predicates);
    let found = Explorer::new(&context).coverage(&mut combinations).explore().unwrap();
    // `new` has no `self`; `push` is entered with and without items; one branch needs two, the others do not.
    assert_eq!(found.suite.covered(), 1 + 2 + 1 + 2 + 2);
    let directory = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("suites");
    found.suite.save(&context, &directory, "forgetful").unwrap();
    let read = |name: &str| std::fs::read_to_string(directory.join(name)).unwrap();
    assert_eq!(read("forgetful.rs"), found.suite.to_test_functions(&context, "forgetful"));
    assert_eq!(read("forgetful.calls").lines().count(), found.suite.witnesses.len());
    assert!(found.suite.save(&context, directory.join("forgetful.rs"), "inside").is_err());
}

#[test]
fn a_reference_implementation_is_explored_in_lock_step() {
    type Map = BTreeMap<i32, i32>;
    let gold = |forgets: bool| {
        Context::builder()
            .pool(Pool::<Map>::empty(1).cloned().hashed())
            .pool(Pool::of([1, 2]))
            .function("Tree::new", (), into(), |()| Map::new())
            .method("insert", (by_mut::<Map>(), value::<i32>(), value::<i32>()), seen(), |(t, k, v)| {
                t.insert(k, v)
            })
            .method("remove", (by_mut::<Map>(), value::<i32>()), seen(), move |(t, k)| {
                let is_full = forgets && t.len() == 2;
                let removed = t.remove(&k);
                if is_full {
                    t.clear();
                }
                removed
            })
            .build()
            .unwrap()
    };
    let context = map(1, &[1, 2]).build().unwrap();
    let (right, wrong) = (gold(false), gold(true));
    for replays in [false, true] {
        let explorer = || if replays { Explorer::new(&context).replaying() } else { Explorer::new(&context) };
        let same = explorer().gold(&right).explore().unwrap();
        let alone = explorer().explore().unwrap();
        assert_eq!((same.stop, same.is_closed, same.states), (Stop::Exhausted, true, alone.states));
        // The state after the second insertion is the same as ever, but the other one has forgotten both.
        let different = explorer().gold(&wrong).explore().unwrap();
        assert_eq!(different.stop, Stop::FirstFailure);
        let failure = &different.clusters[0].first;
        assert_eq!(failure.shrunk.len(), 5, "{different}");
        assert!(matches!(failure.fault, Fault::Gold { .. }));
    }
    let error = Explorer::new(&context).gold(&insertions(&[1, 2])).explore().unwrap_err();
    assert!(error.to_string().contains("pools have other sizes"), "{error}");
}

#[test]
fn values_may_change_through_shared_references() {
    type Counter = std::cell::Cell<u8>;
    let builder = Context::builder()
        .pool(Pool::<Counter>::empty(1).cloned().linearized())
        .pool(Pool::of([1u8, 2]))
        .function("new", (), into(), |()| Counter::new(0))
        .method("add", (by_ref::<Counter>(), value::<u8>()), nothing(), |(c, x)| c.set(c.get() + x));
    let words: Words = |values| format!("{:?}", values.get::<Counter>(0));
    check_complete("counter", builder, words, 5);
}
