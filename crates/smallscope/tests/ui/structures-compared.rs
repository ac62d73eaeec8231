use smallscope::{Bounded, rep_ok};

#[derive(Bounded, PartialEq)]
struct Tree<K> {
    root: Option<Box<Node<K>>>,
    size: usize,
}

#[derive(Bounded, PartialEq)]
struct Node<K> {
    key: K,
    left: Option<Box<Node<K>>>,
}

#[rep_ok]
impl<K: Ord> Tree<K> {
    fn rep_ok(&self) -> bool {
        self.root.as_ref().is_none_or(|n| n.left == self.root)
    }
}

fn main() {}
