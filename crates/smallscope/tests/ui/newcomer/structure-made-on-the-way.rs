use smallscope::{Bounded, rep_ok};

#[derive(Bounded)]
struct Node {
    left: Option<Box<Node>>,
    key: u8,
}

#[rep_ok]
impl Node {
    fn rep_ok(&self) -> bool {
        let other = Node { left: None, key: 0 };
        self.key > other.key
    }
}

fn main() {}
