//! Failure reports and replay.

use super::tree::{Tree, check, remove_works};
use smallscope::testing::{Blame, Origin};
use smallscope::{Bounds, Key};

#[test]
fn a_report_says_everything() {
    let report = check("removal", 4).run(remove_works);
    let failure = report.failure().unwrap();
    assert_eq!(failure.blame, Blame::Test);
    assert_eq!(failure.message, "the tree is broken");
    assert!(failure.location.as_ref().unwrap().contains("tree.rs:"));
    let text = report.to_string();
    for part in [
        "`removal` fails for a valid value\n",
        "  the tree is broken\n",
        "object graph:\n  argument 0: root = Node#0, size = 3\n",
        "argument 1: 1\n",
        "found:    value 28 in scope 3 of 4, ",
        "covered:  stopped at the first failure in scope 3",
        &format!("replay:   SMALLSCOPE_REPLAY='{}' cargo ", failure.replay),
    ] {
        assert!(text.contains(part), "`{part}` is missing:\n{text}");
    }
    assert!(!text.contains("recorded"));
}

#[test]
fn objects_of_several_arguments_are_told_apart() {
    let report = check("t", 2).run(|a: Tree<u8>, b: Tree<u8>| assert!(a.size + b.size < 2));
    assert_eq!(
        report.failure().unwrap().graph,
        "argument 0: root = argument 0.Node#0, size = 1\n\
         argument 0.Node#0: key = 0, left = none, right = none\n\
         argument 1: root = argument 1.Node#0, size = 1\n\
         argument 1.Node#0: key = 0, left = none, right = none"
    );
}

#[test]
fn replay_runs_exactly_this_value() {
    let first = check("t", 4).run(remove_works);
    let failure = first.failure().unwrap();
    let mut runs = 0;
    let again = check("t", 4).environment([("SMALLSCOPE_REPLAY", &failure.replay)]).run(
        |tree: Tree<Key>, key: Key| {
            runs += 1;
            remove_works(tree, key);
        },
    );
    assert_eq!(runs, 1);
    let replayed = again.failure().unwrap();
    assert_eq!(replayed.origin, Origin::Replay);
    assert_eq!(
        (&replayed.message, &replayed.graph, &replayed.replay),
        (&failure.message, &failure.graph, &failure.replay)
    );
    // The scope number of the test does not matter, and a repaired test passes.
    let repaired = check("t", 6)
        .environment([("SMALLSCOPE_REPLAY", &failure.replay)])
        .run(|tree: Tree<Key>, _: Key| assert!(tree.rep_ok()));
    assert!(repaired.is_ok() && !repaired.is_exhaustive());
    assert_eq!(repaired.tested, 1);
    assert_eq!(repaired.coverage(), "the search was not begun");
}

#[test]
fn every_value_can_be_replayed() {
    let bounds = || Bounds::scope(3);
    let mut all = vec![];
    check("t", bounds()).run(|t: Tree<Key>, n: (u8, bool)| all.push((t, n))).expect_ok();
    for wanted in &all {
        let fails = |t: Tree<Key>, n: (u8, bool)| assert!((&t, &n) != (&wanted.0, &wanted.1), "{t:?} {n:?}");
        let first = check("t", bounds()).run(fails);
        let failure = first.failure().unwrap();
        let again = check("t", bounds()).environment([("SMALLSCOPE_REPLAY", &failure.replay)]).run(fails);
        assert_eq!(again.failure().unwrap().message, failure.message);
    }
}

#[test]
fn a_replay_for_something_else_is_an_error() {
    let failure = check("t", 4).run(remove_works);
    let replay = &failure.failure().unwrap().replay;
    let env = [("SMALLSCOPE_REPLAY", replay)];
    let report = check("t", 4).environment(env).run(|_: Vec<u8>| ());
    assert!(report.error().unwrap().contains("belongs to another test"), "{report}");
    let other = check("t", Bounds::scope(4).objects("Node", 3)).environment(env).run(remove_works);
    assert!(other.error().unwrap().contains("the bounds have changed"), "{other}");
    // Without a fingerprint the candidate itself may not fit.
    let report = check("t", 4).environment([("SMALLSCOPE_REPLAY", "3:9.9.9")]).run(remove_works);
    assert!(report.error().unwrap().contains("stale"), "{report}");
    let report = check("t", 2).environment([("SMALLSCOPE_REPLAY", "1:0.1")]).run(|_: Tree<Key>| ());
    assert!(report.error().unwrap().contains("the invariant rejects this value"), "{report}");
}

#[test]
fn an_error_that_is_returned_is_a_failure() {
    let report = check("t", 4).run(|x: u8| if x < 2 { Ok(()) } else { Err(format!("{x} is too much")) });
    let failure = report.failure().unwrap();
    assert_eq!(failure.message, "returned an error: \"2 is too much\"");
    assert_eq!(failure.location, None);
}

#[test]
fn wrong_bounds_are_errors_that_name_the_field() {
    let report = check("t", Bounds::scope(2).ints("Node.kee", 0..=3)).run(|_: Tree<Key>| ());
    let error = report.error().unwrap();
    assert!(error.contains("Node.kee") && error.contains("`Node.key`"), "{error}");
    assert!(report.to_string().starts_with("`t` cannot be run: "), "{report}");
    let report = check("t", Bounds::exact()).run(|_: u8| ());
    assert!(report.error().unwrap().contains("input.value"), "{report}");
    assert!(check("t", Bounds::exact().ints("input.value", 3..=5)).run(|_: u8| ()).is_exhaustive());
}

#[test]
fn a_panic_while_bounds_are_laid_out_is_an_error() {
    #[derive(smallscope::Bounded, Debug)]
    #[bounded(no_invariant)]
    struct Hostile {
        #[bounded(range = 0..=(10 / (scope - 2)))]
        n: u8,
    }
    let report = check("t", 2).run(|h: Hostile| assert!(h.n < 100));
    let error = report.error().unwrap();
    assert!(error.contains("divide by zero") && error.contains("failures.rs:"), "{error}");
}

#[test]
fn checks_nest() {
    let report = check("outer", 3).run(|n: u8| {
        let inner = check("inner", 3).run(|m: u8| assert!(n + m < 3, "{n} + {m}"));
        inner.expect_ok();
    });
    let message = &report.failure().unwrap().message;
    assert!(message.contains("`inner` fails") && message.contains("1 + 2"), "{message}");
}
