use smallscope_catalogue::search_tree::SearchTree;
use std::collections::BTreeSet;

fn model(tree: &SearchTree<u8>) -> BTreeSet<u8> {
    tree.keys().into_iter().copied().collect()
}

fn assert_is(tree: &SearchTree<u8>, expected: &BTreeSet<u8>) {
    assert!(tree.rep_ok(), "the tree is broken");
    assert_eq!(tree.len(), expected.len());
    assert_eq!(tree.is_empty(), expected.is_empty());
    assert!(tree.keys().into_iter().eq(expected), "{:?} instead of {expected:?}", tree.keys());
}

#[smallscope::test(scope = 5, ints(Node.info = [1, 3, 5, 7, 9], key = 0..=10))]
fn contains_finds_the_keys_and_no_others(tree: SearchTree<u8>, key: u8) {
    assert_is(&tree, &model(&tree));
    assert_eq!(tree.contains(&key), model(&tree).contains(&key));
}

#[smallscope::test(scope = 5, ints(Node.info = [1, 3, 5, 7, 9], key = 0..=10))]
fn insert_adds_one_key(mut tree: SearchTree<u8>, key: u8) {
    let mut expected = model(&tree);
    assert_eq!(tree.insert(key), expected.insert(key));
    assert_is(&tree, &expected);
}

#[smallscope::test(scope = 6, ints(Node.info = [1, 3, 5, 7, 9, 11], key = 0..=12))]
fn remove_removes_one_key(mut tree: SearchTree<u8>, key: u8) {
    let mut expected = model(&tree);
    assert_eq!(tree.remove(&key), expected.remove(&key));
    assert_is(&tree, &expected);
}

#[smallscope::test(scope = 5)]
fn insertions_compose(keys: Vec<u8>) {
    let (mut tree, mut expected) = (SearchTree::default(), BTreeSet::new());
    for key in keys {
        assert_eq!(tree.insert(key), expected.insert(key));
        assert_is(&tree, &expected);
    }
}

#[smallscope::test(scope = 4)]
fn removals_compose(inserted: [u8; 4], removed: [u8; 3]) {
    let mut expected: BTreeSet<_> = inserted.iter().copied().collect();
    let mut tree = SearchTree::default();
    for key in inserted {
        tree.insert(key);
    }
    for key in removed {
        assert_eq!(tree.remove(&key), expected.remove(&key));
        assert_is(&tree, &expected);
    }
}
