//! Tests on saved suites, and registered structures. Needs the feature `suites`.

use smallscope::{Bounded, Check, rep_ok};
use smallscope_runner::internal::{ORDER, ORDER_KEY};
use smallscope_suite::{Ending, Header, Reader, Writer};
use std::fs::{self, File};
use std::path::PathBuf;

#[derive(Bounded, Debug, Clone, PartialEq)]
struct Range {
    low: u8,
    high: u8,
}

#[rep_ok]
impl Range {
    fn rep_ok(&self) -> bool {
        self.low <= self.high
    }
}

/// The same fields, another order of reads.
#[derive(Bounded, Debug, Clone, PartialEq)]
struct Other {
    low: u8,
    high: u8,
}

#[rep_ok]
impl Other {
    fn rep_ok(&self) -> bool {
        self.high >= self.low
    }
}

smallscope::structure!(ranges: Range, scope = 3);

/// Every range within 0..3, saved as the tool does it, which `session` tests.
fn save(name: &str, outcome: &str, bounds: &str, change: impl Fn(Header) -> Header) -> PathBuf {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let bounds: smallscope::Bounds = bounds.parse().unwrap();
    let mut search =
        smallscope::search::Search::<Range>::new(&bounds, smallscope::search::Options::default()).unwrap();
    let layout =
        smallscope_runner::internal::suite_layout(std::any::type_name::<Range>(), &search.slots(), &bounds);
    let header =
        Header::new().with("bounds", bounds.to_string()).with("engine", "owned").with("layout", layout);
    let header = header.with(ORDER_KEY, ORDER);
    let mut writer = Writer::create(File::create(&file).unwrap(), &change(header)).unwrap();
    let mut new = vec![];
    while let Ok(smallscope::search::Found::Valid) =
        search.find_next(&mut |_| std::ops::ControlFlow::Continue(()))
    {
        let kept = search.changes(&mut new);
        writer.push(kept, &new, search.outcome().explored, || search.reads()).unwrap();
    }
    let valid = writer.len();
    writer.finish(&Ending { outcome: outcome.into(), explored: 0, valid, position: None }).unwrap();
    file
}

fn check(file: &PathBuf) -> Check {
    Check::new("ranges", 9).suite(file).environment([("SMALLSCOPE_SCOPE", "5")])
}

#[test]
fn a_test_runs_on_the_values_of_the_suite() {
    let file = save("all", "exhausted", "scope 3", |h| h);
    let mut seen = vec![];
    let report = check(&file).run(|range: Range| seen.push((range.low, range.high)));
    assert!(report.is_exhaustive(), "{report}");
    assert_eq!(seen, [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]);
    assert_eq!(report.coverage(), "the bounds are covered exhaustively: 6 values");
}

#[test]
fn a_suite_without_values_tests_nothing() {
    let empty = "ints Range.low = 5..=6\nints Range.high = 0..=3";
    let file = save("without-values", "exhausted", empty, |h| h);
    let report = check(&file).run(|_: Range| {});
    let why = report.nothing_tested().unwrap_or_else(|| panic!("{report}"));
    assert_eq!(
        why,
        format!(
            "the suite {} has no values\n\n`allow_empty` lets a run that tests nothing pass",
            file.display()
        )
    );
    assert!(check(&file).allow_empty().run(|_: Range| {}).is_ok());
}

#[test]
fn a_part_is_not_called_exhaustive() {
    let file = save("part", "budget", "scope 3", |h| h);
    let report = check(&file).run(|_: Range| {});
    assert!(report.is_ok() && !report.is_exhaustive());
    assert_eq!(
        report.coverage(),
        "stopped at the end of a suite whose own run had stopped early after 6 values: the bounds are not covered \
         exhaustively"
    );
    let file = save("one", Ending::ONE_PER_PATH, "scope 3", |h| h);
    let report = check(&file).run(|_: Range| {});
    assert!(report.is_ok() && !report.is_exhaustive());
    assert_eq!(
        report.coverage(),
        "ended with one value of each path after 6 values: the bounds are not covered exhaustively"
    );
    let report = check(&save("max", "exhausted", "scope 3", |h| h)).max(2).run(|_: Range| {});
    assert_eq!((report.tested, report.is_exhaustive()), (2, false));
}

#[test]
fn a_failure_can_be_replayed() {
    let file = save("fails", "exhausted", "scope 3", |h| h);
    let fails = |range: Range| assert!(range.low == range.high || range.high < 2, "too far");
    let report = check(&file).run(fails);
    let case = report.failure().expect("it fails").clone();
    assert!(report.to_string().contains("found:    value 3 of the suite"), "{report}");
    let replay = [("SMALLSCOPE_REPLAY", case.replay.as_str())];
    let again = Check::new("ranges", 9).suite(&file).environment(replay).run(fails);
    assert_eq!(again.failure().expect("it fails again").graph, case.graph);
}

#[test]
fn shards_share_a_suite() {
    let file = save("shards", "exhausted", "scope 3", |h| h);
    let mut seen = vec![];
    for shard in ["1/2", "2/2"] {
        let check = Check::new("ranges", 9).suite(&file).environment([("SMALLSCOPE_SHARD", shard)]);
        assert!(!check.run(|range: Range| seen.push((range.low, range.high))).is_exhaustive());
    }
    seen.sort();
    assert_eq!(seen, [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]);
}

#[test]
fn what_does_not_fit_is_an_error() {
    let error = |check: Check| check.run(|_: Range| {}).error().expect("an error").to_owned();
    let file = save("whole", "exhausted", "scope 3", |h| h);
    let other = check(&file).run(|_: Other| {});
    assert!(other.error().unwrap().contains("its values are of another type"), "{other}");

    // The same type with another invariant.
    let layout = smallscope_runner::internal::suite_layout(
        std::any::type_name::<Other>(),
        &smallscope::search::Search::<Other>::new(&3.into(), Default::default()).unwrap().slots(),
        &3.into(),
    );
    let disguised = save("disguised", "exhausted", "scope 3", |h| h.with("layout", &layout));
    let other = check(&disguised).run(|_: Other| {});
    let text = other.error().unwrap();
    assert!(text.contains("value 1: the invariant reads the fields in another order"), "{text}");
    // Files of an earlier version have no order.
    let older =
        save("of-another-order", "exhausted", "scope 3", |h| h.with("layout", &layout).with(ORDER_KEY, "1"));
    let text = check(&older).run(|_: Other| {}).error().unwrap().to_owned();
    assert!(text.contains("which searched this structure in another order"), "{text}");
    let older = save("of-another-order", "exhausted", "scope 3", |h| h.with(ORDER_KEY, "1"));
    assert!(check(&older).run(|_: Range| {}).is_exhaustive());

    assert!(error(check(&file.with_file_name("absent"))).contains("cannot be read"));
    let torn = file.with_file_name("torn");
    fs::write(&torn, &fs::read(&file).unwrap()[..20]).unwrap();
    assert!(error(check(&torn)).contains("the file ends at byte 20"), "{}", error(check(&torn)));
    let reader = Reader::open(File::open(&file).unwrap()).unwrap();
    assert_eq!(reader.len(), 6);
}
