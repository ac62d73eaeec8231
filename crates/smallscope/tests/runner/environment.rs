//! Variables, budgets, shards, and the JSON report.

use super::tree::{Scratch, Tree, check};
use smallscope::{Bounds, Check, Key, Limit, Stop};
use std::collections::BTreeSet;
use std::time::Duration;

fn with(variables: &[(&'static str, &'static str)], bounds: impl Into<Bounds>) -> Check {
    check("t", bounds).environment(variables.iter().copied())
}

#[test]
fn variables_go_over_the_test() {
    let report = with(&[("SMALLSCOPE_SCOPE", "2"), ("SMALLSCOPE_THREADS", "4")], 5).run(|_: u8| ());
    assert_eq!(report.coverage(), "scopes 0 to 2 are covered exhaustively: 2 values");
    let report = with(&[("SMALLSCOPE_MAX", "2")], 5).max(4).run(|_: u8| ());
    assert_eq!(report.tested, 2);
    let report = with(&[("SMALLSCOPE_ORDER", "single")], 5).run(|_: u8| ());
    assert_eq!(report.passes.len(), 1);
    let report = with(&[("SMALLSCOPE_ENGINE", "korat")], 2).run(|t: Tree<Key>| assert!(t.rep_ok()));
    // Boxes may alias in this engine, which the invariant is not prepared for.
    assert!(report.failure().unwrap().replay.starts_with("korat:1:"), "{report}");
}

#[test]
fn unknown_names_and_bad_values_are_errors() {
    let report = with(&[("SMALLSCOPE_SCOPES", "2")], 5).run(|_: u8| panic!("not reached"));
    assert!(report.error().unwrap().contains("SMALLSCOPE_SCOPES is no variable"), "{report}");
    let report = with(&[("SMALLSCOPE_BUDGET", "10")], 5).run(|_: u8| panic!("not reached"));
    assert!(report.error().unwrap().contains("SMALLSCOPE_BUDGET is `10`, but must be a time"), "{report}");
}

#[test]
fn summaries_need_a_feature() {
    let report = with(&[("SMALLSCOPE_SUMMARIES", "on")], 2).run(|t: Tree<Key>| assert!(t.rep_ok()));
    match report.error() {
        Some(error) => assert!(error.contains(r#"features = ["summaries"]"#), "{error}"),
        None => assert!(report.is_ok(), "{report}"),
    }
    assert_eq!(report.error().is_none(), cfg!(feature = "summaries"));
}

#[test]
fn a_count_budget_says_what_was_not_covered() {
    let report = check("t", 5).max(3).run(|_: Vec<u8>| ());
    assert!(report.is_ok() && !report.is_exhaustive());
    assert_eq!(report.outcome.stop, Stop::LimitReached(Limit::Valid));
    assert_eq!(
        report.coverage(),
        "stopped by the limit on values in scope 2, after 3 values in all: \
         scopes 0 to 1 are covered exhaustively, scope 2 is not, scopes 3 to 5 were not begun"
    );
}

#[test]
fn a_budget_that_suffices_exactly_is_exhaustive() {
    assert!(check("t", 5).max(5).run(|_: u8| ()).is_exhaustive());
    assert!(!check("t", 5).max(4).run(|_: u8| ()).is_exhaustive());
}

#[test]
fn a_time_budget_says_what_was_not_covered() {
    let slow = |_: Vec<u8>| std::thread::sleep(Duration::from_millis(5));
    let report = check("t", 9).budget(Duration::from_millis(60)).run(slow);
    assert!(report.is_ok() && !report.is_exhaustive());
    assert_eq!(report.outcome.stop, Stop::LimitReached(Limit::Time));
    assert!(report.coverage().starts_with("stopped by the time budget in scope "), "{}", report.coverage());
    assert!((1..=12).contains(&report.tested), "{}", report.tested);
    assert!(report.elapsed < Duration::from_secs(5));

    // Also while nothing valid is found.
    #[derive(smallscope::Bounded)]
    struct Never {
        v: [u8; 12],
    }
    #[smallscope::rep_ok]
    impl Never {
        fn rep_ok(&self) -> bool {
            self.v.iter().map(|&x| u32::from(x)).sum::<u32>() > 1000
        }
    }
    let report = check("t", 9).budget(Duration::from_millis(50)).run(|n: Never| assert_eq!(n.v.len(), 12));
    assert_eq!((report.tested, report.outcome.stop), (0, Stop::LimitReached(Limit::Time)));
    assert!(report.elapsed < Duration::from_secs(5));
}

#[test]
fn a_test_without_a_budget_has_one() {
    let slow = |_: Vec<u8>| std::thread::sleep(Duration::from_millis(5));
    let stopped = |check: Check| check.default_budget(Duration::from_millis(60)).run(slow);
    let report = stopped(check("t", 9));
    assert!(report.is_ok() && !report.is_exhaustive());
    assert_eq!(report.outcome.stop, Stop::LimitReached(Limit::Time));
    let words = report.coverage();
    assert!(words.starts_with("stopped by the time budget in scope "), "{words}");
    let default = "; the default time budget is 60ms: raise it with `budget = \"10m\"` or SMALLSCOPE_BUDGET; `none` is no limit";
    assert!(words.ends_with(default), "{words}");
    // A budget of its own, or none, replaces it.
    let own = stopped(check("t", 9).budget(Duration::from_millis(30)));
    assert_eq!(own.outcome.stop, Stop::LimitReached(Limit::Time));
    assert!(!own.coverage().contains("default"), "{}", own.coverage());
    assert!(stopped(check("t", 2).budget(Duration::MAX)).is_exhaustive());
    let unlimited = stopped(with(&[("SMALLSCOPE_BUDGET", "none")], 3));
    assert!(unlimited.is_exhaustive() && unlimited.elapsed > Duration::from_millis(60));

    let nothing = check("t", 9).default_budget(Duration::ZERO).run(slow);
    let why = nothing.nothing_tested().unwrap();
    assert!(
        why.contains(
            "before the test ran on the first value, after 0 candidates; the default time budget is 0h"
        ),
        "{why}"
    );
}

#[test]
fn shards_are_disjoint_and_together_everything() {
    let mut all = BTreeSet::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let mut part = vec![];
        let report = with(&[("SMALLSCOPE_SHARD", shard)], 3).run(|v: Vec<u8>| part.push(v));
        assert!(report.is_ok() && !report.is_exhaustive());
        assert!(report.coverage().contains(&format!("covered for shard {shard} (one value in 3)")));
        assert!(part.len().abs_diff(13) <= 1);
        for v in part {
            assert!(all.insert(v));
        }
    }
    assert_eq!(all.len(), 40);
    assert!(with(&[("SMALLSCOPE_SHARD", "1/1")], 3).run(|_: u8| ()).is_exhaustive());
}

#[test]
fn reports_are_appended_as_lines_of_json() {
    let dir = Scratch::new("json");
    let file = dir.path().join("report.jsonl");
    let env = [("SMALLSCOPE_REPORT", &file)];
    check("good", 3).environment(env).run(|_: u8| ());
    check("bad \"one\"", 3).environment(env).run(|x: u8| assert!(x < 2, "too\nmuch"));
    check("wrong", Bounds::exact()).environment(env).run(|_: u8| ());
    let text = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    for part in
        ["\"test\":\"good\"", "\"result\":\"passed\"", "\"exhaustive\":true", "\"valid\":3,\"tested\":3"]
    {
        assert!(lines[0].contains(part), "{part}: {}", lines[0]);
    }
    for part in [
        "\"test\":\"bad \\\"one\\\"\"",
        "\"result\":\"failed\"",
        "\"message\":\"too\\nmuch\"",
        "\"replay\":\"3:2@",
    ] {
        assert!(lines[1].contains(part), "{part}: {}", lines[1]);
    }
    assert!(lines[2].contains("\"result\":\"error\"") && lines[2].contains("input.value"));

    let nowhere = dir.path().join("missing/report.jsonl");
    let report =
        check("t", 3).environment([("SMALLSCOPE_REPORT", &nowhere)]).run(|_: u8| panic!("not reached"));
    assert!(report.error().unwrap().starts_with("SMALLSCOPE_REPORT: "), "{report}");
}

#[test]
fn too_many_threads_are_refused() {
    let report = with(&[], 2).threads(2000).run_parallel(|_: u8| ());
    assert!(report.error().unwrap().contains("2000 threads are too many; set a number from 1 to 1024"));
    let report = with(&[("SMALLSCOPE_THREADS", "1025")], 2).run_parallel(|_: u8| ());
    assert!(report.error().unwrap().contains("`1025`"), "{report}");
}
