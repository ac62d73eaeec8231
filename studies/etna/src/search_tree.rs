//! The workload BST: search trees as a functional map, with eight mutants.

use crate::law::Law;
use crate::maps::{self, OrderedMap};
use crate::task::named;
use crate::tree::{self, Branch};
use smallscope::{Bounded, rep_ok};
use std::cmp::Ordering;

/// A map as a search tree.
#[derive(Bounded, Debug, Clone, PartialEq)]
pub struct SearchTree<K> {
    root: Option<Box<Node<K>>>,
}

#[derive(Bounded, Debug, Clone, PartialEq)]
struct Node<K> {
    left: Option<Box<Node<K>>>,
    key: K,
    value: u8,
    right: Option<Box<Node<K>>>,
}

#[rep_ok]
impl<K: Ord> SearchTree<K> {
    /// Keys ascend from left to right.
    pub fn rep_ok(&self) -> bool {
        Self::is_ordered(&self.root, None, None)
    }

    fn is_ordered(tree: &Option<Box<Node<K>>>, low: Option<&K>, high: Option<&K>) -> bool {
        let Some(node) = tree else { return true };
        low.is_none_or(|low| *low < node.key)
            && high.is_none_or(|high| node.key < *high)
            && Self::is_ordered(&node.left, low, Some(&node.key))
            && Self::is_ordered(&node.right, Some(&node.key), high)
    }
}

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is described where it is switched on")]
pub enum Mutant {
    None,
    Insert1,
    Insert2,
    Insert3,
    Delete4,
    Delete5,
    Union6,
    Union7,
    Union8,
}

type Tree<K> = tree::Tree<Node<K>>;

fn node<K>(left: Tree<K>, key: K, value: u8, right: Tree<K>) -> Tree<K> {
    Some(Box::new(Node { left, key, value, right }))
}

fn insert<K: Ord>(tree: Tree<K>, key: K, value: u8, mutant: Mutant) -> Tree<K> {
    let Some(tree) = tree else { return node(None, key, value, None) };
    if mutant == Mutant::Insert1 {
        // All other entries are lost.
        return node(None, key, value, None);
    }
    let Node { left, key: k, value: v, right } = *tree;
    match key.cmp(&k) {
        Ordering::Less => node(insert(left, key, value, mutant), k, v, right),
        // A larger key is taken for the same one.
        Ordering::Greater if mutant == Mutant::Insert2 => node(left, k, value, right),
        Ordering::Greater => node(left, k, v, insert(right, key, value, mutant)),
        // The old value stays.
        Ordering::Equal if mutant == Mutant::Insert3 => node(left, k, v, right),
        Ordering::Equal => node(left, k, value, right),
    }
}

fn delete<K: Ord>(tree: Tree<K>, key: &K, mutant: Mutant) -> Tree<K> {
    let Node { left, key: k, value: v, right } = *tree?;
    match key.cmp(&k) {
        // The nodes above are lost.
        Ordering::Less if mutant == Mutant::Delete4 => delete(left, key, mutant),
        Ordering::Greater if mutant == Mutant::Delete4 => delete(right, key, mutant),
        // The wrong way.
        Ordering::Less if mutant == Mutant::Delete5 => node(left, k, v, delete(right, key, mutant)),
        Ordering::Greater if mutant == Mutant::Delete5 => node(delete(left, key, mutant), k, v, right),
        Ordering::Less => node(delete(left, key, mutant), k, v, right),
        Ordering::Greater => node(left, k, v, delete(right, key, mutant)),
        Ordering::Equal => join(left, right),
    }
}

/// Joins two trees, where the keys of the second one are larger.
fn join<K>(smaller: Tree<K>, larger: Tree<K>) -> Tree<K> {
    match (smaller, larger) {
        (None, tree) | (tree, None) => tree,
        (Some(a), Some(b)) => {
            node(a.left, a.key, a.value, node(join(a.right, b.left), b.key, b.value, b.right))
        }
    }
}

/// The entries with smaller keys, and those with larger keys.
fn split<K: Ord>(tree: Tree<K>, at: &K) -> (Tree<K>, Tree<K>) {
    let Some(tree) = tree else { return (None, None) };
    let Node { left, key, value, right } = *tree;
    match at.cmp(&key) {
        Ordering::Equal => (left, right),
        Ordering::Less => {
            let (below, above) = split(left, at);
            (below, node(above, key, value, right))
        }
        Ordering::Greater => {
            let (below, above) = split(right, at);
            (node(left, key, value, below), above)
        }
    }
}

/// All entries of both trees. The first one decides about keys that are in both.
fn union<K: Ord>(first: Tree<K>, second: Tree<K>, mutant: Mutant) -> Tree<K> {
    let (mut a, mut b) = match (first, second) {
        (None, tree) | (tree, None) => return tree,
        (Some(a), Some(b)) => (a, b),
    };
    match mutant {
        // The roots side by side, whatever their keys.
        Mutant::Union6 => {
            let middle = union(a.right, b.left, mutant);
            node(a.left, a.key, a.value, node(middle, b.key, b.value, b.right))
        }
        // Only the roots are compared.
        Mutant::Union7 => match a.key.cmp(&b.key) {
            Ordering::Equal => {
                node(union(a.left, b.left, mutant), a.key, a.value, union(a.right, b.right, mutant))
            }
            Ordering::Less => {
                let middle = union(a.right, b.left, mutant);
                node(a.left, a.key, a.value, node(middle, b.key, b.value, b.right))
            }
            Ordering::Greater => union(Some(b), Some(a), mutant),
        },
        // The trees change places, and with them the values of keys that are in both.
        Mutant::Union8 => match a.key.cmp(&b.key) {
            Ordering::Equal => {
                node(union(a.left, b.left, mutant), a.key, a.value, union(a.right, b.right, mutant))
            }
            Ordering::Less => {
                let (below, above) = split(b.left.take(), &a.key);
                b.left = above;
                node(union(a.left, below, mutant), a.key, a.value, union(a.right, Some(b), mutant))
            }
            Ordering::Greater => union(Some(b), Some(a), mutant),
        },
        _ => {
            let (below, above) = split(Some(b), &a.key);
            a.left = union(a.left.take(), below, mutant);
            a.right = union(a.right.take(), above, mutant);
            Some(a)
        }
    }
}

impl<K: Ord + Clone> Branch for Node<K> {
    type Key = K;

    fn entry(&self) -> (&K, u8) {
        (&self.key, self.value)
    }

    fn children(&self) -> [&Tree<K>; 2] {
        [&self.left, &self.right]
    }
}

impl<K: Ord + Clone> OrderedMap for SearchTree<K> {
    type Key = K;
    type Mutant = Mutant;

    const RESULTS_ARE_VALID: bool = false;

    fn is_valid(&self) -> bool {
        self.rep_ok()
    }

    fn insert(self, key: K, value: u8, mutant: Mutant) -> SearchTree<K> {
        SearchTree { root: insert(self.root, key, value, mutant) }
    }

    fn delete(self, key: &K, mutant: Mutant) -> SearchTree<K> {
        SearchTree { root: delete(self.root, key, mutant) }
    }

    fn find(&self, key: &K) -> Option<u8> {
        tree::find(&self.root, key)
    }

    fn entries(&self) -> Vec<(K, u8)> {
        tree::entries(&self.root)
    }
}

impl<K: Ord + Clone> SearchTree<K> {
    /// All entries of both maps. This one decides about keys that are in both.
    pub fn union(self, other: SearchTree<K>, mutant: Mutant) -> SearchTree<K> {
        SearchTree { root: union(self.root, other.root, mutant) }
    }
}

fn united<K: Ord + Clone>(a: &SearchTree<K>, b: &SearchTree<K>, mutant: Mutant) -> SearchTree<K> {
    a.clone().union(b.clone(), mutant)
}

/// A union keeps the invariant.
pub fn union_valid<K: Ord + Clone>(a: &SearchTree<K>, b: &SearchTree<K>, mutant: Mutant) -> bool {
    united(a, b, mutant).rep_ok()
}

/// A union finds what the first map finds, or else what the second one finds.
pub fn union_post<K: Ord + Clone>(a: &SearchTree<K>, b: &SearchTree<K>, key: &K, mutant: Mutant) -> bool {
    united(a, b, mutant).find(key) == a.find(key).or(b.find(key))
}

/// A union does what it does to sorted lists.
pub fn union_model<K: Ord + Clone>(a: &SearchTree<K>, b: &SearchTree<K>, mutant: Mutant) -> bool {
    let mut model: Vec<_> = b.entries().into_iter().filter(|(key, _)| a.find(key).is_none()).collect();
    model.extend(a.entries());
    model.sort();
    united(a, b, mutant).entries() == model
}

/// Inserting into a union inserts into the first map.
pub fn insert_union<K: Ord + Clone>(
    a: &SearchTree<K>,
    b: &SearchTree<K>,
    key: &K,
    value: u8,
    mutant: Mutant,
) -> bool {
    let result = united(a, b, mutant).insert(key.clone(), value, mutant);
    let inserted = a.clone().insert(key.clone(), value, mutant);
    result.entries() == inserted.union(b.clone(), mutant).entries()
}

/// Deleting from a union deletes from both maps.
pub fn delete_union<K: Ord + Clone>(a: &SearchTree<K>, b: &SearchTree<K>, key: &K, mutant: Mutant) -> bool {
    let result = united(a, b, mutant).delete(key, mutant);
    let (a, b) = (a.clone().delete(key, mutant), b.clone().delete(key, mutant));
    result.entries() == a.union(b, mutant).entries()
}

/// A key that is deleted from the first map and inserted into the second one is inserted into the union.
pub fn union_delete_insert<K: Ord + Clone>(
    a: &SearchTree<K>,
    b: &SearchTree<K>,
    key: &K,
    value: u8,
    mutant: Mutant,
) -> bool {
    let inserted = b.clone().insert(key.clone(), value, mutant);
    let result = a.clone().delete(key, mutant).union(inserted, mutant);
    result.entries() == united(a, b, mutant).insert(key.clone(), value, mutant).entries()
}

/// The union of a map with itself is the map.
pub fn union_union_idem<K: Ord + Clone>(map: &SearchTree<K>, mutant: Mutant) -> bool {
    united(map, map, mutant).entries() == map.entries()
}

/// Three maps can be united in both orders, which gives the same tree.
pub fn union_union_assoc<K: Ord + Clone>(
    a: &SearchTree<K>,
    b: &SearchTree<K>,
    c: &SearchTree<K>,
    mutant: Mutant,
) -> bool {
    let right = a.clone().union(united(b, c, mutant), mutant);
    united(a, b, mutant).union(c.clone(), mutant) == right
}

/// The properties of search trees, by their names.
pub fn laws<K: Ord + Clone>() -> Vec<(&'static str, Law<SearchTree<K>>)> {
    let mut laws = maps::laws();
    laws.extend([
        ("UnionValid", Law::Two(union_valid)),
        ("UnionPost", Law::TwoKey(union_post)),
        ("UnionModel", Law::Two(union_model)),
        ("InsertUnion", Law::TwoKeyValue(insert_union)),
        ("DeleteUnion", Law::TwoKey(delete_union)),
        ("UnionDeleteInsert", Law::TwoKeyValue(union_delete_insert)),
        ("UnionUnionIdem", Law::One(union_union_idem)),
        ("UnionUnionAssoc", Law::Three(union_union_assoc)),
    ] as [(_, Law<SearchTree<K>>); 8]);
    laws
}

/// The mutants with the properties that they break.
pub const TASKS: [(&str, Mutant, &[&str]); 8] = [
    (
        "insert_1",
        Mutant::Insert1,
        &["InsertPost", "InsertModel", "DeleteInsert", "InsertInsert", "InsertUnion", "UnionDeleteInsert"],
    ),
    (
        "insert_2",
        Mutant::Insert2,
        &[
            "InsertPost",
            "InsertModel",
            "DeleteInsert",
            "InsertInsert",
            "InsertUnion",
            "UnionDeleteInsert",
            "InsertDelete",
        ],
    ),
    (
        "insert_3",
        Mutant::Insert3,
        &["InsertPost", "InsertModel", "InsertDelete", "InsertInsert", "InsertUnion", "UnionDeleteInsert"],
    ),
    (
        "delete_4",
        Mutant::Delete4,
        &[
            "DeleteModel",
            "DeletePost",
            "DeleteDelete",
            "DeleteInsert",
            "DeleteUnion",
            "InsertDelete",
            "UnionDeleteInsert",
        ],
    ),
    (
        "delete_5",
        Mutant::Delete5,
        &["DeleteModel", "DeletePost", "DeleteDelete", "DeleteInsert", "DeleteUnion", "UnionDeleteInsert"],
    ),
    (
        "union_6",
        Mutant::Union6,
        &[
            "UnionValid",
            "UnionPost",
            "UnionModel",
            "DeleteUnion",
            "InsertUnion",
            "UnionDeleteInsert",
            "UnionUnionAssoc",
            "UnionUnionIdem",
        ],
    ),
    (
        "union_7",
        Mutant::Union7,
        &[
            "UnionValid",
            "UnionPost",
            "UnionModel",
            "DeleteUnion",
            "InsertUnion",
            "UnionDeleteInsert",
            "UnionUnionAssoc",
        ],
    ),
    (
        "union_8",
        Mutant::Union8,
        &["UnionPost", "UnionModel", "DeleteUnion", "InsertUnion", "UnionDeleteInsert", "UnionUnionAssoc"],
    ),
];

/// The mutant with a name; without a name, the original.
///
/// # Panics
///
/// If there is none.
pub(crate) fn mutant(name: Option<&str>) -> Mutant {
    let known = TASKS.map(|(name, mutant, _)| (name, mutant));
    name.map_or(Mutant::None, |name| named(known, name))
}

#[cfg(feature = "compared")]
mod compared {
    use super::*;
    use crate::compared::Naive;
    use crate::tree::RandomBranch;
    use proptest::strategy::{BoxedStrategy, Just, Strategy};
    use quickcheck::Gen;

    impl RandomBranch for Node<u8> {
        type Mark = ();

        fn new((): (), left: Tree<u8>, key: u8, value: u8, right: Tree<u8>) -> Node<u8> {
            Node { left, key, value, right }
        }

        fn children_mut(&mut self) -> [&mut Tree<u8>; 2] {
            [&mut self.left, &mut self.right]
        }

        fn marks() -> BoxedStrategy<()> {
            Just(()).boxed()
        }
    }

    impl Naive for SearchTree<u8> {
        fn is_valid(&self) -> bool {
            self.rep_ok()
        }

        fn nodes(&self) -> usize {
            self.entries().len()
        }

        fn arbitrary(g: &mut Gen) -> SearchTree<u8> {
            SearchTree { root: tree::arbitrary(g, 5) }
        }

        fn smaller(&self) -> Vec<SearchTree<u8>> {
            tree::smaller(&self.root).into_iter().map(|root| SearchTree { root }).collect()
        }

        fn strategy() -> BoxedStrategy<SearchTree<u8>> {
            tree::strategy().prop_map(|root| SearchTree { root }).boxed()
        }
    }
}
