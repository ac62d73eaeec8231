//! Random values after the search: `sample = 100, sample_size = 20`.

use super::natural::{Avl, Node, RedBlack};
use smallscope::testing::Origin;
use smallscope::{Bounded, Check, Key, Report, rep_ok};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::Duration;

fn nodes(tree: &Avl) -> usize {
    tree.size
}

fn found(report: &Report) -> String {
    match &report.failure().expect("it fails").origin {
        Origin::Sampled { note, .. } => note.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_searched_and_what_is_drawn_are_reported_apart() {
    let seen = RefCell::new(vec![]);
    let check = |seed| Check::new("apart", 3).sample(50).sample_size(20).seed(seed);
    let report = check(7).run(|tree: &Avl| {
        assert!(tree.rep_ok());
        seen.borrow_mut().push((nodes(tree), format!("{tree:?}")));
    });
    assert!(report.is_exhaustive(), "{report}");
    assert_eq!((report.tested, seen.borrow().len()), (5, 55));
    let sampled = report.sampled.as_ref().unwrap();
    assert_eq!((sampled.tested, sampled.objects, sampled.is_uniform, sampled.seed), (50, Some(20), true, 7));
    assert_eq!(
        report.to_string(),
        "`apart`: scopes 0 to 3 are covered exhaustively: 5 values\n\
         sampled: 50 random values with 20 objects (seed 7), each as likely as every other of 16088"
    );
    let first: BTreeSet<_> = seen.take().into_iter().skip(5).collect();
    assert!(first.len() > 40 && first.iter().all(|(nodes, _)| *nodes == 20));
    // The same seed gives the same values.
    for (seed, is_same) in [(7, true), (8, false)] {
        check(seed).run(|tree: &Avl| seen.borrow_mut().push((nodes(tree), format!("{tree:?}"))));
        assert_eq!(seen.take().into_iter().skip(5).collect::<BTreeSet<_>>() == first, is_same);
    }
}

#[test]
fn a_failing_value_is_shrunk_recorded_and_replayed() {
    let folder = std::env::temp_dir().join(format!("smallscope-sampling-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let check = || Check::new("shrunk", 3).sample(50).sample_size(20).record_in(&folder);
    let report = check().run(|tree: &Avl| assert!(nodes(tree) < 12, "too large"));
    let note = found(&report);
    assert_eq!(
        note,
        "value 1 of 50 that were drawn at random with 20 objects (seed 0); the smallest failure that was found has 12 objects; no \
         value with fewer objects fails"
    );
    let failure = report.failure().unwrap();
    assert_eq!(failure.graph.lines().count(), 1 + 12, "{}", failure.graph);
    assert!(failure.replay.starts_with("20:"), "{}", failure.replay);
    assert!(report.to_string().contains("covered:  scopes 0 to 3 are covered exhaustively"), "{report}");
    assert!(!report.is_exhaustive());
    // The record is tried first, and the replay line runs the same value.
    let again = check().run(|tree: &Avl| assert!(nodes(tree) < 12, "too large"));
    let tried = again.failure().unwrap();
    assert!(matches!(tried.origin, Origin::Record(_)), "{again}\n{:?}", again.warnings);
    assert_eq!(tried.graph, failure.graph);
    let environment = [("SMALLSCOPE_REPLAY", failure.replay.clone())];
    let replayed =
        Check::new("shrunk", 3).environment(environment).run(|tree: &Avl| assert_eq!(nodes(tree), 12));
    assert!(replayed.is_ok() && replayed.tested == 1, "{replayed}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_was_not_tried_is_said() {
    // There are more values than can be tried.
    let report =
        Check::new("many", 2).sample(10).sample_size(31).run(|tree: &Leftist| assert!(tree.size < 25));
    let note = found(&report);
    assert!(note.contains("the smallest failure that was found has 25 objects"), "{note}");
    assert!(note.ends_with("objects and more may fail, too: not all of them were tried"), "{note}");
}

/// Shapes of which there are many.
#[derive(Bounded, Debug)]
struct Leftist {
    root: Option<Box<Pair>>,
    size: usize,
}

#[derive(Bounded, Debug)]
struct Pair {
    left: Option<Box<Pair>>,
    right: Option<Box<Pair>>,
}

#[rep_ok]
impl Leftist {
    fn rep_ok(&self) -> bool {
        Self::count(&self.root) == self.size && Self::rank(&self.root).is_some()
    }

    fn count(tree: &Option<Box<Pair>>) -> usize {
        tree.as_ref().map_or(0, |pair| 1 + Self::count(&pair.left) + Self::count(&pair.right))
    }

    fn rank(tree: &Option<Box<Pair>>) -> Option<usize> {
        let Some(pair) = tree else { return Some(0) };
        let (left, right) = (Self::rank(&pair.left)?, Self::rank(&pair.right)?);
        (left >= right).then_some(right + 1)
    }
}

fn keys(tree: &Option<Box<Node<Key>>>) -> usize {
    tree.as_ref().map_or(0, |node| 1 + keys(&node.left) + keys(&node.right))
}

#[test]
fn values_that_an_open_conjunct_rejects_are_drawn_again() {
    let report = Check::new("rejected", 2).sample(30).sample_size(3).run(|tree: &RedBlack<Key>| {
        assert!(tree.rep_ok());
    });
    let sampled = report.sampled.as_ref().unwrap();
    assert_eq!((sampled.tested, sampled.objects, sampled.is_uniform), (30, Some(3), true), "{report}");
    assert!(sampled.how.contains("`Self::is_ordered(&self.root, None, None)` rejects"), "{report}");
    // One of many orders of keys is right, so only shapes are drawn.
    let sizes = RefCell::new(vec![]);
    let report = Check::new("shapes", 2).sample(30).sample_size(20).run(|tree: &RedBlack<Key>| {
        assert!(tree.rep_ok());
        sizes.borrow_mut().push((keys(&tree.root), format!("{tree:?}")));
    });
    let sampled = report.sampled.as_ref().unwrap();
    assert_eq!((sampled.tested, sampled.is_uniform), (30, false), "{report}");
    assert!(sampled.how.starts_with("not uniform: "), "{report}");
    let large: BTreeSet<_> = sizes.take().into_iter().filter(|(keys, _)| *keys == 20).collect();
    assert!(large.len() > 25, "{}", large.len());
}

#[derive(Bounded, Debug)]
struct Sorted {
    items: Vec<u8>,
}

#[rep_ok]
impl Sorted {
    fn rep_ok(&self) -> bool {
        self.items.windows(2).all(|pair| pair[0] <= pair[1])
    }
}

#[test]
fn without_summaries_values_are_found_by_a_random_descent() {
    let seen = RefCell::new(BTreeSet::new());
    // However slow the machine is, and whatever other tests hold.
    let check = || Check::new("descent", 2).budget(Duration::MAX).memory(u64::MAX);
    let report = check().sample(100).sample_size(12).run(|sorted: &Sorted| {
        assert!(sorted.rep_ok());
        seen.borrow_mut().insert(sorted.items.clone());
    });
    let sampled = report.sampled.as_ref().unwrap();
    assert_eq!((sampled.tested, sampled.is_uniform, sampled.objects), (100, false, None));
    assert!(
        sampled.how.contains("not uniform: by a random descent, because it has no owned objects"),
        "{report}"
    );
    let seen = seen.take();
    assert!(seen.len() > 30 && seen.iter().any(|items| items.len() > 6), "{seen:?}");
    // A failure is shrunk there, too.
    let report = check().sample(200).sample_size(12).run(|sorted: &Sorted| {
        assert!(sorted.items.len() < 5);
    });
    let note = found(&report);
    assert!(note.contains("then one with 5 objects and elements, and those tried with fewer pass"), "{note}");
}

#[test]
fn sampling_needs_a_number_and_all_values() {
    let exact = smallscope::Bounds::exact().objects("Shape", 3).ints("Avl.size", 0..=3);
    let report = Check::new("exact", exact).sample(10).run(|_: &Avl| {});
    assert!(report.error().unwrap().contains("`sample` needs bounds with a number"), "{report}");
    let variables = [("SMALLSCOPE_SAMPLE", "5"), ("SMALLSCOPE_SAMPLE_SIZE", "10"), ("SMALLSCOPE_SEED", "3")];
    let report = Check::new("variables", 2).environment(variables).run(|_: &Avl| {});
    let sampled = report.sampled.unwrap();
    assert_eq!((sampled.tested, sampled.objects, sampled.seed), (5, Some(10), 3));
}

#[test]
fn nothing_is_drawn_after_a_search_that_was_stopped() {
    let report = Check::new("stopped", 3).max(2).sample(10).run(|_: &Avl| {});
    let sampled = report.sampled.as_ref().unwrap();
    assert_eq!(sampled.tested, 0);
    assert!(sampled.to_string().contains("none was drawn, because the search was stopped"), "{report}");
    assert!(report.is_ok() && !report.is_exhaustive());
    // Only the first shard draws.
    for (shard, tested) in [("1/2", Some(10)), ("2/2", None)] {
        let report =
            Check::new("shard", 3).environment([("SMALLSCOPE_SHARD", shard)]).sample(10).run(|_: &Avl| {});
        assert_eq!(report.sampled.map(|sampled| sampled.tested), tested);
    }
}

#[smallscope::test(scope = 3, sample = 100, sample_size = 30, seed = 5)]
fn every_random_tree_is_balanced(tree: &Avl) {
    assert!(tree.rep_ok() && nodes(tree) < 31);
}
