//! Search trees without balance: search, insert and delete.

use crate::arena::{Arena, Id, NIL, Shape};
use smallscope::mutate;
use smallscope_catalogue::search_tree::SearchTree;

/// A set of keys.
#[derive(Debug, Clone)]
pub struct Tree {
    nodes: Arena<Node>,
    root: Id,
    size: usize,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    key: u32,
    left: Id,
    right: Id,
}

#[mutate(equivalent("search_tree::Tree::contains::ror::44042a", "the key is not less here"))]
impl Tree {
    /// Whether a key is there.
    pub fn contains(&self, key: u32) -> bool {
        let mut node = self.root;
        while node != NIL {
            if key < self.nodes[node].key {
                node = self.nodes[node].left;
            } else if key > self.nodes[node].key {
                node = self.nodes[node].right;
            } else {
                return true;
            }
        }
        false
    }
}

#[mutate(
    equivalent("search_tree::Tree::insert::ror::44042a", "the key is not less here"),
    equivalent(
        "search_tree::Tree::insert::aoi::cfc01d.3",
        "the key is positive, and not that of its parent"
    ),
    equivalent("search_tree::Tree::insert::ror::46e24c", "the key is not that of its parent")
)]
impl Tree {
    /// Adds a key. Returns false if it was present.
    pub fn insert(&mut self, key: u32) -> bool {
        let mut parent = NIL;
        let mut node = self.root;
        while node != NIL {
            parent = node;
            if key < self.nodes[node].key {
                node = self.nodes[node].left;
            } else if key > self.nodes[node].key {
                node = self.nodes[node].right;
            } else {
                return false;
            }
        }
        let new = self.nodes.add(Node { key, left: NIL, right: NIL });
        if parent == NIL {
            self.root = new;
        } else if key < self.nodes[parent].key {
            self.nodes[parent].left = new;
        } else {
            self.nodes[parent].right = new;
        }
        self.size += 1;
        true
    }
}

#[mutate(
    equivalent("search_tree::Tree::delete::aoi::cfc01d.2", "the key is positive, and not that of the node"),
    equivalent("search_tree::Tree::delete::ror::927fad", "the key is not that of the node")
)]
#[smallscope_cover::cover(pub static DELETE)]
impl Tree {
    /// Deletes a key. Returns false if it was absent.
    pub fn delete(&mut self, key: u32) -> bool {
        let mut parent = NIL;
        let mut node = self.root;
        while node != NIL && self.nodes[node].key != key {
            parent = node;
            if key < self.nodes[node].key {
                node = self.nodes[node].left;
            } else {
                node = self.nodes[node].right;
            }
        }
        if node == NIL {
            return false;
        }
        if self.nodes[node].left != NIL && self.nodes[node].right != NIL {
            let mut next = self.nodes[node].right;
            parent = node;
            while self.nodes[next].left != NIL {
                parent = next;
                next = self.nodes[next].left;
            }
            self.nodes[node].key = self.nodes[next].key;
            node = next;
        }
        let mut child = self.nodes[node].left;
        if child == NIL {
            child = self.nodes[node].right;
        }
        if parent == NIL {
            self.root = child;
        } else if self.nodes[parent].left == node {
            self.nodes[parent].left = child;
        } else {
            self.nodes[parent].right = child;
        }
        self.size -= 1;
        true
    }
}

impl Tree {
    /// The tree with the same nodes.
    pub fn of(tree: &SearchTree<u32>) -> Tree {
        let mut nodes = Arena::default();
        let root = tree.fold(&mut |key, left, right| {
            nodes.add(Node { key: *key, left: left.unwrap_or(NIL), right: right.unwrap_or(NIL) })
        });
        Tree { nodes, root: root.unwrap_or(NIL), size: tree.len() }
    }

    /// The nodes with their keys.
    pub fn shape(&self) -> Shape {
        let mut shape = Shape::of(self.nodes.count());
        shape.push(self.size as i64);
        self.walk(self.root, &mut shape);
        shape
    }

    fn walk(&self, id: Id, shape: &mut Shape) {
        if shape.enter(id) {
            let Node { key, left, right } = self.nodes[id];
            shape.push(i64::from(key));
            self.walk(left, shape);
            self.walk(right, shape);
        }
    }
}
