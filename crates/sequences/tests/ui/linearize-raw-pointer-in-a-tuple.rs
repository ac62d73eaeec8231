use smallscope::sequences::Linearize;

#[derive(Linearize)]
#[linearize(unsafe(raw_pointers))]
struct Node {
    nested: (u8, Option<*mut Node>),
}

fn main() {}
