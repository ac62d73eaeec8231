use smallscope::{Bounded, rep_ok};

#[derive(Bounded)]
struct Tree {
    root: Option<Box<Node>>,
}

#[derive(Bounded)]
struct Node {
    key: u8,
    left: Option<Box<Node>>,
}

impl Tree {
    fn ordered(node: &Option<Box<Node>>) -> bool {
        node.as_ref().is_none_or(|n| n.key < 3 && Self::ordered(&n.left))
    }
}

#[rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        Self::ordered(&self.root)
    }
}

fn main() {}
