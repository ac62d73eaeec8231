//! Binomial heaps: forests of binomial trees with the smallest key at the root.
//!
//! # Exact counts
//!
//! | structure | arguments | explored | valid | source |
//! |---|---|---|---|---|
//! | binomial-heap | 1 | 8 | 2 | original tool |
//! | binomial-heap | 2 | 58 | 6 | original tool |
//! | binomial-heap | 3 | 335 | 28 | original tool |
//! | binomial-heap | 4 | 1,666 | 120 | original tool |
//! | binomial-heap | 5 | 8,122 | 936 | original tool |
//! | binomial-heap | 6 | 42,815 | 7,602 | original tool |
//! | binomial-heap | 7 | 261,788 | 107,416 | original tool; its own tests assert it |
//! | binomial-heap | 8 | 1,323,194 | 603,744 | original tool; its own tests assert it |

use smallscope::{Bounded, Bounds, Visited, mirror, rep_ok};

/// A priority queue that melds in logarithmic time. `sibling` links the roots by increasing degree.
///
/// A `Box` is the only way to the node that it owns, so operations keep `parent` correct, but do not follow it.
#[derive(Bounded, Debug, Default)]
#[bounded(unsafe(raw_pointers))]
pub struct BinomialHeap {
    size: usize,
    nodes: Option<Box<Node>>,
}

#[derive(Bounded, Debug)]
#[bounded(unsafe(raw_pointers), frozen)]
struct Node {
    parent: *const Node,
    sibling: Option<Box<Node>>,
    child: Option<Box<Node>>,
    key: u32,
    degree: u32,
}

#[rep_ok]
impl BinomialHeap {
    /// A forest of `size` nodes with one binomial tree for each one-bit of `size`, with no key below a larger
    /// one.
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

    /// Whether the siblings from `first` on are trees below `parent` whose nodes were not visited before.
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
            if digits == 0 || !Self::is_binomial(root, digits.trailing_zeros()) {
                return false;
            }
            digits &= digits - 1;
            current = root.sibling.as_deref();
        }
        digits == 0
    }

    /// Whether a tree has this degree and its children are binomial trees of all smaller degrees, in decreasing
    /// order.
    fn is_binomial(node: &Node, degree: u32) -> bool {
        if node.degree != degree {
            return false;
        }
        let mut expected = degree;
        let mut current = node.child.as_deref();
        while let Some(child) = current {
            // With too many children this is a degree that no node has.
            expected = expected.wrapping_sub(1);
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

#[mirror]
impl BinomialHeap {
    /// The degrees of the trees, as bits: there is one of degree `d` if bit `d` is set.
    pub fn degrees(&self) -> usize {
        self.size
    }
}

impl BinomialHeap {
    /// Number of keys.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether the heap is empty.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// The keys, each before those below it.
    pub fn keys(&self) -> Vec<u32> {
        fn collect(first: &Option<Box<Node>>, keys: &mut Vec<u32>) {
            for node in siblings(first) {
                keys.push(node.key);
                collect(&node.child, keys);
            }
        }
        let mut keys = Vec::with_capacity(self.size);
        collect(&self.nodes, &mut keys);
        keys
    }

    /// Makes something of each node: of its key, its degree, and what was made of its first child and its next sibling.
    pub fn fold<R>(&self, make: &mut impl FnMut(u32, u32, Option<R>, Option<R>) -> R) -> Option<R> {
        fn fold<R>(
            at: &Option<Box<Node>>,
            make: &mut impl FnMut(u32, u32, Option<R>, Option<R>) -> R,
        ) -> Option<R> {
            let node = at.as_ref()?;
            let (child, sibling) = (fold(&node.child, make), fold(&node.sibling, make));
            Some(make(node.key, node.degree, child, sibling))
        }
        fold(&self.nodes, make)
    }

    /// Whether the heap contains a key. Takes linear time.
    pub fn contains(&self, key: u32) -> bool {
        fn is_below(first: &Option<Box<Node>>, key: u32) -> bool {
            siblings(first).any(|node| node.key == key || node.key < key && is_below(&node.child, key))
        }
        is_below(&self.nodes, key)
    }

    /// The least key.
    pub fn find_min(&self) -> Option<u32> {
        siblings(&self.nodes).map(|root| root.key).min()
    }

    /// Adds a key.
    pub fn insert(&mut self, key: u32) {
        let node = Node { parent: std::ptr::null(), sibling: None, child: None, key, degree: 0 };
        self.merge(BinomialHeap { size: 1, nodes: Some(Box::new(node)) });
    }

    /// Adds all keys of another heap.
    pub fn merge(&mut self, other: BinomialHeap) {
        self.size += other.size;
        self.nodes = add(self.nodes.take(), other.nodes);
    }

    /// Removes and returns the least key.
    pub fn extract_min(&mut self) -> Option<u32> {
        let least = self.find_min()?;
        let mut at = &mut self.nodes;
        while at.as_ref()?.key != least {
            at = &mut at.as_mut()?.sibling;
        }
        let root = at.take()?;
        *at = root.sibling;
        self.nodes = add(self.nodes.take(), into_roots(root.child));
        self.size -= 1;
        Some(least)
    }

    /// Replaces one occurrence of a key by a smaller one. Returns false if it is absent, or if the new one is
    /// larger. Takes linear time.
    pub fn decrease_key(&mut self, key: u32, smaller: u32) -> bool {
        let mut current = self.nodes.as_deref_mut();
        while let Some(root) = current {
            if smaller <= key && root.decrease_key(key, smaller) {
                return true;
            }
            current = root.sibling.as_deref_mut();
        }
        false
    }

    /// Removes a key, one occurrence only. Returns false if it is absent. Takes linear time.
    pub fn delete(&mut self, key: u32) -> bool {
        // No key is smaller than 0, and equal keys are interchangeable.
        self.decrease_key(key, 0) && self.extract_min().is_some()
    }
}

impl Node {
    /// Replaces a key of the tree by a smaller one and restores the heap order. Returns false if the key is absent.
    fn decrease_key(&mut self, key: u32, smaller: u32) -> bool {
        if self.key >= key {
            let found = self.key == key;
            if found {
                self.key = smaller;
            }
            return found;
        }
        let mut current = self.child.as_deref_mut();
        while let Some(child) = current {
            if child.decrease_key(key, smaller) {
                if child.key < self.key {
                    std::mem::swap(&mut child.key, &mut self.key);
                }
                return true;
            }
            current = child.sibling.as_deref_mut();
        }
        false
    }
}

fn siblings(first: &Option<Box<Node>>) -> impl Iterator<Item = &Node> {
    std::iter::successors(first.as_deref(), |node| node.sibling.as_deref())
}

/// Merges two lists of roots with increasing degrees as binary numbers are added: two trees of the same degree make
/// a carry.
fn add(mut left: Option<Box<Node>>, mut right: Option<Box<Node>>) -> Option<Box<Node>> {
    let (mut sum, mut carry) = (None, None);
    let mut end = &mut sum;
    while let Some(degree) = [&left, &right, &carry].into_iter().flatten().map(|root| root.degree).min() {
        let same = [&mut left, &mut right, &mut carry].map(|roots| take_first(roots, degree));
        let mut same = same.into_iter().flatten();
        let digit = match (same.next(), same.next(), same.next()) {
            (Some(one), Some(other), digit) => {
                carry = Some(link(one, other));
                digit
            }
            (digit, ..) => digit,
        };
        if let Some(root) = digit {
            end = &mut end.insert(root).sibling;
        }
    }
    sum
}

/// Removes the first of the roots, if it has this degree.
fn take_first(roots: &mut Option<Box<Node>>, degree: u32) -> Option<Box<Node>> {
    let mut first = roots.take_if(|first| first.degree == degree)?;
    *roots = first.sibling.take();
    Some(first)
}

/// Links two roots of the same degree to one tree.
fn link(one: Box<Node>, other: Box<Node>) -> Box<Node> {
    let (mut upper, mut lower) = if one.key <= other.key { (one, other) } else { (other, one) };
    lower.parent = &raw const *upper;
    lower.sibling = upper.child.take();
    upper.child = Some(lower);
    upper.degree += 1;
    upper
}

/// Turns children with decreasing degrees into roots with increasing degrees.
fn into_roots(mut children: Option<Box<Node>>) -> Option<Box<Node>> {
    let mut roots = None;
    while let Some(mut child) = children {
        children = child.sibling.take();
        child.parent = std::ptr::null();
        child.sibling = roots;
        roots = Some(child);
    }
    roots
}

/// Nodes, sizes and degrees up to `n`, keys from 1 to `n`.
pub fn bounds(n: i64) -> Bounds {
    Bounds::exact()
        .objects("Node", n as u32)
        .ints("BinomialHeap.size", 0..=n)
        .ints("Node.key", 1..=n)
        .ints("Node.degree", 0..=n)
}
