//! Binomial heaps: merge, insert, delete the least key, find and delete a key.

use crate::arena::{Arena, Id, NIL, Shape};
use smallscope::mutate;
use smallscope_catalogue::binomial_heap::BinomialHeap;

/// A forest of binomial trees. `sibling` links the roots by increasing degree, and children by decreasing degree.
#[derive(Debug, Clone)]
pub struct Heap {
    nodes: Arena<Node>,
    head: Id,
    size: usize,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    key: u32,
    degree: u32,
    parent: Id,
    child: Id,
    sibling: Id,
}

#[mutate(
    equivalent("heap::Heap::unite::ror::2c13a4", "the degrees of the roots never decrease"),
    equivalent(
        "heap::Heap::unite::cor::8edde5",
        "the degrees never decrease, so the third root has the degree of the first only if the second one has"
    ),
    equivalent("heap::Heap::unite::ror::e7276e", "the degrees of the roots never decrease")
)]
impl Heap {
    /// Adds the keys of another heap, whose first root is in the same arena.
    pub fn merge(&mut self, other: Id, size: usize) {
        self.size += size;
        self.add_roots(other);
    }

    /// Adds the trees of another heap.
    fn add_roots(&mut self, other: Id) {
        self.head = self.merge_roots(self.head, other);
        if self.head != NIL {
            self.unite();
        }
    }

    /// Merges two lists of roots into one with increasing degrees.
    fn merge_roots(&mut self, one: Id, other: Id) -> Id {
        let mut left = one;
        let mut right = other;
        if left == NIL {
            return right;
        }
        if right == NIL {
            return left;
        }
        let mut first = left;
        if self.nodes[left].degree <= self.nodes[right].degree {
            left = self.nodes[left].sibling;
        } else {
            first = right;
            right = self.nodes[right].sibling;
        }
        let mut last = first;
        while left != NIL && right != NIL {
            if self.nodes[left].degree <= self.nodes[right].degree {
                self.nodes[last].sibling = left;
                left = self.nodes[left].sibling;
            } else {
                self.nodes[last].sibling = right;
                right = self.nodes[right].sibling;
            }
            last = self.nodes[last].sibling;
        }
        if left != NIL {
            self.nodes[last].sibling = left;
        } else {
            self.nodes[last].sibling = right;
        }
        first
    }

    /// Links roots of the same degree, until there is at most one of each.
    fn unite(&mut self) {
        let mut previous = NIL;
        let mut root = self.head;
        let mut next = self.nodes[root].sibling;
        while next != NIL {
            let after = self.nodes[next].sibling;
            let degree = self.nodes[root].degree;
            if degree != self.nodes[next].degree || after != NIL && degree == self.nodes[after].degree {
                previous = root;
                root = next;
            } else if self.nodes[root].key <= self.nodes[next].key {
                self.nodes[root].sibling = after;
                self.link(next, root);
            } else {
                if previous == NIL {
                    self.head = next;
                } else {
                    self.nodes[previous].sibling = next;
                }
                self.link(root, next);
                root = next;
            }
            next = self.nodes[root].sibling;
        }
    }

    /// Makes a root the first child of another one of the same degree.
    fn link(&mut self, lower: Id, upper: Id) {
        self.nodes[lower].parent = upper;
        self.nodes[lower].sibling = self.nodes[upper].child;
        self.nodes[upper].child = lower;
        self.nodes[upper].degree += 1;
    }
}

#[mutate(calls(merge))]
impl Heap {
    /// Adds a key.
    pub fn insert(&mut self, key: u32) {
        let node = self.nodes.add(Node { key, degree: 0, parent: NIL, child: NIL, sibling: NIL });
        self.merge(node, 1);
    }
}

#[mutate(calls(add_roots))]
impl Heap {
    /// Removes and returns the least key.
    pub fn extract_min(&mut self) -> Option<u32> {
        if self.head == NIL {
            return None;
        }
        let mut least = self.head;
        let mut before_least = NIL;
        let mut before = self.head;
        let mut root = self.nodes[before].sibling;
        while root != NIL {
            if self.nodes[root].key < self.nodes[least].key {
                least = root;
                before_least = before;
            }
            before = root;
            root = self.nodes[root].sibling;
        }
        self.remove_root(least, before_least);
        Some(self.nodes[least].key)
    }

    /// Removes a root, and adds its children to the roots.
    fn remove_root(&mut self, root: Id, before: Id) {
        if before == NIL {
            self.head = self.nodes[root].sibling;
        } else {
            self.nodes[before].sibling = self.nodes[root].sibling;
        }
        let mut roots = NIL;
        let mut child = self.nodes[root].child;
        while child != NIL {
            let next = self.nodes[child].sibling;
            self.nodes[child].parent = NIL;
            self.nodes[child].sibling = roots;
            roots = child;
            child = next;
        }
        self.size -= 1;
        self.add_roots(roots);
    }
}

#[mutate(
    equivalent("heap::Heap::search::ror::7545fe", "the key is not that of the node here"),
    equivalent("heap::Heap::search::aoi::bf47cb.2", "the key is not that of the node here"),
    equivalent("heap::Heap::search::ror::2571ac", "there is no smaller key below a greater one"),
    equivalent("heap::Heap::search::loi::3ddf41.2", "there is no smaller key below a greater one")
)]
impl Heap {
    /// Whether a key is there.
    pub fn find(&self, key: u32) -> bool {
        self.search(self.head, key) != NIL
    }

    /// The first node with a key among siblings and below them. No child is less than its parent.
    fn search(&self, first: Id, key: u32) -> Id {
        let mut node = first;
        while node != NIL {
            if self.nodes[node].key == key {
                return node;
            }
            if self.nodes[node].key < key {
                let below = self.search(self.nodes[node].child, key);
                if below != NIL {
                    return below;
                }
            }
            node = self.nodes[node].sibling;
        }
        NIL
    }
}

#[mutate(calls(remove_root, search))]
impl Heap {
    /// Deletes one occurrence of a key. Returns false if it was absent.
    pub fn delete(&mut self, key: u32) -> bool {
        let mut node = self.search(self.head, key);
        if node == NIL {
            return false;
        }
        // The keys above it move down, and its root is removed.
        while self.nodes[node].parent != NIL {
            let parent = self.nodes[node].parent;
            self.nodes[node].key = self.nodes[parent].key;
            node = parent;
        }
        let mut before = NIL;
        let mut root = self.head;
        while root != node {
            before = root;
            root = self.nodes[root].sibling;
        }
        self.remove_root(node, before);
        true
    }
}

impl Heap {
    /// The heap with the same trees.
    pub fn of(heap: &BinomialHeap) -> Heap {
        let mut made = Heap { nodes: Arena::default(), head: NIL, size: heap.len() };
        made.head = made.add(heap);
        made
    }

    /// Adds the nodes of a heap to the arena. Returns its first root.
    pub fn add(&mut self, heap: &BinomialHeap) -> Id {
        let nodes = &mut self.nodes;
        let head = heap.fold(&mut |key, degree, child, sibling| {
            let (child, sibling) = (child.unwrap_or(NIL), sibling.unwrap_or(NIL));
            let id = nodes.add(Node { key, degree, parent: NIL, child, sibling });
            let mut lower = child;
            while lower != NIL {
                nodes[lower].parent = id;
                lower = nodes[lower].sibling;
            }
            id
        });
        head.unwrap_or(NIL)
    }

    /// The trees with their keys.
    pub fn shape(&self) -> Shape {
        let mut shape = Shape::of(self.nodes.count());
        shape.push(self.size as i64);
        self.walk(self.head, NIL, &mut shape);
        shape
    }

    fn walk(&self, first: Id, parent: Id, shape: &mut Shape) {
        let mut id = first;
        while shape.enter(id) {
            let node = &self.nodes[id];
            shape.push(i64::from(node.key));
            shape.push(i64::from(node.degree) * 2 + i64::from(node.parent == parent));
            self.walk(node.child, id, shape);
            id = node.sibling;
        }
    }
}
