//! Links between nodes, and what keeps the tree balanced.

use super::{Color, Node, TreeMap};

/// Left or right.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Left,
    Right,
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
impl Side {
    fn opposite(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
impl<K, V> TreeMap<K, V> {
    pub(super) fn entry(&self, node: usize) -> (&K, &V) {
        let node = &self.nodes[node];
        (&node.key, &node.value)
    }

    pub(super) fn first_node(&self) -> Option<usize> {
        self.root.map(|root| self.first_below(root))
    }

    fn first_below(&self, mut node: usize) -> usize {
        while let Some(left) = self.nodes[node].left {
            node = left;
        }
        node
    }

    /// The node with the next key: the first one on the right, or the first parent that is not on the left.
    pub(super) fn next_node(&self, mut node: usize) -> Option<usize> {
        if let Some(right) = self.nodes[node].right {
            return Some(self.first_below(right));
        }
        while let Some(parent) = self.nodes[node].parent {
            if self.nodes[parent].left == Some(node) {
                return Some(parent);
            }
            node = parent;
        }
        None
    }

    /// A new red node at the end of the vector. Its parent does not know it yet.
    pub(super) fn add(&mut self, key: K, value: V, parent: Option<usize>) -> usize {
        self.nodes.push(Node { key, value, color: Color::Red, left: None, right: None, parent });
        self.nodes.len() - 1
    }

    fn child(&self, parent: usize, side: Side) -> Option<usize> {
        match side {
            Side::Left => self.nodes[parent].left,
            Side::Right => self.nodes[parent].right,
        }
    }

    fn set_child(&mut self, parent: usize, side: Side, child: Option<usize>) {
        match side {
            Side::Left => self.nodes[parent].left = child,
            Side::Right => self.nodes[parent].right = child,
        }
        if let Some(child) = child {
            self.nodes[child].parent = Some(parent);
        }
    }

    /// On which side of its parent a node is.
    fn side_of(&self, node: usize, parent: usize) -> Side {
        if self.nodes[parent].left == Some(node) { Side::Left } else { Side::Right }
    }

    fn is_red(&self, node: usize) -> bool {
        self.nodes[node].color == Color::Red
    }

    fn has_red(&self, parent: usize, side: Side) -> bool {
        self.child(parent, side).is_some_and(|child| self.is_red(child))
    }

    /// Puts a new node, if any, in the place of an old one below its parent.
    fn replace(&mut self, old: usize, new: Option<usize>) {
        match self.nodes[old].parent {
            Some(parent) => self.set_child(parent, self.side_of(old, parent), new),
            None => {
                self.root = new;
                if let Some(new) = new {
                    self.nodes[new].parent = None;
                }
            }
        }
    }

    /// Removes an unlinked node from the vector. The last node moves to its place.
    fn release(&mut self, node: usize) -> (K, V) {
        let last = self.nodes.len() - 1;
        if node != last {
            match self.nodes[last].parent {
                Some(parent) if self.nodes[parent].left == Some(last) => self.nodes[parent].left = Some(node),
                Some(parent) => self.nodes[parent].right = Some(node),
                None => self.root = Some(node),
            }
            for child in [self.nodes[last].left, self.nodes[last].right].into_iter().flatten() {
                self.nodes[child].parent = Some(node);
            }
        }
        let released = self.nodes.swap_remove(node);
        (released.key, released.value)
    }
}

#[cfg_attr(
    feature = "mutate",
    smallscope::mutate(calls(
        child,
        first_below,
        has_red,
        is_red,
        opposite,
        release,
        replace,
        set_child,
        side_of
    ))
)]
#[cfg_attr(
    feature = "cover",
    smallscope_cover::cover(
        pub(super) static BALANCE,
        predicates(
            self.nodes[node].left.is_some(),
            self.nodes[node].right.is_some(),
            self.nodes[node].parent.is_some(),
            self.nodes[node].color == Color::Red
        )
    )
)]
impl<K, V> TreeMap<K, V> {
    /// The child on the other side rises above its parent, which goes down on this side.
    fn rotate(&mut self, node: usize, side: Side) {
        if let Some(rising) = self.child(node, side.opposite()) {
            let between = self.child(rising, side);
            self.replace(node, Some(rising));
            self.set_child(node, side.opposite(), between);
            self.set_child(rising, side, Some(node));
        }
    }

    /// The new node is red. If its parent is red, too, nodes above them must change.
    pub(super) fn fix_after_insertion(&mut self, mut node: usize) {
        while let Some(mut parent) = self.nodes[node].parent {
            if !self.is_red(parent) {
                return;
            }
            // The root is black, so a red parent is not the root.
            let Some(grandparent) = self.nodes[parent].parent else { return };
            let side = self.side_of(parent, grandparent);
            let uncle = self.child(grandparent, side.opposite());
            if let (Some(uncle), true) = (uncle, self.has_red(grandparent, side.opposite())) {
                self.nodes[parent].color = Color::Black;
                self.nodes[uncle].color = Color::Black;
                self.nodes[grandparent].color = Color::Red;
                node = grandparent;
            } else {
                if self.side_of(node, parent) != side {
                    self.rotate(parent, side);
                    parent = node;
                }
                self.nodes[parent].color = Color::Black;
                self.nodes[grandparent].color = Color::Red;
                self.rotate(grandparent, side.opposite());
                return;
            }
        }
        self.nodes[node].color = Color::Black;
    }

    /// Takes a node out of the tree.
    pub(super) fn remove_node(&mut self, mut node: usize) -> (K, V) {
        if let (Some(_), Some(right)) = (self.nodes[node].left, self.nodes[node].right) {
            // The next entry, which has no left child, moves here; its node is removed instead.
            let next = self.first_below(right);
            self.exchange_entries(node, next);
            node = next;
        }
        if let Some(child) = self.nodes[node].left.or(self.nodes[node].right) {
            // The other side has no black node, so this child is red, and the node black.
            self.replace(node, Some(child));
            self.nodes[child].color = Color::Black;
        } else {
            if !self.is_red(node) {
                self.fix_before_removal(node);
            }
            self.replace(node, None);
        }
        self.release(node)
    }

    fn exchange_entries(&mut self, a: usize, b: usize) {
        let (low, high) = (a.min(b), a.max(b));
        let (head, tail) = self.nodes.split_at_mut(high);
        std::mem::swap(&mut head[low].key, &mut tail[0].key);
        std::mem::swap(&mut head[low].value, &mut tail[0].value);
    }

    /// The paths through a black node will lose one black node. Moves another one onto them.
    fn fix_before_removal(&mut self, mut node: usize) {
        while let Some(parent) = self.nodes[node].parent {
            let side = self.side_of(node, parent);
            let other = side.opposite();
            // The paths on the other side have black nodes, too.
            let Some(mut sibling) = self.child(parent, other) else { return };
            if self.is_red(sibling) {
                self.nodes[sibling].color = Color::Black;
                self.nodes[parent].color = Color::Red;
                self.rotate(parent, side);
                // A red node's children are black, and this was one.
                let Some(nephew) = self.child(parent, other) else { return };
                sibling = nephew;
            }
            if !self.has_red(sibling, side) && !self.has_red(sibling, other) {
                self.nodes[sibling].color = Color::Red;
                if self.is_red(parent) {
                    self.nodes[parent].color = Color::Black;
                    return;
                }
                node = parent;
            } else {
                if let (Some(near), false) = (self.child(sibling, side), self.has_red(sibling, other)) {
                    self.nodes[near].color = Color::Black;
                    self.nodes[sibling].color = Color::Red;
                    self.rotate(sibling, other);
                    sibling = near;
                }
                self.nodes[sibling].color = self.nodes[parent].color;
                self.nodes[parent].color = Color::Black;
                if let Some(far) = self.child(sibling, other) {
                    self.nodes[far].color = Color::Black;
                }
                self.rotate(parent, side);
                return;
            }
        }
    }
}
