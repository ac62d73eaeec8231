use smallscope::{Bounded, rep_ok};

#[derive(Bounded)]
struct Node {
    left: Option<Box<Node>>,
    key: u8,
}

#[rep_ok]
impl Node {
    fn is_valid(&self) -> bool {
        self.key < 3
    }
}

fn main() {}
