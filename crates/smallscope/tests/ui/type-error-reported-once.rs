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
        if self.size {
            return 1;
        }
        let most: u8 = 3;
        if self.size == most || self.root.iter().all(|n| n.left.iter().count() < most) {
            return true;
        }
        self.size && !matches!(self.size, "one")
    }
}

fn main() {}
