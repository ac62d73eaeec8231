use smallscope::Bounded;

use std::cell::Cell;

#[derive(Bounded)]
struct Node {
    items: Cell<Vec<u8>>,
}

fn main() {}
