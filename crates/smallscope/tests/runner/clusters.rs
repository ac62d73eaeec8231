//! Failures that do not end a run.

use super::tree::{Scratch, Tree, check};
use smallscope::{Key, Order};

/// Fails in two places, one of them with many messages.
fn fails_in_two_places(tree: Tree<Key>) {
    assert!(tree.size < 2, "{} nodes are too many", tree.size);
    assert_ne!(tree.size, 1);
}

#[test]
fn failures_are_grouped_by_place_and_words() {
    let report = check("grouped", 3).clusters(true).run(fails_in_two_places);
    // Trees of up to 3 nodes with up to 3 keys: 1, 3, 6 and 5 of 0 to 3 nodes.
    let clusters: Vec<(u64, &str)> =
        report.clusters.iter().map(|c| (c.count, c.witness.message.lines().next().unwrap())).collect();
    assert_eq!(clusters.len(), 2, "{report}");
    assert_eq!(clusters[0].0, 3);
    assert_eq!(clusters[1], (11, "2 nodes are too many"));
    assert_eq!(report.clusters[1].message.as_deref(), Some("# nodes are too many"));
    assert!(!report.is_ok() && !report.is_exhaustive());
    assert_eq!((report.tested, report.outcome.valid), (15, 15));
    let text = report.to_string();
    for part in [
        "`grouped` fails for 14 valid values, in 2 clusters\n",
        "cluster 1 of 2: 3 values; this is a smallest one\n",
        "cluster 2 of 2: 11 values; this is a smallest one\n",
        "  2 nodes are too many\n  at ",
        "size = 2\n",
        &format!("replay:   SMALLSCOPE_REPLAY='{}' cargo ", report.clusters[1].witness.replay),
        "covered:  scopes 0 to 3 are covered exhaustively: 15 values\n",
    ] {
        assert!(text.contains(part), "`{part}` is missing:\n{text}");
    }
}

#[test]
fn a_witness_is_a_smallest_one_in_any_order() {
    let largest_first = |tree: Tree<Key>| assert!(tree.size == 0, "not empty");
    let report = check("order", 3).clusters(true).order(Order::Single).run(largest_first);
    assert_eq!(report.clusters.len(), 1);
    assert_eq!(report.clusters[0].count, 14);
    assert!(report.clusters[0].witness.graph.contains("size = 1"), "{report}");
}

#[test]
fn a_witness_can_be_replayed_alone() {
    let report = check("replayed", 3).clusters(true).run(fails_in_two_places);
    for cluster in &report.clusters {
        let again = check("replayed", 3)
            .environment([("SMALLSCOPE_REPLAY", &cluster.witness.replay)])
            .run(fails_in_two_places);
        assert_eq!(again.failure().unwrap().message, cluster.witness.message);
        assert_eq!(again.tested, 1);
    }
}

#[test]
fn the_environment_asks_for_clusters() {
    let clusters = |value: &str| {
        let check =
            check("environment", 3).clusters(value == "0").environment([("SMALLSCOPE_CLUSTERS", value)]);
        check.run(fails_in_two_places).clusters.len()
    };
    assert_eq!((clusters("1"), clusters("0")), (2, 0));
}

#[test]
fn each_cluster_is_recorded_once() {
    let scratch = Scratch::new("clusters");
    let directory = scratch.path();
    let recorded = || check("recorded", 3).clusters(true).record_in(directory);
    let report = recorded().run(fails_in_two_places);
    assert!(
        report.clusters.iter().all(|c| c.witness.recorded.as_ref().is_some_and(Result::is_ok)),
        "{report}"
    );
    let file =
        std::fs::read_dir(directory.join("smallscope-regressions")).unwrap().next().unwrap().unwrap().path();
    let lines = |text: String| text.lines().filter(|l| !l.starts_with('#') && !l.is_empty()).count();
    assert_eq!(lines(std::fs::read_to_string(&file).unwrap()), 2);
    // They come first from now on, and do not end the run either.
    let again = recorded().run(fails_in_two_places);
    let counts = |report: &smallscope::Report| report.clusters.iter().map(|c| c.count).collect::<Vec<_>>();
    assert_eq!(counts(&again), counts(&report));
    assert_eq!(lines(std::fs::read_to_string(&file).unwrap()), 2);
}

#[test]
fn a_test_that_passes_has_none() {
    let report = check("passes", 3).clusters(true).run(|tree: Tree<Key>| assert!(tree.size <= 3));
    assert!(report.is_exhaustive() && report.clusters.is_empty());
}
