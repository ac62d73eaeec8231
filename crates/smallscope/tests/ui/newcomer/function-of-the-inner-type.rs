use smallscope::{Bounded, rep_ok};

#[derive(Bounded)]
struct Tree<K> {
    root: Option<Box<Node<K>>>,
}

#[derive(Bounded)]
struct Node<K> {
    key: K,
    left: Option<Box<Node<K>>>,
}

impl<K> Node<K> {
    fn height(node: &Node<K>) -> usize {
        1 + node.left.as_deref().map_or(0, Node::height)
    }
}

#[rep_ok]
impl<K: Ord> Tree<K> {
    fn rep_ok(&self) -> bool {
        self.root.as_deref().map_or(0, Node::height) < 3
    }
}

fn main() {}
