//! Tests on some values of each class.

use super::tree::{Tree, check};
use smallscope::Key;
use smallscope::search::Search;
use smallscope::testing::{Origin, Verdict};

#[test]
fn every_class_is_tested() {
    let mut sizes = vec![];
    let report = check("t", 3).criterion("cdc").per_class(1).run(|tree: Tree<Key>| sizes.push(tree.size));
    report.expect_ok();
    sizes.sort();
    // By numbers of nodes: shape and keys do not change how often decisions are taken.
    sizes.dedup();
    assert_eq!(sizes, [0, 1, 2, 3]);
    let reduced = report.reduced.as_ref().unwrap();
    assert_eq!((reduced.values, reduced.kept, report.tested), (15, reduced.classes, reduced.classes));
    assert!(!report.is_exhaustive());
    let words = report.coverage();
    assert!(
        words.starts_with("a reduced suite was run: ")
            && words.contains("of 15 values that the bounds allow")
    );
    assert!(words.ends_with("(`cdc per-class 1 first`)") && !words.contains("exhaustive"), "{words}");
}

#[test]
fn a_share_of_the_values_is_tested() {
    let report = check("t", 4).criterion("decision").ratio(0.25).seed(3).run(|_: Tree<Key>| {});
    let all = smallscope::count::<Tree<Key>>(4).valid;
    let reduced = report.reduced.unwrap();
    assert_eq!(reduced.values, all);
    assert!(reduced.kept <= all / 4 && reduced.kept > 0);
    assert_eq!(reduced.most, all / 4 / reduced.classes);
}

#[test]
fn a_failure_is_found_and_can_be_replayed() {
    let fails = |tree: Tree<Key>, _: bool| assert!(tree.size < 3, "large");
    let report = check("t", 4).criterion("path").per_class(1).run(fails);
    let failure = report.failure().unwrap();
    assert!(matches!(failure.origin, Origin::Reduced { .. }));
    assert!(report.to_string().contains("of those that were kept"), "{report}");
    let again = check("t", 4).environment([("SMALLSCOPE_REPLAY", &failure.replay)]).run(fails);
    assert_eq!(again.failure().unwrap().message, "large");
}

#[test]
fn classes_of_several_arguments_are_ordered() {
    let count = |report: smallscope::Report| report.reduced.unwrap().classes;
    let one = count(check("t", 2).criterion("cdc").per_class(1).run(|_: Tree<Key>| {}));
    let two = count(check("t", 2).criterion("cdc").per_class(1).run(|_: Tree<Key>, _: Tree<Key>| {}));
    assert_eq!(two, one * one);
}

#[test]
fn limits_and_clusters_go_together_with_classes() {
    let report = check("t", 3).criterion("path").per_class(2).max(2).run(|_: Tree<Key>| {});
    assert_eq!(report.tested, 2);
    assert!(report.coverage().contains("after 2 values"), "{}", report.coverage());
    let report = check("t", 3)
        .criterion("path")
        .per_class(2)
        .clusters(true)
        .run(|t: Tree<Key>| assert!(t.size < 2, "{}", t.size));
    assert_eq!(report.clusters.len(), 1);
    assert!(report.clusters[0].count > 1);
}

#[test]
fn mistakes_are_errors() {
    let error = |check: smallscope::Check| match check.run(|_: Tree<Key>| {}).verdict {
        Verdict::Error(error) => error,
        other => panic!("{other:?}"),
    };
    for (check, part) in [
        (check("t", 2).criterion("cdc"), "say how many"),
        (check("t", 2).ratio(0.1), "by which criterion"),
        (check("t", 2).criterion("cdc").ratio(1.5), "`1.5` is no ratio"),
        (check("t", 2).criterion("cdc").ratio(f64::NAN), "`NaN` is no ratio"),
        (check("t", 2).criterion("cdc").keep(0), "must be 1 or more"),
        (check("t", 2).criterion("pathe").keep(1), "did you mean `path`?"),
        (check("t", 2).criterion("cdc").keep(1).per_class(1), "give one of them"),
    ] {
        let error = error(check);
        assert!(error.contains(part), "{error}");
    }
}

/// The attribute.
mod attribute {
    use super::*;

    #[smallscope::test(scope = 3, criterion = "cdc", per_class = 1)]
    fn one_of_each(tree: Tree<Key>) {
        assert!(tree.rep_ok());
    }

    #[smallscope::test(scope = 3, criterion = "path", ratio = 0.5, seed = 7)]
    fn half(tree: &Tree<Key>) {
        assert!(tree.size <= 3);
    }

    #[smallscope::test(scope = 3, criterion = "mcdc", keep = 5, clusters = true)]
    #[should_panic(expected = "in 1 cluster")]
    fn grouped(tree: Tree<Key>) {
        assert!(tree.size == 0, "not empty");
    }
}

#[test]
fn a_search_can_be_asked_for_its_decisions() {
    let mut search = Search::<Tree<Key>>::new(&2.into(), Default::default()).unwrap();
    let mut taken = vec![];
    while let Some(tree) = search.next_value() {
        let size = tree.unwrap().size;
        search.decisions(&mut taken).unwrap();
        let nodes =
            taken.iter().filter(|t| t.table[t.id as usize].text == "match n" && t.outcome == 0).count();
        // Counted once, and looked at once for the order.
        assert_eq!(nodes, 2 * size);
    }
}
