use smallscope::{Bounded, rep_ok};

#[derive(Bounded)]
struct Node {
    left: Option<Box<Node>>,
    key: u8,
}

#[rep_ok("key < 3")]
impl Node {
    fn rep_ok(&self) -> bool {
        self.key < 3
    }
}

fn main() {}
