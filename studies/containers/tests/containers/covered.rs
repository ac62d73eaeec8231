//! The blocks of the tree map: a few sequences of calls reach all that can be reached.

use smallscope::sequences::{Abstraction, Context, Explorer, Pool, Stop, by_mut, by_ref, nothing, value};
use smallscope_containers::TreeMap;
use smallscope_cover::{Coverage, Criterion};
use std::collections::BTreeMap;

type Map = TreeMap<u8, u8>;

/// Blocks that no sequence reaches, and why.
const UNREACHABLE: [(&str, &str); 3] = [
    (
        "TreeMap::fix_after_insertion: else of `let Some(grandparent) = self.nodes[parent].parent`",
        "the parent is red, and the root is black",
    ),
    (
        "TreeMap::fix_before_removal: else of `let Some(mut sibling) = self.child(parent, other)`",
        "beside a black node there is another one, or the ways down would differ",
    ),
    (
        "TreeMap::fix_before_removal: else of `let Some(nephew) = self.child(parent, other)`",
        "a red sibling has black children, for the same reason",
    ),
];

/// Calls: `+3` inserts 3, `-3` removes it, `?3` looks for it.
fn run(sequence: &str) -> Map {
    let mut map = Map::new();
    for call in sequence.split_whitespace() {
        let (what, key) = call.split_at(1);
        let key = key.parse().expect("a key");
        match what {
            "+" => drop(map.insert(key, key)),
            "-" => drop(map.remove(&key)),
            _ => drop(map.get(&key)),
        }
        assert!(map.rep_ok(), "{sequence}");
    }
    map
}

/// In the order of their length, so that the first one that reaches a block is a short one.
const SEQUENCES: [&str; 11] = [
    "?1 -1",
    "+1 +1 ?1",
    "+1 ?0 ?2 -1",
    "+2 +1 +3 ?1 ?3 -2",
    "+1 +2 +3",
    "+1 +3 +2 +4 -4",
    "+2 +1 +3 +4 -1",
    "+2 +1 +4 +3 -1",
    "+2 +1 +3 +4 -4 -3 -2",
    "+4 +2 +6 +1 +3 +5 +7 +8 -8 -1 -3 -2 -4",
    "+1 +2 +3 +4 +5 +6 +7 +8 -1 -2 -3 -4 -5 -6 -7 -8",
];

#[test]
fn sequences_reach_all_blocks_that_can_be_reached() {
    let mut coverage = Coverage::of::<Map>(Criterion::Blocks);
    let mut first = BTreeMap::new();
    for sequence in SEQUENCES {
        run(sequence);
        for &target in coverage.collect() {
            first.insert(target, sequence);
        }
    }
    assert_eq!(first.len(), coverage.covered());
    let uncovered: Vec<String> = coverage.uncovered().map(ToString::to_string).collect();
    let unreachable: Vec<&str> = UNREACHABLE.iter().map(|(block, _)| *block).collect();
    let report: Vec<String> = first
        .iter()
        .map(|(target, sequence)| format!("{sequence}: {}", coverage.targets()[*target]))
        .collect();
    assert_eq!(uncovered, unreachable, "{}", report.join("\n"));
    assert_eq!((coverage.covered(), coverage.total()), (50, 53));
}

/// No call on any tree of up to six nodes reaches the others.
#[test]
fn the_others_are_not_reached_from_any_small_tree() {
    let mut coverage = Coverage::of::<Map>(Criterion::Blocks);
    let bounds = smallscope::Bounds::exact()
        .len("TreeMap.nodes", 0..=6)
        .ints("Node.key", 0..=6)
        .ints("Node.value", 0..=0)
        .objects("Node", 6);
    let trees: Vec<Map> = coverage.uncounted(|| smallscope::all(bounds).collect());
    assert_eq!(coverage.collect(), []);
    for tree in &trees {
        for key in 0..7 {
            tree.clone().insert(key, 0);
            tree.clone().remove(&key);
            tree.get(&key);
        }
    }
    coverage.collect();
    let uncovered: Vec<String> = coverage.uncovered().map(ToString::to_string).collect();
    assert_eq!(uncovered, UNREACHABLE.map(|(block, _)| block));
}

#[test]
fn combinations_are_those_of_the_situation() {
    let mut coverage = Coverage::of::<Map>(Criterion::Predicates);
    SEQUENCES.iter().for_each(|sequence| drop(run(sequence)));
    coverage.collect();
    let covered = |function: &str, kind: &str| {
        let names = coverage.targets().iter().enumerate().filter(|(number, _)| coverage.is_covered(*number));
        let mut combinations: Vec<(bool, bool, bool)> = names
            .filter(|(_, target)| {
                let name = target.to_string();
                name.starts_with(function) && name.contains(kind)
            })
            .filter_map(|(_, target)| target.combination)
            .map(|bits| (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0))
            .collect();
        combinations.sort();
        combinations.dedup();
        combinations
    };
    // (has a left child, has a right child, has a parent), in any colour
    assert_eq!(covered("TreeMap::fix_after_insertion", "entry"), [(false, false, true)]);
    assert!(covered("TreeMap::fix_after_insertion", "body of").iter().all(|(_, _, parent)| *parent));
    assert!(covered("TreeMap::rotate", "then of").iter().all(|(left, right, _)| *left || *right));
    let both = covered("TreeMap::remove_node", "then of `if let (Some(_), Some(right)) = ");
    assert!(!both.is_empty() && both.iter().all(|(left, right, _)| *left && *right));
    // There is no node yet where an empty map is seen.
    assert!(coverage.targets().iter().any(|target| target.to_string() == "TreeMap::insert: entry"));
}

/// As in `examples/state_matching.rs`.
fn context(keys: u8) -> Context {
    Context::builder()
        .pool(Pool::<Map>::empty(1).and_made_by(Map::new).cloned().linearized().frozen())
        .pool(Pool::of(0..keys))
        .method("insert", (by_mut::<Map>(), value::<u8>()), nothing(), |(map, key)| map.insert(key, 0))
        .method("remove", (by_mut::<Map>(), by_ref::<u8>()), nothing(), |(map, key)| map.remove(key))
        .method("get", (by_ref::<Map>(), by_ref::<u8>()), nothing(), |(map, key)| map.get(key).copied())
        .build()
        .unwrap()
}

/// As in the paper, matching by shape reaches all blocks with far fewer states than complete matching.
#[test]
fn shapes_lead_to_all_blocks() {
    let unreachable: Vec<&str> = UNREACHABLE.iter().map(|(block, _)| *block).collect();
    let explore = |abstraction: Abstraction, length: u8| {
        let context = context(length);
        let mut coverage = Coverage::of::<Map>(Criterion::Blocks);
        let explorer = Explorer::new(&context).abstraction(abstraction).max_length(length.into());
        let found = explorer.coverage(&mut coverage).explore().unwrap();
        let uncovered: Vec<String> = coverage.uncovered().map(ToString::to_string).collect();
        assert_eq!(uncovered, unreachable, "{coverage}");
        // The suite is enough.
        let mut again = Coverage::of::<Map>(Criterion::Blocks);
        for witness in &found.suite.witnesses {
            let mut values = context.initial_values();
            for call in witness.test.calls() {
                context.call(*call, &mut values);
            }
        }
        again.collect();
        assert_eq!(again.snapshot(), coverage.snapshot());
        found
    };
    let shape = explore(Abstraction::Shape, 11);
    assert_eq!((shape.stop, shape.states), (Stop::Lossy, 51));
    let complete = explore(Abstraction::Complete, 7);
    assert_eq!((complete.stop, complete.states), (Stop::Exhausted, 537));
    assert!(shape.transitions < complete.transitions && shape.suite.longest() >= complete.suite.longest());
}
