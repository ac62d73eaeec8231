use smallscope::Bounded;

#[derive(Bounded)]
struct Node {
    #[bounded(len = 0..=2)]
    keys: [u8; 2],
}

fn main() {}
