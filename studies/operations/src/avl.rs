//! AVL trees: insert and remove.

use crate::arena::{Arena, Id, NIL, Shape};
use smallscope::mutate;
use smallscope_catalogue::avl_tree::AvlTree;

/// A search tree whose subtrees differ in height by at most one.
#[derive(Debug, Clone)]
pub struct Tree {
    nodes: Arena<Node>,
    root: Id,
    size: usize,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    key: u32,
    /// A leaf has height 1.
    height: u32,
    left: Id,
    right: Id,
}

#[mutate(equivalent("avl::Tree::update::ror::b2bd6a", "equal heights give the same sum"))]
impl Tree {
    fn height(&self, node: Id) -> u32 {
        if node == NIL {
            return 0;
        }
        self.nodes[node].height
    }

    fn update(&mut self, node: Id) {
        let left = self.height(self.nodes[node].left);
        let right = self.height(self.nodes[node].right);
        if left < right {
            self.nodes[node].height = right + 1;
        } else {
            self.nodes[node].height = left + 1;
        }
    }

    /// The right child becomes the parent. Returns it.
    fn rotate_left(&mut self, node: Id) -> Id {
        let rising = self.nodes[node].right;
        self.nodes[node].right = self.nodes[rising].left;
        self.nodes[rising].left = node;
        self.update(node);
        self.update(rising);
        rising
    }

    /// The left child becomes the parent. Returns it.
    fn rotate_right(&mut self, node: Id) -> Id {
        let rising = self.nodes[node].left;
        self.nodes[node].left = self.nodes[rising].right;
        self.nodes[rising].right = node;
        self.update(node);
        self.update(rising);
        rising
    }

    /// Balances a node whose subtrees are balanced. Returns the root of its subtree.
    fn balance(&mut self, node: Id) -> Id {
        let left = self.nodes[node].left;
        let right = self.nodes[node].right;
        if self.height(left) > self.height(right) + 1 {
            if self.height(self.nodes[left].left) < self.height(self.nodes[left].right) {
                self.nodes[node].left = self.rotate_left(left);
            }
            return self.rotate_right(node);
        }
        if self.height(right) > self.height(left) + 1 {
            if self.height(self.nodes[right].right) < self.height(self.nodes[right].left) {
                self.nodes[node].right = self.rotate_right(right);
            }
            return self.rotate_left(node);
        }
        self.update(node);
        node
    }
}

#[mutate(
    calls(balance),
    equivalent("avl::Tree::insert::ror::f7c672", "an insertion never makes a tree smaller"),
    equivalent("avl::Tree::insert_below::ror::44042a", "the key is not less here")
)]
impl Tree {
    /// Adds a key. Returns false if it was present.
    pub fn insert(&mut self, key: u32) -> bool {
        let before = self.size;
        self.root = self.insert_below(self.root, key);
        self.size > before
    }

    /// Adds a key to a subtree. Returns its root.
    fn insert_below(&mut self, node: Id, key: u32) -> Id {
        if node == NIL {
            self.size += 1;
            return self.nodes.add(Node { key, height: 1, left: NIL, right: NIL });
        }
        if key < self.nodes[node].key {
            self.nodes[node].left = self.insert_below(self.nodes[node].left, key);
        } else if key > self.nodes[node].key {
            self.nodes[node].right = self.insert_below(self.nodes[node].right, key);
        } else {
            return node;
        }
        self.balance(node)
    }
}

#[mutate(
    calls(balance),
    equivalent("avl::Tree::remove::ror::1bcbb1", "a removal never makes a tree larger"),
    equivalent("avl::Tree::remove_below::ror::44042a", "the key is not less here")
)]
impl Tree {
    /// Removes a key. Returns false if it was absent.
    pub fn remove(&mut self, key: u32) -> bool {
        let before = self.size;
        self.root = self.remove_below(self.root, key);
        self.size < before
    }

    /// Removes a key from a subtree. Returns its root.
    fn remove_below(&mut self, node: Id, key: u32) -> Id {
        if node == NIL {
            return NIL;
        }
        if key < self.nodes[node].key {
            self.nodes[node].left = self.remove_below(self.nodes[node].left, key);
        } else if key > self.nodes[node].key {
            self.nodes[node].right = self.remove_below(self.nodes[node].right, key);
        } else if self.nodes[node].left != NIL && self.nodes[node].right != NIL {
            let mut next = self.nodes[node].right;
            while self.nodes[next].left != NIL {
                next = self.nodes[next].left;
            }
            self.nodes[node].key = self.nodes[next].key;
            self.nodes[node].right = self.remove_below(self.nodes[node].right, self.nodes[next].key);
        } else {
            self.size -= 1;
            if self.nodes[node].left != NIL {
                return self.nodes[node].left;
            }
            return self.nodes[node].right;
        }
        self.balance(node)
    }
}

impl Tree {
    /// The tree with the same nodes.
    pub fn of(tree: &AvlTree<u32>) -> Tree {
        let mut nodes = Arena::default();
        let root = tree.fold(&mut |key, height, left, right| {
            let (left, right) = (left.unwrap_or(NIL), right.unwrap_or(NIL));
            nodes.add(Node { key: key.unwrap_or_default(), height, left, right })
        });
        Tree { nodes, root: root.unwrap_or(NIL), size: tree.len() }
    }

    /// The nodes with their keys and heights.
    pub fn shape(&self) -> Shape {
        let mut shape = Shape::of(self.nodes.count());
        shape.push(self.size as i64);
        self.walk(self.root, &mut shape);
        shape
    }

    fn walk(&self, id: Id, shape: &mut Shape) {
        if shape.enter(id) {
            let Node { key, height, left, right } = self.nodes[id];
            shape.push(i64::from(key));
            shape.push(i64::from(height));
            self.walk(left, shape);
            self.walk(right, shape);
        }
    }
}
