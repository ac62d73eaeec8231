use smallscope_catalogue::search_tree_value::SearchTreeValue;
use std::collections::BTreeSet;

fn model(input: &SearchTreeValue) -> BTreeSet<u32> {
    input.tree().keys().into_iter().copied().collect()
}

#[smallscope::test(scope = 4, ints(Node.info = [2, 4, 6, 8], SearchTreeValue.value = 1..=9))]
fn search_finds_the_value_if_it_is_there(input: SearchTreeValue) {
    assert_eq!(input.search(), model(&input).contains(&input.value()));
}

#[smallscope::test(scope = 4, ints(Node.info = [2, 4, 6, 8], SearchTreeValue.value = 1..=9))]
fn insert_adds_the_value(input: SearchTreeValue) {
    let mut expected = model(&input);
    expected.insert(input.value());
    let tree = input.insert();
    assert!(tree.rep_ok());
    assert!(tree.keys().into_iter().eq(&expected));
}

#[smallscope::test(scope = 4, ints(Node.info = [2, 4, 6, 8], SearchTreeValue.value = 1..=9))]
fn delete_removes_the_value_and_nothing_else(input: SearchTreeValue) {
    let mut expected = model(&input);
    expected.remove(&input.value());
    let tree = input.delete();
    assert!(tree.rep_ok());
    assert!(tree.keys().into_iter().eq(&expected));
}
