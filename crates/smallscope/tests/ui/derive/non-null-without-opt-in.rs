use smallscope::Bounded;

use std::ptr::NonNull;

#[derive(Bounded)]
struct Node {
    next: Option<NonNull<Node>>,
}

fn main() {}
