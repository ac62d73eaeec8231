//! Everything that works on a search works with summaries: the values are those of the plain search.

use super::{on, search};
use smallscope::search::{Found, Options, Search};
use smallscope::summaries::{Limits, Summaries, with_limits};
use smallscope::{Bounded, Bounds, Check, Classes, Disjoint, Engine, Key, eq_class, rep_ok};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Mutex;

#[derive(Bounded, Debug, Clone)]
struct Tree {
    root: Option<Box<Node>>,
}

#[derive(Bounded, Debug, Clone)]
struct Node {
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
    tag: bool,
    key: Key,
}

#[rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        Self::height(&self.root).is_some() && Self::is_ordered(&self.root, None, None)
    }

    /// Tagged nodes are as high on the left as on the right.
    fn height(t: &Option<Box<Node>>) -> Option<usize> {
        let Some(n) = t else { return Some(0) };
        let (left, right) = (Self::height(&n.left)?, Self::height(&n.right)?);
        (!n.tag || left == right).then_some(1 + left.max(right))
    }

    fn is_ordered(t: &Option<Box<Node>>, low: Option<&Key>, high: Option<&Key>) -> bool {
        let Some(n) = t else { return true };
        low.is_none_or(|low| *low < n.key)
            && high.is_none_or(|high| n.key < *high)
            && Self::is_ordered(&n.left, low, Some(&n.key))
            && Self::is_ordered(&n.right, Some(&n.key), high)
    }
}

#[eq_class]
impl Tree {
    fn eq_class(&self) -> (usize, bool) {
        (Self::nodes(&self.root), self.root.as_ref().is_some_and(|n| n.tag))
    }

    fn nodes(t: &Option<Box<Node>>) -> usize {
        t.as_ref().map_or(0, |n| 1 + Self::nodes(&n.left) + Self::nodes(&n.right))
    }
}

fn bounds(n: u32) -> Bounds {
    Bounds::exact().objects("Node", n).ints("Node.key", 0..=i64::from(n) - 1)
}

/// What a test gets to see, and no value twice.
fn tested(check: Check) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let report = check.run(|tree: &Tree| {
        assert!(seen.insert(format!("{tree:?}")), "delivered twice: {tree:?}");
    });
    assert!(report.is_ok(), "{report}");
    seen
}

fn check(summaries: Summaries) -> Check {
    Check::new("trees", bounds(4)).summaries(summaries).edges(false)
}

#[test]
fn scopes_are_deepened() {
    let check = |summaries| Check::new("trees", 4).summaries(summaries).edges(false);
    let plain = tested(check(Summaries::Off));
    assert!(plain.len() > 50);
    assert!(plain == tested(check(Summaries::On)));
    assert!(plain == tested(check(Summaries::Auto)));
}

#[test]
fn threads_share_the_work() {
    let plain = tested(check(Summaries::Off));
    let seen = Mutex::new(BTreeSet::new());
    let report = check(Summaries::On).threads(3).run_parallel(|tree: &Tree| {
        assert!(seen.lock().unwrap().insert(format!("{tree:?}")));
    });
    assert!(report.is_exhaustive(), "{report}");
    assert!(plain == seen.into_inner().unwrap());
}

#[test]
fn every_nth_value_is_a_shard() {
    let plain = tested(check(Summaries::Off));
    let mut all = BTreeSet::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let part = tested(check(Summaries::On).environment([("SMALLSCOPE_SHARD", shard)]));
        assert!(part.len() < plain.len() / 2);
        all.extend(part);
    }
    assert!(plain == all);
}

#[test]
fn classes_are_the_same() {
    let of = |summaries, classes| {
        let report = check(summaries).classes(classes).run(|_: &Tree| {});
        assert!(report.is_ok(), "{report}");
        let mut rows = vec![];
        for class in report.class_table.rows() {
            rows.push((class.label.clone(), class.count));
        }
        rows.sort();
        (rows, report.outcome.valid)
    };
    let plain = of(Summaries::Off, Classes::All);
    assert!(plain.0.len() > 5);
    assert_eq!(plain, of(Summaries::On, Classes::All));
    assert_eq!(of(Summaries::On, Classes::One).1, plain.0.len() as u64);
    let pruned = of(Summaries::On, Classes::Pruned).0;
    assert_eq!(pruned.len(), plain.0.len());
}

#[cfg(feature = "criteria")]
#[test]
fn a_reduction_looks_at_runs_of_the_whole_invariant() {
    let kept = |summaries| tested(check(summaries).criterion("cdc").per_class(1));
    assert_eq!(kept(Summaries::Off), kept(Summaries::On));
}

#[test]
fn arguments_are_combined() {
    let pairs = |summaries, disjoint| {
        let mut seen = BTreeSet::new();
        let check = Check::new("pairs", bounds(2)).summaries(summaries).disjoint(disjoint).edges(false);
        let report = check.run(|a: &Tree, b: &Tree| assert!(seen.insert(format!("{a:?} {b:?}"))));
        assert!(report.is_ok(), "{report}");
        seen
    };
    let plain = pairs(Summaries::Off, Disjoint::Off);
    assert!(plain.len() > 30);
    for disjoint in [Disjoint::Off, Disjoint::On] {
        assert!(plain == pairs(Summaries::On, disjoint), "{disjoint}");
    }
}

/// The report of a search, or why there is none.
fn why<T: Bounded>(bounds: &Bounds, options: Options) -> String {
    let mut search = search::<T>(bounds, options);
    let plan = search.plan(&mut |_| ControlFlow::Continue(())).unwrap().unwrap();
    plan.summaries().expect("they are on").map(|_| String::new()).unwrap_or_else(str::to_owned)
}

#[test]
fn what_looks_at_all_candidates_has_no_summaries_and_the_same_values() {
    let plain = tested(check(Summaries::Off));
    assert!(plain == tested(check(Summaries::On).audit()));
    assert!(plain == tested(check(Summaries::On).engine(Engine::Owned)));
    let audited = why::<Tree>(&bounds(3), Options { audit: true, ..on() });
    assert_eq!(
        audited,
        "audit mode looks at all that is rejected; 36 answers of helpers are those of their groups"
    );
    let types = Options { order_types: true, ..on() };
    assert_eq!(why::<Tree>(&bounds(3), types), "order types are searched for");
    let delivered = |options| {
        let mut search: Search<Tree> = search(&bounds(3), options);
        let mut count = 0;
        while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {
            count += 1;
        }
        count
    };
    assert_eq!(delivered(types), delivered(Options { order_types: true, ..Options::default() }));
}

/// With so many pointers in a node, there are more than 10^9 rules.
#[derive(Bounded, Debug)]
pub struct Wide {
    root: Option<Box<Broad>>,
}

#[derive(Bounded, Debug)]
struct Broad {
    a: Option<Box<Broad>>,
    b: Option<Box<Broad>>,
    c: Option<Box<Broad>>,
    d: Option<Box<Broad>>,
    e: Option<Box<Broad>>,
    f: Option<Box<Broad>>,
    g: Option<Box<Broad>>,
    h: Option<Box<Broad>>,
}

#[rep_ok]
impl Wide {
    fn rep_ok(&self) -> bool {
        self.root.as_ref().is_none_or(|n| Self::depth(n) < 2)
    }

    fn depth(n: &Broad) -> usize {
        let mut deepest = 0;
        for child in [&n.a, &n.b, &n.c, &n.d, &n.e, &n.f, &n.g, &n.h] {
            deepest = deepest.max(child.as_ref().map_or(0, |n| Self::depth(n)));
        }
        1 + deepest
    }
}

#[test]
fn summaries_that_would_take_too_many_rules_are_given_up_and_that_is_said() {
    let limits = Limits { rules: 50_000, ..Limits::default() };
    let bounds = Bounds::exact().objects("Broad", 64);
    let given_up = "the summary would take too many rules";
    assert_eq!(with_limits(limits, || why::<Wide>(&bounds, on())), given_up);
}

#[test]
fn a_test_says_why_there_are_no_summaries_if_they_were_requested() {
    let report = check(Summaries::On).audit().run(|_: &Tree| {});
    let why = report.why_not_summarised.as_deref().unwrap();
    assert!(why.starts_with("audit mode looks at all that is rejected; "), "{why}");
    assert!(report.warnings.iter().any(|warning| warning.ends_with(why)), "{:?}", report.warnings);
    let other = check(Summaries::Auto).audit().run(|_: &Tree| {});
    assert_eq!((other.why_not_summarised.as_deref(), other.warnings.len()), (Some(why), 0));
}
