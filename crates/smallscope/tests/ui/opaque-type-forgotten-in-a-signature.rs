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

#[derive(Default)]
struct Stats {
    nodes: usize,
}

#[rep_ok]
impl<K: Ord> Tree<K> {
    fn rep_ok(&self) -> bool {
        let mut nodes = Default::default();
        Self::count(&self.root, &mut nodes);
        nodes.nodes == self.size
    }
    fn count(n: &Option<Box<Node<K>>>, stats: &mut Stats) {
        if let Some(n) = n {
            stats.nodes += 1;
            Self::count(&n.left, stats);
        }
    }
}

fn main() {}
