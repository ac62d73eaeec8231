//! Red-black trees with parent links, as in a sorted map.
//!
//! # Exact counts
//!
//! | structure | arguments | explored | valid | source |
//! |---|---|---|---|---|
//! | red-black-tree | 1,1,1,1 | 8 | 2 | original tool |
//! | red-black-tree | 2,2,2,2 | 40 | 2 | original tool |
//! | red-black-tree | 3,3,3,3 | 179 | 3 | original tool |
//! | red-black-tree | 4,4,4,4 | 961 | 8 | original tool |
//! | red-black-tree | 5,5,5,5 | 4,209 | 14 | original tool |
//! | red-black-tree | 6,6,6,6 | 16,487 | 20 | original tool |
//! | red-black-tree | 7,7,7,7 | 71,704 | 35 | original tool |
//! | red-black-tree | 8,8,8,8 | 322,806 | 64 | original tool |
//! | red-black-tree | 10,10,10,10 | 7,530,712 | 260 | original tool |
//! | red-black-tree | 11,11,11,11 | 39,089,158 | 586 | original tool |

use smallscope::{Bounded, Bounds, Visited, rep_ok};
use std::cmp::Ordering;

/// A balanced search tree. As in the original, the root may be red.
///
/// A `Box` is the only way to the node that it owns, so operations keep `parent` correct, but do not follow it.
#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers))]
pub struct RedBlackTree<K> {
    pub(crate) root: Option<Box<Node<K>>>,
    pub(crate) size: usize,
}

#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers))]
pub(crate) struct Node<K> {
    pub(crate) left: Option<Box<Node<K>>>,
    pub(crate) right: Option<Box<Node<K>>>,
    pub(crate) parent: *const Node<K>,
    pub(crate) color: Color,
    /// `None` in a node that was vacated; no valid tree has one.
    pub(crate) key: Option<K>,
}

/// The colour of a node.
#[derive(Bounded, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Color {
    /// Has black children only.
    Red,
    /// Counts for the height.
    Black,
}

#[rep_ok]
impl<K: Ord> RedBlackTree<K> {
    /// A search tree with correct parent links, no red node below a red one, and the same number of black nodes on
    /// every path down.
    pub fn rep_ok(&self) -> bool {
        let Some(root) = &self.root else { return self.size == 0 };
        if !root.parent.is_null() {
            return false;
        }
        let mut nodes = Visited::new();
        Self::is_tree(root, &mut nodes)
            && nodes.len() == self.size
            && Self::red_nodes_have_black_children(&nodes)
            && Self::black_height(root).is_some()
            && Self::is_ordered(root, None, None)
    }

    /// Collects the nodes breadth first, as long as they form a tree with correct parent links.
    fn is_tree<'a>(root: &'a Node<K>, nodes: &mut Visited<&'a Node<K>>) -> bool {
        nodes.insert(root);
        let mut next = 0;
        while let Some(node) = nodes.get(next) {
            next += 1;
            if let Some(left) = &node.left
                && (!nodes.insert(&**left) || !std::ptr::eq(left.parent, node))
            {
                return false;
            }
            if let Some(right) = &node.right
                && (!nodes.insert(&**right) || !std::ptr::eq(right.parent, node))
            {
                return false;
            }
        }
        true
    }

    fn red_nodes_have_black_children(nodes: &Visited<&Node<K>>) -> bool {
        for node in nodes {
            if node.color == Color::Red
                && (node.left.as_ref().is_some_and(|left| left.color == Color::Red)
                    || node.right.as_ref().is_some_and(|right| right.color == Color::Red))
            {
                return false;
            }
        }
        true
    }

    /// The number of black nodes on every path down, if it is the same on all of them.
    fn black_height(node: &Node<K>) -> Option<usize> {
        let left = match &node.left {
            Some(left) => Self::black_height(left)?,
            None => 0,
        };
        let right = match &node.right {
            Some(right) => Self::black_height(right)?,
            None => 0,
        };
        (left == right).then_some(left + usize::from(node.color == Color::Black))
    }

    fn is_ordered(node: &Node<K>, low: Option<&K>, high: Option<&K>) -> bool {
        let Some(key) = &node.key else { return false };
        low.is_none_or(|low| low < key)
            && high.is_none_or(|high| key < high)
            && node.left.as_ref().is_none_or(|left| Self::is_ordered(left, low, Some(key)))
            && node.right.as_ref().is_none_or(|right| Self::is_ordered(right, Some(key), high))
    }
}

impl<K> Default for RedBlackTree<K> {
    fn default() -> Self {
        RedBlackTree { root: None, size: 0 }
    }
}

impl<K: Ord> RedBlackTree<K> {
    /// Number of keys.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether the tree is empty.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Whether the tree contains a key.
    pub fn contains(&self, key: &K) -> bool {
        self.get(key).is_some()
    }

    /// The key of the tree that is equal to this one.
    pub fn get(&self, key: &K) -> Option<&K> {
        let mut node = self.root.as_ref()?;
        while let Some(side) = node.side_of(key) {
            node = node.child(side).as_ref()?;
        }
        node.key.as_ref()
    }

    /// The least key.
    pub fn first(&self) -> Option<&K> {
        let mut node = self.root.as_ref()?;
        while let Some(left) = &node.left {
            node = left;
        }
        node.key.as_ref()
    }

    /// Makes something of each node: of its key, its colour, and what was made of its children.
    pub fn fold<R>(&self, make: &mut impl FnMut(&Option<K>, Color, Option<R>, Option<R>) -> R) -> Option<R> {
        fn fold<K, R>(
            at: &Option<Box<Node<K>>>,
            make: &mut impl FnMut(&Option<K>, Color, Option<R>, Option<R>) -> R,
        ) -> Option<R> {
            let node = at.as_ref()?;
            let (left, right) = (fold(&node.left, make), fold(&node.right, make));
            Some(make(&node.key, node.color, left, right))
        }
        fold(&self.root, make)
    }

    /// The keys in order.
    pub fn keys(&self) -> Vec<&K> {
        fn collect<'a, K>(at: &'a Option<Box<Node<K>>>, keys: &mut Vec<&'a K>) {
            if let Some(node) = at {
                collect(&node.left, keys);
                keys.extend(&node.key);
                collect(&node.right, keys);
            }
        }
        let mut keys = Vec::with_capacity(self.size);
        collect(&self.root, &mut keys);
        keys
    }

    /// Adds a key. Returns false if it was present.
    pub fn insert(&mut self, key: K) -> bool {
        let inserted = insert_below(&mut self.root, std::ptr::null(), key);
        self.size += usize::from(inserted);
        if let Some(root) = &mut self.root {
            // A red root may have got a red child; for a black root, the colours of its children do not matter.
            root.color = Color::Black;
        }
        inserted
    }

    /// Removes a key. Returns false if it was absent.
    pub fn remove(&mut self, key: &K) -> bool {
        let removed = remove_below(&mut self.root, key).is_some();
        self.size -= usize::from(removed);
        removed
    }
}

#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

impl Side {
    fn opposite(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

impl<K> Node<K> {
    fn child(&self, side: Side) -> &Option<Box<Node<K>>> {
        match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
        }
    }

    fn child_mut(&mut self, side: Side) -> &mut Option<Box<Node<K>>> {
        match side {
            Side::Left => &mut self.left,
            Side::Right => &mut self.right,
        }
    }

    fn set_child(&mut self, side: Side, mut child: Option<Box<Node<K>>>) {
        if let Some(child) = &mut child {
            child.parent = self;
        }
        *self.child_mut(side) = child;
    }

    fn has_red(&self, side: Side) -> bool {
        self.child(side).as_ref().is_some_and(|child| child.color == Color::Red)
    }

    fn color_child(&mut self, side: Side, color: Color) {
        if let Some(child) = self.child_mut(side) {
            child.color = color;
        }
    }
}

impl<K: Ord> Node<K> {
    /// The side on which a key belongs.
    fn side_of(&self, key: &K) -> Option<Side> {
        match Some(key).cmp(&self.key.as_ref()) {
            Ordering::Less => Some(Side::Left),
            Ordering::Greater => Some(Side::Right),
            Ordering::Equal => None,
        }
    }
}

/// Rotates towards this side: the child on the other side becomes the parent. Both exchange colours.
fn rotate<K>(top: &mut Box<Node<K>>, side: Side) {
    if let Some(mut rising) = top.child_mut(side.opposite()).take() {
        top.set_child(side.opposite(), rising.child_mut(side).take());
        rising.parent = top.parent;
        std::mem::swap(&mut top.color, &mut rising.color);
        std::mem::swap(top, &mut rising);
        top.set_child(side, Some(rising));
    }
}

/// Adds a key to a subtree, unless it is present. Its root may then be red and have a red child.
fn insert_below<K: Ord>(at: &mut Option<Box<Node<K>>>, parent: *const Node<K>, key: K) -> bool {
    let Some(node) = at else {
        *at = Some(Box::new(Node { left: None, right: None, parent, color: Color::Red, key: Some(key) }));
        return true;
    };
    let Some(side) = node.side_of(&key) else { return false };
    let parent = &raw const **node;
    let inserted = insert_below(node.child_mut(side), parent, key);
    separate_reds(node, side);
    inserted
}

/// If the child on this side is red and has a red child, puts a black node between them or above both.
fn separate_reds<K>(top: &mut Box<Node<K>>, side: Side) {
    let has_red_uncle = top.has_red(side.opposite());
    let Some(child) = top.child_mut(side) else { return };
    if child.color == Color::Black || !child.has_red(Side::Left) && !child.has_red(Side::Right) {
        return;
    }
    if has_red_uncle {
        top.color = Color::Red;
        top.color_child(Side::Left, Color::Black);
        top.color_child(Side::Right, Color::Black);
        return;
    }
    if child.has_red(side.opposite()) {
        rotate(child, side);
    }
    rotate(top, side.opposite());
}

/// How a removal changed the number of black nodes on the paths down a subtree.
#[derive(PartialEq, Eq)]
enum BlackHeight {
    Kept,
    Reduced,
}

/// Removes a key from a subtree, if it is present.
fn remove_below<K: Ord>(at: &mut Option<Box<Node<K>>>, key: &K) -> Option<BlackHeight> {
    let node = at.as_mut()?;
    let (side, height) = if let Some(side) = node.side_of(key) {
        (side, remove_below(node.child_mut(side), key)?)
    } else if node.left.is_some() && node.right.is_some() {
        let (next, height) = take_least(&mut node.right)?;
        node.key = next;
        (Side::Right, height)
    } else {
        return Some(unlink(at)?.1);
    };
    Some(if height == BlackHeight::Reduced { make_up(node, side) } else { height })
}

/// Removes the node with the least key from a subtree.
fn take_least<K>(at: &mut Option<Box<Node<K>>>) -> Option<(Option<K>, BlackHeight)> {
    let node = at.as_mut()?;
    if node.left.is_none() {
        return unlink(at);
    }
    let (least, height) = take_least(&mut node.left)?;
    Some((least, if height == BlackHeight::Reduced { make_up(node, Side::Left) } else { height }))
}

/// Replaces a node by its only child, if any, and returns the key of the node.
fn unlink<K>(at: &mut Option<Box<Node<K>>>) -> Option<(Option<K>, BlackHeight)> {
    let node = at.take()?;
    let mut child = node.left.or(node.right);
    let height = match &mut child {
        Some(child) => {
            // It is red, since the other side has no black node.
            child.parent = node.parent;
            child.color = Color::Black;
            BlackHeight::Kept
        }
        None if node.color == Color::Red => BlackHeight::Kept,
        None => BlackHeight::Reduced,
    };
    *at = child;
    Some((node.key, height))
}

/// Restores equal black heights where this side has lost a black node.
fn make_up<K>(top: &mut Box<Node<K>>, side: Side) -> BlackHeight {
    let other = side.opposite();
    if top.has_red(other) {
        rotate(top, side);
        // The node that moved down is red now, so it can restore the height.
        return top.child_mut(side).as_mut().map_or(BlackHeight::Reduced, |lower| make_up(lower, side));
    }
    let Some(sibling) = top.child_mut(other) else { return BlackHeight::Reduced };
    if !sibling.has_red(Side::Left) && !sibling.has_red(Side::Right) {
        sibling.color = Color::Red;
        let was_red = std::mem::replace(&mut top.color, Color::Black) == Color::Red;
        return if was_red { BlackHeight::Kept } else { BlackHeight::Reduced };
    }
    if !sibling.has_red(other) {
        rotate(sibling, other);
    }
    rotate(top, side);
    top.color_child(other, Color::Black);
    BlackHeight::Kept
}

/// At most `nodes` nodes, a size in a range, keys from 0 to `keys` - 1 or none.
pub fn bounds(nodes: i64, min_size: i64, max_size: i64, keys: i64) -> Bounds {
    Bounds::exact()
        .objects("Node", nodes as u32)
        .ints("RedBlackTree.size", min_size..=max_size)
        .ints("Node.key", 0..=keys - 1)
}
