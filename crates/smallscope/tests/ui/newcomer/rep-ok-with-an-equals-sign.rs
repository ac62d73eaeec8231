use smallscope::{Bounded, rep_ok};

#[derive(Bounded)]
struct Node {
    left: Option<Box<Node>>,
    key: u8,
}

#[rep_ok(valid)]
impl Node {
    fn valid(&self) -> bool {
        self.key < 3
    }
}

fn main() {}
