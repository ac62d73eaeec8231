use smallscope_catalogue::avl_tree::AvlTree;
use std::collections::BTreeSet;

fn model(tree: &AvlTree<u8>) -> BTreeSet<u8> {
    tree.keys().into_iter().copied().collect()
}

fn assert_is(tree: &AvlTree<u8>, expected: &BTreeSet<u8>) {
    assert!(tree.rep_ok(), "the tree is broken: {tree:?}");
    assert_eq!(tree.len(), expected.len());
    assert_eq!(tree.is_empty(), expected.is_empty());
    assert_eq!(tree.first(), expected.first());
    assert!(tree.keys().into_iter().eq(expected), "{:?} instead of {expected:?}", tree.keys());
}

#[smallscope::test(scope = 6, ints(Node.element = [1, 3, 5, 7, 9, 11], Node.height = 1..=3, key = 0..=12))]
fn contains_finds_the_keys_and_no_others(tree: AvlTree<u8>, key: u8) {
    assert_is(&tree, &model(&tree));
    assert_eq!(tree.contains(&key), model(&tree).contains(&key));
}

#[smallscope::test(scope = 6, ints(Node.height = 1..=4))]
fn the_height_is_logarithmic(tree: AvlTree<u8>) {
    let expected = [0, 1, 2, 2, 3, 3, 3][tree.len()];
    assert_eq!(tree.height(), expected);
}

#[smallscope::test(scope = 6, ints(Node.element = [1, 3, 5, 7, 9, 11], Node.height = 1..=3, key = 0..=12))]
fn insert_adds_one_key(mut tree: AvlTree<u8>, key: u8) {
    let mut expected = model(&tree);
    assert_eq!(tree.insert(key), expected.insert(key));
    assert_is(&tree, &expected);
}

#[smallscope::test(scope = 7, ints(Node.height = 1..=4, key = 0..=7))]
fn remove_removes_one_key(mut tree: AvlTree<u8>, key: u8) {
    let mut expected = model(&tree);
    assert_eq!(tree.remove(&key), expected.remove(&key));
    assert_is(&tree, &expected);
}

#[smallscope::test(scope = 5)]
fn insertions_compose(keys: [u8; 5]) {
    let (mut tree, mut expected) = (AvlTree::default(), BTreeSet::new());
    for key in keys {
        assert_eq!(tree.insert(key), expected.insert(key));
        assert_is(&tree, &expected);
    }
}

/// The keys of the tree of this height with the fewest nodes, level by level, so that no insertion rotates.
fn sparsest(height: u32) -> Vec<u8> {
    fn collect(height: u32, depth: usize, next: &mut u8, levels: &mut Vec<Vec<u8>>) {
        if height > 0 {
            levels.resize(levels.len().max(depth + 1), vec![]);
            collect(height - 1, depth + 1, next, levels);
            levels[depth].push(*next);
            *next += 1;
            collect(height.saturating_sub(2), depth + 1, next, levels);
        }
    }
    let mut levels = vec![];
    collect(height, 0, &mut 0, &mut levels);
    levels.concat()
}

/// A removal that rebalances at two places needs twelve nodes, more than the scopes above have.
#[test]
fn removals_rebalance_all_the_way_up() {
    for height in 0..=6 {
        let keys = sparsest(height);
        for mirrored in [false, true] {
            let keys: Vec<u8> = keys.iter().map(|key| if mirrored { 100 - key } else { *key }).collect();
            let mut tree = AvlTree::default();
            keys.iter().for_each(|key| assert!(tree.insert(*key)));
            assert_eq!(tree.height(), height);
            for key in &keys {
                let (mut tree, mut expected) = (tree.clone(), model(&tree));
                assert!(tree.remove(key) && expected.remove(key));
                assert_is(&tree, &expected);
            }
        }
    }
}

/// Beyond the scopes above: trees as insertions and removals leave them.
#[test]
fn large_trees_grow_and_shrink_in_many_orders() {
    const KEYS: u8 = 101;
    for step in 1..KEYS {
        let (mut tree, mut expected) = (AvlTree::default(), BTreeSet::new());
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
