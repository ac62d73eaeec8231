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

#[mirror]
#[derive(Bounded)]
struct Pair {
    a: u8,
}

fn main() {}
