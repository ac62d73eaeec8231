use smallscope::Bounded;

#[derive(Bounded)]
struct Tree {
    root: Option<Box<Node>>,
}

struct Node {
    key: u8,
}

fn main() {}
