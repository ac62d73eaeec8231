//! Binomial heaps: forests of binomial trees, smallest key on top.

use smallscope::{Bounded, Bounds, Visited, rep_ok};

/// A priority queue that melds in logarithmic time. Roots are linked by `sibling`, degrees growing.
#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers))]
pub struct BinomialHeap {
    size: usize,
    nodes: Option<Box<Node>>,
}

#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers))]
struct Node {
    parent: *const Node,
    sibling: Option<Box<Node>>,
    child: Option<Box<Node>>,
    key: u32,
    degree: u32,
}

#[rep_ok]
impl BinomialHeap {
    /// A forest of `size` nodes whose trees have the shapes that the binary digits of `size` ask for, with no
    /// key below a larger one.
    pub fn rep_ok(&self) -> bool {
        if self.size == 0 {
            return self.nodes.is_none();
        }
        let Some(first) = &self.nodes else { return false };
        let mut seen = Visited::new();
        Self::is_forest(first, std::ptr::null(), &mut seen)
            && seen.len() == self.size
            && Self::trees_have_their_degrees(first, self.size)
            && Self::is_ordered(first)
    }

    /// Whether the siblings from `first` on are trees below `parent`, met for the first time.
    fn is_forest<'a>(first: &'a Node, parent: *const Node, seen: &mut Visited<&'a Node>) -> bool {
        let mut current = Some(first);
        while let Some(node) = current {
            if !seen.insert(node) || node.parent != parent {
                return false;
            }
            if let Some(child) = &node.child
                && !Self::is_forest(child, std::ptr::from_ref(node), seen)
            {
                return false;
            }
            current = node.sibling.as_deref();
        }
        true
    }

    /// One tree of degree `d` for each one-bit `d` of the size, in that order.
    fn trees_have_their_degrees(first: &Node, size: usize) -> bool {
        let mut digits = size;
        let mut current = Some(first);
        while let Some(root) = current {
            if digits == 0 || !Self::is_binomial(root, i64::from(digits.trailing_zeros())) {
                return false;
            }
            digits &= digits - 1;
            current = root.sibling.as_deref();
        }
        digits == 0
    }

    /// Whether a tree has this degree and its children are binomial trees of all smaller ones, falling.
    fn is_binomial(node: &Node, degree: i64) -> bool {
        if i64::from(node.degree) != degree {
            return false;
        }
        let mut expected = degree;
        let mut current = node.child.as_deref();
        while let Some(child) = current {
            expected -= 1;
            if !Self::is_binomial(child, expected) {
                return false;
            }
            current = child.sibling.as_deref();
        }
        expected == 0
    }

    /// Whether no node below one of these siblings has a smaller key than its parent.
    fn is_ordered(first: &Node) -> bool {
        std::iter::successors(Some(first), |node| node.sibling.as_deref()).all(Self::children_are_larger)
    }

    fn children_are_larger(node: &Node) -> bool {
        let mut children = std::iter::successors(node.child.as_deref(), |child| child.sibling.as_deref());
        children.all(|child| node.key <= child.key && Self::children_are_larger(child))
    }
}

/// Everything up to `n`: nodes, sizes, keys from 1, degrees.
pub fn bounds(n: i64) -> Bounds {
    Bounds::exact()
        .objects("Node", n as u32)
        .ints("BinomialHeap.size", 0..=n)
        .ints("Node.key", 1..=n)
        .ints("Node.degree", 0..=n)
}
