use smallscope::Bounded;

#[derive(Bounded)]
struct List {
    head: *mut Node,
}

#[derive(Bounded)]
#[bounded(unsafe(raw_pointers))]
struct Node {
    next: *mut Node,
}

fn main() {}
