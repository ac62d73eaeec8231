use smallscope_catalogue::red_black_tree_key::RedBlackTreeKey;
use std::collections::BTreeSet;

fn model(input: &RedBlackTreeKey) -> BTreeSet<u32> {
    input.tree().keys().into_iter().copied().collect()
}

#[smallscope::test(scope = 4, ints(Node.key = [2, 4, 6, 8], RedBlackTreeKey.key = 1..=9))]
fn search_finds_the_key_if_it_is_there(input: RedBlackTreeKey) {
    assert_eq!(input.search(), model(&input).contains(&input.key()));
}

#[smallscope::test(scope = 4, ints(Node.key = [2, 4, 6, 8], RedBlackTreeKey.key = 1..=9))]
fn insert_adds_the_key(input: RedBlackTreeKey) {
    let mut expected = model(&input);
    expected.insert(input.key());
    let tree = input.insert();
    assert!(tree.rep_ok());
    assert!(tree.keys().into_iter().eq(&expected));
}

#[smallscope::test(scope = 4, ints(Node.key = [2, 4, 6, 8], RedBlackTreeKey.key = 1..=9))]
fn remove_removes_the_key_and_nothing_else(input: RedBlackTreeKey) {
    let mut expected = model(&input);
    expected.remove(&input.key());
    let tree = input.remove();
    assert!(tree.rep_ok());
    assert!(tree.keys().into_iter().eq(&expected));
}
