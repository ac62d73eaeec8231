//! Several inputs.

use crate::{ENGINES, agrees, all, options};
use smallscope::search::Search;
use smallscope::structures::Product;
use smallscope::{Bounded, Bounds, Check, Disjoint, Key, rep_ok};
use std::collections::BTreeSet;
use std::sync::Mutex;

#[derive(Bounded, Debug, Clone)]
struct Tree<K> {
    root: Option<Box<Node<K>>>,
    size: usize,
}

#[derive(Bounded, Debug, Clone)]
struct Node<K> {
    key: K,
    left: Option<Box<Node<K>>>,
    right: Option<Box<Node<K>>>,
}

#[rep_ok]
impl<K: Ord> Tree<K> {
    fn rep_ok(&self) -> bool {
        Self::count(&self.root) == self.size && Self::is_ordered(&self.root, None, None)
    }
    fn count(node: &Option<Box<Node<K>>>) -> usize {
        node.as_ref().map_or(0, |node| 1 + Self::count(&node.left) + Self::count(&node.right))
    }
    fn is_ordered(node: &Option<Box<Node<K>>>, low: Option<&K>, high: Option<&K>) -> bool {
        match node {
            None => true,
            Some(node) => {
                low.is_none_or(|low| *low < node.key)
                    && high.is_none_or(|high| node.key < *high)
                    && Self::is_ordered(&node.left, low, Some(&node.key))
                    && Self::is_ordered(&node.right, Some(&node.key), high)
            }
        }
    }
}

#[test]
fn inputs_are_combined() {
    for scope in 0..4 {
        let bounds = Bounds::scope(scope);
        agrees::<Product<(Tree<Key>, Key)>>(&bounds);
        agrees::<Product<(Tree<u8>, Tree<u8>)>>(&bounds);
        agrees::<Product<(Tree<Key>, Tree<u8>)>>(&bounds);
        agrees::<Product<(bool, u8, Tree<Key>)>>(&bounds);
        agrees::<Product<(Vec<u8>, Option<Box<u8>>, (bool, u8))>>(&bounds);
    }
    assert_eq!(agrees::<Product<(u8, u8, u8, u8, u8, u8)>>(&Bounds::scope(2)), 64);
}

#[test]
fn the_order_is_that_of_one_search_where_everything_is_read() {
    // No slot of the tree is left open by its invariant, so the second input is the last to change.
    let bounds = Bounds::scope(3);
    let direct = all::<Product<(Tree<u8>, u8)>>(&bounds, options(smallscope::Engine::Owned, Disjoint::Off));
    let combined = all::<Product<(Tree<u8>, u8)>>(&bounds, options(smallscope::Engine::Owned, Disjoint::On));
    assert_eq!(direct, combined);
}

#[test]
fn equal_inputs_are_searched_once() {
    for engine in ENGINES.into_iter().filter(|engine| *engine != smallscope::Engine::Korat) {
        let explored = |bounds: &Bounds| {
            let pair =
                Search::<Product<(Tree<u8>, Tree<u8>)>>::new(bounds, options(engine, Disjoint::On)).unwrap();
            pair.count().unwrap().explored
        };
        let mut one = options(engine, Disjoint::Off);
        one.lazy.order = false;
        let one = Search::<Tree<u8>>::new(&Bounds::scope(3), one).unwrap().count().unwrap().explored;
        assert_eq!(explored(&Bounds::scope(3)), one, "{engine}");
        // Not if their bounds differ.
        assert!(explored(&Bounds::scope(3).pool("argument 1", 2)) > one, "{engine}");
    }
}

#[test]
fn inputs_of_different_sizes_are_different() {
    agrees::<Product<(Tree<u8>, Tree<u8>)>>(&Bounds::scope(3).pool("argument 1", 1));
    let slicing = |bounds: &Bounds| {
        let search =
            Search::<Product<(Tree<u8>, Tree<u8>)>>::new(bounds, options(Default::default(), Disjoint::On));
        search.unwrap().slicing().unwrap().unwrap()
    };
    let parts = slicing(&Bounds::scope(3)).parts;
    assert_eq!((parts[0].valid, parts[1].valid), (15, 15));
    assert!(parts[0].explored.is_some() && parts[1].explored.is_none());
    let parts = slicing(&Bounds::scope(3).pool("argument 1", 1)).parts;
    assert_eq!((parts[0].valid, parts[1].valid), (15, 4));
    assert!(parts[1].explored.is_some());
}

/// What tests get, pass by pass.
fn seen(disjoint: Disjoint, threads: usize, scope: u32) -> (Vec<(String, u8)>, smallscope::Report) {
    let seen = Mutex::new(vec![]);
    let test = |tree: &Tree<Key>, x: u8| seen.lock().unwrap().push((format!("{tree:?}"), x));
    let check = Check::new("combined", scope).disjoint(disjoint).threads(threads);
    let report = check.environment::<&str, &str>([]).run_parallel(test);
    (seen.into_inner().unwrap(), report)
}

#[test]
fn tests_get_the_same_values_scope_by_scope() {
    let (direct, report) = seen(Disjoint::Off, 1, 4);
    assert!(report.is_exhaustive());
    for disjoint in [Disjoint::Auto, Disjoint::On] {
        let (combined, again) = seen(disjoint, 1, 4);
        assert!(again.is_exhaustive());
        let passes = |report: &smallscope::Report| {
            report.passes.iter().map(|pass| (pass.scope, pass.tested)).collect::<Vec<_>>()
        };
        assert_eq!(passes(&report), passes(&again));
        let mut start = 0;
        for pass in &report.passes {
            let end = start + pass.tested as usize;
            let set = |all: &[(String, u8)]| all[start..end].iter().cloned().collect::<BTreeSet<_>>();
            assert_eq!(set(&direct), set(&combined), "{:?}", pass.scope);
            start = end;
        }
        assert_eq!(start, combined.len());
    }
}

#[test]
fn threads_get_every_combination_once() {
    let (mut expected, _) = seen(Disjoint::Off, 1, 4);
    expected.sort();
    for threads in [1, 2, 8] {
        let (mut combined, report) = seen(Disjoint::On, threads, 4);
        combined.sort();
        assert_eq!(expected, combined);
        assert!(report.is_exhaustive());
    }
}

#[test]
fn the_first_failure_is_a_smallest_one_and_can_be_replayed() {
    for disjoint in [Disjoint::Off, Disjoint::Auto, Disjoint::On] {
        let check = |variables: Vec<(&str, String)>| {
            let check = Check::new("small", 4).disjoint(disjoint).environment(variables);
            check.run(|tree: Tree<Key>, other: Tree<Key>| assert!(tree.size + other.size < 3))
        };
        let report = check(vec![]);
        let failure = report.failure().expect("two trees of two nodes");
        assert_eq!(report.passes.last().unwrap().scope, Some(2), "{disjoint}");
        let replayed = check(vec![("SMALLSCOPE_REPLAY", failure.replay.clone())]);
        assert!(replayed.failure().is_some(), "{replayed}");
    }
}
