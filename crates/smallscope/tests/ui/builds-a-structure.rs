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

#[rep_ok]
impl<K: Ord> Tree<K> {
    fn rep_ok(&self) -> bool {
        let empty: Tree<K> = Tree { root: None, size: 0 };
        empty.size <= self.size
    }
}

fn main() {}
