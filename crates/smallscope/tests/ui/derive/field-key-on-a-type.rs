use smallscope::Bounded;

#[derive(Bounded)]
#[bounded(range = 0..=9)]
struct Node {
    key: u8,
}

fn main() {}
