use smallscope_catalogue::red_black_tree::RedBlackTree;
use std::collections::BTreeSet;

fn model(tree: &RedBlackTree<u8>) -> BTreeSet<u8> {
    tree.keys().into_iter().copied().collect()
}

fn assert_is(tree: &RedBlackTree<u8>, expected: &BTreeSet<u8>) {
    assert!(tree.rep_ok(), "the tree is broken: {tree:?}");
    assert_eq!(tree.len(), expected.len());
    assert_eq!(tree.is_empty(), expected.is_empty());
    assert_eq!(tree.first(), expected.first());
    assert!(tree.keys().into_iter().eq(expected), "{:?} instead of {expected:?}", tree.keys());
}

#[smallscope::test(scope = 5, ints(Node.key = [1, 3, 5, 7, 9], key = 0..=10))]
fn get_finds_the_keys_and_no_others(tree: RedBlackTree<u8>, key: u8) {
    assert_is(&tree, &model(&tree));
    assert_eq!(tree.get(&key), model(&tree).get(&key));
    assert_eq!(tree.contains(&key), model(&tree).contains(&key));
}

#[smallscope::test(scope = 6, ints(Node.key = [1, 3, 5, 7, 9, 11], key = 0..=12))]
fn insert_adds_one_key(mut tree: RedBlackTree<u8>, key: u8) {
    let mut expected = model(&tree);
    assert_eq!(tree.insert(key), expected.insert(key));
    assert_is(&tree, &expected);
}

#[smallscope::test(scope = 7, ints(key = 0..=7))]
fn remove_removes_one_key(mut tree: RedBlackTree<u8>, key: u8) {
    let mut expected = model(&tree);
    assert_eq!(tree.remove(&key), expected.remove(&key));
    assert_is(&tree, &expected);
}

#[smallscope::test(scope = 5)]
fn insertions_compose(keys: [u8; 5]) {
    let (mut tree, mut expected) = (RedBlackTree::default(), BTreeSet::new());
    for key in keys {
        assert_eq!(tree.insert(key), expected.insert(key));
        assert_is(&tree, &expected);
    }
}

/// Beyond the scopes above: trees as insertions and removals leave them.
#[test]
fn large_trees_grow_and_shrink_in_many_orders() {
    const KEYS: u8 = 101;
    for step in 1..KEYS {
        let (mut tree, mut expected) = (RedBlackTree::default(), BTreeSet::new());
        let order = (0..KEYS).map(|i| (u32::from(i) * u32::from(step) % u32::from(KEYS)) as u8);
        for key in order.clone() {
            assert!(tree.insert(key) && expected.insert(key));
        }
        assert_is(&tree, &expected);
        for key in order.map(|key| key ^ 1).filter(|key| *key < KEYS) {
            assert!(tree.remove(&key) && expected.remove(&key));
            assert_is(&tree, &expected);
        }
    }
}
