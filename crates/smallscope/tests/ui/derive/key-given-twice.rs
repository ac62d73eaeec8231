use smallscope::Bounded;

#[derive(Bounded)]
struct Node {
    #[bounded(range = 0..=9)]
    #[bounded(range = 0..=3)]
    key: u8,
}

fn main() {}
