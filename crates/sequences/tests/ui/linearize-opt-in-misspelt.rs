use smallscope::sequences::Linearize;

#[derive(Linearize)]
#[linearize(unsafe(pointers))]
struct Node {
    next: *mut Node,
}

fn main() {}
