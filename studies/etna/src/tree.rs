//! What the nodes of both search trees have in common: finding, listing, and random trees.

use std::cmp::Ordering;

/// A tree, or none.
pub(crate) type Tree<N> = Option<Box<N>>;

/// A node of a search tree.
pub(crate) trait Branch: Sized {
    type Key: Ord + Clone;

    fn entry(&self) -> (&Self::Key, u8);
    fn children(&self) -> [&Tree<Self>; 2];
}

/// The value of a key, found by following the order.
pub(crate) fn find<N: Branch>(tree: &Tree<N>, key: &N::Key) -> Option<u8> {
    let mut tree = tree.as_ref();
    while let Some(node) = tree {
        let ((at, value), [left, right]) = (node.entry(), node.children());
        tree = match key.cmp(at) {
            Ordering::Less => left.as_ref(),
            Ordering::Greater => right.as_ref(),
            Ordering::Equal => return Some(value),
        };
    }
    None
}

/// All entries from left to right.
pub(crate) fn entries<N: Branch>(tree: &Tree<N>) -> Vec<(N::Key, u8)> {
    fn collect<N: Branch>(tree: &Tree<N>, entries: &mut Vec<(N::Key, u8)>) {
        if let Some(node) = tree {
            let ((key, value), [left, right]) = (node.entry(), node.children());
            collect(left, entries);
            entries.push((key.clone(), value));
            collect(right, entries);
        }
    }
    let mut all = vec![];
    collect(tree, &mut all);
    all
}

#[cfg(feature = "compared")]
pub(crate) use random::{RandomBranch, arbitrary, smaller, strategy};

#[cfg(feature = "compared")]
mod random {
    use super::{Branch, Tree};
    use crate::compared::KEYS;
    use proptest::strategy::{BoxedStrategy, Just, Strategy};
    use quickcheck::{Arbitrary, Gen};
    use std::fmt::Debug;

    /// A node that can be drawn at random.
    pub(crate) trait RandomBranch: Branch<Key = u8> + Clone + Debug + 'static {
        /// What else a node has.
        type Mark: Arbitrary + Debug;

        fn new(mark: Self::Mark, left: Tree<Self>, key: u8, value: u8, right: Tree<Self>) -> Self;
        fn children_mut(&mut self) -> [&mut Tree<Self>; 2];
        /// By proptest.
        fn marks() -> BoxedStrategy<Self::Mark>;
    }

    pub(crate) fn arbitrary<N: RandomBranch>(g: &mut Gen, depth: u32) -> Tree<N> {
        if depth == 0 || u8::arbitrary(g).is_multiple_of(3) {
            return None;
        }
        let left = arbitrary(g, depth - 1);
        let (key, value) = (u8::arbitrary(g) % KEYS, u8::arbitrary(g) % 2);
        let mark = N::Mark::arbitrary(g);
        Some(Box::new(N::new(mark, left, key, value, arbitrary(g, depth - 1))))
    }

    /// The subtrees, and the same tree with one of its subtrees made smaller.
    pub(crate) fn smaller<N: RandomBranch>(tree: &Tree<N>) -> Vec<Tree<N>> {
        let Some(node) = tree else { return vec![] };
        let children = node.children();
        let mut all: Vec<Tree<N>> = children.into_iter().cloned().collect();
        for (side, child) in children.into_iter().enumerate() {
            for child in smaller(child) {
                let mut changed = node.clone();
                *changed.children_mut()[side] = child;
                all.push(Some(changed));
            }
        }
        all
    }

    pub(crate) fn strategy<N: RandomBranch>() -> impl Strategy<Value = Tree<N>> {
        Just(None).prop_recursive(5, 16, 2, |tree| {
            (N::marks(), tree.clone(), 0..KEYS, 0..2_u8, tree).prop_map(|(mark, left, key, value, right)| {
                Some(Box::new(N::new(mark, left, key, value, right)))
            })
        })
    }
}
