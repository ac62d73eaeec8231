//! Sparse values before the search.

use super::tree::check;
use smallscope::Bounds;
use smallscope::testing::Origin;

#[test]
fn a_failure_far_away_shows_early() {
    let far = |v: Vec<u8>| assert!(v.len() < 6, "too long");
    let mut tried = 0;
    let report = check("t", 6).sparse(100).run(|v: Vec<u8>| {
        tried += 1;
        far(v);
    });
    let failure = report.failure().expect("it fails");
    assert!(matches!(failure.origin, Origin::Sparse { number } if number == report.sparse), "{report}");
    assert_eq!((tried, report.tested), (report.sparse, 0));
    assert!(tried < 100, "{tried}");
    let text = report.to_string();
    assert!(
        text.contains(&format!("value {tried} of those tried before the search; there may be smaller ones")),
        "{text}"
    );
    assert!(text.contains("the search was not begun"), "{text}");

    let replayed = check("t", 6).environment([("SMALLSCOPE_REPLAY", failure.replay.clone())]).run(far);
    assert_eq!(replayed.failure().map(|f| &f.message), Some(&failure.message));
}

#[test]
fn the_search_goes_through_everything_afterwards() {
    let mut values = vec![];
    let report = check("t", 3).sparse(5).run(|v: Vec<bool>| values.push(v));
    assert!(report.is_exhaustive(), "{report}");
    assert_eq!((report.sparse, report.tested), (5, 15));
    assert_eq!(values.len(), 20);
    let (first, all) = values.split_at(5);
    assert!(first.iter().all(|value| all.contains(value)));
}

#[test]
fn no_more_than_there_are() {
    let report = check("t", Bounds::exact().ints("input.value", 0..3)).sparse(1000).run(|_: u8| ());
    assert_eq!((report.sparse, report.tested), (3, 3));
}

#[test]
fn the_environment_decides() {
    let run =
        |sparse: &str| check("t", 3).sparse(5).environment([("SMALLSCOPE_SPARSE", sparse)]).run(|_: u8| ());
    assert_eq!(run("2").sparse, 2);
    assert_eq!(run("0").sparse, 0);
    let error = run("many");
    assert!(error.error().is_some_and(|e| e.contains("must be a number of values")), "{error}");
}

#[test]
fn one_of_the_shards_looks_around() {
    let run =
        |shard: &str| check("t", 3).sparse(2).environment([("SMALLSCOPE_SHARD", shard)]).run(|_: u8| ());
    assert_eq!((run("1/2").sparse, run("2/2").sparse), (2, 0));
}
