use smallscope::Bounded;

#[derive(Bounded)]
struct Node {
    #[bounded(len = 3)]
    keys: Vec<u8>,
}

fn main() {}
