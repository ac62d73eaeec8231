use smallscope::{Bounded, mirror};

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

#[mirror(name = height)]
impl<K: Ord> Node<K> {
    fn height(&self) -> usize {
        0
    }
}

fn main() {}
