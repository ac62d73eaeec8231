use smallscope::{Bounded, rep_ok};

#[derive(Bounded, Clone)]
struct Tree<K> {
    root: Option<Box<Node<K>>>,
    size: usize,
}

#[derive(Bounded, Clone)]
struct Node<K> {
    key: K,
    left: Option<Box<Node<K>>>,
}

impl<K> Node<K> {
    fn is_leaf(&self) -> bool {
        self.left.is_none()
    }
}

#[rep_ok]
impl<K: Ord> Tree<K> {
    fn rep_ok(&self) -> bool {
        self.root.as_ref().is_none_or(|n| n.is_leaf())
    }
}

fn main() {}
