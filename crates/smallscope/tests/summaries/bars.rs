//! How many runs natural invariants take.

use super::{runs, same};
use smallscope::summaries::{Limits, Summaries, with_limits};
use smallscope::{Bounded, Bounds, Check, Key, rep_ok};

fn at_most(values: u64, runs: u64) {
    println!("{runs} runs for {values} values");
    assert!(runs <= 5_000 || runs <= 20 * values, "{runs} runs for {values} values");
}

#[derive(Bounded, Debug)]
struct Leftist {
    root: Option<Box<Heap>>,
    size: usize,
}

#[derive(Bounded, Debug)]
struct Heap {
    left: Option<Box<Heap>>,
    right: Option<Box<Heap>>,
}

#[rep_ok]
impl Leftist {
    fn rep_ok(&self) -> bool {
        Self::count(&self.root) == self.size && Self::is_leftist(&self.root)
    }

    fn count(t: &Option<Box<Heap>>) -> usize {
        match t {
            None => 0,
            Some(n) => 1 + Self::count(&n.left) + Self::count(&n.right),
        }
    }

    fn rank(t: &Option<Box<Heap>>) -> usize {
        match t {
            None => 0,
            Some(n) => 1 + Self::rank(&n.left).min(Self::rank(&n.right)),
        }
    }

    fn is_leftist(t: &Option<Box<Heap>>) -> bool {
        match t {
            None => true,
            Some(n) => {
                Self::rank(&n.left) >= Self::rank(&n.right)
                    && Self::is_leftist(&n.left)
                    && Self::is_leftist(&n.right)
            }
        }
    }
}

#[test]
fn leftist_trees() {
    let bounds =
        |n: u32| Bounds::exact().objects("Heap", n).ints("Leftist.size", i64::from(n)..=i64::from(n));
    // A006196.
    for (n, number) in (1..).zip([1, 1, 2, 4, 8, 17, 38]) {
        assert_eq!(same::<Leftist>(&bounds(n)), number, "{n} nodes");
    }
    let (values, runs) = runs::<Leftist>(&bounds(12));
    assert_eq!(values, 2_822);
    at_most(values, runs);
}

#[derive(Bounded, Debug)]
struct Complete {
    root: Option<Box<Heap>>,
    size: usize,
}

#[rep_ok]
impl Complete {
    fn rep_ok(&self) -> bool {
        Self::count(&self.root) == self.size && Self::is_complete(&self.root, 0, self.size)
    }

    fn count(t: &Option<Box<Heap>>) -> usize {
        t.as_ref().map_or(0, |n| 1 + Self::count(&n.left) + Self::count(&n.right))
    }

    fn is_complete(t: &Option<Box<Heap>>, index: usize, size: usize) -> bool {
        let Some(n) = t else { return true };
        index < size
            && Self::is_complete(&n.left, 2 * index + 1, size)
            && Self::is_complete(&n.right, 2 * index + 2, size)
    }
}

#[test]
fn complete_trees() {
    let bounds =
        |n: u32| Bounds::exact().objects("Heap", n).ints("Complete.size", i64::from(n)..=i64::from(n));
    for n in 1..8 {
        assert_eq!(same::<Complete>(&bounds(n)), 1, "{n} nodes");
    }
    let (values, runs) = runs::<Complete>(&bounds(20));
    assert_eq!(values, 1);
    at_most(values, runs);
}

/// Inner nodes have two or three children, and all leaves are at the same depth.
#[derive(Bounded, Debug)]
struct TwoThree {
    root: Box<Inner>,
    leaves: usize,
}

#[derive(Bounded, Debug)]
struct Inner {
    #[bounded(len = 0..=3)]
    children: Vec<Box<Inner>>,
}

#[rep_ok]
impl TwoThree {
    fn rep_ok(&self) -> bool {
        Self::leaves(&self.root) == self.leaves && Self::depth(&self.root).is_some()
    }

    fn leaves(t: &Inner) -> usize {
        if t.children.is_empty() { 1 } else { t.children.iter().map(|c| Self::leaves(c)).sum() }
    }

    fn depth(t: &Inner) -> Option<usize> {
        if t.children.is_empty() {
            return Some(0);
        }
        if t.children.len() == 1 {
            return None;
        }
        let mut depths = t.children.iter().map(|c| Self::depth(c));
        let first = depths.next()??;
        depths.all(|depth| depth == Some(first)).then_some(first + 1)
    }
}

#[test]
fn two_three_trees() {
    let bounds = |leaves: u32| {
        let k = i64::from(leaves);
        Bounds::exact().objects("Inner", 2 * leaves - 1).ints("TwoThree.leaves", k..=k)
    };
    // A014535.
    for (leaves, number) in [(1, 1), (2, 1), (3, 1), (4, 1), (5, 2)] {
        assert_eq!(same::<TwoThree>(&bounds(leaves)), number, "{leaves} leaves");
    }
    let (values, runs) = runs::<TwoThree>(&bounds(14));
    assert_eq!(values, 43);
    at_most(values, runs);
}

#[derive(Bounded, Debug)]
pub(super) struct BTree {
    root: Option<Box<Block>>,
    len: usize,
}

#[derive(Bounded, Debug)]
struct Block {
    #[bounded(len = 1..=3)]
    keys: Vec<Key>,
    #[bounded(len = 0..=4)]
    children: Vec<Box<Block>>,
}

#[rep_ok]
impl BTree {
    fn rep_ok(&self) -> bool {
        self.root.as_ref().map_or(0, |root| Self::count(root)) == self.len
            && self.root.as_ref().is_none_or(|root| Self::height(root).is_some())
            && self.root.as_ref().is_none_or(|root| Self::is_ordered(root, None, None))
    }

    fn count(b: &Block) -> usize {
        let mut count = b.keys.len();
        for child in &b.children {
            count += Self::count(child);
        }
        count
    }

    /// Blocks have one child more than keys, or none; all leaves are at the same height.
    fn height(b: &Block) -> Option<usize> {
        if b.children.is_empty() {
            return Some(1);
        }
        if b.children.len() != b.keys.len() + 1 {
            return None;
        }
        let height = Self::height(&b.children[0])?;
        for child in &b.children[1..] {
            if Self::height(child)? != height {
                return None;
            }
        }
        Some(height + 1)
    }

    fn is_ordered(b: &Block, low: Option<&Key>, high: Option<&Key>) -> bool {
        let mut low = low;
        for (i, key) in b.keys.iter().enumerate() {
            if low.is_some_and(|low| low >= key) || high.is_some_and(|high| key >= high) {
                return false;
            }
            if i < b.children.len() && !Self::is_ordered(&b.children[i], low, Some(key)) {
                return false;
            }
            low = Some(key);
        }
        b.children.last().is_none_or(|last| Self::is_ordered(last, low, high))
    }
}

#[test]
fn b_trees() {
    let bounds = |n: u32| {
        let k = i64::from(n);
        Bounds::exact().objects("Block", n).ints("BTree.len", k..=k).ints("Block.keys", 0..=k - 1)
    };
    // Leaves have 1 to 3 keys, and inner blocks one key between two children.
    // Leaves have 1 to 3 keys, and inner blocks one key between two children.
    for (n, number) in (1..).zip([1, 1, 2, 2]) {
        assert_eq!(same::<BTree>(&bounds(n)), number, "{n} keys");
    }
    let (values, runs) = runs::<BTree>(&bounds(10));
    assert_eq!(values, 45);
    at_most(values, runs);
}

/// AVL shapes as a test sees them: scopes from 0 on, and no setting about summaries.
#[derive(Bounded, Debug)]
struct Avl {
    root: Option<Box<Shape>>,
}

#[derive(Bounded, Debug)]
struct Shape {
    left: Option<Box<Shape>>,
    right: Option<Box<Shape>>,
}

#[rep_ok]
impl Avl {
    fn rep_ok(&self) -> bool {
        Self::is_balanced(&self.root)
    }

    fn height(t: &Option<Box<Shape>>) -> usize {
        match t {
            None => 0,
            Some(n) => 1 + Self::height(&n.left).max(Self::height(&n.right)),
        }
    }

    fn is_balanced(t: &Option<Box<Shape>>) -> bool {
        match t {
            None => true,
            Some(n) => {
                Self::height(&n.left).abs_diff(Self::height(&n.right)) <= 1
                    && Self::is_balanced(&n.left)
                    && Self::is_balanced(&n.right)
            }
        }
    }
}

#[test]
#[ignore = "takes seconds: .ci/run runs it"]
fn a_pass_with_too_many_runs_is_followed_by_one_with_summaries() {
    let run = |summaries: Option<Summaries>| {
        let mut check = Check::new("shapes", 13).edges(false);
        if let Some(summaries) = summaries {
            check = check.summaries(summaries);
        }
        let mut seen = std::collections::BTreeSet::new();
        let report = check.run(|avl: &Avl| assert!(seen.insert(format!("{avl:?}"))));
        assert!(report.is_ok());
        let runs: Vec<u64> = report.passes.iter().map(|pass| pass.outcome.explored).collect();
        (seen, runs)
    };
    let (all, off) = run(Some(Summaries::Off));
    let (adapted, runs) = run(None);
    assert!(all == adapted, "{} and {} values", all.len(), adapted.len());
    assert_eq!(run(None).1, runs, "the runs are the same every time");
    let switch = off.iter().position(|runs| *runs >= 100_000).expect("a pass with many runs") + 1;
    assert_eq!(off[..switch], runs[..switch], "small passes are as they are");
    assert!(runs[switch] < off[switch] / 10, "{runs:?}, {off:?}");
    println!("runs of passes without summaries {off:?}, and by default {runs:?}");
}

/// The largest memory of this process so far, in MB.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok()).unwrap_or(0) / 1000
}

#[test]
#[ignore = "takes seconds: .ci/run runs it"]
fn a_summary_that_would_take_too_much_is_given_up_within_its_limits() {
    let before = peak_memory();
    // Without optimisations, the usual limits take too long.
    let limits = match cfg!(debug_assertions) {
        true => Limits { rules: 100_000, runs: 200_000, ..Limits::default() },
        false => Limits::default(),
    };
    let report = || super::report::<super::natural::Typed>(&super::natural::terms(40));
    // With more rules, the checker may be left to the search.
    let why = with_limits(limits, report).map_or_else(|why| why, |report| report.to_string());
    let peak = peak_memory();
    println!("well-typed terms of 40 nodes: peak memory {peak} MB, {before} MB before: {why}");
    // More than 10^9 rules.
    let report = || super::report::<super::layers::Wide>(&Bounds::exact().objects("Broad", 64));
    let why = with_limits(limits, report).unwrap_err();
    let peak = peak_memory();
    println!("wide trees of 64 nodes: peak memory {peak} MB: {why}");
    assert_eq!(why, "the summary would take too many rules");
    assert!(peak < 2_000, "{peak} MB");
}
