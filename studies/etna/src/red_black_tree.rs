//! The workload RBT: red-black trees as a functional map, inserting after Okasaki and deleting after Kahrs, with thirteen
//! mutants.

use crate::maps::OrderedMap;
use crate::task::named;
use crate::tree::{self, Branch};
use smallscope::{Bounded, rep_ok};
use std::cmp::Ordering;

/// A map as a red-black tree. The root may have either colour.
#[derive(Bounded, Debug, Clone)]
pub struct RedBlackTree<K> {
    root: Option<Box<Node<K>>>,
}

#[derive(Bounded, Debug, Clone)]
struct Node<K> {
    color: Color,
    left: Option<Box<Node<K>>>,
    key: K,
    value: u8,
    right: Option<Box<Node<K>>>,
}

#[derive(Bounded, Debug, Clone, Copy, PartialEq, Eq)]
enum Color {
    Red,
    Black,
}

#[rep_ok]
impl<K: Ord> RedBlackTree<K> {
    /// No red node has a red child, every way down has as many black nodes, and keys ascend.
    pub fn rep_ok(&self) -> bool {
        Self::no_red_red(&self.root)
            && Self::black_height(&self.root).is_some()
            && Self::is_ordered(&self.root, None, None)
    }

    fn is_red(tree: &Option<Box<Node<K>>>) -> bool {
        tree.as_ref().is_some_and(|node| node.color == Color::Red)
    }

    fn no_red_red(tree: &Option<Box<Node<K>>>) -> bool {
        let Some(node) = tree else { return true };
        if node.color == Color::Red && (Self::is_red(&node.left) || Self::is_red(&node.right)) {
            return false;
        }
        Self::no_red_red(&node.left) && Self::no_red_red(&node.right)
    }

    fn black_height(tree: &Option<Box<Node<K>>>) -> Option<usize> {
        let Some(node) = tree else { return Some(0) };
        let (left, right) = (Self::black_height(&node.left)?, Self::black_height(&node.right)?);
        (left == right).then(|| left + usize::from(node.color == Color::Black))
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
    MiscolorInsert,
    MiscolorDelete,
    MiscolorBalanceLeft,
    MiscolorBalanceRight,
    MiscolorJoin1,
    MiscolorJoin2,
    NoBalanceInsert1,
    NoBalanceInsert2,
    SwapCd,
    SwapBc,
    Insert1,
    Insert2,
    Insert3,
    Delete4,
    Delete5,
}

type Tree<K> = tree::Tree<Node<K>>;
type Entry<K> = (K, u8);

fn node<K>(color: Color, left: Tree<K>, (key, value): Entry<K>, right: Tree<K>) -> Tree<K> {
    Some(Box::new(Node { color, left, key, value, right }))
}

impl<K> Node<K> {
    fn take_apart(self) -> (Color, Tree<K>, Entry<K>, Tree<K>) {
        (self.color, self.left, (self.key, self.value), self.right)
    }
}

fn has_color<K>(tree: &Tree<K>, color: Color) -> bool {
    tree.as_ref().is_some_and(|node| node.color == color)
}

fn colored<K>(color: Color, mut tree: Tree<K>) -> Tree<K> {
    if let Some(node) = &mut tree {
        node.color = color;
    }
    tree
}

/// Takes the node of a tree that is known to have one.
fn take<K>(tree: Tree<K>) -> (Color, Tree<K>, Entry<K>, Tree<K>) {
    tree.expect("the colour of this node was compared").take_apart()
}

/// A black node whose child may be red and have a red child. The five parts are put together as a red node with two black
/// children.
fn balance<K>(left: Tree<K>, entry: Entry<K>, right: Tree<K>, mutant: Mutant) -> Tree<K> {
    let is_red = |tree: &Tree<K>| has_color(tree, Color::Red);
    let children = |a: Tree<K>, x, b, y, c, z, d| {
        node(Color::Red, node(Color::Black, a, x, b), y, node(Color::Black, c, z, d))
    };
    match (left, right) {
        (Some(l), d) if l.color == Color::Red && is_red(&l.left) => {
            let (_, outer, y, c) = l.take_apart();
            let (_, a, x, b) = take(outer);
            // Two subtrees change places.
            let (c, d) = if mutant == Mutant::SwapCd { (d, c) } else { (c, d) };
            children(a, x, b, y, c, entry, d)
        }
        (Some(l), d) if l.color == Color::Red && is_red(&l.right) => {
            let (_, a, x, inner) = l.take_apart();
            let (_, b, y, c) = take(inner);
            children(a, x, b, y, c, entry, d)
        }
        (a, Some(r)) if r.color == Color::Red && is_red(&r.left) => {
            let (_, inner, z, d) = r.take_apart();
            let (_, b, y, c) = take(inner);
            // Two subtrees change places.
            let (b, c) = if mutant == Mutant::SwapBc { (c, b) } else { (b, c) };
            children(a, entry, b, y, c, z, d)
        }
        (a, Some(r)) if r.color == Color::Red && is_red(&r.right) => {
            let (_, b, y, outer) = r.take_apart();
            let (_, c, z, d) = take(outer);
            children(a, entry, b, y, c, z, d)
        }
        (left, right) => node(Color::Black, left, entry, right),
    }
}

fn insert<K: Ord>(tree: Tree<K>, key: K, value: u8, mutant: Mutant) -> Tree<K> {
    let new = |key, value| {
        // The new node has the wrong colour.
        let color = if mutant == Mutant::MiscolorInsert { Color::Black } else { Color::Red };
        node(color, None, (key, value), None)
    };
    let Some(tree) = tree else { return new(key, value) };
    if mutant == Mutant::Insert1 {
        // All other entries are lost.
        return new(key, value);
    }
    let (color, left, entry, right) = tree.take_apart();
    // What is not balanced: a red node, and everything on one side in two of the mutants.
    let put = |left, entry, right, is_balanced: bool| match color {
        Color::Black if is_balanced => balance(left, entry, right, mutant),
        color => node(color, left, entry, right),
    };
    match key.cmp(&entry.0) {
        Ordering::Less => {
            put(insert(left, key, value, mutant), entry, right, mutant != Mutant::NoBalanceInsert1)
        }
        // A larger key is taken for the same one.
        Ordering::Greater if mutant == Mutant::Insert2 => node(color, left, (entry.0, value), right),
        Ordering::Greater => {
            put(left, entry, insert(right, key, value, mutant), mutant != Mutant::NoBalanceInsert2)
        }
        // The old value stays.
        Ordering::Equal if mutant == Mutant::Insert3 => node(color, left, entry, right),
        Ordering::Equal => node(color, left, (entry.0, value), right),
    }
}

fn delete<K: Ord>(tree: Tree<K>, key: &K, mutant: Mutant) -> Tree<K> {
    let (_, left, entry, right) = tree?.take_apart();
    let order = key.cmp(&entry.0);
    match order {
        Ordering::Equal => join(left, right, mutant),
        // The nodes above are lost.
        Ordering::Less if mutant == Mutant::Delete4 => delete(left, key, mutant),
        Ordering::Greater if mutant == Mutant::Delete4 => delete(right, key, mutant),
        // The wrong way.
        Ordering::Less if mutant == Mutant::Delete5 => delete_right(left, entry, right, key, mutant),
        Ordering::Greater if mutant == Mutant::Delete5 => delete_left(left, entry, right, key, mutant),
        Ordering::Less => delete_left(left, entry, right, key, mutant),
        Ordering::Greater => delete_right(left, entry, right, key, mutant),
    }
}

fn delete_left<K: Ord>(left: Tree<K>, entry: Entry<K>, right: Tree<K>, key: &K, mutant: Mutant) -> Tree<K> {
    let is_black = has_color(&left, Color::Black);
    let left = delete(left, key, mutant);
    if is_black { balance_left(left, entry, right, mutant) } else { node(Color::Red, left, entry, right) }
}

fn delete_right<K: Ord>(left: Tree<K>, entry: Entry<K>, right: Tree<K>, key: &K, mutant: Mutant) -> Tree<K> {
    let is_black = has_color(&right, Color::Black);
    let right = delete(right, key, mutant);
    if is_black { balance_right(left, entry, right, mutant) } else { node(Color::Red, left, entry, right) }
}

/// Balances after the left side has lost a black node.
fn balance_left<K>(left: Tree<K>, entry: Entry<K>, right: Tree<K>, mutant: Mutant) -> Tree<K> {
    if has_color(&left, Color::Red) {
        return node(Color::Red, colored(Color::Black, left), entry, right);
    }
    if has_color(&right, Color::Black) {
        return balance(left, entry, colored(Color::Red, right), mutant);
    }
    match right {
        Some(r) if has_color(&r.left, Color::Black) => {
            let (_, middle, z, c) = r.take_apart();
            let (_, a, y, b) = take(middle);
            // The far subtree is not made red.
            let c = if mutant == Mutant::MiscolorBalanceLeft { c } else { colored(Color::Red, c) };
            node(Color::Red, node(Color::Black, left, entry, a), y, balance(b, z, c, mutant))
        }
        // Only in trees that are not valid.
        right => node(Color::Red, left, entry, right),
    }
}

/// Balances after the right side has lost a black node.
fn balance_right<K>(left: Tree<K>, entry: Entry<K>, right: Tree<K>, mutant: Mutant) -> Tree<K> {
    if has_color(&right, Color::Red) {
        return node(Color::Red, left, entry, colored(Color::Black, right));
    }
    if has_color(&left, Color::Black) {
        return balance(colored(Color::Red, left), entry, right, mutant);
    }
    match left {
        Some(l) if has_color(&l.right, Color::Black) => {
            let (_, a, x, middle) = l.take_apart();
            let (_, b, y, c) = take(middle);
            // The far subtree is not made red.
            let a = if mutant == Mutant::MiscolorBalanceRight { a } else { colored(Color::Red, a) };
            node(Color::Red, balance(a, x, b, mutant), y, node(Color::Black, c, entry, right))
        }
        // Only in trees that are not valid.
        left => node(Color::Red, left, entry, right),
    }
}

/// Joins the two subtrees of a node that is deleted.
fn join<K>(smaller: Tree<K>, larger: Tree<K>, mutant: Mutant) -> Tree<K> {
    let (l, r) = match (smaller, larger) {
        (None, tree) | (tree, None) => return tree,
        (Some(l), Some(r)) => (l, r),
    };
    match (l.color, r.color) {
        (Color::Red, Color::Red) => {
            let ((_, a, x, b), (_, c, y, d)) = (l.take_apart(), r.take_apart());
            let middle = join(b, c, mutant);
            if !has_color(&middle, Color::Red) {
                return node(Color::Red, a, x, node(Color::Red, middle, y, d));
            }
            let (_, b, z, c) = take(middle);
            // The outer nodes have the wrong colour.
            let outer = if mutant == Mutant::MiscolorJoin1 { Color::Black } else { Color::Red };
            node(Color::Red, node(outer, a, x, b), z, node(outer, c, y, d))
        }
        (Color::Black, Color::Black) => {
            let ((_, a, x, b), (_, c, y, d)) = (l.take_apart(), r.take_apart());
            let middle = join(b, c, mutant);
            if !has_color(&middle, Color::Red) {
                return balance_left(a, x, node(Color::Black, middle, y, d), mutant);
            }
            let (_, b, z, c) = take(middle);
            // The outer nodes have the wrong colour.
            let outer = if mutant == Mutant::MiscolorJoin2 { Color::Red } else { Color::Black };
            node(Color::Red, node(outer, a, x, b), z, node(outer, c, y, d))
        }
        (_, Color::Red) => {
            let (_, b, x, c) = r.take_apart();
            node(Color::Red, join(Some(l), b, mutant), x, c)
        }
        (Color::Red, _) => {
            let (_, a, x, b) = l.take_apart();
            node(Color::Red, a, x, join(b, Some(r), mutant))
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

impl<K: Ord + Clone> OrderedMap for RedBlackTree<K> {
    type Key = K;
    type Mutant = Mutant;

    const RESULTS_ARE_VALID: bool = true;

    fn is_valid(&self) -> bool {
        self.rep_ok()
    }

    fn insert(self, key: K, value: u8, mutant: Mutant) -> RedBlackTree<K> {
        RedBlackTree { root: colored(Color::Black, insert(self.root, key, value, mutant)) }
    }

    fn delete(self, key: &K, mutant: Mutant) -> RedBlackTree<K> {
        let root = delete(self.root, key, mutant);
        // The root is not made black.
        RedBlackTree {
            root: if mutant == Mutant::MiscolorDelete { root } else { colored(Color::Black, root) },
        }
    }

    fn find(&self, key: &K) -> Option<u8> {
        tree::find(&self.root, key)
    }

    fn entries(&self) -> Vec<(K, u8)> {
        tree::entries(&self.root)
    }
}

/// The mutants with the properties that they break.
pub const TASKS: [(&str, Mutant, &[&str]); 15] = [
    ("miscolor_insert", Mutant::MiscolorInsert, &["InsertValid", "DeleteInsert"]),
    ("miscolor_delete", Mutant::MiscolorDelete, &["DeleteValid"]),
    ("miscolor_balLeft", Mutant::MiscolorBalanceLeft, &["DeleteValid", "DeleteDelete"]),
    ("miscolor_balRight", Mutant::MiscolorBalanceRight, &["DeleteValid", "DeleteDelete"]),
    ("miscolor_join_1", Mutant::MiscolorJoin1, &["DeleteValid"]),
    ("miscolor_join_2", Mutant::MiscolorJoin2, &["DeleteValid", "DeleteDelete"]),
    ("no_balance_insert_1", Mutant::NoBalanceInsert1, &["InsertValid", "DeleteInsert", "InsertDelete"]),
    ("no_balance_insert_2", Mutant::NoBalanceInsert2, &["InsertValid", "DeleteInsert", "InsertDelete"]),
    (
        "swap_cd",
        Mutant::SwapCd,
        &[
            "InsertValid",
            "InsertModel",
            "InsertPost",
            "DeleteValid",
            "DeletePost",
            "DeleteModel",
            "DeleteDelete",
            "DeleteInsert",
            "InsertDelete",
            "InsertInsert",
        ],
    ),
    (
        "swap_bc",
        Mutant::SwapBc,
        &[
            "InsertValid",
            "InsertModel",
            "InsertPost",
            "DeleteValid",
            "DeletePost",
            "DeleteModel",
            "DeleteDelete",
            "DeleteInsert",
            "InsertDelete",
            "InsertInsert",
        ],
    ),
    ("insert_1", Mutant::Insert1, &["InsertPost", "InsertModel", "DeleteInsert", "InsertInsert"]),
    (
        "insert_2",
        Mutant::Insert2,
        &["InsertPost", "InsertModel", "DeleteInsert", "InsertInsert", "InsertDelete"],
    ),
    ("insert_3", Mutant::Insert3, &["InsertPost", "InsertModel", "InsertDelete", "InsertInsert"]),
    (
        "delete_4",
        Mutant::Delete4,
        &["DeleteModel", "DeletePost", "DeleteDelete", "DeleteInsert", "InsertDelete"],
    ),
    ("delete_5", Mutant::Delete5, &["DeleteModel", "DeletePost", "DeleteDelete", "DeleteInsert"]),
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
    use proptest::strategy::{BoxedStrategy, Strategy};
    use quickcheck::Gen;

    impl RandomBranch for Node<u8> {
        /// Whether it is red.
        type Mark = bool;

        fn new(is_red: bool, left: Tree<u8>, key: u8, value: u8, right: Tree<u8>) -> Node<u8> {
            let color = if is_red { Color::Red } else { Color::Black };
            Node { color, left, key, value, right }
        }

        fn children_mut(&mut self) -> [&mut Tree<u8>; 2] {
            [&mut self.left, &mut self.right]
        }

        fn marks() -> BoxedStrategy<bool> {
            proptest::bool::ANY.boxed()
        }
    }

    impl Naive for RedBlackTree<u8> {
        fn is_valid(&self) -> bool {
            self.rep_ok()
        }

        fn nodes(&self) -> usize {
            self.entries().len()
        }

        fn arbitrary(g: &mut Gen) -> RedBlackTree<u8> {
            RedBlackTree { root: tree::arbitrary(g, 5) }
        }

        fn smaller(&self) -> Vec<RedBlackTree<u8>> {
            tree::smaller(&self.root).into_iter().map(|root| RedBlackTree { root }).collect()
        }

        fn strategy() -> BoxedStrategy<RedBlackTree<u8>> {
            tree::strategy().prop_map(|root| RedBlackTree { root }).boxed()
        }
    }
}
