use smallscope::{rep_ok};

struct Node {
    key: u8,
}

#[rep_ok]
impl Node {
    fn rep_ok(&self) -> bool {
        self.key < 3
    }
}

fn main() {}
