use smallscope::{Bounded, rep_ok};

#[derive(Bounded)]
struct Node {
    left: Option<Box<Node>>,
    key: u8,
}

impl Node {
    fn is_leaf(&self, below: u8) -> bool {
        self.left.is_none() && self.key < below
    }
}

#[rep_ok]
impl Node {
    fn rep_ok(&self) -> bool {
        self.left.as_ref().is_none_or(|n| n.is_leaf(self.key))
    }
}

fn main() {}
