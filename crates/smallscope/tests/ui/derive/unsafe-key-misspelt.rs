use smallscope::Bounded;

#[derive(Bounded)]
#[bounded(unsafe(raw))]
struct Node {
    next: *mut Node,
}

fn main() {}
