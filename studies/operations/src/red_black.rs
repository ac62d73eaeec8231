//! Red-black trees with parent links: search, insert and remove.
//!
//! The node in front of all others is the sentinel: it is where every link ends, and black.

use crate::arena::{Arena, Id, NIL, Shape};
use Color::{Black, Red};
use smallscope::mutate;
use smallscope_catalogue::red_black_tree::{Color, RedBlackTree};

/// Where every link ends.
const END: Id = Id(0);

/// A search tree in which no red node has a red child, and every path down has the same number of black nodes.
#[derive(Debug, Clone)]
pub struct Tree {
    nodes: Arena<Node>,
    root: Id,
    size: usize,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    key: u32,
    color: Color,
    parent: Id,
    left: Id,
    right: Id,
}

#[mutate(
    equivalent("red_black::Tree::find::aoi::cfc01d.2", "the key is positive, and not that of the node"),
    equivalent("red_black::Tree::find::ror::927fad", "the key is not that of the node")
)]
impl Tree {
    /// The node with a key, or the end.
    pub fn find(&self, key: u32) -> Id {
        let mut node = self.root;
        while node != END && self.nodes[node].key != key {
            if key < self.nodes[node].key {
                node = self.nodes[node].left;
            } else {
                node = self.nodes[node].right;
            }
        }
        node
    }
}

#[mutate]
impl Tree {
    /// The right child becomes the parent.
    fn rotate_left(&mut self, node: Id) {
        let rising = self.nodes[node].right;
        let inner = self.nodes[rising].left;
        self.nodes[node].right = inner;
        if inner != END {
            self.nodes[inner].parent = node;
        }
        self.replace(node, rising);
        self.nodes[rising].left = node;
        self.nodes[node].parent = rising;
    }

    /// The left child becomes the parent.
    fn rotate_right(&mut self, node: Id) {
        let rising = self.nodes[node].left;
        let inner = self.nodes[rising].right;
        self.nodes[node].left = inner;
        if inner != END {
            self.nodes[inner].parent = node;
        }
        self.replace(node, rising);
        self.nodes[rising].right = node;
        self.nodes[node].parent = rising;
    }

    /// Puts a node, or the end, in the place of another node.
    fn replace(&mut self, old: Id, new: Id) {
        let parent = self.nodes[old].parent;
        if parent == END {
            self.root = new;
        } else if old == self.nodes[parent].left {
            self.nodes[parent].left = new;
        } else {
            self.nodes[parent].right = new;
        }
        self.nodes[new].parent = parent;
    }
}

#[mutate(
    calls(rotate_left, rotate_right),
    equivalent("red_black::Tree::insert::ror::44042a", "the key is not less here"),
    equivalent("red_black::Tree::insert::aoi::cfc01d.3", "the key is positive, and not that of its parent"),
    equivalent("red_black::Tree::insert::ror::46e24c", "the key is not that of its parent")
)]
impl Tree {
    /// Adds a key. Returns false if it was present.
    pub fn insert(&mut self, key: u32) -> bool {
        let mut parent = END;
        let mut node = self.root;
        while node != END {
            parent = node;
            if key < self.nodes[node].key {
                node = self.nodes[node].left;
            } else if key > self.nodes[node].key {
                node = self.nodes[node].right;
            } else {
                return false;
            }
        }
        let new = self.nodes.add(Node { key, color: Red, parent, left: END, right: END });
        if parent == END {
            self.root = new;
        } else if key < self.nodes[parent].key {
            self.nodes[parent].left = new;
        } else {
            self.nodes[parent].right = new;
        }
        self.size += 1;
        self.separate_reds(new);
        true
    }

    /// Puts a black node between a red node and its red parent, or above both.
    fn separate_reds(&mut self, new: Id) {
        let mut node = new;
        let mut parent = self.nodes[node].parent;
        while self.nodes[parent].color == Red && parent != self.root {
            let upper = self.nodes[parent].parent;
            if parent == self.nodes[upper].left {
                let uncle = self.nodes[upper].right;
                if self.nodes[uncle].color == Red {
                    self.nodes[uncle].color = Black;
                    node = upper;
                } else {
                    if node == self.nodes[parent].right {
                        node = parent;
                        self.rotate_left(node);
                        parent = self.nodes[node].parent;
                    }
                    self.rotate_right(upper);
                }
            } else {
                let uncle = self.nodes[upper].left;
                if self.nodes[uncle].color == Red {
                    self.nodes[uncle].color = Black;
                    node = upper;
                } else {
                    if node == self.nodes[parent].left {
                        node = parent;
                        self.rotate_right(node);
                        parent = self.nodes[node].parent;
                    }
                    self.rotate_left(upper);
                }
            }
            self.nodes[parent].color = Black;
            self.nodes[upper].color = Red;
            parent = self.nodes[node].parent;
        }
        let root = self.root;
        self.nodes[root].color = Black;
    }
}

#[mutate(
    calls(find, rotate_left, rotate_right, replace),
    equivalent("red_black::Tree::make_up::del::ec2e0e", "the node gets the colour of the parent below"),
    equivalent("red_black::Tree::make_up::del::ec2e0e.2", "the node gets the colour of the parent below"),
    equivalent("red_black::Tree::make_up::del::d0aec6.2", "the node is the far one then, and black below"),
    equivalent("red_black::Tree::make_up::del::d0aec6.4", "the node is the far one then, and black below")
)]
impl Tree {
    /// Removes a key. Returns false if it was absent.
    pub fn remove(&mut self, key: u32) -> bool {
        let node = self.find(key);
        if node == END {
            return false;
        }
        let mut removed = self.nodes[node].color;
        let mut rising = self.nodes[node].right;
        if self.nodes[node].left == END {
            self.replace(node, rising);
        } else if self.nodes[node].right == END {
            rising = self.nodes[node].left;
            self.replace(node, rising);
        } else {
            let mut next = self.nodes[node].right;
            while self.nodes[next].left != END {
                next = self.nodes[next].left;
            }
            removed = self.nodes[next].color;
            rising = self.nodes[next].right;
            if self.nodes[next].parent == node {
                self.nodes[rising].parent = next;
            } else {
                self.replace(next, rising);
                self.nodes[next].right = self.nodes[node].right;
                let right = self.nodes[next].right;
                self.nodes[right].parent = next;
            }
            self.replace(node, next);
            self.nodes[next].left = self.nodes[node].left;
            let left = self.nodes[next].left;
            self.nodes[left].parent = next;
            self.nodes[next].color = self.nodes[node].color;
        }
        self.size -= 1;
        if removed == Black {
            self.make_up(rising);
        }
        true
    }

    /// Restores equal numbers of black nodes where the paths through a node have lost one.
    fn make_up(&mut self, short: Id) {
        let mut node = short;
        while node != self.root && self.nodes[node].color == Black {
            let parent = self.nodes[node].parent;
            if node == self.nodes[parent].left {
                let mut sibling = self.nodes[parent].right;
                if self.nodes[sibling].color == Red {
                    self.nodes[sibling].color = Black;
                    self.nodes[parent].color = Red;
                    self.rotate_left(parent);
                    sibling = self.nodes[parent].right;
                }
                let near = self.nodes[sibling].left;
                let mut far = self.nodes[sibling].right;
                if self.nodes[near].color == Black && self.nodes[far].color == Black {
                    self.nodes[sibling].color = Red;
                    node = parent;
                } else {
                    if self.nodes[far].color == Black {
                        self.nodes[near].color = Black;
                        self.nodes[sibling].color = Red;
                        self.rotate_right(sibling);
                        far = sibling;
                        sibling = near;
                    }
                    self.nodes[sibling].color = self.nodes[parent].color;
                    self.nodes[parent].color = Black;
                    self.nodes[far].color = Black;
                    self.rotate_left(parent);
                    node = self.root;
                }
            } else {
                let mut sibling = self.nodes[parent].left;
                if self.nodes[sibling].color == Red {
                    self.nodes[sibling].color = Black;
                    self.nodes[parent].color = Red;
                    self.rotate_right(parent);
                    sibling = self.nodes[parent].left;
                }
                let near = self.nodes[sibling].right;
                let mut far = self.nodes[sibling].left;
                if self.nodes[near].color == Black && self.nodes[far].color == Black {
                    self.nodes[sibling].color = Red;
                    node = parent;
                } else {
                    if self.nodes[far].color == Black {
                        self.nodes[near].color = Black;
                        self.nodes[sibling].color = Red;
                        self.rotate_left(sibling);
                        far = sibling;
                        sibling = near;
                    }
                    self.nodes[sibling].color = self.nodes[parent].color;
                    self.nodes[parent].color = Black;
                    self.nodes[far].color = Black;
                    self.rotate_right(parent);
                    node = self.root;
                }
            }
        }
        self.nodes[node].color = Black;
    }
}

impl Tree {
    /// The tree with the same nodes.
    pub fn of(tree: &RedBlackTree<u32>) -> Tree {
        let mut nodes = Arena::default();
        nodes.add(Node { key: 0, color: Black, parent: END, left: END, right: END });
        let root = tree.fold(&mut |key, color, left, right| {
            let (left, right) = (left.unwrap_or(END), right.unwrap_or(END));
            let id = nodes.add(Node { key: key.unwrap_or_default(), color, parent: END, left, right });
            for child in [left, right] {
                if child != END {
                    nodes[child].parent = id;
                }
            }
            id
        });
        Tree { nodes, root: root.unwrap_or(END), size: tree.len() }
    }

    /// The key of a node, unless it is the end.
    pub fn key(&self, node: Id) -> Option<u32> {
        (node != END).then(|| self.nodes[node].key)
    }

    /// The nodes with their keys and colours.
    pub fn shape(&self) -> Shape {
        let mut shape = Shape::of(self.nodes.count());
        shape.push(self.size as i64);
        shape.push(i64::from(self.nodes[END].color == Black));
        self.walk(self.root, END, &mut shape);
        shape
    }

    fn walk(&self, id: Id, parent: Id, shape: &mut Shape) {
        if shape.enter(if id == END { NIL } else { id }) {
            let node = &self.nodes[id];
            shape.push(i64::from(node.key));
            shape.push(i64::from(node.color == Red) * 2 + i64::from(node.parent == parent));
            self.walk(node.left, id, shape);
            self.walk(node.right, id, shape);
        }
    }
}
