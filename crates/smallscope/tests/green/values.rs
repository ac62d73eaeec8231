//! Tests on values.

use super::page::{Kind, MEMORY, compare};
use smallscope::search::{Found, Options, Search};
use smallscope::{Bounded, Bounds, Check, Classes, Key, Order, Report, eq_class, rep_ok};
use smallscope_suite::{Ending, Header, Writer};
use std::fs::File;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

/// The example of the page.
#[derive(Bounded)]
struct Range {
    low: u8,
    high: u8,
    is_open: bool,
}

#[rep_ok]
impl Range {
    fn rep_ok(&self) -> bool {
        self.low <= self.high && (!self.is_open || self.low < self.high)
    }
}

#[eq_class]
impl Range {
    fn eq_class(&self) -> bool {
        self.low == self.high
    }
}

#[derive(Bounded)]
struct Never {
    number: u8,
}

#[rep_ok]
impl Never {
    fn rep_ok(&self) -> bool {
        self.number > 200
    }
}

fn check() -> Check {
    Check::new("t", 3).environment([("PATH", "")])
}

/// The words of a run that has passed. Only one that covers everything is called exhaustive.
#[track_caller]
fn words(report: &Report) -> Option<String> {
    assert!(report.is_ok(), "{report}");
    let words = report.coverage();
    assert_eq!(
        words.starts_with("scopes 0 to 3 are covered exhaustively")
            || words.starts_with("sizes 0 to 3 are covered exhaustively")
            || words.starts_with("the bounds are covered exhaustively"),
        report.is_exhaustive(),
        "{words}"
    );
    Some(words)
}

fn ranges(check: Check) -> Option<String> {
    words(&check.run(|range: &Range| assert!(range.low <= range.high)))
}

/// Runs on a suite of ranges, saved as the tool does it.
fn of_suite(name: &str, outcome: &str) -> Option<String> {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("green-{name}"));
    let bounds = Bounds::scope(3);
    let mut search = Search::<Range>::new(&bounds, Options::default()).unwrap();
    if outcome == Ending::ONE_PER_PATH {
        search.one_per_path();
    }
    let layout =
        smallscope_runner::internal::suite_layout(std::any::type_name::<Range>(), &search.slots(), &bounds);
    let header =
        Header::new().with("bounds", bounds.to_string()).with("engine", "lazy").with("layout", layout);
    let mut writer = Writer::create(File::create(&file).unwrap(), &header).unwrap();
    let mut new = vec![];
    while search.find_next(&mut |_| ControlFlow::Continue(())) == Ok(Found::Valid) {
        let kept = search.changes(&mut new);
        writer.push(kept, &new, search.outcome().explored, || search.reads()).unwrap();
    }
    let valid = writer.len();
    writer.finish(&Ending { outcome: outcome.into(), explored: 0, valid, position: None }).unwrap();
    ranges(check().suite(file))
}

const KINDS: &[Kind] = &[
    ("`scope = 3`", || ranges(check())),
    ("`size = 3`", || ranges(Check::new("t", Bounds::size(3)).environment([("PATH", "")]))),
    ("`bounds = ..`", || {
        let bounds = Bounds::exact().ints("Range.low", 0..=2).ints("Range.high", 0..=2);
        ranges(Check::new("t", bounds).environment([("PATH", "")]))
    }),
    ("`order = \"single\"`", || ranges(check().order(Order::Single))),
    ("two arguments, `Range` and `u8`", || words(&check().run(|_: &Range, _: u8| {}))),
    ("`classes = \"all\"`", || ranges(check().classes(Classes::All))),
    ("`classes = \"pruned\"`", || ranges(check().classes(Classes::Pruned))),
    ("`classes = \"one\"`", || ranges(check().classes(Classes::One))),
    ("`order_types`, two arguments of type `Key`", || words(&check().order_types().run(|_: Key, _: Key| {}))),
    ("`criterion = \"condition\"`, `per_class = 1`", || ranges(check().criterion("condition").per_class(1))),
    ("`suite = \"..\"`, saved by a run that ended", || of_suite("ended", "exhausted")),
    ("`suite = \"..\"`, saved by a run that was stopped", || of_suite("stopped", "budget")),
    ("`suite = \"..\"`, saved with `--one-per-path`", || of_suite("paths", Ending::ONE_PER_PATH)),
    ("`sparse = 4`", || ranges(check().sparse(4))),
    ("`edges`, the default of tests", || {
        let report = check().edges(true).run(|_: &Range| {});
        assert!(report.is_exhaustive());
        Some(report.edges?.to_string())
    }),
    ("`sample = 5`, after the scopes", || {
        if !cfg!(feature = "summaries") {
            return None;
        }
        let report = check().sample(5).run(|_: &Range| {});
        assert!(report.is_exhaustive(), "{report}");
        Some(report.sampled?.to_string())
    }),
    ("`SMALLSCOPE_SHARD=2/3`", || ranges(check().environment([("SMALLSCOPE_SHARD", "2/3")]))),
    ("`max = 4`", || ranges(check().max(4))),
    ("`budget = \"..\"`, used up", || {
        let budget = Duration::from_secs(1);
        words(&check().budget(budget).run(|_: &Range| std::thread::sleep(budget)))
    }),
    ("no `budget`, and a minute does not suffice", || {
        let budget = Duration::from_secs(1);
        let words = words(&check().default_budget(budget).run(|_: &Range| std::thread::sleep(budget)));
        words.map(|words| words.replace("is 1s", "is 1m"))
    }),
    ("`memory = \"..\"`, used up", || {
        // Values are large, so that the limit is reached after some, and before the last.
        let mut kept = vec![];
        let _alone = MEMORY.lock();
        let limit = smallscope_support::memory::resident()? + (20 << 20);
        let check = check().memory(limit);
        words(&check.run(|_: &Range| {
            kept.push(vec![1u8; 8 << 20]);
            std::thread::sleep(Duration::from_millis(20));
        }))
    }),
    ("`allow_empty`, and no value is valid", || words(&check().allow_empty().run(|_: &Never| {}))),
    ("`SMALLSCOPE_REPLAY=..`", || {
        let failed = check().run(|range: &Range| assert_eq!(range.high, 0));
        let replay = &failed.failure().unwrap().replay;
        ranges(check().environment([("SMALLSCOPE_REPLAY", replay)]))
    }),
];

#[test]
fn tests_on_values() {
    compare("Tests on values", KINDS);
}
