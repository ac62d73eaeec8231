//! Fields that the invariant does not look at take one value first.

use super::tree::check;
use smallscope::{Bounded, Bounds, Disjoint, Engine, Limit, Report, Stop, rep_ok};
use std::cell::RefCell;
use std::collections::HashSet;

/// A map as a sorted list, whose values mean nothing to it.
#[derive(Bounded, Debug, Clone, PartialEq, Eq, Hash)]
struct Map {
    first: Option<Box<Entry>>,
}

#[derive(Bounded, Debug, Clone, PartialEq, Eq, Hash)]
struct Entry {
    key: u8,
    value: u8,
    next: Option<Box<Entry>>,
}

#[rep_ok]
impl Map {
    fn rep_ok(&self) -> bool {
        let mut at = &self.first;
        while let Some(entry) = at {
            if entry.next.as_ref().is_some_and(|next| next.key <= entry.key) {
                return false;
            }
            at = &entry.next;
        }
        true
    }
}

impl Map {
    fn entries(&self) -> impl Iterator<Item = &Entry> {
        std::iter::successors(self.first.as_deref(), |entry| entry.next.as_deref())
    }

    fn is_plain(&self) -> bool {
        self.entries().all(|entry| entry.value == 0)
    }
}

fn scopes(report: &Report) -> Vec<(u32, bool)> {
    report.passes.iter().map(|pass| (pass.scope.unwrap(), pass.is_first)).collect()
}

#[test]
fn every_value_comes_once_and_plain_ones_first() {
    for threads in [1, 3] {
        let seen = std::sync::Mutex::new((HashSet::new(), 0));
        let check = check("maps", 6).threads(threads);
        let report = check.run_parallel(|map: Map| {
            let mut seen = seen.lock().unwrap();
            if map.entries().count() > 4 && !map.is_plain() && seen.1 == 0 {
                seen.1 = seen.0.len();
            }
            assert!(seen.0.insert(map.clone()), "{map:?} comes twice");
        });
        assert!(report.is_exhaustive(), "{report}");
        let (seen, plain_before) = seen.into_inner().unwrap();
        assert_eq!(seen.len() as u64, smallscope::count::<Map>(6).valid);
        assert_eq!(seen.len() as u64, report.tested);
        assert_eq!(report.payload, ["Entry.value"]);
        let expected: Vec<(u32, bool)> = (0..=4)
            .map(|scope| (scope, false))
            .chain([(5, true), (6, true), (5, false), (6, false)])
            .collect();
        assert_eq!(scopes(&report), expected);
        if threads == 1 {
            let larger = seen.iter().filter(|map| map.entries().count() > 4);
            let plain = larger.filter(|map| map.is_plain()).count();
            assert!(plain_before >= plain, "{plain_before} {plain}");
        }
    }
}

#[test]
fn a_failure_among_plain_values_is_replayed() {
    let test = |map: &Map| assert!(map.entries().count() < 6, "six entries");
    let report = check("maps", 6).run(test);
    let failure = report.failure().expect("there are maps with six entries");
    let pass = report.passes.last().unwrap();
    assert_eq!((pass.scope, pass.is_first), (Some(6), true));
    let again = check("maps", 6).environment([("SMALLSCOPE_REPLAY", &failure.replay)]).run(test);
    assert_eq!(again.failure().expect("it fails again").graph, failure.graph, "{again}");
}

#[test]
fn a_failure_among_plain_values_of_given_numbers_is_replayed() {
    let bounds =
        Bounds::exact().objects("Entry", 6).ints("Entry.key", 0..6).ints("Entry.value", [7, 3, 5, 1, 2, 4]);
    for engine in [Engine::Lazy, Engine::Owned] {
        let test = |map: &Map| assert!(map.entries().count() < 5, "five entries");
        let report = check("maps", bounds.clone()).engine(engine).run(test);
        let failure = report.failure().expect("there are maps with five entries");
        assert!(report.passes.last().unwrap().is_first, "{report}");
        assert!(failure.replay.contains("within5:"), "{report}");
        let again =
            check("maps", bounds.clone()).environment([("SMALLSCOPE_REPLAY", &failure.replay)]).run(test);
        assert_eq!(again.failure().expect("it fails again").graph, failure.graph, "{again}");
    }
}

#[test]
fn the_report_says_what_had_one_value_only() {
    let words = |max: u64| {
        let report = check("maps", 6).max(max).run(|_: &Map| {});
        assert_eq!(report.outcome.stop, Stop::LimitReached(Limit::Valid));
        report.coverage()
    };
    let whole = smallscope::count::<Map>(4).valid;
    let stopped = "stopped by the limit on values in scope";
    assert_eq!(
        words(whole + 5),
        format!(
            "{stopped} 5, after {} values in all: scopes 0 to 4 are covered exhaustively, scope 5 is not, scope 6 was not begun",
            whole + 5
        )
    );
    // Of keys alone, scope 5 has 2^5 - 2^4 subsets more.
    assert_eq!(
        words(whole + 16 + 5),
        format!(
            "{stopped} 6, after {} values in all: scopes 0 to 4 are covered exhaustively, scope 5 is covered with one value of \
             `Entry.value`, which the invariant does not look at, scope 6 is not",
            whole + 16 + 5
        )
    );
    assert_eq!(
        words(whole + 16 + 32 + 5),
        format!(
            "{stopped} 5, after {} values in all: scopes 0 to 4 are covered exhaustively, scopes 5 to 6 are covered with one value of \
             `Entry.value`, which the invariant does not look at",
            whole + 16 + 32 + 5
        )
    );
}

/// What a test sees within bounds: nothing twice, and as much as a single search counts.
fn all_once<T: Bounded + Clone + Eq + std::hash::Hash + std::fmt::Debug>(bounds: &Bounds, shards: bool) {
    let seen = RefCell::new(HashSet::new());
    let mut payload = vec![];
    for shard in if shards { vec!["1/2", "2/2"] } else { vec!["1/1"] } {
        let report = check("maps", bounds.clone())
            .environment([("SMALLSCOPE_SHARD", shard)])
            .run(|value: &T| assert!(seen.borrow_mut().insert(value.clone()), "{value:?} comes twice"));
        assert!(report.is_ok(), "{report}");
        payload = report.payload;
    }
    assert!(!payload.is_empty(), "{bounds:?}");
    assert_eq!(seen.take().len() as u64, smallscope::count::<T>(bounds).valid);
}

/// Payload of many kinds: in sequences, behind options, of several types.
#[derive(Bounded, Debug, Clone, PartialEq, Eq, Hash)]
struct Mixed {
    keys: Vec<u8>,
    texts: Vec<String>,
    number: Option<i8>,
    set: std::collections::BTreeSet<u8>,
}

#[rep_ok]
impl Mixed {
    fn rep_ok(&self) -> bool {
        self.keys.len() < 2 && self.texts.len() < 2
    }
}

#[test]
fn every_value_comes_once_in_all_bounds() {
    all_once::<Map>(&Bounds::scope(5), true);
    all_once::<Map>(&Bounds::size(6), false);
    all_once::<Map>(&Bounds::scope(4).objects("Entry", 5).ints("Entry.key", 0..5), false);
    all_once::<Map>(
        &Bounds::exact().objects("Entry", 5).ints("Entry.key", 0..5).ints("Entry.value", [7, 3, 5, 1]),
        false,
    );
    all_once::<Mixed>(&Bounds::scope(4), false);
}

#[test]
fn arguments_do_not_wait() {
    for disjoint in [Disjoint::Off, Disjoint::Auto] {
        let seen = RefCell::new(HashSet::new());
        let report = check("maps", 5).disjoint(disjoint).run(|map: &Map, key: u8| {
            assert!(seen.borrow_mut().insert((map.clone(), key)), "{map:?} comes twice with {key}");
        });
        assert!(report.is_exhaustive(), "{report}");
        assert_eq!(report.payload, ["Entry.value"]);
        assert_eq!(seen.take().len() as u64, smallscope::count::<Map>(5).valid * 5);
        let first = report.passes.iter().find(|pass| pass.is_first && pass.scope == Some(5)).unwrap();
        // The maps of scope 5 with five keys, and the others with the key 4.
        assert_eq!(first.tested, 16 * 5 + 16);
    }
}

#[test]
fn records_of_plain_values_are_tried_first() {
    let test = |map: &Map| assert!(map.entries().count() < 6, "six entries");
    let directory = std::env::temp_dir().join(format!("smallscope-payload-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let first = check("maps", 6).record_in(&directory).run(test);
    let second = check("maps", 6).record_in(&directory).run(test);
    std::fs::remove_dir_all(&directory).unwrap();
    assert!(first.failure().is_some_and(|failure| failure.recorded.is_some()), "{first}");
    let failure = second.failure().expect("the record fails");
    assert!(second.warnings.is_empty() && second.passes.is_empty(), "{second}");
    assert_eq!(failure.graph, first.failure().unwrap().graph);
}

/// A map as a search tree.
#[derive(Bounded, Debug, Clone)]
struct TreeMap {
    root: Option<Box<Node>>,
}

#[derive(Bounded, Debug, Clone)]
struct Node {
    key: u8,
    value: u8,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

#[rep_ok]
impl TreeMap {
    fn rep_ok(&self) -> bool {
        self.root.as_ref().is_none_or(|root| root.is_within(None, None))
    }
}

#[smallscope::mirror]
impl Node {
    fn is_within(&self, low: Option<u8>, high: Option<u8>) -> bool {
        low.is_none_or(|low| low < self.key)
            && high.is_none_or(|high| self.key < high)
            && self.left.as_ref().is_none_or(|left| left.is_within(low, Some(self.key)))
            && self.right.as_ref().is_none_or(|right| right.is_within(Some(self.key), high))
    }
}

impl Node {
    /// The number of nodes and the depth.
    fn measure(node: &Option<Box<Node>>) -> (usize, usize) {
        let Some(node) = node else { return (0, 0) };
        let (left, right) = (Node::measure(&node.left), Node::measure(&node.right));
        (1 + left.0 + right.0, 1 + left.1.max(right.1))
    }
}

#[test]
fn a_shape_that_fails_is_found_before_the_payload_of_smaller_shapes() {
    // Scope 6 alone has 7.5 million trees with values.
    let report = check("maps", 8).run(|map: &TreeMap| {
        let (nodes, depth) = Node::measure(&map.root);
        assert!(nodes < 7 || depth > 3, "a full tree");
    });
    assert!(report.failure().is_some() && report.tested < 10_000, "{report}");
}
