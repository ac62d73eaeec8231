//! The number of entries of the streams, and the size of their suites.

use crate::streams::{self, Visit};
use smallscope_suite::{Ending, Header, Writer};

fn entries_and_bytes(generate: impl FnOnce(Visit)) -> (u64, usize) {
    let mut writer = Writer::create(vec![], &Header::new().with("bounds", "x".repeat(300))).unwrap();
    generate(&mut |path| {
        assert!(writer.is_empty() || writer.path() < path, "paths come in lexicographic order");
        writer.push_path(path, 0, || 0).unwrap();
    });
    (writer.len(), writer.finish(&Ending::default()).unwrap().len())
}

#[test]
fn search_trees_have_few_bytes() {
    // The sum of binomial(8, n) * catalan(n).
    let (entries, bytes) = entries_and_bytes(|visit| streams::search_trees(0..=8, 8, visit));
    assert_eq!(entries, 12_235);
    assert!(bytes < 26_000, "{bytes}");
}

#[test]
fn search_trees_of_one_size_have_few_bytes() {
    // catalan(8).
    let (entries, bytes) = entries_and_bytes(|visit| streams::search_trees(8..=8, 8, visit));
    assert_eq!(entries, 1430);
    assert!(bytes < 3_600, "{bytes}");
}

#[test]
fn doubly_linked_lists_have_few_bytes() {
    // Set partitions with the first two elements apart: 1 + 3 + 10 + 37 + 151 + 674 + 3263.
    let (entries, bytes) = entries_and_bytes(|visit| streams::doubly_linked_lists(7, usize::MAX, visit));
    assert_eq!(entries, 4139);
    assert!(bytes < 1_500, "{bytes}");
}
