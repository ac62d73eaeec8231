use smallscope::Bounded;

#[derive(Bounded)]
struct Node {
    #[bounded(range)]
    key: u8,
}

fn main() {}
