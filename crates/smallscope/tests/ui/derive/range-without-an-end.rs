use smallscope::Bounded;

#[derive(Bounded)]
struct Node {
    #[bounded(range = 1..)]
    key: u8,
}

fn main() {}
