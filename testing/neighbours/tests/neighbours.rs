//! Values of smallscope in other tools. The chapter "Other tools" of the book shows parts of this file.

use smallscope::Bounded;
use smallscope::neighbours::Numbered;

// ANCHOR: type
/// A set of numbers as a binary search tree.
#[derive(Bounded, Clone, Debug, PartialEq)]
struct Tree {
    root: Option<Box<Node>>,
}

#[derive(Bounded, Clone, Debug, PartialEq)]
struct Node {
    key: u8,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

#[smallscope::rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        Self::is_ordered(&self.root, None, None)
    }

    fn is_ordered(tree: &Option<Box<Node>>, low: Option<u8>, high: Option<u8>) -> bool {
        let Some(node) = tree else { return true };
        low.is_none_or(|low| low < node.key)
            && high.is_none_or(|high| node.key < high)
            && Self::is_ordered(&node.left, low, Some(node.key))
            && Self::is_ordered(&node.right, Some(node.key), high)
    }
}

thread_local! {
    /// All search trees with up to four nodes.
    static TREES: Numbered<Tree> = Numbered::new(4);
}
// ANCHOR_END: type

impl Tree {
    fn keys(&self) -> Vec<u8> {
        fn walk(tree: &Option<Box<Node>>, keys: &mut Vec<u8>) {
            if let Some(node) = tree {
                walk(&node.left, keys);
                keys.push(node.key);
                walk(&node.right, keys);
            }
        }
        let mut keys = vec![];
        walk(&self.root, &mut keys);
        keys
    }

    fn height(&self) -> usize {
        fn of(tree: &Option<Box<Node>>) -> usize {
            tree.as_ref().map_or(0, |node| 1 + of(&node.left).max(of(&node.right)))
        }
        of(&self.root)
    }
}

mod with_proptest {
    use super::*;
    // ANCHOR: proptest
    use proptest::prelude::*;

    fn trees() -> impl Strategy<Value = Tree> {
        (0..TREES.with(Numbered::len)).prop_map(|number| TREES.with(|trees| trees.get(number)))
    }

    proptest! {
        #[test]
        fn keys_are_sorted(tree in trees(), extra in any::<u8>()) {
            let mut keys = tree.keys();
            keys.retain(|key| *key != extra);
            prop_assert!(keys.is_sorted());
        }
    }
    // ANCHOR_END: proptest

    /// A smaller number is a smaller value, so proptest shrinks to a smallest tree.
    #[test]
    fn failures_shrink_to_a_smallest_tree() {
        use proptest::test_runner::{Config, TestError, TestRunner};
        let config = Config { failure_persistence: None, ..Config::default() };
        let failed = TestRunner::new(config).run(&trees(), |tree| {
            prop_assert!(tree.height() < 2);
            Ok(())
        });
        let Err(TestError::Fail(_, tree)) = failed else { panic!("{failed:?}") };
        assert_eq!((tree.keys().len(), tree.height()), (2, 2));
    }
}

mod with_quickcheck {
    use super::{TREES, Tree};
    // ANCHOR: quickcheck
    use quickcheck::{Arbitrary, Gen, quickcheck};

    #[derive(Clone, Debug)]
    struct Number(usize);

    impl Number {
        fn tree(&self) -> Tree {
            TREES.with(|trees| trees.get(self.0))
        }
    }

    impl Arbitrary for Number {
        fn arbitrary(generator: &mut Gen) -> Self {
            Number(usize::arbitrary(generator) % TREES.with(|trees| trees.len()))
        }

        fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
            let smaller: Vec<usize> = TREES.with(|trees| trees.smaller(self.0).collect());
            Box::new(smaller.into_iter().map(Number))
        }
    }

    quickcheck! {
        fn a_tree_is_at_most_as_high_as_it_has_keys(number: Number) -> bool {
            number.tree().height() <= number.tree().keys().len()
        }
    }
    // ANCHOR_END: quickcheck

    #[test]
    fn all_numbers_that_are_tried_instead_are_smaller() {
        TREES.with(|trees| {
            for number in 0..trees.len() {
                let smaller: Vec<usize> = trees.smaller(number).collect();
                assert!(smaller.iter().all(|n| *n < number) && smaller.is_sorted(), "{number}: {smaller:?}");
                assert_eq!(smaller.first(), (number > 0).then_some(&0));
                assert_eq!(smaller.last(), number.checked_sub(1).as_ref());
            }
        });
    }
}

mod with_arbitrary {
    use super::*;
    // ANCHOR: arbitrary
    use arbitrary::{Arbitrary, Result, Unstructured};

    impl Arbitrary<'_> for Tree {
        fn arbitrary(bytes: &mut Unstructured<'_>) -> Result<Self> {
            TREES.with(|trees| Ok(trees.get(bytes.choose_index(trees.len())?)))
        }
    }
    // ANCHOR_END: arbitrary

    #[test]
    fn bytes_reach_every_tree() {
        let mut seen = vec![];
        for byte in 0..=255 {
            let tree = Tree::arbitrary(&mut Unstructured::new(&[byte, 0])).unwrap();
            assert!(tree.rep_ok());
            if !seen.contains(&tree) {
                seen.push(tree);
            }
        }
        assert_eq!(seen.len(), TREES.with(Numbered::len));
    }
}

mod with_bolero {
    use super::*;
    // ANCHOR: bolero
    use bolero::{ValueGenerator, check};

    #[test]
    fn keys_are_sorted() {
        let trees = (0..TREES.with(Numbered::len)).map_gen(|number| TREES.with(|trees| trees.get(number)));
        check!().with_generator(trees).for_each(|tree: &Tree| assert!(tree.keys().is_sorted()));
    }
    // ANCHOR_END: bolero
}

mod fuzzing {
    use super::*;
    // ANCHOR: fuzz
    /// The body of a fuzz target: `fuzz_target!(|bytes: &[u8]| target(bytes));`
    fn target(bytes: &[u8]) {
        let tree = TREES.with(|trees| trees.from_bytes(bytes));
        assert!(tree.keys().is_sorted());
    }
    // ANCHOR_END: fuzz

    #[test]
    fn every_input_is_a_tree() {
        for bytes in [&b""[..], b"\xff", b"1.1", b"anything at all", b"9.9.9", &[7; 100]] {
            target(bytes);
        }
    }
}

mod with_insta {
    use super::*;

    // ANCHOR: insta
    #[test]
    fn the_height_of_every_tree() {
        let table = smallscope::neighbours::behaviour(2, Tree::height);
        insta::assert_snapshot!(table, @r"
        Tree { root: None } => 0
        Tree { root: Some(Node { key: 0, left: None, right: None }) } => 1
        Tree { root: Some(Node { key: 1, left: None, right: None }) } => 1
        Tree { root: Some(Node { key: 0, left: None, right: Some(Node { key: 1, left: None, right: None }) }) } => 2
        Tree { root: Some(Node { key: 1, left: Some(Node { key: 0, left: None, right: None }), right: None }) } => 2
        ");
    }
    // ANCHOR_END: insta

    #[test]
    fn panics_are_part_of_the_behaviour() {
        let table = smallscope::neighbours::behaviour(1, |tree: &Tree| tree.keys()[0]);
        assert!(table.starts_with("Tree { root: None } => panicked: index out of bounds"), "{table}");
        assert!(table.ends_with("right: None }) } => 0\n"), "{table}");
    }
}

mod observations {
    use super::*;

    #[smallscope::test(scope = 2)]
    #[ignore = "fails on purpose; the test below runs it in a process of its own"]
    fn observed(tree: Tree, key: u8) {
        assert!(tree.height() < 2 || key == 0);
    }

    use smallscope::sequences::{Builder, Context, Pool};

    /// A counter that must not reach three.
    #[derive(Clone, Debug, Hash)]
    pub struct Counter(u8);

    #[smallscope::api]
    impl Counter {
        pub fn new() -> Self {
            Counter(0)
        }
        pub fn count(&mut self) {
            self.0 += 1;
            assert!(self.0 < 3, "too many");
        }
    }

    fn counters() -> Builder {
        Context::builder().pool(Pool::<Counter>::empty(1).cloned().hashed()).api::<Counter>()
    }

    #[smallscope::sequences(strategy = "be", length = 4)]
    #[ignore = "fails on purpose; the test below runs it in a process of its own"]
    fn lists() -> Builder {
        counters()
    }

    #[smallscope::sequences(strategy = "states", length = 4)]
    #[ignore = "fails on purpose; the test below runs it in a process of its own"]
    fn states() -> Builder {
        counters()
    }

    #[test]
    #[ignore = "fails on purpose; the test below runs it in a process of its own"]
    fn laws() {
        smallscope::laws::total_order(smallscope::laws::given([0.0_f64, 1.0, 2.0].map(Odd)));
    }

    /// All numbers are equal, though one is less than another.
    #[derive(Debug, Clone, Copy)]
    struct Odd(f64);

    impl PartialEq for Odd {
        fn eq(&self, _: &Odd) -> bool {
            true
        }
    }
    impl Eq for Odd {}
    impl PartialOrd for Odd {
        fn partial_cmp(&self, other: &Odd) -> Option<std::cmp::Ordering> {
            Some(self.cmp(other))
        }
    }
    impl Ord for Odd {
        fn cmp(&self, other: &Odd) -> std::cmp::Ordering {
            self.0.total_cmp(&other.0)
        }
    }

    /// Runs a test that fails, and returns the lines that it writes.
    fn lines_of(test: &str) -> Vec<serde_json::Value> {
        let path = std::env::temp_dir().join(format!("smallscope-{test}-{}.jsonl", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", &format!("observations::{test}")])
            .env("SMALLSCOPE_OBSERVE", &path)
            .env("SMALLSCOPE_THREADS", "2")
            .output()
            .unwrap();
        assert!(!output.status.success(), "{output:?}");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{e}: {output:?}"));
        std::fs::remove_file(&path).unwrap();
        let _ = std::fs::remove_dir_all("smallscope-regressions");
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// A line has the keys of one that Hypothesis 6.170.15 wrote, with values of the same types. Coverage may be missing.
    fn check(line: &serde_json::Value) {
        let real: serde_json::Value = serde_json::from_str(include_str!("hypothesis.json")).unwrap();
        let (line, real) = (line.as_object().unwrap(), real.as_object().unwrap());
        assert_eq!(line.keys().collect::<Vec<_>>(), real.keys().collect::<Vec<_>>());
        for (key, value) in real {
            let is_same = std::mem::discriminant(value) == std::mem::discriminant(&line[key]);
            assert!(is_same || key == "coverage" && line[key].is_null(), "{key}: {line:?}");
        }
        assert!(line["status"] == "passed" || line["status"] == "failed");
        assert!(line["run_start"].is_f64());
    }

    #[test]
    fn the_lines_are_what_tyche_reads() {
        let lines = lines_of("observed");
        assert!(lines.len() > 5, "{lines:?}");
        lines.iter().for_each(check);
        assert!(lines.iter().all(|line| line["property"] == "observations::observed"));
        let failed: Vec<_> = lines.iter().filter(|line| line["status"] == "failed").collect();
        assert!(!failed.is_empty() && failed.iter().all(|line| line["status_reason"] == "the test panicked"));
        assert_eq!(failed[0]["arguments"]["key"], "1");
    }

    #[test]
    fn sequences_are_observed_too() {
        // Two calls, so sixteen sequences, of which the last but one, `new, count, count, count`, is the eighth.
        let lines = lines_of("lists");
        lines.iter().for_each(check);
        assert_eq!(lines.len(), 8, "{lines:?}");
        let last = lines.last().unwrap();
        assert_eq!(last["status"], "failed");
        assert!(last["status_reason"].as_str().unwrap().starts_with("after 4 calls: panicked: too many"));
        assert_eq!((&last["features"]["calls"], &last["features"]["skipped"]), (&4.into(), &0.into()));
        let sequence =
            "counter[0] = Counter::new(); counter[0].count(); counter[0].count(); counter[0].count()";
        assert_eq!(last["arguments"]["sequence"], sequence);
        assert!(lines[..7].iter().all(|line| line["status"] == "passed"));
        assert_eq!(last["how_generated"], "strategy `be`");
        assert!(last["timing"]["execute:test"].is_f64());

        // A counter at 0, at 1 and at 2, and the sequence that fails.
        let lines = lines_of("states");
        lines.iter().for_each(check);
        let failed: Vec<bool> = lines.iter().map(|line| line["status"] == "failed").collect();
        assert_eq!(failed, [false, false, false, true], "{lines:?}");
    }

    #[test]
    fn laws_are_observed_too() {
        let lines = lines_of("laws");
        lines.iter().for_each(check);
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert_eq!(
            (&lines[0]["status"], &lines[0]["representation"]),
            (&"passed".into(), &"Odd(0.0)".into())
        );
        assert_eq!(
            (&lines[1]["status"], &lines[1]["arguments"]["b"]),
            (&"failed".into(), &"Odd(1.0)".into())
        );
    }
}

mod sources {
    use super::*;

    #[smallscope::test(scope = 3)]
    #[ignore = "fails on purpose; the test below runs it in a process of its own"]
    fn trees_are_low(tree: Tree, words: Vec<String>) {
        assert!(tree.height() < 2 || words.len() < 2);
    }

    /// What is compiled below is what the failing test writes.
    #[test]
    fn the_file_with_the_source_is_what_a_failing_test_writes() {
        let path = std::env::temp_dir().join(format!("smallscope-source-{}.rs", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "sources::trees_are_low"])
            .env("SMALLSCOPE_SOURCE", &path)
            .output()
            .unwrap();
        assert!(!output.status.success());
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{e}: {output:?}"));
        std::fs::remove_file(&path).unwrap();
        let _ = std::fs::remove_dir_all("smallscope-regressions");
        assert_eq!(text.replace("#[cfg(kani)]\n", ""), include_str!("failing.rs"), "{text}");
        assert!(text.contains("#[cfg(kani)]\n#[kani::proof]\n"));
    }

    /// Kani itself is not run here. Its attribute stands for `#[test]`, so that the harness is compiled and run.
    mod kani {
        pub use std::prelude::rust_2024::test as proof;
    }

    include!("failing.rs");
}

mod editors {
    use smallscope::sequences::{Builder, Context, Pool};

    // ANCHOR: editors
    #[derive(Clone, Debug, Hash)]
    pub struct Counter(u8);

    #[smallscope::api]
    impl Counter {
        pub fn new() -> Self {
            Counter(0)
        }
        pub fn count(&mut self) {
            self.0 = self.0.wrapping_add(1);
        }
    }

    #[smallscope::sequences::test(length = 3)]
    fn counters_count() -> Builder {
        Context::builder().pool(Pool::<Counter>::empty(1).cloned().hashed()).api::<Counter>()
    }
    // ANCHOR_END: editors
}
