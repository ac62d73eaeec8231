use smallscope::sequences::Linearize;

#[derive(Linearize)]
struct Node {
    #[linearize(unsafe(raw_pointers))]
    next: *mut Node,
}

fn main() {}
