use smallscope::{Bounded, rep_ok};

#[derive(Bounded)]
struct Node {
    left: Option<Box<Node>>,
    key: u8,
}

#[rep_ok]
impl Node {
    fn rep_ok(&self) {
        assert!(self.key < 3);
    }
}

fn main() {}
