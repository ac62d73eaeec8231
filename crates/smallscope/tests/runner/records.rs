//! The record of failures.

use super::tree::{Scratch, Tree, check, remove_works};
use smallscope::testing::Origin;
use smallscope::{Bounds, Key};
use std::fs;

#[test]
fn a_failure_is_recorded_and_tried_first() {
    let dir = Scratch::new("tried-first");
    let removal = |bounds: Bounds| check("removal", bounds).record_in(dir.path());
    let first = removal(4.into()).run(remove_works);
    let failure = first.failure().unwrap();
    let file = "smallscope-regressions/removal.txt";
    assert_eq!(failure.recorded, Some(Ok(file.to_owned())));
    assert!(first.to_string().contains(&format!("recorded: {file}\n")), "{first}");
    let text = fs::read_to_string(dir.records("removal")).unwrap();
    assert!(text.ends_with(&format!("removal {} # the tree is broken\n", failure.replay)), "{text}");

    // Also when the scope number has changed. What is recorded is not recorded again.
    for scope in [4, 6, 1] {
        let mut runs = 0;
        let again = removal(scope.into()).run(|tree: Tree<Key>, key: Key| {
            runs += 1;
            remove_works(tree, key);
        });
        let failure = again.failure().unwrap();
        assert_eq!(failure.origin, Origin::Record(format!("{file}:3")));
        assert_eq!((runs, again.warnings.len()), (1, 0));
        assert!(again.to_string().contains("tried first; the search was not begun"), "{again}");
    }
    assert_eq!(fs::read_to_string(dir.records("removal")).unwrap(), text);

    // Repaired: it stays, and passes silently.
    let repaired = removal(3.into()).run(|tree: Tree<Key>, _: Key| assert!(tree.rep_ok()));
    assert!(repaired.is_exhaustive() && repaired.warnings.is_empty());
    assert_eq!(fs::read_to_string(dir.records("removal")).unwrap(), text);
}

#[test]
fn a_stale_record_is_loud_and_the_run_goes_on() {
    let dir = Scratch::new("stale");
    check("removal", 4).record_in(dir.path()).run(remove_works);
    let changed =
        check("removal", Bounds::scope(2).objects("Node", 2)).record_in(dir.path()).run(remove_works);
    assert!(changed.is_exhaustive());
    let [warning] = &changed.warnings[..] else { panic!("one warning: {changed}") };
    let place = format!("{}:3: ", dir.records("removal").display());
    assert!(warning.contains(&place), "{warning}");
    assert!(warning.contains("the type or the bounds have changed since it was recorded"), "{warning}");
    assert!(warning.contains("delete the line"), "{warning}");

    let other = check("removal", 2).record_in(dir.path()).run(|_: Vec<u8>| ());
    assert_eq!((other.is_exhaustive(), other.warnings.len()), (true, 1));
}

#[test]
fn a_record_that_the_invariant_rejects_now_is_stale() {
    let dir = Scratch::new("rejected");
    fs::create_dir(dir.path().join("smallscope-regressions")).unwrap();
    fs::write(dir.records("t"), "t 1:0.1 # no longer valid\nt 1:5.5.5\nsomebody-else 1:0.0\n").unwrap();
    let report = check("t", 2).record_in(dir.path()).run(|_: Tree<Key>| ());
    assert!(report.is_exhaustive());
    assert_eq!(report.warnings.len(), 2);
    assert!(report.warnings[0].contains("t.txt:1: ") && report.warnings[0].contains("now rejects the value"));
    assert!(report.warnings[1].contains("t.txt:2: ") && report.warnings[1].contains("is stale"));
}

#[test]
fn a_malformed_line_is_an_error_and_nothing_is_lost() {
    let dir = Scratch::new("malformed");
    fs::create_dir(dir.path().join("smallscope-regressions")).unwrap();
    fs::write(dir.records("t"), "# comment\nt 1:zero\n").unwrap();
    let report = check("t", 2).record_in(dir.path()).run(|_: u8| panic!("not reached"));
    let error = report.error().unwrap();
    assert!(error.contains("t.txt:2: ") && error.contains("correct or delete it"), "{error}");
    assert_eq!(fs::read_to_string(dir.records("t")).unwrap(), "# comment\nt 1:zero\n");
}

#[test]
fn a_record_that_cannot_be_written_is_said_so() {
    let dir = Scratch::new("unwritable");
    let report = check("t", 4).record_in(dir.path().join("missing")).run(remove_works);
    assert!(report.to_string().contains("recorded: no, "), "{report}");
}

#[test]
fn several_failures_have_several_lines() {
    let dir = Scratch::new("several");
    for bad in [3, 1, 3, 1] {
        let report = check("t", 5).record_in(dir.path()).run(|x: u8| assert_ne!(x, bad));
        assert!(report.failure().is_some() && report.warnings.is_empty());
    }
    let text = fs::read_to_string(dir.records("t")).unwrap();
    assert_eq!(text.lines().filter(|l| l.starts_with("t ")).count(), 2, "{text}");
}
