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

fn depth<K>(n: &Option<Box<Node<K>>>) -> usize {
    n.as_ref().map_or(0, |n| 1 + depth(&n.left))
}

#[rep_ok(fn depth)]
impl<K: Ord> Tree<K> {
    fn rep_ok(&self) -> bool {
        depth(&self.root) == self.size
    }
}

fn main() {}
