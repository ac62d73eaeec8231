//! Tests on a saved suite: `cargo smallscope run search-tree --scope 3 --save studies/catalogue/suites/search-tree-3.suite`.

use smallscope::Check;
use smallscope_catalogue::search_tree::SearchTree;
use std::path::Path;

#[smallscope::test(suite = "suites/search-tree-3.suite")]
fn every_key_can_be_removed(mut tree: SearchTree<u8>) {
    for key in 0..3 {
        let was_there = tree.contains(&key);
        assert_eq!(tree.remove(&key), was_there);
        assert!(tree.rep_ok() && !tree.contains(&key));
    }
    assert!(tree.is_empty());
}

#[test]
fn the_suite_has_every_tree() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("suites/search-tree-3.suite");
    let mut saved = vec![];
    let report = Check::new("trees", 3).suite(file).run(|tree: SearchTree<u8>| saved.push(tree));
    assert!(report.is_exhaustive(), "{report}");
    // The suite was saved by another engine, in its own order.
    let sorted = |trees: Vec<SearchTree<u8>>| {
        let mut texts: Vec<String> = trees.iter().map(|tree| format!("{tree:?}")).collect();
        texts.sort();
        texts
    };
    assert_eq!(sorted(saved), sorted(smallscope::all::<SearchTree<u8>>(3).collect()));
}
