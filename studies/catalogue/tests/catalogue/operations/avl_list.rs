use smallscope_catalogue::avl_list::AvlList;
use std::collections::BTreeSet;

#[smallscope::test(
    scope = 3,
    objects(avl_tree::Node = 3, int_list::Node = 4),
    ints(avl_tree::Node.element = [2, 4, 6], int_list::Node.element = 1..=7)
)]
fn add_all_adds_what_is_in_the_list(input: AvlList) {
    let mut expected: BTreeSet<u32> = input.tree().keys().into_iter().copied().collect();
    expected.extend(input.list().iter());
    let tree = input.add_all();
    assert!(tree.rep_ok());
    assert!(tree.keys().into_iter().eq(&expected));
}
