//! Red-black trees with parent links, as in a sorted map.

use smallscope::{Bounded, Bounds, Visited, rep_ok};

/// A balanced search tree. As in the original, the root may be red.
#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers))]
pub struct RedBlackTree<K> {
    root: Option<Box<Node<K>>>,
    size: usize,
}

#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers))]
struct Node<K> {
    left: Option<Box<Node<K>>>,
    right: Option<Box<Node<K>>>,
    parent: *const Node<K>,
    color: Color,
    /// `None` in a node that was vacated; no valid tree has one.
    key: Option<K>,
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
    /// A search tree with correct parent links, no red node below a red one, and as many black nodes on every
    /// way down.
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

    /// The number of black nodes on every way down, if it is the same on all of them.
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

impl<K: Ord> RedBlackTree<K> {
    /// Number of keys.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Whether a key is there.
    pub fn contains(&self, key: &K) -> bool {
        let mut at = &self.root;
        while let Some(node) = at {
            at = match node.key.as_ref().map(|k| key.cmp(k)) {
                Some(std::cmp::Ordering::Less) => &node.left,
                Some(std::cmp::Ordering::Greater) => &node.right,
                Some(std::cmp::Ordering::Equal) => return true,
                None => return false,
            };
        }
        false
    }
}

/// At most `nodes` nodes, a size in a range, keys from 0 to `keys` - 1 or none.
pub fn bounds(nodes: i64, min_size: i64, max_size: i64, keys: i64) -> Bounds {
    Bounds::exact()
        .objects("Node", nodes as u32)
        .ints("RedBlackTree.size", min_size..=max_size)
        .ints("Node.key", 0..=keys - 1)
}
