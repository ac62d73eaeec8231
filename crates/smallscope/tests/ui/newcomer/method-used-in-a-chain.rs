use smallscope::{Bounded, rep_ok};

#[derive(Bounded)]
struct Node {
    left: Option<Box<Node>>,
    key: u8,
}

impl Node {
    fn keys(&self) -> Vec<u8> {
        vec![self.key]
    }
}

#[rep_ok]
impl Node {
    fn rep_ok(&self) -> bool {
        self.keys().windows(2).all(|w| w[0] < w[1])
    }
}

fn main() {}
