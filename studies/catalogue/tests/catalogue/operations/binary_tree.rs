use smallscope_catalogue::binary_tree::BinaryTree;

#[smallscope::test(scope = 7)]
fn depths_say_what_a_tree_looks_like(tree: BinaryTree) {
    let depths = tree.depths();
    assert_eq!(depths.len(), tree.len());
    assert_eq!(depths.is_empty(), tree.is_empty());
    assert_eq!(depths.iter().max().copied().unwrap_or(0), tree.height());
    assert!(is_preceded_by_its_parent(&depths, 1), "{depths:?}");
}

/// Whether these are the depths of a tree whose root has this depth.
fn is_preceded_by_its_parent(depths: &[usize], root: usize) -> bool {
    if depths.is_empty() {
        return true;
    }
    let mut sides = depths.split(|depth| *depth == root);
    let (Some(left), Some(right), None) = (sides.next(), sides.next(), sides.next()) else { return false };
    is_preceded_by_its_parent(left, root + 1) && is_preceded_by_its_parent(right, root + 1)
}

#[smallscope::test(scope = 7)]
fn a_mirrored_tree_has_the_same_depths_in_reverse(mut tree: BinaryTree) {
    let before = tree.clone();
    tree.mirror();
    assert!(tree.rep_ok());
    assert_eq!((tree.len(), tree.height()), (before.len(), before.height()));
    assert!(tree.depths().into_iter().rev().eq(before.depths()));
    tree.mirror();
    assert_eq!(tree, before);
}

#[smallscope::test(scope = 4)]
fn different_trees_have_different_depths(one: BinaryTree, other: BinaryTree) {
    assert_eq!(one == other, one.depths() == other.depths());
}
