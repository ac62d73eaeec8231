use smallscope::Bounded;

#[derive(Bounded)]
struct Node {
    #[bounded(non_null)]
    key: u8,
}

fn main() {}
