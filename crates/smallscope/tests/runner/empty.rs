//! Runs that test nothing do not pass.

use super::tree::check;
use smallscope::{Bounded, Bounds, Check, Report, rep_ok};
use std::time::Duration;

/// Nothing is valid below scope 7.
#[derive(Bounded, Debug)]
pub(super) struct Far {
    a: u8,
    b: u8,
}

#[rep_ok]
impl Far {
    fn rep_ok(&self) -> bool {
        self.a.count_ones() == 1 && self.b > 5
    }
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
pub(super) struct Any {
    pub(super) x: u8,
}

/// Nothing is valid in any scope.
#[derive(Bounded, Debug)]
pub(super) struct Never {
    a: u8,
    b: u8,
}

#[rep_ok]
impl Never {
    fn rep_ok(&self) -> bool {
        self.a < self.b && self.b < self.a
    }
}

/// The invariant reads nothing.
#[derive(Bounded, Debug)]
struct False {
    _a: u8,
}

#[rep_ok]
impl False {
    fn rep_ok(&self) -> bool {
        false
    }
}

/// Needs three nodes.
#[derive(Bounded, Debug)]
struct List {
    head: Option<Box<Node>>,
}

#[derive(Bounded, Debug)]
struct Node {
    next: Option<Box<Node>>,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        Self::len(&self.head) > 2
    }

    fn len(list: &Option<Box<Node>>) -> usize {
        list.as_ref().map_or(0, |node| 1 + Self::len(&node.next))
    }
}

#[track_caller]
fn why(report: &Report) -> &str {
    assert!(!report.is_ok() && !report.is_exhaustive(), "{report}");
    report.nothing_tested().unwrap_or_else(|| panic!("{report}"))
}

const OPT_OUT: &str = "`allow_empty` lets a run that tests nothing pass";

#[test]
fn an_invariant_that_holds_for_nothing_fails_with_the_conjunct() {
    let report = check("far", 3).run(|_: &Far| {});
    assert_eq!(
        report.to_string(),
        format!(
            "`far` has tested nothing: no value within the bounds is valid\n\n\
             the invariant rejects every candidate, in 3 runs:\n         \
             2  `self.b > 5`, which was never true\n         \
             1  `self.a.count_ones() == 1`\n\
             scope 7 is the smallest scope with a valid value\n{OPT_OUT}"
        )
    );
    let report = check("never", 2).run(|_: Never| {});
    let text = why(&report);
    assert!(text.contains("`self.b < self.a`, which was never true"), "{text}");
    assert!(text.contains("no scope up to 66 has a valid value either"), "{text}");
    let report = check("false", 2).run(|_: False| {});
    let text = why(&report);
    assert!(text.contains("the invariant rejects every candidate, in 1 run\nno scope up to 66"), "{text}");
}

/// Its own invariant holds for all, that of its part for none.
#[derive(Bounded, Debug)]
struct Around {
    x: u8,
    inner: Option<Far>,
}

#[rep_ok]
impl Around {
    fn rep_ok(&self) -> bool {
        self.x < 9 && self.inner.is_some()
    }
}

#[test]
fn the_invariant_of_a_part_is_named() {
    let report = check("around", 3).run(|_: &Around| {});
    let text = why(&report);
    assert!(
        text.contains("3  `Far::rep_ok of Around.inner`\n         1  `self.inner.is_some()`\n"),
        "{text}"
    );
    assert!(text.contains("scope 7 is the smallest scope with a valid value"), "{text}");
}

#[test]
fn the_words_are_the_same_every_time() {
    let text = || check("never", 5).run(|_: Never, _: Far| {}).to_string();
    assert_eq!(text(), text());
}

#[test]
fn bounds_that_are_too_small_are_named() {
    let bounds = Bounds::exact().objects("Node", 1);
    let report = check("list", bounds).run(|_: &List| {});
    assert!(why(&report).contains("with `objects(Node = 3)` there is a valid value"), "{report}");
    let bounds = Bounds::scope(9).ints("Far.b", [2, 3]);
    let report = check("far", bounds).run(|_: &Far| {});
    assert!(why(&report).contains("without `ints(Far.b = [2, 3])` there is a valid value"), "{report}");
}

#[test]
fn the_empty_argument_of_several_is_named() {
    let report = check("pair", 3).run(|_: Any, _: &Far| {});
    let text = why(&report);
    assert!(
        text.starts_with("no value of the argument `argument 1` within the bounds is valid\n\n"),
        "{text}"
    );
    assert!(
        text.contains("the invariant of the argument `argument 1` rejects every candidate, in 3 runs:"),
        "{text}"
    );
    assert!(text.contains("scope 7 is the smallest scope with a valid value"), "{text}");
    let report = check("triple", 3).run(|_: False, _: Any, _: Far| {});
    let text = why(&report);
    assert!(text.starts_with("no value of the arguments `argument 0` and `argument 2` within"), "{text}");
}

#[test]
fn every_way_to_run_fails() {
    let far = || check("far", 3);
    let all = [
        far().order(smallscope::Order::Single).run(|_: Far| {}),
        far().order_types().run(|_: Far| {}),
        far().sparse(10).run(|_: Far| {}),
        far().max(5).run(|_: Far| {}),
        far().audit().run(|_: Far| {}),
        far().clusters(true).run(|_: Far| {}),
        far().engine(smallscope::Engine::Korat).run(|_: Far| {}),
        far().engine(smallscope::Engine::Owned).run(|_: Far| {}),
        far().threads(3).run_parallel(|_: Far| {}),
        far().disjoint(smallscope::Disjoint::Off).run(|_: Far, _: Any| {}),
        check("far", Bounds::scope(3).ints("Far.b", 0..=3)).run(|_: Far| {}),
    ];
    for report in all {
        why(&report);
    }
    #[cfg(feature = "criteria")]
    why(&far().criterion("cdc").per_class(1).run(|_: Far| {}));
}

#[test]
fn an_empty_run_passes_where_that_is_allowed() {
    let report = check("far", 3).allow_empty().run(|_: Far| {});
    assert!(report.is_exhaustive() && report.tested == 0, "{report}");
    assert_eq!(report.coverage(), "scopes 0 to 3 are covered exhaustively: 0 values");
    let variables = |value| [("SMALLSCOPE_ALLOW_EMPTY", value)];
    assert!(Check::new("far", 3).environment(variables("1")).run(|_: Far| {}).is_ok());
    assert!(!Check::new("far", 3).allow_empty().environment(variables("0")).run(|_: Far| {}).is_ok());
}

#[test]
fn smaller_scopes_may_be_empty() {
    let report = check("far", 7).run(|_: Far| {});
    assert!(report.is_exhaustive() && report.tested == 3, "{report}");
}

#[test]
fn a_shard_may_be_empty_but_the_bounds_may_not() {
    let shard = |k, scope| {
        Check::new("far", scope).environment([("SMALLSCOPE_SHARD", format!("{k}/9"))]).run(|_: Far| {})
    };
    let report = shard(8, 7);
    assert!(report.is_ok() && report.tested == 0 && report.shard.is_some(), "{report}");
    why(&shard(8, 3));
}

#[test]
fn a_run_that_is_stopped_before_the_first_value_fails() {
    let report = check("soon", 3).budget(Duration::ZERO).run(|_: Any| {});
    assert_eq!(
        why(&report),
        format!(
            "stopped by the time budget before the test ran on the first value, after 0 candidates\n\n\
             raise the limit, or lower the bounds; {OPT_OUT}"
        )
    );
    assert!(check("soon", 3).budget(Duration::ZERO).allow_empty().run(|_: Any| {}).is_ok());
}

#[test]
fn iterators_return_nothing() {
    assert_eq!(smallscope::all::<Far>(3).count(), 0);
    assert_eq!(smallscope::count::<Far>(3).valid, 0);
}
