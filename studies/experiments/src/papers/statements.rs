//! Invariants of paper 001 in the style of the original: statements, loops over work lists, one decision after the other. The
//! paper counts their decisions, so each decision of the original that has both outcomes on valid structures is one here.
//!
//! What has the same outcome on all valid structures is left out: parent links, for example, are right in each of them.

use smallscope::{Bounded, Bounds, Visited, rep_ok};

/// A binomial heap.
#[derive(Bounded, Debug)]
pub(super) struct Heap {
    size: usize,
    nodes: Option<Box<HeapNode>>,
}

#[derive(Bounded, Debug)]
struct HeapNode {
    sibling: Option<Box<HeapNode>>,
    child: Option<Box<HeapNode>>,
    key: u32,
    degree: u32,
}

#[rep_ok]
impl Heap {
    pub(super) fn rep_ok(&self) -> bool {
        if self.size == 0 {
            return self.nodes.is_none();
        }
        if self.nodes.is_none() {
            return false;
        }
        let mut count = 0;
        let mut current = self.nodes.as_deref();
        while let Some(node) = current {
            count += 1 + Self::nodes_below(node);
            current = node.sibling.as_deref();
        }
        if count != self.size {
            return false;
        }
        if !self.degrees_are_right() {
            return false;
        }
        let mut current = self.nodes.as_deref();
        while let Some(node) = current {
            if !Self::is_heap(node) {
                return false;
            }
            current = node.sibling.as_deref();
        }
        true
    }

    fn nodes_below(node: &HeapNode) -> usize {
        let mut count = 0;
        let mut current = node.child.as_deref();
        while let Some(child) = current {
            count += 1 + Self::nodes_below(child);
            current = child.sibling.as_deref();
        }
        count
    }

    /// The trees have the degrees of the one-bits of the size. Looking for the next one-bit is the decision that tells sizes
    /// without a zero below their highest bit from the others.
    fn degrees_are_right(&self) -> bool {
        let mut digits = self.size;
        let mut degree = 0;
        let mut current = self.nodes.as_deref();
        while let Some(node) = current {
            if digits == 0 {
                return false;
            }
            while digits & 1 == 0 {
                degree += 1;
                digits /= 2;
            }
            if node.degree != degree {
                return false;
            }
            if !Self::has_degree(node, degree) {
                return false;
            }
            degree += 1;
            digits /= 2;
            current = node.sibling.as_deref();
        }
        digits == 0
    }

    fn has_degree(node: &HeapNode, degree: u32) -> bool {
        let mut degree = degree;
        let mut current = node.child.as_deref();
        while let Some(child) = current {
            if degree == 0 {
                return false;
            }
            degree -= 1;
            if child.degree != degree {
                return false;
            }
            if !Self::has_degree(child, degree) {
                return false;
            }
            current = child.sibling.as_deref();
        }
        degree == 0
    }

    fn is_heap(node: &HeapNode) -> bool {
        let mut current = node.child.as_deref();
        while let Some(child) = current {
            if node.key > child.key {
                return false;
            }
            if !Self::is_heap(child) {
                return false;
            }
            current = child.sibling.as_deref();
        }
        true
    }
}

/// Heaps with up to `n` nodes and keys from 1 to `n`.
pub(super) fn heap_bounds(n: i64) -> Bounds {
    Bounds::exact()
        .objects("HeapNode", n as u32)
        .ints("Heap.size", 0..=n)
        .ints("HeapNode.key", 1..=n)
        .ints("HeapNode.degree", 0..=n)
}

/// A ring of entries behind a header, without the link that closes it: where the original finds the header again, this ends.
#[derive(Bounded, Debug)]
pub(super) struct Ring {
    header: Option<Box<Entry>>,
    size: usize,
}

#[derive(Bounded, Debug)]
struct Entry {
    element: Option<u32>,
    next: Option<Box<Entry>>,
}

#[rep_ok]
impl Ring {
    pub(super) fn rep_ok(&self) -> bool {
        let Some(header) = &self.header else { return false };
        if header.element.is_some() {
            return false;
        }
        let mut seen = Visited::new();
        seen.insert(&**header);
        let mut current = &**header;
        // The original follows the link and sees whether it leads back.
        while let Some(next) = &current.next {
            if !seen.insert(&**next) {
                return false;
            }
            current = next;
        }
        seen.len() - 1 == self.size
    }
}

/// Up to `entries` entries with the header, elements from 1 on or none.
pub(super) fn ring_bounds(entries: i64, min_size: i64, max_size: i64, elements: i64) -> Bounds {
    Bounds::exact()
        .objects("Entry", entries as u32)
        .ints("Ring.size", min_size..=max_size)
        .ints("Entry.element", 1..=elements)
}

/// A red-black tree.
#[derive(Bounded, Debug)]
pub(super) struct Tree {
    root: Option<Box<TreeNode>>,
    size: usize,
}

#[derive(Bounded, Debug)]
struct TreeNode {
    left: Option<Box<TreeNode>>,
    right: Option<Box<TreeNode>>,
    color: Color,
    key: u32,
}

#[derive(Bounded, Debug, Clone, Copy, PartialEq, Eq)]
enum Color {
    Red,
    Black,
}

#[rep_ok]
#[expect(clippy::collapsible_if, reason = "each condition is a decision of its own")]
impl Tree {
    pub(super) fn rep_ok(&self) -> bool {
        let Some(root) = &self.root else { return self.size == 0 };
        let mut nodes = Visited::new();
        nodes.insert(&**root);
        let mut next = 0;
        while let Some(node) = nodes.get(next) {
            next += 1;
            if let Some(left) = &node.left {
                if !nodes.insert(&**left) {
                    return false;
                }
            }
            if let Some(right) = &node.right {
                if !nodes.insert(&**right) {
                    return false;
                }
            }
        }
        if nodes.len() != self.size {
            return false;
        }
        if !Self::red_nodes_have_black_children(root) {
            return false;
        }
        if !Self::paths_have_equal_height(root) {
            return false;
        }
        Self::is_ordered(root, None, None)
    }

    fn red_nodes_have_black_children(node: &TreeNode) -> bool {
        if node.color == Color::Red {
            if node.left.as_ref().is_some_and(|left| left.color == Color::Red) {
                return false;
            }
            if node.right.as_ref().is_some_and(|right| right.color == Color::Red) {
                return false;
            }
        }
        if let Some(left) = &node.left {
            if !Self::red_nodes_have_black_children(left) {
                return false;
            }
        }
        if let Some(right) = &node.right {
            if !Self::red_nodes_have_black_children(right) {
                return false;
            }
        }
        true
    }

    /// A work list of subtrees, empty ones too, with the black nodes above them.
    fn paths_have_equal_height(root: &TreeNode) -> bool {
        let mut subtrees = vec![Some(root)];
        let mut heights = vec![0];
        let mut height = None;
        let mut next = 0;
        while next < subtrees.len() {
            let subtree = subtrees[next];
            let mut above: usize = heights[next];
            next += 1;
            if subtree.is_some_and(|node| node.color == Color::Black) {
                above += 1;
            }
            match subtree {
                None => {
                    if height.is_none() {
                        height = Some(above);
                    } else if height != Some(above) {
                        return false;
                    }
                }
                Some(node) => {
                    subtrees.push(node.left.as_deref());
                    subtrees.push(node.right.as_deref());
                    heights.push(above);
                    heights.push(above);
                }
            }
        }
        true
    }

    /// Whether there is a bound is a decision of its own, for each side.
    fn is_ordered(node: &TreeNode, low: Option<&u32>, high: Option<&u32>) -> bool {
        if let Some(low) = low {
            if node.key <= *low {
                return false;
            }
        }
        if let Some(high) = high {
            if node.key >= *high {
                return false;
            }
        }
        if let Some(left) = &node.left {
            if !Self::is_ordered(left, low, Some(&node.key)) {
                return false;
            }
        }
        if let Some(right) = &node.right {
            if !Self::is_ordered(right, Some(&node.key), high) {
                return false;
            }
        }
        true
    }
}

/// At most `nodes` nodes, a size in a range, `keys` keys.
pub(super) fn tree_bounds(nodes: i64, min_size: i64, max_size: i64, keys: i64) -> Bounds {
    Bounds::exact()
        .objects("TreeNode", nodes as u32)
        .ints("Tree.size", min_size..=max_size)
        .ints("TreeNode.key", 1..=keys)
}
