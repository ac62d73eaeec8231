use smallscope::Bounded;

#[derive(Bounded)]
struct Node {
    #[bounded(values = ["one", "two"])]
    key: u8,
}

fn main() {}
