use smallscope::{Bounded, rep_ok};

#[derive(Bounded)]
struct Node {
    left: Option<Box<Node>>,
    key: u8,
}

trait Height {
    fn height(&self) -> usize;
}

impl Height for Node {
    fn height(&self) -> usize {
        1 + self.left.as_ref().map_or(0, |n| n.height())
    }
}

#[rep_ok]
impl Node {
    fn rep_ok(&self) -> bool {
        self.height() < 4
    }
}

fn main() {}
