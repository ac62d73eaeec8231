//! Smallest first, everything, and nothing twice.

use super::tree::{Tree, check, remove_works};
use smallscope::structures::Product;
use smallscope::testing::Origin;
use smallscope::{Bounded, Bounds, Key, Order, Stop};
use std::collections::BTreeSet;
use std::fmt::Debug;

/// The values that a check delivers, in order.
fn delivered<T: Bounded + Debug>(bounds: Bounds, order: Order) -> Vec<String> {
    let mut values = vec![];
    let report = check("t", bounds).order(order).run(|value: T| values.push(format!("{value:?}")));
    assert!(report.is_exhaustive(), "{report}");
    assert_eq!(report.tested, values.len() as u64);
    values
}

/// Both orders must deliver exactly the values that one search finds.
fn same_values<T: Bounded + Debug>(bounds: Bounds) -> usize {
    let expected: Vec<String> = smallscope::all::<T>(&bounds).map(|v| format!("{v:?}")).collect();
    let set: BTreeSet<_> = expected.iter().cloned().collect();
    assert_eq!(set.len(), expected.len());
    // Parts that are searched apart come in the order of their combinations.
    let single = delivered::<T>(bounds.clone(), Order::Single);
    assert_eq!(single.len(), expected.len(), "{bounds:?}");
    assert_eq!(single.into_iter().collect::<BTreeSet<_>>(), set);
    let deepened = delivered::<T>(bounds.clone(), Order::Smallest);
    assert_eq!(deepened.len(), expected.len(), "{bounds:?}");
    assert_eq!(deepened.into_iter().collect::<BTreeSet<_>>(), set);
    expected.len()
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct FromOne {
    /// Has no value in scope 0.
    #[bounded(range = 1..=scope)]
    n: u8,
    rest: Option<Box<FromOne>>,
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct MaybeFromOne {
    first: Option<Box<FromOne>>,
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct ExactLength {
    /// What a smaller scope contains is not part of a larger one.
    #[bounded(len = scope..=scope)]
    v: Vec<bool>,
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Window {
    /// Negative in small scopes, which the type forbids.
    #[bounded(range = (scope - 2)..=scope)]
    n: u8,
    c: char,
}

#[test]
fn deepening_delivers_the_same_set_as_one_pass() {
    for n in 0..=4 {
        same_values::<u8>(Bounds::scope(n));
        same_values::<Vec<u8>>(Bounds::scope(n.min(3)));
        same_values::<(u8, bool, u16)>(Bounds::scope(n));
        same_values::<String>(Bounds::scope(n.min(3)));
        same_values::<Tree<Key>>(Bounds::scope(n));
        same_values::<Product<(Tree<u8>, Tree<Key>, usize)>>(Bounds::scope(n.min(2)));
        same_values::<MaybeFromOne>(Bounds::scope(n));
        same_values::<Window>(Bounds::scope(n.max(2)));
    }
    assert_eq!(same_values::<FromOne>(Bounds::scope(2)), 2 + 4 + 8);
    assert_eq!(same_values::<ExactLength>(Bounds::scope(3)), 8);
    same_values::<Tree<Key>>(Bounds::scope(2).objects("Node", 3));
    same_values::<Tree<u8>>(
        Bounds::exact().objects("Node", 3).ints("Node.key", 1..=3).ints("Tree.size", [3, 1]),
    );
}

#[test]
fn many_scopes_are_no_problem() {
    assert_eq!(same_values::<u8>(Bounds::scope(200)), 200);
    assert_eq!(same_values::<u64>(Bounds::scope(62)), 62);
    assert_eq!(same_values::<u64>(Bounds::scope(63)), 63);
    assert_eq!(same_values::<u64>(Bounds::scope(64)), 64);
}

#[test]
fn scopes_come_in_order() {
    let scope_of = |v: &Vec<u8>| v.iter().map(|&x| x as usize + 1).max().unwrap_or(0).max(v.len());
    let mut scopes = vec![];
    check("t", 3).run(|v: Vec<u8>| scopes.push(scope_of(&v))).expect_ok();
    assert!(scopes.is_sorted(), "{scopes:?}");
    assert_eq!(scopes.len(), 1 + 3 + 9 + 27);
}

#[test]
fn the_first_failure_is_a_smallest_one() {
    let report = check("t", 5).run(remove_works);
    let failure = report.failure().unwrap();
    assert!(matches!(failure.origin, Origin::Search { scope: Some(3), .. }), "{report}");
    assert_eq!(report.outcome.stop, Stop::FirstFailure);
    assert_eq!(report.passes.len(), 4);
    assert_eq!(failure.graph.lines().filter(|l| l.starts_with("Node#")).count(), 3, "{report}");
    let text = report.to_string();
    assert!(
        text.contains("scopes 0 to 2 are covered exhaustively, scope 3 is not, scopes 4 to 5 were not begun"),
        "{text}"
    );
}

/// Large data, or many nodes: within scope 3, a tree of three nodes comes before the node with the key 2.
fn is_small(tree: Tree<u8>) {
    let keys = tree.keys();
    assert!(keys.len() < 3 && !keys.contains(&&2), "{keys:?}");
}

#[test]
fn within_a_scope_a_failure_with_the_fewest_objects_is_reported() {
    for threads in [1, 2] {
        let report = check("t", 4).threads(threads).run_parallel(is_small);
        let failure = report.failure().unwrap();
        assert_eq!(failure.origin, Origin::Fewest { scope: Some(3), total: 1 }, "{report}");
        assert_eq!(failure.message, "[2]");
        assert_eq!(failure.graph.lines().filter(|l| l.starts_with("Node#")).count(), 1, "{report}");
        let text = report.to_string();
        assert!(
            text.contains("in scope 3 of 4, a value with 1 object or element; those tried with fewer pass"),
            "{text}"
        );
        let replay = [("SMALLSCOPE_REPLAY", failure.replay.as_str())];
        let again = check("t", 4).environment(replay).run(is_small);
        assert_eq!(again.failure().unwrap().message, "[2]", "{again}");
    }
    // One pass says nothing about sizes.
    let report = check("t", 3).order(Order::Single).run(is_small);
    assert!(matches!(report.failure().unwrap().origin, Origin::Search { .. }), "{report}");
}

/// The order of failures that a pass by number of objects has, from all values of the pass.
#[test]
fn the_fewest_objects_are_those_of_all_values_of_the_scope() {
    let fails = |tree: &Tree<u8>, limit: usize| {
        let keys = tree.keys();
        keys.iter().map(|&key| usize::from(*key)).sum::<usize>() + keys.len() > limit
    };
    for limit in 0..9 {
        let report =
            check("t", 4).run(|tree: Tree<u8>| assert!(!fails(&tree, limit), "{}", tree.keys().len()));
        let failing = |scope: u32| {
            let trees = smallscope::all::<Tree<u8>>(scope).filter(|tree| fails(tree, limit));
            trees.map(|tree| tree.keys().len()).min()
        };
        let least = (0..=4).find_map(failing);
        assert_eq!(report.failure().map(|f| f.message.clone()), least.map(|n| n.to_string()), "{report}");
    }
}

#[test]
fn one_pass_goes_to_the_full_scope_at_once() {
    let report = check("t", 5).order(Order::Single).run(remove_works);
    let failure = report.failure().unwrap();
    assert!(matches!(failure.origin, Origin::Search { scope: None, .. }));
    assert!(failure.replay.starts_with("5:"), "{}", failure.replay);
    assert!(report.to_string().contains("the bounds are not covered exhaustively"));
}

#[test]
fn exact_bounds_are_reported_as_one() {
    let bounds = Bounds::exact().objects("Node", 3).ints("Node.key", 0..3).ints("Tree.size", 0..=3);
    let report = check("t", bounds).run(|tree: Tree<u8>| assert!(tree.size <= 3));
    assert!(report.is_exhaustive());
    // With up to 0, 1, 2 and 3 nodes.
    let passes: Vec<_> = report.passes.iter().map(|pass| (pass.scope, pass.tested)).collect();
    assert_eq!(passes, [(None, 1), (None, 3), (None, 6), (None, 5)]);
    assert_eq!(report.coverage(), "the bounds are covered exhaustively: 15 values");
}

#[test]
fn all_try_all_and_count_agree() {
    let outcome = smallscope::count::<Tree<Key>>(3);
    assert!(outcome.is_exhaustive());
    // 5 trees of size 3, 2 of size 2 with 3 choices of keys, 3 of size 1, the empty one.
    assert_eq!(outcome.valid, 5 + 2 * 3 + 3 + 1);
    assert_eq!(smallscope::all::<Tree<Key>>(3).count() as u64, outcome.valid);
    let tried: Result<Vec<Tree<Key>>, _> = smallscope::try_all(3).unwrap().collect();
    assert_eq!(tried.unwrap().len() as u64, outcome.valid);
}

#[test]
fn closures_take_up_to_six_arguments() {
    let mut n = [0; 6];
    check("1", 2).run(|_: u8| n[0] += 1).expect_ok();
    check("2", 2).run(|_: u8, _: bool| n[1] += 1).expect_ok();
    check("3", 2).run(|_: u8, _: bool, _: u8| n[2] += 1).expect_ok();
    check("4", 2).run(|_: u8, _: bool, _: u8, _: u8| n[3] += 1).expect_ok();
    check("5", 2).run(|_: u8, _: bool, _: u8, _: u8, _: usize| n[4] += 1).expect_ok();
    check("6", 2).run(|_: u8, _: bool, _: u8, _: u8, _: usize, _: (u8, u8)| n[5] += 1).expect_ok();
    assert_eq!(n, [2, 4, 8, 16, 48, 192]);
    smallscope::check(2, |Product((_, b)): Product<(u8, Tree<Key>)>| assert!(b.size <= 2));
}

/// A table that is too large in the last scope does not hide a failure in a small one.
#[test]
fn scopes_that_fit_are_run_before_one_that_does_not() {
    let run = |longest: usize| {
        check("t", 12).run(move |text: String| assert!(text.len() <= longest, "{text:?} is too long"))
    };
    let failed = run(1);
    assert!(failed.failure().is_some_and(|case| case.message.contains("is too long")), "{failed}");
    let passed = check("t", 12).max(40).run(|_: String| ());
    let error = passed.error().expect("it cannot be laid out");
    assert!(error.contains("too large"), "{error}");
    assert!(error.contains(" passes; the test was run on "), "{error}");
}
