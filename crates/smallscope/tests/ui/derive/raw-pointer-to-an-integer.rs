use smallscope::Bounded;

#[derive(Bounded)]
#[bounded(unsafe(raw_pointers))]
struct Node {
    count: *mut u8,
}

fn main() {}
