use smallscope::Bounded;

#[derive(Bounded)]
struct Node {
    #[bounded(alphabet = "012")]
    key: u8,
}

fn main() {}
