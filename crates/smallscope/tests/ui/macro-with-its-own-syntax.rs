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

macro_rules! ensure {
    ($e:expr => $n:expr) => {
        if $e > $n {
            return false;
        }
    };
}

#[rep_ok]
impl<K: Ord> Tree<K> {
    fn rep_ok(&self) -> bool {
        ensure!(self.size => 3);
        true
    }
}

fn main() {}
