use smallscope::Bounded;

#[derive(Bounded)]
struct Node {
    #[bounded(len = 0..=9)]
    key: u8,
}

fn main() {}
