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
        let Some(nodes) = Self::nodes(root) else { return false };
        nodes.len() == self.size
            && Self::red_nodes_have_black_children(&nodes)
            && Self::black_heights_agree(&nodes)
            && Self::is_ordered(root, None, None)
    }

    /// The nodes breadth first, if they form a tree with correct parent links.
    fn nodes(root: &Node<K>) -> Option<Visited<&Node<K>>> {
        let mut seen = Visited::new();
        seen.insert(root);
        let mut next = 0;
        while let Some(node) = seen.get(next) {
            next += 1;
            if let Some(left) = &node.left
                && (!seen.insert(&**left) || !std::ptr::eq(left.parent, node))
            {
                return None;
            }
            if let Some(right) = &node.right
                && (!seen.insert(&**right) || !std::ptr::eq(right.parent, node))
            {
                return None;
            }
        }
        Some(seen)
    }

    fn red_nodes_have_black_children(nodes: &Visited<&Node<K>>) -> bool {
        nodes.iter().all(|node| {
            node.color == Color::Black
                || node.left.as_ref().is_none_or(|left| left.color == Color::Black)
                    && node.right.as_ref().is_none_or(|right| right.color == Color::Black)
        })
    }

    /// Whether every way from the root to a missing child has as many black nodes.
    fn black_heights_agree(nodes: &Visited<&Node<K>>) -> bool {
        let mut expected = None;
        // Black nodes above each node, in the order of `nodes`: children follow in the order of their parents.
        let mut above = Vec::with_capacity(nodes.len());
        above.push(0);
        for (i, node) in nodes.iter().enumerate() {
            let height = above[i] + usize::from(node.color == Color::Black);
            for child in [&node.left, &node.right] {
                if child.is_some() {
                    above.push(height);
                } else if *expected.get_or_insert(height) != height {
                    return false;
                }
            }
        }
        true
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
