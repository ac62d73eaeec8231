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

struct Iter<'a, K>(Option<&'a Node<K>>);

impl<'a, K> Iterator for Iter<'a, K> {
    type Item = &'a K;
    fn next(&mut self) -> Option<&'a K> {
        let n = self.0?;
        self.0 = n.left.as_deref();
        Some(&n.key)
    }
}

#[rep_ok]
impl<K: Ord> Tree<K> {
    fn rep_ok(&self) -> bool {
        self.iter().count() == self.size
    }
    fn iter(&self) -> Iter<'_, K> {
        Iter(self.root.as_deref())
    }
}

fn main() {}
