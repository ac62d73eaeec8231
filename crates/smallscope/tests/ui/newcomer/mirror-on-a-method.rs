use smallscope::{Bounded, rep_ok};

#[derive(Bounded)]
struct Node {
    left: Option<Box<Node>>,
    key: u8,
}

impl Node {
    #[smallscope::mirror]
    fn is_small(&self) -> bool {
        self.key < 3
    }
}

#[rep_ok]
impl Node {
    fn rep_ok(&self) -> bool {
        self.key < 3
    }
}

fn main() {}
