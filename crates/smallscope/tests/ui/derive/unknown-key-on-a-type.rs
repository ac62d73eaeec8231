use smallscope::Bounded;

#[derive(Bounded)]
#[bounded(object = 3)]
struct Node {
    key: u8,
}

fn main() {}
