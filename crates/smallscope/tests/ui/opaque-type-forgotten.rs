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

struct Stats(usize);

impl Stats {
    fn new(n: usize) -> Stats {
        Stats(n)
    }
}

#[rep_ok]
impl<K: Ord> Tree<K> {
    fn rep_ok(&self) -> bool {
        Stats::new(self.size).0 == 0
    }
}

fn main() {}
