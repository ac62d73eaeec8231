use smallscope::{Bounded, rep_ok};

#[rep_ok]
#[derive(Bounded)]
struct Node {
    key: u8,
}

fn main() {}
