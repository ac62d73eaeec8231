use smallscope::Bounded;

#[derive(Bounded)]
struct Node {
    #[bounded(range = 0..=9, set = [1, 2])]
    key: u8,
}

fn main() {}
