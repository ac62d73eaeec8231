use smallscope::Bounded;

#[derive(Bounded)]
struct Node {
    #[bounded(variants(One, Two))]
    key: u8,
}

fn main() {}
