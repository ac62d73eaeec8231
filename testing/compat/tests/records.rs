//! Records and replay lines that an earlier version wrote. Each case fails for some value; the files say which one, and
//! today's code has to read the line, build the same value, and find it again by itself.

use smallscope::testing::Origin;
use smallscope::{Bounded, Bounds, Check, Disjoint, Engine, Key, Report, rep_ok};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

#[derive(Bounded, Debug)]
struct Tree<K> {
    root: Option<Box<Node<K>>>,
    size: usize,
}

#[derive(Bounded, Debug)]
struct Node<K> {
    key: K,
    left: Option<Box<Node<K>>>,
    right: Option<Box<Node<K>>>,
}

#[rep_ok]
impl<K: Ord> Tree<K> {
    fn rep_ok(&self) -> bool {
        Self::count(&self.root) == self.size && Self::ordered(&self.root, None, None)
    }

    fn count(node: &Option<Box<Node<K>>>) -> usize {
        match node {
            Some(node) => 1 + Self::count(&node.left) + Self::count(&node.right),
            None => 0,
        }
    }

    fn ordered(node: &Option<Box<Node<K>>>, low: Option<&K>, high: Option<&K>) -> bool {
        match node {
            Some(node) => {
                low.is_none_or(|low| low < &node.key)
                    && high.is_none_or(|high| &node.key < high)
                    && Self::ordered(&node.left, low, Some(&node.key))
                    && Self::ordered(&node.right, Some(&node.key), high)
            }
            None => true,
        }
    }
}

impl<K> Tree<K> {
    fn is_full(&self) -> bool {
        self.root.as_ref().is_some_and(|node| node.left.is_some() && node.right.is_some())
    }
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
enum Term {
    Number(i8),
    Name(String),
    Sum(Box<Term>, Box<Term>),
    Pair { swapped: bool, of: [Option<char>; 2] },
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Shared {
    first: Rc<Item>,
    second: Option<Rc<Item>>,
    flag: Cell<bool>,
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Item {
    value: u16,
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Arena {
    items: Vec<Link>,
    #[bounded(index = "items")]
    root: Option<usize>,
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Link {
    #[bounded(index = "items")]
    next: Option<u32>,
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Containers {
    map: BTreeMap<u8, bool>,
    set: BTreeSet<u8>,
    pair: (i64, bool),
}

/// A test that fails: its name, the check, and the run. The message of the failure is the value.
struct Case(&'static str, fn(&str) -> Check, fn(Check) -> Report);

/// Fails a test, with the value as the message.
fn found(value: impl std::fmt::Debug) -> ! {
    panic!("{value:?}")
}

fn full_tree(check: Check) -> Report {
    check.run(|tree: Tree<u8>| {
        if tree.is_full() {
            found(tree)
        }
    })
}

fn loop_of_two(check: Check) -> Report {
    check.run(|arena: Arena| {
        let next = |at: usize| arena.items[at].next.map(|next| next as usize);
        if let Some(root) = arena.root
            && let Some(second) = next(root)
            && second != root
            && next(second) == Some(root)
        {
            found(arena)
        }
    })
}

static CASES: [Case; 13] = [
    Case("tree", |name| Check::new(name, 3), full_tree),
    Case("arena_korat", |name| Check::new(name, 3).engine(Engine::Korat), loop_of_two),
    Case("tree_owned", |name| Check::new(name, 3).engine(Engine::Owned), full_tree),
    Case(
        "tree_exact",
        |name| {
            let bounds = Bounds::exact().objects("Node", 3).ints("Node.key", [5, 7, 9, 11]);
            Check::new(name, bounds.ints("Tree.size", 0..=3))
        },
        full_tree,
    ),
    Case(
        "keys",
        |name| Check::new(name, 4),
        |check| {
            check.run(|tree: Tree<Key>, key: Key| {
                if tree.is_full() {
                    found((tree, key))
                }
            })
        },
    ),
    Case(
        "order_types",
        |name| Check::new(name, 3).order_types(),
        |check| {
            check.run(|tree: Tree<Key>, low: Key, high: Key| {
                if tree.is_full() && low < high {
                    found((tree, low, high))
                }
            })
        },
    ),
    Case(
        "two_trees",
        |name| Check::new(name, 2).disjoint(Disjoint::On),
        |check| {
            check.run(|one: Tree<Key>, other: Tree<u8>| {
                if one.size + other.size == 3 {
                    found((one, other))
                }
            })
        },
    ),
    Case(
        "term",
        |name| Check::new(name, 2),
        |check| {
            check.run(|term: Term| match &term {
                Term::Sum(left, right)
                    if matches!((&**left, &**right), (Term::Name(_), Term::Pair { .. })) =>
                {
                    found(term)
                }
                _ => {}
            })
        },
    ),
    Case(
        "shared",
        |name| Check::new(name, 3),
        |check| {
            check.run(|value: Shared| {
                let is_shared = value.second.as_ref().is_some_and(|second| Rc::ptr_eq(second, &value.first));
                if is_shared && value.flag.get() && value.first.value == 2 {
                    found(value)
                }
            })
        },
    ),
    Case("arena", |name| Check::new(name, 3), loop_of_two),
    Case(
        "containers",
        |name| Check::new(name, 3),
        |check| {
            check.run(|value: Containers| {
                if value.map.values().any(|&b| b) && value.set.len() == 2 && value.pair.1 {
                    found(value)
                }
            })
        },
    ),
    Case(
        "plain",
        |name| Check::new(name, 3),
        |check| {
            check.run(|list: Vec<u8>, flag: bool, letter: Option<char>| {
                if list.len() == 2 && list[0] > list[1] && flag && letter.is_some() {
                    found((list, flag, letter))
                }
            })
        },
    ),
    Case(
        "scope_only",
        |name| Check::new(name, Bounds::scope(3).objects("Node", 2)),
        |check| {
            check.run(|tree: Tree<i32>| {
                if tree.size == 2 {
                    found(tree)
                }
            })
        },
    ),
];

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("records")
}

/// What an earlier version wrote about a case: the replay text and the value.
fn written(case: &Case) -> (String, String) {
    let table = fs::read_to_string(here().join("replays.tsv")).unwrap();
    let line =
        table.lines().find(|line| line.split('\t').next() == Some(case.0)).expect("a line for each case");
    let [_, replay, value] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
    (replay.to_owned(), value.to_owned())
}

fn run(case: &Case, variables: &[(&str, &str)], directory: Option<&Path>) -> Report {
    let mut check = case.1(case.0).environment(variables.iter().copied());
    if let Some(directory) = directory {
        check = check.record_in(directory);
    }
    case.2(check)
}

#[test]
fn replay_lines_mean_the_same_value() {
    for case in &CASES {
        let (replay, value) = written(case);
        let report = run(case, &[("SMALLSCOPE_REPLAY", &replay)], None);
        let failure = report.failure().unwrap_or_else(|| panic!("{}: {report}", case.0));
        assert_eq!((&failure.message, report.tested), (&value, 1), "{report}");
    }
}

#[test]
fn the_search_finds_the_same_value_first() {
    for case in &CASES {
        let (replay, value) = written(case);
        let report = run(case, &[], None);
        let failure = report.failure().unwrap_or_else(|| panic!("{}: {report}", case.0));
        assert_eq!((failure.replay.to_string(), &failure.message), (replay, &value), "{report}");
    }
}

/// Where a map was one choice, or a tuple, the numbers of a candidate meant something else.
#[test]
fn replay_lines_of_maps_and_tuples_as_one_choice_are_stale() {
    let case = containers();
    for replay in ["2:2.3.1@d4f931e508ae21b7", "2:1.1.3.1@69c77c3b699a5e4c"] {
        let report = run(case, &[("SMALLSCOPE_REPLAY", replay)], None);
        assert!(report.failure().is_none());
        assert!(report.to_string().contains("the type or the bounds have changed"), "{report}");
    }
}

/// Stale records are not tried, each with a warning. They stay, and the value is recorded anew when it is found.
#[test]
fn stale_records_are_named_and_stay() {
    let case = containers();
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compat-stale");
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(directory.join("smallscope-regressions")).unwrap();
    let name = "smallscope-regressions/containers.txt";
    fs::copy(here().join("stale").join(name), directory.join(name)).unwrap();
    let report = run(case, &[], Some(&directory));
    let failure = report.failure().unwrap_or_else(|| panic!("{report}"));
    assert!(!matches!(failure.origin, Origin::Record(_)), "{report}");
    assert_eq!(failure.message, written(case).1);
    let is_stale = |warning: &String| warning.contains("is stale and was not tried: the type or the bounds");
    assert_eq!(report.warnings.iter().filter(|warning| is_stale(warning)).count(), 2, "{report}");
    let read = |directory: &Path| fs::read_to_string(directory.join(name)).unwrap();
    let before = read(&here().join("stale"));
    assert_eq!(read(&directory).strip_prefix(&before).map(|added| added.lines().count()), Some(1));
}

fn containers() -> &'static Case {
    CASES.iter().find(|case| case.0 == "containers").expect("a case with a map and a tuple")
}

#[test]
fn records_are_tried_first_and_stay() {
    // A copy, so that a failure of this test cannot change the files.
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compat-records");
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(directory.join("smallscope-regressions")).unwrap();
    for case in &CASES {
        let name = format!("smallscope-regressions/{}.txt", case.0);
        fs::copy(here().join(&name), directory.join(&name)).unwrap();
        let report = run(case, &[], Some(&directory));
        let failure = report.failure().unwrap_or_else(|| panic!("{}: {report}", case.0));
        assert!(matches!(failure.origin, Origin::Record(_)), "{report}");
        assert_eq!((&failure.message, report.warnings.len()), (&written(case).1, 0), "{report}");
        let read = |directory: &Path| fs::read_to_string(directory.join(&name)).unwrap();
        assert_eq!(read(&directory), read(&here()));
    }
}

#[test]
#[ignore = "writes the files: they are replaced only when a format changes on purpose"]
fn write() {
    let mut table = String::new();
    for case in &CASES {
        let report = run(case, &[], Some(&here()));
        let failure = report.failure().unwrap_or_else(|| panic!("{}: {report}", case.0));
        table.push_str(&format!("{}\t{}\t{}\n", case.0, failure.replay, failure.message));
    }
    fs::write(here().join("replays.tsv"), table).unwrap();
}
